# SPDX-License-Identifier: GPL-3.0-or-later
"""A cluster while it is plugged: its documents, and the output of a node's reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.wire.board import Board


class Rack:
    """Where every cable is plugged now; `read_state` gives the output of a node's reader.

    site: name of an inventory; the NICs get MACs if it has none. speeds: Mb/s of links that have not 1000.
    """

    def __init__(self, root: Path, site: str = "lab") -> None:
        place = root / "inventory" / site
        self.design = Documents(root / "schemas").read(place / "design.json", "fnn-design")
        self.macs = json.loads((place / "macs.json").read_text()) if site == "lab" else make_macs(self.design)
        self.speeds: dict[tuple[str, int], int] = {}
        self.wants = {(n["name"], link["nic"]): link["switch"] for n in self.design["nodes"] for link in n["links"]}
        self.nics = {(n["name"], nic["nic"]): nic for n in self.macs["nodes"] for nic in n["nics"]}
        self.plugged: dict[tuple[str, int], str] = {}

    def plug(self, node: str, nic: int, switch: str | None = None) -> None:
        self.plugged[node, nic] = switch or self.wants[node, nic]

    def plug_all(self) -> None:
        self.plugged = dict(self.wants)

    def read_state(self, node: str) -> dict[str, Any]:
        own = [key for key in self.nics if key[0] == node]
        return {
            "listening": True,
            "foreign": 0,
            "links": [
                {
                    "device": self.nics[key]["name"],
                    "mac": self.nics[key]["mac"],
                    "carrier": key in self.plugged,
                    "speed_mbps": self.speeds.get(key, 1000),
                    "duplex": "full",
                    "mtu": 1500,
                }
                for key in own
            ],
            "heard": [
                {
                    "device": self.nics[key]["name"],
                    "mac": self.nics[key]["mac"],
                    "hears": [
                        self.nics[other]["mac"]
                        for other, switch in self.plugged.items()
                        if other != key and switch == self.plugged.get(key)
                    ],
                    "loop": False,
                    "strangers": [],
                }
                for key in own
            ],
        }

    def find_other(self, node: str) -> str:
        """A switch on which the design does not put the node."""
        wanted = [switch for (name, _), switch in self.wants.items() if name == node]
        return next(switch for switch in ("red", "blue", "green") if switch not in wanted)

    def update_all(self, board: Board) -> None:
        for node in dict.fromkeys(node for node, _ in self.nics):
            board.update(node, self.read_state(node))


def make_macs(design: dict[str, Any]) -> dict[str, Any]:
    """MACs for the NICs that the design uses."""
    names = {
        node["name"]: [
            {"nic": link["nic"], "name": f"nic{link['nic']}", "mac": f"02:f0:00:00:{rank:02x}:{link['nic']:02x}"}
            for link in node["links"]
        ]
        for rank, node in enumerate(design["nodes"])
    }
    return {"nodes": [{"name": node, "nics": nics} for node, nics in names.items()]}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Small clusters of all topologies, and flat neighborhood networks that they grow into."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer

Design = dict[str, Any]
#: node -> switches of its NICs.
Wires = Mapping[str, Sequence[str]]

#: Four nodes on three switches with three ports: k2 and k3 are on the same two.
FOUR: Wires = {"k0": ["red", "blue"], "k1": ["red", "green"], "k2": ["blue", "green"], "k3": ["blue", "green"]}


def make_spec(topology: str, nodes: int, nics: int | Sequence[int], **more: Any) -> Design:
    """A spec in short form. nics: of each node, or by rank."""
    numbers = [nics] * nodes if isinstance(nics, int) else nics
    named = [{"name": f"k{rank}", "nics": number} for rank, number in enumerate(numbers)]
    head = {"format": "fnn-spec", "version": 1, "cluster": "growing", "topology": topology}
    return {**head, "nodes": named, "switches": [], **more}


def list_switches(*names: str, ports: int = 4) -> list[dict[str, Any]]:
    return [{"name": name, "ports": ports} for name in names]


class Grower:
    """Makes designs in a directory."""

    def __init__(self, engine: Designer, documents: Documents, directory: Path) -> None:
        self.engine, self.documents, self.directory = engine, documents, directory

    def design(self, spec: Design, name: str = "design.json") -> Design:
        """The design of a topology whose cables follow from its spec, as modules read it."""
        path = self.directory / f"spec-of-{name}"
        path.write_text(json.dumps(self.engine.normalize(spec, self.directory)))
        self.engine.design(path, self.directory / name, {"time_limit": 1, "threads": 1})
        return self.documents.read(self.directory / name, "fnn-design")

    def wire(self, spec: Design, wires: Wires, name: str = "next.json") -> Design:
        """The flat neighborhood network with these cables."""
        cables = [(node, nic, switch) for node, on in wires.items() for nic, switch in enumerate(on)]
        design = self.engine.measure(self.engine.normalize(spec, self.directory), cables)
        self.documents.write(self.directory / name, design)
        return design

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person wants to see of a lab: its nodes, where every cable is plugged, and where it should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .layout import Layout, node_namespace, switches_namespace
from .wiring import Device, Found

FORMAT = "fnn-lab"
VERSION = 1
#: The label that tells with which settings a container was made.
SETTINGS_LABEL = "fnn-lab-settings"


def inspect(
    layout: Layout, found: Found, containers: Sequence[Mapping[str, Any]], answering: Sequence[str]
) -> dict[str, Any]:
    """The lab as a document (format "fnn-lab").

    containers: podman's description of the lab's containers.
    answering: names of the nodes whose sshd answers.
    A cable's state is "ok", "moved", "pulled" (no switch, though the design wants one), "missing" (no such device), or
    "free" (in no switch, as designed).
    """
    by_name = {container["Names"][0]: container for container in containers}
    nodes = []
    for node in layout.nodes:
        name = node_namespace(layout.lab, node.name)
        container = by_name.pop(name, {})
        nodes.append(
            {
                "name": node.name,
                "container": name,
                "namespace": name if name in found else None,
                "state": container.get("State", "absent"),
                "pid": container.get("Pid") or None,
                "address": str(node.address.ip),
                "answers": node.name in answering,
                "settings": (container.get("Labels") or {}).get(SETTINGS_LABEL),
            }
        )
    ports = found.get(switches_namespace(layout.lab), {})
    return {
        "format": FORMAT,
        "version": VERSION,
        "lab": layout.lab,
        "nodes": nodes,
        "cables": [
            {
                "node": cable.node,
                "nic": cable.nic,
                "device": cable.device,
                "mac": cable.mac,
                "port": cable.port,
                "designed": cable.switch,
                "plugged": _plugged(ports.get(cable.port)),
                "state": _judge(ports.get(cable.port), cable.switch),
            }
            for cable in layout.cables
        ],
        "uplinks": [
            {
                "switch": uplink.switch,
                "port": uplink.port,
                "far": uplink.far,
                "plugged": _plugged(ports.get(uplink.port)) == uplink.switch
                and _plugged(ports.get(uplink.far)) == layout.uplink,
            }
            for uplink in layout.uplinks
        ],
        "strangers": sorted(by_name) + sorted(set(found) - set(layout.namespaces()) - set(by_name)),
    }


def to_text(document: Mapping[str, Any]) -> str:
    """The document as tables."""
    nodes = [["node", "container", "state", "pid", "address", "ssh"]]
    nodes += [
        [
            node["name"], node["container"], node["state"], str(node["pid"] or "-"), node["address"],
            "answers" if node["answers"] else "silent",
        ]
        for node in document["nodes"]
    ]  # fmt: skip
    cables = [["cable", "device", "mac", "switch end", "plugged", "designed", ""]]
    cables += [
        [
            f"{cable['node']}:{cable['nic']}", cable["device"], cable["mac"], cable["port"],
            cable["plugged"] or "-", cable["designed"] or "-",
            cable["state"].upper() if cable["state"] not in ("ok", "free") else cable["state"],
        ]
        for cable in document["cables"]
    ]  # fmt: skip
    uplinks = [["uplink", "ends", ""]]
    uplinks += [
        [uplink["switch"], f"{uplink['port']} -- {uplink['far']}", "plugged" if uplink["plugged"] else "PULLED"]
        for uplink in document["uplinks"]
    ]
    lab = document["lab"]
    parts = [f"lab {lab}: nodes in {lab}-NODE, switches in {lab}-sw, management in {lab}-mg"]
    parts += [_table(rows) for rows in (nodes, cables, uplinks) if len(rows) > 1]
    if document["strangers"]:
        parts.append(f"named like this lab's, but not in the design: {', '.join(document['strangers'])}")
    return "\n\n".join(parts) + "\n"


def _plugged(port: Device | None) -> str | None:
    return port.master if port and port.up else None


def _judge(port: Device | None, designed: str | None) -> str:
    if port is None:
        return "missing"
    plugged = _plugged(port)
    if plugged == designed:
        return "ok" if designed else "free"
    return "moved" if plugged else "pulled"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )

# SPDX-License-Identifier: GPL-3.0-or-later
"""The status of a lab for people: its nodes, and the actual and the designed switch of every cable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .layout import LabCable, Layout, Node, Uplink, house_namespace, node_namespace, switches_namespace
from .wiring import DEAD, Device, Found, find_unexpected_cables

FORMAT = "fnn-lab"
VERSION = 1
#: The label with the settings that a container was made with.
SETTINGS_LABEL = "fnn-lab-settings"


def inspect(
    layout: Layout, found: Found, containers: Sequence[Mapping[str, Any]], answering: Sequence[str]
) -> dict[str, Any]:
    """The lab as a document (format "fnn-lab").

    containers: podman's description of the lab's containers.
    answering: names of the nodes whose sshd answers.
    A cable's state is "ok", "moved", "pulled" (no switch, though the design wants one), "missing" (no such device),
    "free" (in no switch, as designed), or "dark" (in a switch without power).
    """
    by_name = {container["Names"][0]: container for container in containers}
    ours = {node_namespace(layout.lab, node.name) for node in layout.nodes}
    known = {*layout.namespaces(), house_namespace(layout.lab)}
    ports = found.get(switches_namespace(layout.lab), {})
    strangers = set(by_name) - ours
    return {
        "format": FORMAT,
        "version": VERSION,
        "lab": layout.lab,
        "nodes": [_describe_node(layout, node, found, by_name, answering) for node in layout.nodes],
        "cables": [_describe_cable(cable, ports) for cable in layout.cables],
        "uplinks": [_describe_uplink(layout, uplink, ports) for uplink in layout.uplinks],
        "strays": [{"cable": name, "ends": list(ends)} for name, ends in find_unexpected_cables(layout, found).items()],
        "dead": [name for name in layout.bridges() if ports.get(name, Device(name)).alias == DEAD],
        "strangers": sorted(strangers) + sorted(set(found) - known - strangers),
    }


def _describe_node(
    layout: Layout, node: Node, found: Found, containers: Mapping[str, Mapping[str, Any]], answering: Sequence[str]
) -> dict[str, Any]:
    name = node_namespace(layout.lab, node.name)
    container = containers.get(name, {})
    return {
        "name": node.name,
        "container": name,
        "namespace": name if name in found else None,
        "state": container.get("State", "absent"),
        "pid": container.get("Pid") or None,
        "address": str(node.address.ip),
        "answers": node.name in answering,
        "settings": (container.get("Labels") or {}).get(SETTINGS_LABEL),
    }


def _describe_cable(cable: LabCable, ports: Mapping[str, Device]) -> dict[str, Any]:
    port = ports.get(cable.port)
    return {
        "node": cable.node,
        "nic": cable.nic,
        "device": cable.device,
        "mac": cable.mac,
        "port": cable.port,
        "designed": cable.switch,
        "plugged": _find_switch(port),
        "state": _find_cable_state(port, cable.switch),
    }


def _describe_uplink(layout: Layout, uplink: Uplink, ports: Mapping[str, Device]) -> dict[str, Any]:
    into, far = (_find_switch(ports.get(port)) for port in (uplink.port, uplink.far))
    return {
        "switch": uplink.switch,
        "port": uplink.port,
        "far": uplink.far,
        "into": into,
        "plugged": (into, far) == (uplink.switch, uplink.to),
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
    uplinks = [["switches", "ends", ""]]
    uplinks += [
        [_name_ends(uplink), f"{uplink['port']} -- {uplink['far']}", _format_uplink(uplink)]
        for uplink in document["uplinks"]
    ]
    unexpected = [
        ["unexpected cable", "from", "to"],
        *([cable["cable"], *cable["ends"]] for cable in document["strays"]),
    ]
    lab = document["lab"]
    parts = [f"lab {lab}: nodes in {lab}-NODE, switches in {lab}-sw, management in {lab}-mg"]
    parts += [_table(rows) for rows in (nodes, cables, uplinks, unexpected) if len(rows) > 1]
    if document["dead"]:
        parts.append(f"without power: {', '.join(document['dead'])}")
    if document["strangers"]:
        parts.append(f"named like this lab's, but not in the design: {', '.join(document['strangers'])}")
    return "\n\n".join(parts) + "\n"


def _find_switch(port: Device | None) -> str | None:
    return port.master if port else None


def _find_cable_state(port: Device | None, designed: str | None) -> str:
    if port is None:
        return "missing"
    if port.master and not port.up:
        return "dark"
    if port.master == designed:
        return "ok" if designed else "free"
    return "moved" if port.master else "pulled"


def _name_ends(uplink: Mapping[str, Any]) -> str:
    """ "red:up", "red:blue": its name in commands"""
    return str(uplink["port"]).replace(".", ":")


def _format_uplink(uplink: Mapping[str, Any]) -> str:
    if uplink["plugged"]:
        return "plugged"
    return f"IN {uplink['into']}" if uplink["into"] not in (None, uplink["switch"]) else "PULLED"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )

# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the rate limits of a lab whose cables carry a percentage of their speed in the design.

A virtual cable has no rate, so a benchmark in a lab measures the processors of this machine. With slow cables it
measures the network. Example, 1 percent of 1000 Mbit/s at the switch end of k00:0:

    qdisc replace dev k00.0 root handle 64: htb default 1
    class replace dev k00.0 parent 64: classid 64:1 htb rate 10000kbit burst 3028 cburst 3028 quantum 1514
    qdisc replace dev k00.0 parent 64:1 pfifo limit 100

Both ends are limited, each for the frames that it sends. The rate is also the number of the handle, in units of 100
kbit/s, so that one `tc qdisc show` reads all limits of a namespace. The discipline is tc-htb(8): tc-tbf(8) marks a
fault (faults.py). Its burst holds two frames of 1500 octets; a larger one would let short tests exceed the rate. The
queue holds 100 frames, as a cheap switch does for a port; with the 1000 of the kernel, a frame would wait for a second.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..controller.bench.fabric import FULL_SPEED, Fabric
from ..shared.errors import problem
from .layout import Layout, node_namespace, switches_namespace
from .wiring import Found

#: The kernel's name for the queueing discipline (qdisc) of a limited cable.
LIMITED = "htb"
_UNIT = 100  # kbit/s, of which the number of a handle is a multiple
_MOST = 0xFFFF  # greatest number of a handle
_FRAMES = 100  # in the queue of a port
#: (namespace, device): an end of a cable.
End = tuple[str, str]


@dataclass(frozen=True)
class Limit:
    """kind: the qdisc at the root of a device. units: its rate in 100 kbit/s; 0 for a qdisc of another program."""

    kind: str
    units: int


def list_speeds(layout: Layout, design: Mapping[str, Any], percent: float) -> dict[End, int]:
    """Cable end -> the rate of what it sends, in units of 100 kbit/s; empty with 100 percent.

    Cables of a maintenance network and of satellites, which the design does not have, are not limited. Raises FnnError
    for a rate that is too low or too high.
    """
    if percent == FULL_SPEED:
        return {}
    speeds = Fabric(design, percent=percent).speeds
    return {end: _count_units(speeds[edge], percent) for end, edge in _list_ends(layout) if edge in speeds}


def _list_ends(layout: Layout) -> Iterator[tuple[End, tuple[str, ...]]]:
    """Each end of a cable, with the edge of the fabric whose frames it sends."""
    switches = switches_namespace(layout.lab)
    for cable in layout.cables:
        yield (node_namespace(layout.lab, cable.node), cable.device), ("out", cable.node, str(cable.nic))
        yield (switches, cable.port), ("in", cable.node, str(cable.nic))
    for uplink in layout.uplinks:
        if uplink.to == layout.uplink:
            yield (switches, uplink.port), ("uplink", uplink.switch, "up")
            yield (switches, uplink.far), ("uplink", uplink.switch, "down")
        else:
            yield (switches, uplink.port), ("trunk", uplink.switch, uplink.to)
            yield (switches, uplink.far), ("trunk", uplink.to, uplink.switch)


def _count_units(mbps: float, percent: float) -> int:
    units = round(1000 * mbps / _UNIT)
    if not 1 <= units <= _MOST:
        least, most = _UNIT / 1000, _MOST * _UNIT / 1000
        rate = f"{percent:g} % of a cable of {mbps * FULL_SPEED / percent:g} Mbit/s"
        raise problem("fnn_lab_speed_percent", f"{rate} is {mbps:g} Mbit/s, expected {least:g} to {most:g}")
    return units


def has_limits(layout: Layout, found: Found) -> bool:
    """Whether an end of a cable is limited."""
    return any(
        name in found.get(namespace, {}) and found[namespace][name].queue == LIMITED
        for (namespace, name), _ in _list_ends(layout)
    )


def parse_limits(text: str) -> dict[str, Limit]:
    """Device -> the limit at its root, from `tc -json qdisc show`; without devices that have the default qdisc."""
    entries: list[dict[str, Any]] = json.loads(text or "[]")
    roots = {entry["dev"]: entry for entry in entries if entry.get("root") and entry["handle"] != "0:"}
    return {name: _read_limit(entry) for name, entry in roots.items()}


def _read_limit(entry: Mapping[str, Any]) -> Limit:
    ours = entry["kind"] == LIMITED
    return Limit(entry["kind"], int(entry["handle"].rstrip(":"), 16) if ours else 0)


def limit_speeds(speeds: Mapping[End, int], present: Mapping[End, Limit]) -> dict[str, list[str]]:
    """Namespace -> lines for `tc -batch` that limit the ends to these speeds, and end all other limits.

    A port that a fault has shaped stays so.
    """
    lines: dict[str, list[str]] = {}
    for end, units in speeds.items():
        found = present.get(end)
        if found is None or (found.kind == LIMITED and found.units != units):
            lines.setdefault(end[0], []).extend(_write_limit(end[1], units))
    for end, found in present.items():
        if found.kind == LIMITED and end not in speeds:
            lines.setdefault(end[0], []).append(f"qdisc delete dev {end[1]} root")
    return lines


def _write_limit(device: str, units: int) -> list[str]:
    handle = f"{units:x}:"
    return [
        f"qdisc replace dev {device} root handle {handle} htb default 1",
        f"class replace dev {device} parent {handle} classid {handle}1 htb rate {units * _UNIT}kbit burst 3028"
        " cburst 3028 quantum 1514",
        f"qdisc replace dev {device} parent {handle}1 pfifo limit {_FRAMES}",
    ]

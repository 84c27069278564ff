# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds how many switches of one model a flat neighborhood network needs.

Each node has N NICs, so it needs ceil((n - 1) / (P - 1)) of them on switches of P ports to meet the n - 1 others. All
nodes together fill at least n ceil((n - 1) / (P - 1)) / P switches: the bound of Schoenheim, with which the search
begins. The engine answers most numbers of switches at once, with a design or a proof that there is none. If the bound
has no design, the search halves the range up to N (N - 1) + 1 switches, those of a projective plane: no known family of
designs has more.

    16 nodes, 3 NICs, 8 ports: ceil(15 / 7) = 3 NICs for each node, 48 links, 6 switches
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .request import SwitchModel

#: A medium that is sold with every speed.
_MEDIA = "osfp"


@dataclass(frozen=True)
class Attempt:
    """The answer for one number of switches. infeasible: proved to have no design. message: the reason."""

    found: bool
    infeasible: bool = False
    message: str = ""


@dataclass(frozen=True)
class Fewest:
    """The fewest switches with a design; None if none was found. proved: fewer (or any) have none. reason: why none."""

    switches: int | None
    proved: bool
    reason: str = ""


def bound_switches(nodes: int, ports: int) -> int:
    """The bound of Schoenheim. ports: of each switch, at least 2."""
    return _divide_up(nodes * _divide_up(nodes - 1, ports - 1), ports)


def find_fewest(nodes: int, nics: int, ports: int, attempt: Callable[[int], Attempt]) -> Fewest:
    """attempt: searches a design with this many switches."""
    missing = bound_switches(nodes, ports)
    first = attempt(missing)
    if first.found:
        return Fewest(missing, True)
    found = max(missing, nics * (nics - 1) + 1)
    last = attempt(found) if found > missing else first
    if not last.found:
        return Fewest(None, last.infeasible, last.message)
    infeasible = first.infeasible
    while found - missing > 1:
        middle = (missing + found) // 2
        each = attempt(middle)
        if each.found:
            found = middle
        else:
            missing, infeasible = middle, each.infeasible
    return Fewest(found, infeasible)


def list_sizes(nodes: int, nics: int, ports: int, fewest: int) -> list[int]:
    """Numbers of switches to compare: the fewest, and those with a port for every NIC if these are more.

    Without the fewest if they have no port for one NIC more: with one NIC less, the network is the same.
    """
    all_ports = max(fewest, _divide_up(nodes * nics, ports))
    used_up = fewest * ports <= nodes * (nics - 1)
    return [all_ports] if used_up else sorted({fewest, all_ports})


def make_spec(nodes: int, nics: int, mbps: int, model: SwitchModel | None, switches: int) -> dict[str, Any]:
    """The spec of equal nodes and equal switches. model: None stands for a switch of one port, which holds no pair."""
    port = {"count": model.ports if model else 1, "speed_mbps": model.mbps if model else mbps, "media": _MEDIA}
    more = {"price": model.price, "internal_gbps": model.internal_gbps} if model else {}
    return build_spec(nodes, [{"speed_mbps": mbps, "media": _MEDIA}] * nics, [{"ports": [port], **more}] * switches)


def build_spec(nodes: int, nics: list[dict[str, Any]], switches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The spec of equal nodes with these NICs, and of these switches, which get names."""
    return {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "advice",
        "topology": "fnn",
        "nodes": [{"name": f"node{rank}", "nics": nics} for rank in range(nodes)],
        "switches": [{"name": f"switch{number}", **each} for number, each in enumerate(switches)],
    }


def _divide_up(number: int, divisor: int) -> int:
    return -(-number // divisor)

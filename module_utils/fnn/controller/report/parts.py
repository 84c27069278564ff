# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and sums of the parts of a network, from the `cost` of an evaluation: the same words in every place.

256 node cables + 9 uplink cables + 2 cables of spares = 267 cables in all
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...shared.errors import inflect
from ..numbers import format_number

#: Part in an evaluation -> its noun, and the words behind it.
_WORDS = {
    "node-nics": ("node NIC", ""),
    "switches": ("switch", ""),
    "node-cables": ("node cable", ""),
    "cables-between-nodes": ("cable", " between nodes"),
    "cables-between-switches": ("cable", " between switches"),
    "uplink-switch": ("uplink switch", ""),
    "uplink-cables": ("uplink cable", ""),
    "spare-nics": ("NIC", " of spares"),
    "spare-cables": ("cable", " of spares"),
    "host-cables": ("cable", " of hosts"),
}
KINDS = {"nics": "NICs", "switches": "switches", "cables": "cables"}
PIECES = "pieces"
NETWORK_PRICE = "price of the network"


@dataclass(frozen=True)
class Part:
    """Components of one kind and purpose. price: of all of them; None if it is not known."""

    name: str
    kind: str
    in_fabric: bool
    pieces: int
    price: float | None


def list_parts(cost: Mapping[str, Any]) -> list[Part]:
    """cost: that of an evaluation or network document."""
    return [
        Part(each["part"], each["kind"], each["in_fabric"], each["pieces"], each["price"]) for each in cost["parts"]
    ]


def read_fabric(evaluation: Mapping[str, Any]) -> Mapping[str, Any]:
    """The cost of the fabric of the design, which is the first of the alternatives."""
    fabric: Mapping[str, Any] = evaluation["alternatives"][0]["fabric_cost"]
    return fabric


def has_parts_beside(cost: Mapping[str, Any]) -> bool:
    """Whether the network has more than its fabric: an uplink switch, or cables priced by length."""
    return any(not each["in_fabric"] for each in cost["parts"]) or bool((cost["price"] or {}).get("cable_length"))


def name_part(part: Part) -> str:
    """Its name in a table: node cables, cables of spares, uplink switch."""
    noun, rest = _WORDS[part.name]
    return (noun if part.name == "uplink-switch" else inflect(2, noun)) + rest


def name_sum(parts: Sequence[Part], kind: str) -> str:
    """The name of all parts of a kind: cables in all, or that of the part, where there is only one."""
    here = [each for each in parts if each.kind == kind]
    return name_part(here[0]) if len(here) == 1 else f"{KINDS[kind]} in all"


def count_parts(parts: Sequence[Part], kind: str) -> str:
    """The parts of a kind as a sum: 256 node cables + 9 uplink cables; "" without such parts."""
    return " + ".join(_count_part(each) for each in parts if each.kind == kind)


def _count_part(part: Part) -> str:
    noun, rest = _WORDS[part.name]
    return f"{format_number(part.pieces)} {inflect(part.pieces, noun)}{rest}"

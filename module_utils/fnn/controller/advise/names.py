# SPDX-License-Identifier: GPL-3.0-or-later
"""Names networks of an advice, their parts and their prices, in tables and in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...shared.errors import count
from ..numbers import DASH, format_number, format_rate
from ..numbers import format_money as format_any_money
from .networks import BUNDLED, FNN, MULTIPATH, NODES
from .ports import format_socket

Entry = Mapping[str, Any]
_SENTENCE = {
    FNN: "a flat neighborhood network",
    "one-switch": "one switch",
    "faster-switch": "one switch",
    "two-switches": "two switches",
    "clos": "a Clos network",
    "rails": "rails",
    "planes": "parallel fat-tree planes",
}
#: Named by their switches, which then are no separate part.
_BY_SWITCHES = ("one-switch", "faster-switch", "two-switches")
_PLURAL = ("two-switches", "rails", "planes")
#: Nouns of parts to buy.
THINGS = {"switch": "switch", "cable": "cable", "module": "module", "nic": "NIC", "connection": "connection"}
#: Marks of networks that plain switches cannot build.
MARKS = {MULTIPATH: "*", NODES: "+"}


def format_title(entry: Entry, advice: Mapping[str, Any]) -> str:
    """For a row of a table: FNN, up to 3 NICs; fat tree (d-mod-k) *; one switch, 10 Gb/s."""
    words = "FNN" if entry["network"] == FNN else entry["network"].replace("-", " ")
    words += f" ({entry['routing']})" if entry["routing"] else ""
    if entry.get("groups"):
        return f"{words}, all ports"
    if entry["network"] in (FNN, *BUNDLED):
        words += f", {'' if uses_all_nics(entry, advice) else 'up to '}{count(entry['nics'], 'NIC')}"
    words += f", {format_socket(entry['link_mbps'], entry.get('media'))}" if show_speed(entry, advice) else ""
    words += ", modules" if any(each["part"] == "module" for each in entry.get("buy", ())) else ""
    mark = MARKS.get(entry["forwarding"])
    return f"{words} {mark}" if mark else words


def show_speed(entry: Entry, advice: Mapping[str, Any]) -> bool:
    """Whether the speed of its NICs has to be said: that of a faster switch, and any of several kinds."""
    is_mixed = len(advice["speeds_mbps"]) > 1 or " + " in advice.get("groups", "")
    return is_mixed or entry["link_mbps"] not in advice["speeds_mbps"]


def name_network(entry: Entry) -> str:
    """For a sentence: a flat neighborhood network, one switch of 24 ports, a fat tree with d-mod-k routing."""
    words = _SENTENCE.get(entry["network"]) or f"a {entry['network'].replace('-', ' ')}"
    if entry["network"] in _BY_SWITCHES and entry["switches"]:
        words += f" of {count(entry['switches'][0]['ports'], 'port')}"
    return f"{words} with {entry['routing']} routing" if entry["routing"] else words


def cost_verb(entry: Entry) -> str:
    """The verb after the name of the network."""
    return "cost" if entry["network"] in _PLURAL else "costs"


def name_parts(entry: Entry, advice: Mapping[str, Any]) -> str:
    """For a sentence: 6 switches of 32 ports and 3 NICs of 100 Mb/s in each of 64 nodes."""
    kinds = [] if entry["network"] in _BY_SWITCHES else entry["switches"]
    switches = [f"{count(each['count'], 'switch')} of {count(each['ports'], 'port')}" for each in kinds]
    return join_words([*switches, name_nics(entry, advice)])


def name_nics(entry: Entry, advice: Mapping[str, Any]) -> str:
    """For a sentence: 3 NICs of 100 Mb/s in each of 64 nodes."""
    thing = "port" if entry["forwarding"] == NODES else "NIC"
    nodes, each, rate = advice["nodes"], entry["nics"], format_socket(entry["link_mbps"], entry.get("media"))
    if entry.get("groups"):
        return f"{entry['groups']} in each of {nodes} nodes"
    if uses_all_nics(entry, advice):
        return f"{count(each, thing)} of {rate} in each of {nodes} nodes"
    return f"{count(entry['pieces']['nics'], thing)} of {rate} in {nodes} nodes, at most {each} in each"


def name_purchases(entry: Entry) -> str:
    """For a sentence: 6 switches of 8 x 2.5 Gb/s and 48 cables."""
    cables = [each for each in entry["buy"] if each["part"] == "cable"]
    return join_words(
        [
            count(each["count"], THINGS[each["part"]])
            + ("" if each["part"] == "cable" and len(cables) == 1 else f" of {each['name']}")
            for each in entry["buy"]
        ]
    )


def uses_all_nics(entry: Entry, advice: Mapping[str, Any]) -> bool:
    """Whether all nodes use equally many NICs. A flat neighborhood network may have fewer ports than that."""
    return not entry["pieces"] or bool(entry["pieces"]["nics"] == entry["nics"] * advice["nodes"])


def join_words(words: Sequence[str]) -> str:
    """A list in a sentence: a, b and c."""
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def format_switches(entry: Entry) -> str:
    """For a row of a table: 6 x 32."""
    if entry["pieces"] is None:
        return DASH
    return " + ".join(f"{each['count']} x {each['ports']}" for each in entry["switches"]) or "none"


def format_worst(entry: Entry) -> str:
    """The worst case, with a sign where it is only an upper bound."""
    worst = entry["worst_case"]
    if worst is None:
        return DASH
    return format_rate(worst["mbps"]) if worst["proved"] else f"<= {format_rate(worst['mbps'])}"


def format_lost(entry: Entry) -> str:
    """The pairs that the worst dead switch loses."""
    return format_number(entry["pairs_lost"] and entry["pairs_lost"]["switch"])


def format_money(price: float | None, advice: Mapping[str, Any]) -> str:
    """A price in a sentence: 5,224 USD."""
    return format_any_money(price, advice["prices"]["currency"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the parts that a new design needs beyond the present one, and those that become free.

Parts are compared by kind: switches by their ports of each speed and medium, NICs and cables by speed and medium. A
price is that of the new spec, or else the lowest of the price list for a part that suffices. Lengths of cables are not
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import count, inflect, problem
from ..labels.cabling import list_machines
from ..numbers import format_money, format_rate
from ..spec.ports import find_common_speeds, find_uplink_mbps
from .between import Between
from .connections import Trunk

Document = Mapping[str, Any]
Row = dict[str, Any]
#: Speed in Mb/s and media.
Kind = tuple[int, str]
#: (number of ports, kind) of each kind of port, the slowest first.
Ports = tuple[tuple[int, Kind], ...]
#: Most names that a line shows.
_MOST_NAMES = 8
#: Part -> its list in a price list.
_LISTS = {"switch": "switches", "nic": "nics", "cable": "cables"}


@dataclass(frozen=True)
class Handled:
    """The cables that a rewiring adds and removes. new, removed: the NIC of each, or one of two.

    trunks: cables between switches that are pulled, or plugged in with a negative number.
    """

    new: Iterable[tuple[str, int]]
    removed: Iterable[tuple[str, int]]
    trunks: Iterable[Trunk]


def list_purchases(old: Document, new: Document, between: Between, handled: Handled) -> Row:
    """{"buy": rows, "free": rows, "currency"} for rewire.json; "currency" only if the new spec has one.

    old, new: specs.
    """
    have, want = _count_switches(old, between), _count_switches(new, between)
    nics_before, nics_after = _count_nics(old), _count_nics(new)
    laid, gone = _count_cables(old, new, handled)
    nic, cable = _price(new, "nic"), _price(new, "cable")
    buy = [
        *(
            {
                **_make_switch_row(*each),
                "price": _price_switch(new, each[0]),
                "names": _name_switches(old, new, each[0]),
            }
            for each in sorted((want - have).items())
        ),
        *(
            {**_make_row("nic", *each), "price": nic, "names": _name_nodes(old, new, each[0])}
            for each in sorted((nics_after - nics_before).items())
        ),
        *({**_make_row("cable", *each), "price": cable} for each in sorted((laid - gone).items())),
    ]
    free = [
        *(_make_switch_row(*each) for each in sorted((have - want).items())),
        *(_make_row("nic", *each) for each in sorted((nics_before - nics_after).items())),
        *(_make_row("cable", *each) for each in sorted((gone - laid).items())),
    ]
    currency = new.get("prices", {}).get("currency")
    return {"buy": buy, "free": free, **({"currency": currency} if currency else {})}


def describe_purchases(bought: Document) -> Iterator[str]:
    """The lines below the plan, such as `to buy: 2 switches with 4 ports of 1 Gb/s rj45, 50 EUR each`."""
    currency = bought.get("currency")
    for words, rows in (("to buy", bought["buy"]), ("becomes free", bought["free"])):
        for row in rows:
            price = row.get("price")
            each = "" if price is None else f", {format_money(price, currency)} each"
            names = row.get("names", [])
            shown = [*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])]
            place = f" ({', '.join(shown)})" if shown else ""
            yield f"{words}: {row['count']} {_describe(row)}{place}{each}"
    if any(row["price"] is not None for row in bought["buy"]):
        total = sum(row["count"] * row["price"] for row in bought["buy"] if row["price"] is not None)
        unpriced = any(row["price"] is None for row in bought["buy"])
        yield f"price: {format_money(total, currency)}{', without the parts that have no price' if unpriced else ''}"


def _describe(row: Document) -> str:
    if row["part"] == "switch":
        groups = row.get("groups") or [{**row, "count": row["ports"]}]
        ports = [f"{count(each['count'], 'port')} of {_describe_kind(each)}" for each in groups]
        return f"{inflect(row['count'], 'switch')} with {' and '.join(ports)}"
    noun = "NIC" if row["part"] == "nic" else "cable"
    return f"{inflect(row['count'], noun)} of {_describe_kind(row)}"


def _describe_kind(row: Document) -> str:
    return f"{format_rate(row['speed_mbps'])} {row['media']}"


def _count_switches(spec: Document, between: Between) -> Counter[Ports]:
    """The ports of each switch of a spec, and of the uplink switch, whose speed is that of its first cable."""
    kinds = [_list_ports(each) for each in spec["switches"] if each["name"] not in between]
    uplink = spec["uplink"]
    return Counter([*kinds, *([((uplink["ports"], (_list_uplink_mbps(spec)[0], "rj45")),)] if uplink else [])])


def _list_ports(switch: Document) -> Ports:
    counts: Counter[Kind] = Counter()
    for group in switch["ports"]:
        counts[group["speed_mbps"], group["media"]] += group["count"]
    return tuple((counts[kind], kind) for kind in sorted(counts))


def _count_nics(spec: Document) -> Counter[Kind]:
    return Counter((nic["speed_mbps"], nic["media"]) for node in spec["nodes"] for nic in node["nics"])


def _name_switches(old: Document, new: Document, ports: Ports) -> list[str]:
    """The new switches with these ports, by their names in the new spec."""
    stand = {each["name"] for each in old["switches"] if _list_ports(each) == ports}
    return [each["name"] for each in new["switches"] if _list_ports(each) == ports and each["name"] not in stand]


def _name_nodes(old: Document, new: Document, kind: Kind) -> list[str]:
    """The nodes with more NICs of a kind than before."""
    before = {node["name"]: _count_nics({"nodes": [node]})[kind] for node in old["nodes"]}
    after = {node["name"]: _count_nics({"nodes": [node]})[kind] for node in new["nodes"]}
    return [name for name, number in after.items() if number > before.get(name, 0)]


def _count_cables(old: Document, new: Document, handled: Handled) -> tuple[Counter[Kind], Counter[Kind]]:
    """The new and the removed cables, with those to the uplink switch and between switches."""
    laid = Counter(_find_kind(end, new, old) for end in handled.new)
    gone = Counter(_find_kind(end, old, new) for end in handled.removed)
    laid.update(_count_uplinks(new))
    gone.update(_count_uplinks(old))
    switches = {each["name"]: each for spec in (new, old) for each in spec["switches"]}
    for one, other, cables in handled.trunks:
        speeds = find_common_speeds(switches[one], switches[other])
        media = max(speeds, key=lambda each: (speeds[each], each))
        (gone if cables > 0 else laid)[speeds[media], media] += abs(cables)
    return laid, gone


def _find_kind(end: tuple[str, int], *specs: Document) -> Kind:
    """That of a NIC in the first of the specs that has it."""
    name, number = end
    nics = [
        nic for spec in specs for node in spec["nodes"] if node["name"] == name for nic in node["nics"][number:][:1]
    ]
    return nics[0]["speed_mbps"], nics[0]["media"]


def _count_uplinks(spec: Document) -> Counter[Kind]:
    """A cable to the uplink switch from each switch with reserved ports, each spare and each host, as in the bill.

    Those of spares and hosts count as the first.
    """
    if not spec["uplink"]:
        return Counter()
    speeds, machines = _list_uplink_mbps(spec), len(list_machines(spec))
    joined = sum(each["reserved"] > 0 for each in spec["switches"])
    return Counter((mbps, "rj45") for mbps in [*speeds[:joined], *speeds[:1] * machines])


def _list_uplink_mbps(spec: Document) -> list[int]:
    """The speed of each cable to the uplink switch, at least one."""
    joined = [each for each in spec["switches"] if each["reserved"]] or spec["switches"][:1]
    return [find_uplink_mbps(each) for each in joined]


def _make_row(part: str, kind: Kind, number: int) -> Row:
    return {"part": part, "count": number, "speed_mbps": kind[0], "media": kind[1]}


def _make_switch_row(ports: Ports, number: int) -> Row:
    """Speed and media: of the fastest ports. groups: only where ports differ."""
    row = {**_make_row("switch", ports[-1][1], number), "ports": sum(many for many, _ in ports)}
    groups = [{"count": many, "speed_mbps": mbps, "media": media} for many, (mbps, media) in ports]
    return {**row, "groups": groups} if len(groups) > 1 else row


def _price(spec: Document, part: str) -> float | None:
    """The price of the spec for a part, if it has one."""
    price: float | None = spec.get("prices", {}).get(part)
    return price


def _price_switch(spec: Document, ports: Ports) -> float | None:
    """The price of the switches with these ports in the spec, or that of any switch."""
    own = [each["price"] for each in spec["switches"] if _list_ports(each) == ports and each["price"] is not None]
    return min(own) if own else _price(spec, "switch")


def fill_prices(bought: Document, prices: Document | None) -> Row:
    """{"buy", "currency"} with the lowest price of the price list for each part without one that suffices.

    Raises FnnError if prices of the spec and of the list have different currencies.
    """
    if prices is None:
        return {}
    currency = bought.get("currency", prices["currency"])
    if currency != prices["currency"]:
        words = f"{currency}, but the price list {prices['name']} is in {prices['currency']}"
        raise problem("spec.json#/prices/currency", f"{words}; expected the same currency in both")
    rows = bought["buy"]
    filled = [row if row["price"] is not None else {**row, "price": _find_lowest(row, prices)} for row in rows]
    return {"buy": filled, "currency": currency}


def _find_lowest(row: Row, prices: Document) -> float | None:
    """A NIC of the list may have several ports, and counts as that many NICs."""
    fits = [each for each in prices.get(_LISTS[row["part"]], ()) if each["speed_mbps"] >= row["speed_mbps"]]
    if row["part"] == "switch":
        fits = [each for each in fits if each["ports"] >= row["ports"]]
    shares = [each["price"] / (each["ports"] if row["part"] == "nic" else 1) for each in fits]
    return min(shares, default=None)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains of nftables, from `nft -j list ruleset` (libnftables-json(5)).

    {"rule": {"family": "ip", "table": "filter", "chain": "input", "expr": [
        {"match": {"op": "==", "left": {"meta": {"key": "iifname"}}, "right": "lo"}}, {"accept": null}]}}

A rule is a list of statements. A match, or a limit, is a condition; the last one is often the verdict. A verdict map
(`ct state vmap {established: accept, invalid: drop}`) becomes one rule per entry.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from .firewall import ACCEPT, DROP, GOTO, JUMP, RETURN, Chain, Condition, Packet, Rule, Truth, is_within

#: Families whose chains see IPv4 packets.
FAMILIES = ("ip", "inet")
#: Statement -> verdict. After `queue` a program decides, which is like a chain that is unknown.
_VERDICTS = {
    "accept": ACCEPT,
    "drop": DROP,
    "reject": DROP,
    "return": RETURN,
    "jump": JUMP,
    "goto": GOTO,
    "queue": JUMP,
}
#: Statements that do not decide whether the rule applies.
_NEUTRAL = ("counter", "log", "comment", "mangle", "notrack", "quota_reset")

Statement = Mapping[str, Any]
Sets = Mapping["tuple[str, str]", Sequence[Any]]


def read_chains(ruleset: Mapping[str, Any]) -> list[Chain]:
    """The chains of all tables that see IPv4 packets, with their rules."""
    objects = [(kind, value) for each in ruleset["nftables"] for kind, value in each.items()]
    own = [(kind, value) for kind, value in objects if value.get("family") in FAMILIES]
    sets = {(name_table(each), each["name"]): each.get("elem", []) for kind, each in own if kind in ("set", "map")}
    chains: dict[tuple[str, str], Chain] = {}
    for kind, each in own:
        if kind == "chain":
            is_filter = each.get("type") == "filter"
            hook, policy = (each["hook"], each.get("policy", ACCEPT)) if is_filter else ("", "")
            chains[name_table(each), each["name"]] = Chain(name_table(each), each["name"], hook, policy)
    for kind, each in own:
        if kind == "rule":
            table = name_table(each)
            chains[table, each["chain"]].rules += read_rules(each["expr"], table, sets)
    return list(chains.values())


def list_opaque_tables(ruleset: Mapping[str, Any]) -> list[str]:
    """Tables of iptables-nft with conditions that only iptables-nft-save(8) shows, as "ip filter"."""
    rules = [each["rule"] for each in ruleset["nftables"] if "rule" in each]
    return sorted({name_table(rule) for rule in rules if any("xt" in each for each in rule["expr"])})


def name_table(value: Mapping[str, Any]) -> str:
    """The family and name of the table of a chain, rule or set: "ip filter"."""
    return f"{value['family']} {value['table']}"


def read_rules(statements: Sequence[Statement], table: str, sets: Sets) -> Iterator[Rule]:
    """The rules that the statements of one rule stand for."""
    conditions: list[Condition] = []
    for statement in statements:
        ((kind, value),) = statement.items()
        if kind == "match":
            conditions.append(make_condition(value, table, sets))
        elif kind in _VERDICTS:
            target = value["target"] if kind in (JUMP, GOTO) else kind
            yield Rule(tuple(conditions), _VERDICTS[kind], target)
            return
        elif kind == "vmap":
            yield from read_verdict_map(value, conditions, table, sets)
            return
        elif kind not in _NEUTRAL:
            conditions.append(lambda _packet: None)


def read_verdict_map(value: Mapping[str, Any], before: Sequence[Condition], table: str, sets: Sets) -> Iterator[Rule]:
    """One rule for each entry of a verdict map."""
    for key, verdict in list_elements(value["data"], table, sets):
        condition = make_condition({"op": "==", "left": value["key"], "right": key}, table, sets)
        for rule in read_rules([verdict], table, sets):
            yield Rule((*before, condition), rule.verdict, rule.target)


def make_condition(match: Mapping[str, Any], table: str, sets: Sets) -> Condition:
    """A match statement as a function of a packet."""

    def is_met(packet: Packet) -> Truth:
        value = read_value(match["left"], packet)
        if value is None:
            return None
        found = is_among(value, match["right"], table, sets)
        return found if match["op"] in ("==", "in") or found is None else not found

    return is_met


def read_value(left: Any, packet: Packet) -> str | int | None:
    """The value of an expression for a packet; None if this file does not know it. "" is unlike every value."""
    kind, value = next(iter(left.items())) if isinstance(left, dict) and len(left) == 1 else ("", {})
    if kind == "meta":
        own = {"iifname": packet.device, "iif": packet.device, "l4proto": packet.protocol, "nfproto": "ipv4"}
        own.update({"protocol": "ip", "pkttype": "host"})
        own.update({"oifname": packet.out, "oif": packet.out})
        return own.get(value["key"])
    if kind == "ct":
        return packet.state if value.get("key") == "state" else None
    if kind == "payload" and "protocol" in value:
        return read_header(value["protocol"], value["field"], packet)
    return None


def read_header(protocol: str, field: str, packet: Packet) -> str | int | None:
    """A field of a header of the packet; "" for a header that it does not have."""
    if protocol == "ip":
        return {"saddr": packet.source, "daddr": packet.destination, "protocol": packet.protocol}.get(field)
    if protocol in (packet.protocol, "th"):
        return packet.port if field == "dport" else None
    return ""


def is_among(value: str | int, right: Any, table: str, sets: Sets) -> Truth:
    """Whether a value equals the right side of a match: a constant, range, prefix, list, or named or unnamed set."""
    if isinstance(right, list) or (isinstance(right, dict) and "set" in right) or is_reference(right):
        found = [is_among(value, each, table, sets) for each in list_elements(right, table, sets)]
        return True if True in found else None if None in found else False
    if isinstance(right, dict):
        return is_in_interval(value, right, table, sets)
    if isinstance(value, int) or not isinstance(right, str):
        return bool(value == right)
    return value == right or is_address(value, right) or (right.endswith("*") and fnmatchcase(value, right))


def is_in_interval(value: str | int, right: Mapping[str, Any], table: str, sets: Sets) -> Truth:
    """The same for a prefix, a range, or an element of a set with attributes."""
    if "elem" in right:
        return is_among(value, right["elem"]["val"], table, sets)
    if "prefix" in right:
        own = right["prefix"]
        return is_address(str(value), f"{own['addr']}/{own['len']}")
    if "range" in right:
        low, high = right["range"]
        if isinstance(value, int):
            return isinstance(low, int) and low <= value <= high
        return is_between(value, low, high)
    return None


def is_reference(right: Any) -> bool:
    """Whether this is the name of a set."""
    return isinstance(right, str) and right.startswith("@")


def list_elements(right: Any, table: str, sets: Sets) -> Sequence[Any]:
    """The elements of a list, or of a set."""
    if is_reference(right):
        return sets.get((table, right[1:]), [])
    own = right["set"] if isinstance(right, dict) else right
    return own if isinstance(own, list) else [own]


def is_address(value: str, network: str) -> bool:
    """Whether both are addresses, and the network contains the value."""
    try:
        return is_within(value, network)
    except ValueError:
        return False


def is_between(value: str, low: str, high: str) -> bool:
    """Whether an address is in a range of addresses."""
    try:
        first, own, last = (int(ipaddress.IPv4Address(each)) for each in (low, value, high))
    except ValueError:
        return False
    return first <= own <= last

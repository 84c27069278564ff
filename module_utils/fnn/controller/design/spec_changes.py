# SPDX-License-Identifier: GPL-3.0-or-later
"""Describes the changes between two specs, for the operator to read before a redesign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import count
from ..documents import digest
from ..numbers import format_rate

#: Parts whose values are too long to show, and which may be absent; reported only as changed.
_BIG = ("racks",)
_SMALL = ("cluster", "topology", "coverage", "redundancy", "mtu")
_WORDS = {"nics": "NIC", "ports": "port"}


def describe_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """One line per difference of two normalized specs: `node k06 added`, `switch red: 5 ports became 8`."""
    lines = [
        f"{part}: {_format_value(old[part])} became {_format_value(new[part])}"
        for part in _SMALL
        if old[part] != new[part]
    ]
    lines += _compare_lists("node", old["nodes"], new["nodes"])
    lines += _compare_lists("switch", old["switches"], new["switches"])
    lines += _compare_uplinks(old["uplink"], new["uplink"])
    lines += _compare_items("pattern", _name_patterns(old["patterns"]), _name_patterns(new["patterns"]))
    lines += _compare_items("pin", _name_pins(old), _name_pins(new))
    lines += _compare_weights("goal", old["goals"], new["goals"])
    lines += _compare_weights("price", old["prices"], new["prices"])
    return lines + [f"{part} changed" for part in _BIG if old.get(part) != new.get(part)]


def adds_nodes_alone(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether nodes were added, and nothing else changed."""
    known = {node["name"] for node in old["nodes"]}
    kept = [node for node in new["nodes"] if node["name"] in known]
    return len(new["nodes"]) > len(kept) and digest({**new, "nodes": kept}) == digest(dict(old))


def _compare_lists(kind: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    before = {each["name"]: each for each in old}
    after = {each["name"]: each for each in new}
    yield from (f"{kind} {name} added" for name in after if name not in before)
    yield from (f"{kind} {name} removed" for name in before if name not in after)
    for name, each in after.items():
        if name in before:
            yield from _compare_parts(f"{kind} {name}", before[name], each)
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield f"{kind} order changed: now {', '.join(after)}"


def _compare_parts(owner: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for part in old:
        if old[part] == new[part] or part == "name":
            continue
        if part in ("nics", "ports") and isinstance(old[part], list):
            yield f"{owner}: {_describe_kinds(part, old[part], new[part])}"
        elif part in ("spares", "hosts"):
            yield f"{owner}: {part} {_format_names(old[part])} became {_format_names(new[part])}"
        elif part == "ports":
            yield f"{owner}: {count(old[part], _WORDS[part])} became {new[part]}"
        else:
            yield f"{owner}: {part.replace('_', ' ')} {_format_value(old[part])} became {_format_value(new[part])}"


def _compare_uplinks(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[str]:
    if old is None and new is not None:
        yield f"uplink {new['name']} added"
    elif old is not None and new is None:
        yield f"uplink {old['name']} removed"
    elif old is not None and new is not None:
        if old["name"] != new["name"]:
            yield f"uplink {old['name']} became {new['name']}"
        yield from _compare_parts(f"uplink {new['name']}", old, new)


def _compare_items(noun: str, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Items that have no name, compared by their descriptions: those added, those removed."""
    before, after = Counter(old), Counter(new)
    yield from (f"{noun} {words} added" for words in (after - before).elements())
    yield from (f"{noun} {words} removed" for words in (before - after).elements())
    if before == after and list(old) != list(new):
        yield f"{noun} order changed"


def _compare_weights(noun: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        if isinstance(before, Mapping) or isinstance(after, Mapping):
            yield f"{noun} {name} changed"
        else:
            yield f"{noun} {name}: {_format_value(before)} became {_format_value(after)}"


def _name_patterns(patterns: Sequence[Mapping[str, Any]]) -> list[str]:
    """A description of each pattern; lists of pairs appear as their length and the digest of their content."""
    return [" ".join([pattern["kind"], *_describe_details(pattern)]) for pattern in patterns]


def _describe_details(pattern: Mapping[str, Any]) -> Iterator[str]:
    if "dims" in pattern:
        yield " x ".join(map(str, pattern["dims"]))
    for key in ("reach", "size", "rows", "cols", "offset"):
        if key in pattern:
            yield f"{key} {pattern[key]}"
    if "pairs" in pattern:
        yield f"of {count(len(pattern['pairs']), 'pair')} ({digest(pattern['pairs'])[7:15]})"
    if pattern["weight"] != 1:
        yield f"weight {pattern['weight']}"


def _name_pins(spec: Mapping[str, Any]) -> list[str]:
    return [f"of NIC {pin['nic']} of {pin['node']} to {pin['switch']}" for pin in spec.get("pinned", [])]


def _describe_kinds(part: str, old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> str:
    """NICs or ports: their number if nothing else changed, otherwise the number of each kind."""
    before, after = _count_kinds(old), _count_kinds(new)
    if before == after:
        return f"{_WORDS[part]} names or order changed"
    if len(before) == 1 and before.keys() == after.keys():
        return f"{count(before.total(), _WORDS[part])} became {after.total()}"
    return f"{_WORDS[part]}s {_format_counts(before)} became {_format_counts(after)}"


def _count_kinds(items: Sequence[Mapping[str, Any]]) -> Counter[tuple[int, str]]:
    kinds: Counter[tuple[int, str]] = Counter()
    for item in items:
        kinds[item["speed_mbps"], item["media"]] += item.get("count", 1)
    return kinds


def _format_counts(kinds: Counter[tuple[int, str]]) -> str:
    return " + ".join(f"{kinds[kind]} x {format_rate(kind[0])} {kind[1]}" for kind in sorted(kinds))


def _format_names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _format_value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

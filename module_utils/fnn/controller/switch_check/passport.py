# SPDX-License-Identifier: GPL-3.0-or-later
"""The document switch-passport.json: an entry for each switch that was checked, without MACs of nodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .judge import judge
from .stations import Participants, Station
from .trait import Results

FORMAT, VERSION = "fnn-switch-passport", 1


@dataclass(frozen=True)
class Check:
    """One check of a switch. stations: that have started. nics: node -> its driver and speed.

    model: make and model, as the operator gave them. date: of the check, as "2026-11-27". seconds: that it took.
    """

    switch: str
    participants: Participants
    stations: Sequence[Station]
    results: Results
    nics: Mapping[str, Mapping[str, Any]]
    model: str = ""
    date: str = ""
    seconds: float = 0.0


def make_entry(check: Check) -> dict[str, Any]:
    """The entry of a switch."""
    results = replace_macs(check.results, {each.mac: each.node for each in check.stations})
    traits = judge(results, check.participants.isolated)
    taking_part = [each.node for each in check.participants.stations]
    nics = Counter((check.nics[node]["driver"], check.nics[node]["speed_mbps"]) for node in taking_part)
    return {
        "switch": check.switch,
        "model": check.model,
        "date": check.date,
        "seconds": round(check.seconds),
        "layer": check.participants.layer,
        "nodes": len(taking_part),
        "absent": list(check.participants.absent),
        "isolated": [list(pair) for pair in check.participants.isolated],
        "nics": [{"driver": driver, "speed_mbps": speed, "count": n} for (driver, speed), n in nics.items()],
        "traits": {name: trait.describe(name) for name, trait in traits.items()},
        "measured": results,
    }


def replace_macs(value: Any, names: Mapping[str, str]) -> Any:
    """The same value with the names of nodes in place of MACs; other MACs keep the first half, the maker's."""
    if isinstance(value, str):
        return _MAC.sub(lambda found: names.get(found.group(), f"{found.group()[:8]}:…"), value)
    if isinstance(value, Mapping):
        return {replace_macs(key, names): replace_macs(each, names) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [replace_macs(each, names) for each in value]
    return value


_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}")


def merge(document: Mapping[str, Any] | None, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the entry in place of a former one of the same switch."""
    others = [each for each in (document or {}).get("switches", ()) if each["switch"] != entry["switch"]]
    switches = sorted([*others, entry], key=lambda each: str(each["switch"]))
    return {"format": FORMAT, "version": VERSION, "switches": switches}

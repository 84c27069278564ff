# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the JSON that a client of iperf3 prints (runs on a node). Standard library only, Python 3.9."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: The first release with the option --bidir.
_BOTH_WAYS = (3, 7)


@dataclass(frozen=True)
class Direction:
    """One direction of a pair test. mbps: payload that arrived, in Mb/s, per second of the receiver. rtt_us: mean round
    trip time at the sender. seconds: how long the sender sent.

    All but `error` are None after an error; those of the sender also where it does not report them.
    """

    mbps: float | None = None
    rtt_us: float | None = None
    retransmits: int | None = None
    seconds: float | None = None
    error: str | None = None


def choose_passes(versions: Iterable[str | None]) -> list[list[str]]:
    """The options of each pass of a round: one pass for both directions if all releases can, else one for each."""
    found = [tuple(map(int, version.split(".")[:2])) for version in versions if version]
    return [["--bidir"]] if all(each >= _BOTH_WAYS for each in found) else [[], ["--reverse"]]


def read_directions(output: str, options: Iterable[str]) -> dict[bool, Direction]:
    """Whether the client sent -> the result, for each direction that these options measure."""
    sides = [True, False] if "--bidir" in options else ["--reverse" not in options]
    document, error = _read_json(output)
    return {side: Direction(error=error) if error else _read_side(document, side, options) for side in sides}


def _read_json(output: str) -> tuple[Mapping[str, Any], str | None]:
    """The document, and the error that it reports. An error can stand before or after the document as text."""
    start = output.find("{")
    try:
        document, _ = json.JSONDecoder().raw_decode(output[start:]) if start >= 0 else ({}, 0)
    except ValueError:
        document = {}
    if not document:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        return {}, _shorten(lines[-1] if lines else "iperf3 printed nothing")
    error = document.get("error")
    return document, _shorten(str(error)) if error else None


def _shorten(message: str) -> str:
    return re.sub(r"^(iperf3: )?(error - )?", "", message)


def _read_side(document: Mapping[str, Any], side: bool, options: Iterable[str]) -> Direction:
    end = document.get("end", {})
    suffix = "" if side or "--bidir" not in options else "_bidir_reverse"
    sent, received = end.get(f"sum_sent{suffix}"), end.get(f"sum_received{suffix}")
    if not (sent and received and sent.get("seconds")):
        return Direction(error="iperf3 reported no result")
    mbps = round(received["bits_per_second"] / 1e6, 3)
    rtt = _find_rtt(document if side else document.get("server_output_json", {}))
    return Direction(mbps, rtt, sent.get("retransmits"), round(sent["seconds"], 3))


def _find_rtt(document: Mapping[str, Any]) -> float | None:
    """Of the connection on which the program that made this document sent."""
    senders = [each.get("sender", {}) for each in document.get("end", {}).get("streams", ())]
    return next((each["mean_rtt"] for each in senders if each.get("sender") and "mean_rtt" in each), None)

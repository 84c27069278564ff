# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the switches certainly forward what the NICs of a node send.

A port that has just got a link may still negotiate, or spanning tree may block it, so all nodes have to send until each
has heard all others. None of this can happen on a link over which a NIC has heard another one and that was not
interrupted since. The kernel counts interruptions (/sys/class/net/*/carrier_changes); /run/fnn/steady.json keeps the
counts at the end of each observation by beacons, and of each proof in which fnn-linkd used every NIC:

    {"nic0": 1, "nic1": 3}

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...shared.atomic import write_atomic
from ...shared.nic_facts import read_attribute

_FILE = "steady.json"


def record_steady(directory: Path, devices: Iterable[str]) -> None:
    """Record the links of NICs that have heard another NIC.

    A record that cannot be written is left out, which costs a wait in the next run and nothing else.
    """
    counts = {device: count for device in devices if (count := read_attribute(device, "carrier_changes"))}
    with contextlib.suppress(OSError):
        write_atomic(directory / _FILE, json.dumps(counts), durable=False)


def is_steady(directory: Path, devices: Iterable[str]) -> bool:
    """Whether all these NICs are up and have the links that the record has. An unreadable record has none."""
    try:
        counts = json.loads((directory / _FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False
    return isinstance(counts, dict) and all(_has_link(device, counts) for device in devices)


def _has_link(device: str, counts: Mapping[str, Any]) -> bool:
    """Whether a NIC has carrier and has had it since the record. Reading `carrier` of a NIC that is down fails."""
    if read_attribute(device, "carrier") != "1":
        return False
    return device in counts and read_attribute(device, "carrier_changes") == counts[device]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the links of a node are still those of the last verification.

A cable that is moved loses its link, and the kernel counts that (/sys/class/net/*/carrier_changes). So while no
count of any node has changed, each cable is where verify found it. The last task of a run on a node, that of the proof,
records the counts in /run/fnn/verified.json, which a restart of the node removes:

    {"findings": "sha256:…", "links": {"nic0": ["02:f0:00:00:00:00", "1", "3"]}}

`findings` is the digest of the findings of that run; a link has the MAC, the carrier and the count of its NIC.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...shared.atomic import write_atomic
from ...shared.nic_facts import read_attribute, read_links

_FILE = "verified.json"
Links = dict[str, list[Any]]


def count_links(fabric: Iterable[Mapping[str, Any]], maintenance: list[str]) -> Links:
    """The links of all NICs that send beacons. fabric: its NICs, as of read_links; maintenance: names of devices."""
    nics = [*fabric, *(read_links(maintenance, []) if maintenance else [])]
    return {nic["device"]: [nic["mac"], *_count(nic["device"])] for nic in nics}


def record_verified(directory: Path, findings: str, links: Links) -> None:
    """Record the links that a run with these findings ended with. findings: their digest.

    A record that cannot be written is left out, and the next run verifies the cables again.
    """
    with contextlib.suppress(OSError):
        write_atomic(directory / _FILE, json.dumps({"findings": findings, "links": links}), durable=False)


def find_verified(directory: Path, links: Links) -> str:
    """The digest of the findings that were recorded with these links; empty if the links differ. An unreadable record
    has none."""
    try:
        record = json.loads((directory / _FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return ""
    known = isinstance(record, dict) and bool(links) and record.get("links") == links
    return str(record.get("findings", "")) if known else ""


def _count(device: str) -> tuple[str | None, str | None]:
    """Carrier, null while the NIC is down, and how often it came or went."""
    return read_attribute(device, "carrier"), read_attribute(device, "carrier_changes")

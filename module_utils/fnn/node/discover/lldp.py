# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the LLDP neighbors of a node that runs lldpd: a hint, never proof.

A conforming switch does not forward LLDP frames, and an unmanaged one sends none; some forward them, so that a NIC
has many neighbors. `lldpctl -f json` writes one neighbor as an object and several as a list, with or without the
system name, and so on. Entries that cannot be parsed are left out.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

_SECONDS = 5


def read_lldp() -> list[dict[str, str]]:
    """[{"device", "chassis", "port", "system"}], empty where there is no lldpd."""
    program = shutil.which("lldpctl") or shutil.which("lldpctl", path="/usr/sbin:/sbin")
    if program is None:
        return []
    try:
        done = subprocess.run([program, "-f", "json"], capture_output=True, text=True, check=False, timeout=_SECONDS)
        return parse_lldp(done.stdout)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return []


def parse_lldp(text: str) -> list[dict[str, str]]:
    """The neighbors in the output of lldpctl."""
    try:
        document = json.loads(text or "{}")
    except (ValueError, RecursionError):  # no JSON, a number of thousands of digits, too deep
        return []
    lldp = document.get("lldp") if isinstance(document, dict) else None
    interfaces = lldp.get("interface") if isinstance(lldp, dict) else None
    neighbors = [describe_neighbor(device, neighbor) for device, neighbor in list_entries(interfaces)]
    return sorted(neighbors, key=lambda each: (each["device"], each["chassis"], each["port"]))


def list_entries(interfaces: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """{"eth0": {...}} or [{"eth0": {...}}, {"eth0": {...}}, {"eth1": {...}}]"""
    for entry in interfaces if isinstance(interfaces, list) else [interfaces]:
        if isinstance(entry, dict):
            yield from ((device, neighbor) for device, neighbor in entry.items() if isinstance(neighbor, dict))


def describe_neighbor(device: str, neighbor: dict[str, Any]) -> dict[str, str]:
    system, chassis = name_chassis(neighbor.get("chassis"))
    port = neighbor.get("port")
    return {
        "device": device,
        "chassis": read_id(chassis),
        "port": read_id(port) or read_text(port, "descr"),
        "system": system,
    }


def name_chassis(chassis: Any) -> tuple[str, Any]:
    """Name and content of {"switch1": {"id": ...}}, or of {"id": ...} where the system name is missing."""
    if isinstance(chassis, dict) and "id" not in chassis and len(chassis) == 1:
        name, content = next(iter(chassis.items()))
        return name, content
    return read_text(chassis, "name"), chassis


def read_id(holder: Any) -> str:
    return read_text(holder.get("id"), "value") if isinstance(holder, dict) else ""


def read_text(holder: Any, key: str) -> str:
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, str) else ""

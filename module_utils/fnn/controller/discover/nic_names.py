# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a NIC by its number in the design or by its device name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...shared.errors import problem


def find_nic(macs: Mapping[str, Any], node: str, nic: str | int) -> dict[str, Any]:
    """The entry {"nic", "name", "mac", "permanent"} of macs.json. Raises FnnError that lists the NICs of the node."""
    nics = next((each["nics"] for each in macs["nodes"] if each["name"] == node), None)
    if nics is None:
        raise problem("macs.json", f"no node is called {node}")
    for entry in nics:
        if str(nic) in (str(entry["nic"]), entry["name"]):
            found: dict[str, Any] = entry
            return found
    there = ", ".join(f"{entry['nic']} ({entry['name']})" for entry in nics)
    raise problem("macs.json", f"{node} has no NIC {nic}, there are: {there}")

# SPDX-License-Identifier: GPL-3.0-or-later
"""The present state of a lab, with all that a fault may have changed, and the marks that identify these changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..shared.errors import problem
from .layout import Layout, switches_namespace
from .wiring import Device, Found

#: The comment of our firewall rules, and the mark before the original line in hosts files.
COMMENT = "fnn-lab-fault"
MARKED = re.compile(rf"# {COMMENT}: (.*)")
#: The alias of a switch port that loses its carrier repeatedly until it is repaired.
FLAPPING = "flapping"
#: The name prefix of an nftables table that drops some frames of a cable.
LOSSY = "fnn_lab_fault_"
#: The kernel's name for the queueing discipline (qdisc) of a shaped cable.
SHAPED = "tbf"


@dataclass(frozen=True)
class LabState:
    """rules: namespace -> its firewall rules that carry COMMENT, as `iptables -S` lists them.
    tables: the nftables tables at switch ports whose name begins with LOSSY.
    table_limits: bridge -> how many addresses it learns at most.
    hosts: container -> its /etc/hosts. house: the program that requests addresses from the house's DHCP server."""

    layout: Layout
    found: Found
    rules: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hosts: Mapping[str, str] = field(default_factory=dict)
    house: Path = Path("lan_host.py")
    tables: Sequence[str] = ()
    table_limits: Mapping[str, int] = field(default_factory=dict)

    @property
    def switches(self) -> Mapping[str, Device]:
        """The devices in the namespace of the switches."""
        return self.found.get(switches_namespace(self.layout.lab), {})

    def require_lab(self) -> None:
        """Raises FnnError when the lab is down."""
        if not self.switches:
            raise problem(f"lab {self.layout.lab}", "does not exist; bring it up first (./fnn lab up)")

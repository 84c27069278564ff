# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings of the check, one per fault of a node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: A problem stops the play before it changes a node; a warning does not.
PROBLEM, WARNING = LEVELS = ("problem", "warning")
#: The verdict on a node: refused if it has a problem.
READY, REFUSED = "ready", "refused"
#: What is checked, in the order in which a person would correct it.
CHECKS = (
    "connection", "host-key", "login", "root", "python", "system", "plan", "nics", "configuration", "addresses",
    "packet-filter", "kernel", "names", "mpi", "disk", "packages", "clock",
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """text: what was found. remedy: what to do about it. level, check: of LEVELS and CHECKS."""

    check: str
    text: str
    remedy: str
    level: str = PROBLEM

    def describe(self) -> dict[str, str]:
        """The finding in check.json."""
        return {"check": self.check, "level": self.level, "text": self.text, "remedy": self.remedy}


@dataclass(frozen=True)
class Answers:
    """What Ansible registered for a node: of fnn_node, and of the shell command that follows where that failed."""

    facts: Mapping[str, Any]
    shell: Mapping[str, Any]

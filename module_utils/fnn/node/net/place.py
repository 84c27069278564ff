# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths of the files of a node: below /, or below another root for tests and images."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """root: the directory that is / of this node."""

    root: Path = Path("/")

    @property
    def plan(self) -> Path:
        return self.root / "etc/fnn"

    @property
    def sysctl(self) -> Path:
        return self.root / "etc/sysctl.d/90-fnn.conf"

    @property
    def state(self) -> Path:
        """State of the node that is not part of the plan: backup, originals, a pending change."""
        return self.root / "var/lib/fnn"

    @property
    def locks(self) -> Path:
        """Only root can enter it, see locks.py."""
        return self.root / "run/fnn"

    @property
    def has_systemd(self) -> bool:
        """Whether systemd runs (sd_booted(3)) and uses these files."""
        return self.root == Path("/") and Path("/run/systemd/system").is_dir()

    def locate(self, path: str) -> Path:
        """The real place of a path; links such as /etc/hosts -> /run/hosts are followed, not replaced."""
        return (self.root / path.lstrip("/")).resolve()

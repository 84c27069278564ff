# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts frames that name our cluster but are forged, rewritten, repeated or of another run. They are no evidence.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ...shared.mac import format_mac

_MOST = 16  # sources and reasons remembered per NIC
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")


@dataclass
class UnknownFrames:
    """Of one NIC. counts: (source MAC, reason of envelope.py) -> frames. claims: the same -> the NIC they name."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    claims: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def note(self, frame: bytes, reason: str, claim: str | None) -> bool:
        """Counts a frame; True if its source and reason are new. claim: "k00 nic0", or any text of a forger."""
        key = (format_mac(frame[6:12]), reason)
        if key not in self.counts and len(self.counts) >= _MOST:
            return False
        self.counts[key] = self.counts.get(key, 0) + 1
        if self.counts[key] == 1:
            self.claims[key] = claim if claim and all(_NAME.fullmatch(name) for name in claim.split(" ")) else None
        return self.counts[key] == 1

    def describe(self) -> list[dict[str, Any]]:
        """[{"source", "reason", "claims", "frames"}], by source and reason."""
        return [
            {"source": source, "reason": reason, "claims": self.claims[source, reason], "frames": number}
            for (source, reason), number in sorted(self.counts.items())
        ]

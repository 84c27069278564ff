# SPDX-License-Identifier: GPL-3.0-or-later
"""Counters of NICs as evidence: how many bad frames and how many dropped frames a NIC counted during the run.

A cable that damages frames makes the NIC at its end count errors of the checksum. Other NICs count none, or few. Given
the bad frames of all NICs, those of one are binomial with its share of the frames; Holm's correction counts the NICs.
Dropped frames are stated, but no part is suspected for them: a kernel also drops frames that no program wants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scipy.special import betainc

from .rank_sum import LEVEL, correct

_BAD = ("crc", "fcs", "frame", "align", "symbol", "jabber", "rx_errors", "tx_errors", "carrier_err")
_DROPPED = ("drop", "miss", "fifo", "overrun", "over_err", "no_buf", "nobuf", "discard")
Nic = tuple[str, str]


@dataclass(frozen=True)
class Growth:
    """Growth of the counters of a NIC. bad, dropped: by name.

    p: corrected probability of so many bad frames by chance.
    """

    bad: Mapping[str, int]
    dropped: Mapping[str, int]
    frames: int
    p: float = 1.0

    @property
    def bad_frames(self) -> int:
        """The greatest of the counters, since one frame may be in several."""
        return max(self.bad.values(), default=0)

    @property
    def is_significant(self) -> bool:
        return self.p <= LEVEL

    def to_json(self) -> dict[str, int]:
        return dict(sorted({**self.bad, **self.dropped}.items()))


def measure_growth(counters: Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]) -> dict[Nic, Growth]:
    """(node, device) -> growth. counters: those of a raw result."""
    grown = {
        (node, device): _subtract(both["before"], both["after"])
        for node, nics in counters.items()
        for device, both in nics.items()
    }
    total = sum(each.bad_frames for each in grown.values())
    frames = sum(each.frames for each in grown.values())
    if not total or len(grown) < 2:
        return grown
    # A NIC that counts no frames has an equal share.
    shares = [each.frames / frames if frames else 1 / len(grown) for each in grown.values()]
    p = correct([_find_p(each.bad_frames, total, share) for each, share in zip(grown.values(), shares)])
    return {nic: Growth(each.bad, each.dropped, each.frames, value) for (nic, each), value in zip(grown.items(), p)}


def _subtract(before: Mapping[str, int], after: Mapping[str, int]) -> Growth:
    """A counter that became less was reset, and counts from 0."""
    grown = {
        name: count - before.get(name, 0) if count >= before.get(name, 0) else count for name, count in after.items()
    }
    bad = {name: count for name, count in grown.items() if count and _is(name, _BAD) and not _is(name, _DROPPED)}
    dropped = {name: count for name, count in grown.items() if count and _is(name, _DROPPED)}
    return Growth(bad, dropped, grown.get("rx_packets", 0) + grown.get("tx_packets", 0))


def _is(name: str, words: tuple[str, ...]) -> bool:
    return any(word in name.lower() for word in words)


def _find_p(bad: int, total: int, share: float) -> float:
    """Probability of at least so many of all bad frames: binomial, by the incomplete beta function."""
    if bad == 0:
        return 1.0
    if share >= 1:
        return 1.0
    return float(betainc(bad, total - bad + 1, share)) if share > 0 else 0.0

# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of every NIC of the cluster, in use or not, with an incarnation that orders the news about it.

A record is (incarnation, state). The later of two wins, so any two nodes that received the same news agree, in whatever
order and however often it came. Incarnations are serial numbers of 32 bits (RFC 1982): the one that is less than 2^31
steps ahead is later, so a NIC can always count up, also from a value in a forged frame.

As in SWIM, only the NIC's own node raises its incarnation: to answer a suspicion, or to report "use it again" or that
its daemon stops. A node that misses the NIC reports it with the incarnation in its record. So an old suspicion loses to
a newer refutation, and cannot return.

Standard library only and Python 3.9.
"""

from __future__ import annotations

from collections.abc import Collection

from .frame import MOST_NEWS, News

#: LEFT: used as planned; its daemon has stopped, so silence is no failure. SUSPECTED: used; its node is asked whether
#: it runs. LOSSY: used only where there is no better path.
USED, UNUSED, LEFT, SUSPECTED, LOSSY = 0, 1, 2, 3, 4
_ORDER = {USED: 0, LOSSY: 1, SUSPECTED: 2, UNUSED: 3, LEFT: 4}  # within one incarnation the later state wins
Record = tuple[int, int]
_UNKNOWN: Record = (0, USED)
_SERIAL = 1 << 32
_RECENT = 60.0  # seconds for which a change goes out with every frame


def raise_incarnation(incarnation: int) -> int:
    """The next incarnation; 0 follows the last one of 32 bits."""
    return (incarnation + 1) % _SERIAL


def is_later(record: Record, than: Record) -> bool:
    """Whether `record` wins over `than`: by serial number (RFC 1982), then by state."""
    ahead = (record[0] - than[0]) % _SERIAL
    return _ORDER[record[1]] > _ORDER[than[1]] if ahead == 0 else ahead < _SERIAL // 2


def find_later(one: Record, other: Record) -> Record:
    return one if is_later(one, other) else other


class Records:
    """Records by MAC (six octets), of NICs whose record differs from the default, or once did."""

    def __init__(self) -> None:
        self._known: dict[bytes, Record] = {}
        self._changed: dict[bytes, float] = {}
        self._next_news = 0
        self._news: tuple[News, ...] = ()
        self._news_until = float("-inf")  # until then, `_news` is what list_news returns
        self.unused: set[bytes] = set()
        self.left: set[bytes] = set()
        self.lossy: set[bytes] = set()

    def find(self, mac: bytes) -> Record:
        return self._known.get(mac, _UNKNOWN)

    def is_older(self, mac: bytes, record: Record) -> bool:
        """Whether `record` is later than the stored one of the NIC; without one, any but the default is."""
        known = self._known.get(mac)
        return record != _UNKNOWN if known is None else is_later(record, known)

    def learn(self, mac: bytes, record: Record) -> None:
        """Stores a record without sending it as news: a new incarnation of a NIC that is used as before."""
        former, self._known[mac] = self.find(mac), record
        self._news_until = float("-inf")
        for state, macs in ((UNUSED, self.unused), (LEFT, self.left), (LOSSY, self.lossy)):
            if former[1] != record[1]:
                (macs.add if record[1] == state else macs.discard)(mac)

    def change(self, mac: bytes, record: Record, now: float) -> None:
        """Stores a record and sends it as news."""
        self.learn(mac, record)
        self._changed[mac] = now

    def refresh(self, mac: bytes, now: float) -> None:
        """Sends a record again, because a node has an outdated one."""
        if mac in self._known:
            self._changed[mac] = now
            self._news_until = float("-inf")

    def keep(self, known: Collection[bytes]) -> None:
        """Keeps only the records of these NICs, the members of the cluster."""
        for mac in [mac for mac in self._known if mac not in known]:
            del self._known[mac]
            self._changed.pop(mac, None)
            self._news_until = float("-inf")
            for macs in (self.unused, self.left, self.lossy):
                macs.discard(mac)

    def to_news(self, mac: bytes) -> News:
        return (mac, *self.find(mac))

    def list_news(self, now: float) -> tuple[News, ...]:
        """The news of an ordinary frame: unused and lossy NICs, and recent changes; in turns beyond MOST_NEWS."""
        if now <= self._news_until:
            return self._news
        for mac in [mac for mac, since in self._changed.items() if now - since > _RECENT]:
            del self._changed[mac]
        macs = sorted(self.unused | self.lossy | self._changed.keys())
        if len(macs) > MOST_NEWS:
            start = self._next_news = (self._next_news + MOST_NEWS) % len(macs)
            macs = (macs + macs)[start : start + MOST_NEWS]
        else:
            self._news_until = min(self._changed.values(), default=float("inf")) + _RECENT
        self._news = tuple(self.to_news(mac) for mac in macs)
        return self._news

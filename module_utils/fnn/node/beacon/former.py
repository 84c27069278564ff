# SPDX-License-Identifier: GPL-3.0-or-later
"""Separates the senders of a NIC's present switch from those of the switch it was in earlier in the same run.

All nodes send from the last start of a beacon process to the first end of one. So on a NIC whose cable stays in place
the periods in which it hears its senders have a time in common, by its own clock:

    in place   k01 |-------------|            moved from RED to BLUE   k01 |------|
               k02    |-------------|         after half of the run    k02   |----|
               k03  |-----------|                                      k08          |-----|

If all periods of some senders end before those of all others begin, the cable was moved in between. Lost beacons may
look the same for a sender or two; so the beacons on either side must be many and most of those that were sent. If the
NIC lost its carrier, no such guess is needed: a sender that it has not heard since is no evidence of where it is now.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .counts import ReceivedBeacons

_ENOUGH = 10  # beacons on either side of a move


@dataclass
class Period:
    """When a sender was heard first and last, as monotonic times."""

    first: float
    last: float


def find_former(periods: Mapping[str, Period], counts: Mapping[str, ReceivedBeacons], lost: float) -> set[str]:
    """Return the senders that a NIC heard only where its cable was before.

    periods, counts: by MAC. lost: when the NIC was seen to have lost its carrier, 0.0 for no single loss.
    """
    former = {mac for mac, period in periods.items() if period.last < lost}
    left = sorted(periods.keys() - former, key=lambda mac: periods[mac].first)
    end = 0.0
    for place, mac in enumerate(left):
        sides = left[:place], left[place:]
        if end and periods[mac].first > end and all(_is_dense(side, counts) for side in sides):
            former.update(sides[0])
        end = max(end, periods[mac].last)
    return former


def _is_dense(senders: Collection[str], counts: Mapping[str, ReceivedBeacons]) -> bool:
    """Whether most beacons of these senders arrived, and enough of them."""
    known = [counts[mac] for mac in senders if mac in counts]
    received = sum(each.received for each in known)
    return received >= _ENOUGH and 2 * received >= sum(each.expected for each in known)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Prepares the network for its proof: this node sends to every peer once, so that switches learn all MACs.

A switch floods the first frame to a MAC that it has not learned yet; the proof must see the network after that.
Standard library only, Python 3.9.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from ..net.legs_down import RUN, read_avoided
from .reach import PINGS_AT_ONCE, find_size, ping_both

_POLL = 0.5  # seconds


def wait_for_nics(seconds: float) -> None:
    """Waits until fnn-linkd avoids no NIC, at most this long. Raises OSError and Failed.

    After a failure it avoids a NIC for a while, and routes differ from the plan meanwhile.
    """
    end = time.monotonic() + seconds
    while read_avoided(RUN) and time.monotonic() < end:
        time.sleep(_POLL)


def send_to_peers(peers: Iterable[str], devices: Iterable[str], tries: int) -> None:
    """Sends the packets of `reach_peers`, and ignores which are answered. Raises OSError."""
    with ThreadPoolExecutor(PINGS_AT_ONCE) as pool:
        list(pool.map(partial(ping_both, size=find_size(devices), tries=tries), peers))

# SPDX-License-Identifier: GPL-3.0-or-later
"""What one node observes for the proof: its peers, frames that its egress filters drop, NICs that fnn-linkd
avoids, other programs that own a NIC.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import time
from typing import Any

from ...shared.peers import pack_peers
from ..discover.node_facts import find_generation, find_tree
from ..net.egress import count_dropped
from ..net.legs_down import RUN, read_avoided
from ..owners.find import find_present_claims
from .daemons import find_senders
from .kernel import read_fabric_devices, read_peer_addresses
from .reach import reach_peers

_BEFORE = 10.0  # seconds before the test, in which other nodes may have begun theirs


def observe_peers(tries: int) -> dict[str, Any]:
    """The observations as fnn_reach returns them. tries: pings until a peer counts as not reached.

    Raises Failed, OSError, and subprocess.CalledProcessError if ip(8) fails.
    """
    since = time.monotonic() - _BEFORE
    devices = read_fabric_devices()
    before = sum(count_dropped(devices).values())
    reach = reach_peers(read_peer_addresses(), devices, tries)
    avoided = read_avoided(RUN, since)  # a NIC may fail, and recover, while the packets pass
    total = sum(count_dropped(devices).values())
    egress = {
        "dropped": max(0, total - before),
        "total": total,
        "senders": find_senders(devices) if total else [],
    }
    return {
        **reach,
        "egress": egress,
        "owners": [str(each.problem) for each in find_present_claims()],
        "generation": find_generation(),
        "tree": find_tree(),
        "avoided": [list(each) for each in avoided],
        "asked": len(reach["peers"]),
        "peers": pack_peers(reach["peers"]),
    }

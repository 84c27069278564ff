# SPDX-License-Identifier: GPL-3.0-or-later
"""What the nodes that measure a switch and the controller that judges it must agree on.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from ..mac import format_mac
from .frame import NEAREST_BRIDGE

EXPERIMENTAL, IP = LAYERS = ("experimental", "ip")  # of messages between stations
#: IEEE 802.1Q-2022, table 8-1: the addresses of LLDP and the frames that a bridge of customers does not forward.
LLDP_ADDRESSES = {
    "nearest_bridge": format_mac(NEAREST_BRIDGE),
    "nearest_non_tpmr_bridge": "01:80:c2:00:00:03",
    "nearest_customer_bridge": "01:80:c2:00:00:00",
}
#: Octets of a frame on the wire besides its payload: header, check sequence, preamble and gap.
OVERHEAD = 38
#: Of the addresses that are asked for: if more are flooded, the table of a switch is full.
OVERFLOW = 0.02

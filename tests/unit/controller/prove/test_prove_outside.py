# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/prove/outside.py: which ARP frames are allowed."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.prove.outside import OutsideHosts, count_allowed

NIC, ACCESS, ROUTER = "02:f0:00:00:00:00", "0e:f0:00:00:00:00", "aa:00:00:00:00:01"
OUTSIDE = OutsideHosts("192.168.7.0/24", {ACCESS: "192.168.7.1"}, {NIC})


@pytest.mark.parametrize(
    ("mac", "sender", "target", "may"),
    [
        (ACCESS, "192.168.7.1", "192.168.7.254", True),
        (ACCESS, "192.168.7.1", "192.168.7.1", True),
        (ROUTER, "192.168.7.254", "192.168.7.1", True),
        (ROUTER, "0.0.0.0", "192.168.7.99", True),
        (ACCESS, "192.168.7.2", "192.168.7.254", False),  # the address of another node
        (ACCESS, "10.77.0.1", "192.168.7.254", False),
        (ACCESS, "192.168.7.1", "10.77.0.2", False),
        (NIC, "192.168.7.1", "192.168.7.254", False),
        (ROUTER, "192.168.7.254", "10.78.0.1", False),
        (ROUTER, "10.77.0.9", "192.168.7.1", False),
    ],
)
def test_only_arp_for_the_outside_network_is_allowed(mac: str, sender: str, target: str, may: bool) -> None:
    frame = {"mac": mac, "sender": sender, "target": target, "frames": 3}
    assert OUTSIDE.allows(frame) is may
    assert count_allowed(OUTSIDE, [frame]) == (3 if may else 0)
    assert count_allowed(None, [frame]) == 0

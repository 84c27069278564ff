# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/managers.py: the devices that NetworkManager leaves unmanaged. tests/full has the rest."""

from __future__ import annotations

from ansible.module_utils.fnn.node.net.managers import is_named

TEXT = "[keyfile]\nunmanaged-devices+=interface-name:fnn0*;mac:02:f0:00:00:01:00;mac:02:f0:00:00:01:01\n"


def test_a_device_is_named_by_its_mac_or_a_pattern() -> None:
    assert is_named(TEXT, "enp2s0", "02:f0:00:00:01:01")
    assert is_named(TEXT, "fnn0-peer", "02:00:00:00:00:01")
    assert not is_named(TEXT, "eno1", "02:f0:00:00:01:02")
    assert not is_named("", "enp2s0", "02:f0:00:00:01:01")

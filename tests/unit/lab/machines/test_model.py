# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/machines/model.py"""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.machines.model import MANAGERS, make_machines
from ansible.module_utils.fnn.shared.errors import FnnError

NAMES = ("k00", "k01", "k02")


def test_a_machine_has_the_macs_of_its_cables_and_a_tap_device_for_each(layout: Layout) -> None:
    machines = make_machines(layout, dict.fromkeys(NAMES, "trixie"), dict(zip(NAMES, MANAGERS, strict=False)))
    last = machines[2]
    assert (last.name, last.namespace, last.release, last.manager) == ("k02", "lbt-k02", "trixie", "netplan")
    assert str(last.address) == "10.79.0.3/16"
    assert [(nic.device, nic.tap, nic.mac) for nic in last.nics] == [
        ("mg0", "tap3", "02:f1:00:00:02:00"),
        ("nic0", "tap0", "02:f0:00:00:02:00"),
        ("nic1", "tap1", "02:f0:00:00:02:01"),
        ("nic2", "tap2", "02:f0:00:00:02:02"),
    ]


def test_every_node_needs_a_manager_and_a_release(layout: Layout) -> None:
    managers = {"k00": "networkd", "k01": "wicked"}
    with pytest.raises(FnnError) as error:
        make_machines(layout, {"k00": "trixie", "k01": "trixie"}, managers)
    assert str(error.value).splitlines() == [
        "fnn_lab_manager of k01: 'wicked' is not one of ifupdown, networkmanager, netplan, networkd",
        "fnn_lab_manager of k02: None is not one of ifupdown, networkmanager, netplan, networkd",
        "fnn_lab_suite of k02: a virtual machine needs the name of a release, such as bookworm",
    ]

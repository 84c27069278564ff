# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/machines/qemu.py"""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.machines.model import Machine, Nic, make_machines
from ansible.module_utils.fnn.lab.machines.qemu import list_joins, write_command

NAMES = ("k00", "k01", "k02")
NIC = Nic("nic0", "tap0", "02:f0:00:00:00:00")


def make(layout: Layout, manager: str) -> Machine:
    return make_machines(layout, dict.fromkeys(NAMES, "trixie"), dict.fromkeys(NAMES, manager))[0]


@pytest.mark.parametrize(("manager", "named"), [("ifupdown", True), ("networkd", False)])
def test_only_a_machine_with_ifupdown_keeps_the_kernels_names(manager: str, named: bool, layout: Layout) -> None:
    command = write_command(make(layout, manager), Path("/images/one"))
    assert ("net.ifnames=0" in command[command.index("-append") + 1]) is named
    assert command[command.index("-kernel") + 1] == "/images/one/kernel"


def test_nics_are_in_pci_slots_from_3_with_the_management_nic_first(layout: Layout) -> None:
    command = write_command(make(layout, "networkd"), Path("/images/one"))
    nics = [word for word in command if word.startswith("virtio-net-pci")]
    assert [word.partition(",mac=")[2] for word in nics] == [
        "02:f1:00:00:00:00,addr=0x3,romfile=",
        "02:f0:00:00:00:00,addr=0x4,romfile=",
        "02:f0:00:00:00:01,addr=0x5,romfile=",
    ]


def test_frames_are_redirected_both_ways() -> None:
    commands = [" ".join(each) for each in list_joins(NIC, present=False)]
    filters = [each for each in commands if each.startswith("tc filter")]
    assert [each.split()[4] + ">" + each.split()[-1] for each in filters] == ["tap0>nic0", "nic0>tap0"]
    assert commands[0] == "ip tuntap add dev tap0 mode tap"


def test_the_devices_of_an_earlier_run_are_replaced() -> None:
    commands = [" ".join(each) for each in list_joins(NIC, present=True)]
    assert commands[:3] == [
        "ip tuntap delete dev tap0 mode tap",
        "tc qdisc delete dev nic0 clsact",
        "ip tuntap add dev tap0 mode tap",
    ]

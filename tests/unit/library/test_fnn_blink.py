# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_blink.py up to the command it runs, and the lookup of a NIC; no virtual NIC has a light."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.discover.nic_names import find_nic
from ansible.module_utils.fnn.shared import nic_facts as read
from ansible.module_utils.fnn.shared.errors import FnnError

MACS = {
    "nodes": [
        {
            "name": "k00",
            "nics": [
                {"nic": 0, "name": "eth2", "mac": "02:00:00:00:00:02", "permanent": True},
                {"nic": 1, "name": "eth1", "mac": "02:00:00:00:00:01", "permanent": True},
            ],
        }
    ]
}


@pytest.mark.parametrize("name", [1, "1", "eth1"])
def test_a_nic_is_found_by_its_number_and_by_its_device(name: Any) -> None:
    assert find_nic(MACS, "k00", name)["mac"] == "02:00:00:00:00:01"


@pytest.mark.parametrize(
    ("node", "nic", "message"),
    [
        ("k00", "eth7", "macs.json: k00 has no NIC eth7, there are: 0 (eth2), 1 (eth1)"),
        ("k09", 0, "macs.json: no node is called k09"),
    ],
)
def test_a_missing_nic_is_reported_with_the_existing_ones(node: str, nic: Any, message: str) -> None:
    with pytest.raises(FnnError, match=re.escape(message)):
        find_nic(MACS, node, nic)


class Ethtool:
    """Replaces ethtool: records the commands and returns a given result."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, code: int = 0, complaint: str = "") -> None:
        self.commands: list[list[str]] = []
        devices = [{"ifname": "eth2", "link_type": "ether", "address": "02:00:00:00:00:02", "mtu": 1500}]
        monkeypatch.setattr(read, "read_devices", lambda: devices)
        monkeypatch.setattr(AnsibleModule, "get_bin_path", lambda *_, **__: "/usr/sbin/ethtool")

        def run(_: Any, command: list[str]) -> tuple[int, str, str]:
            self.commands.append(command)
            return code, "", complaint

        monkeypatch.setattr(AnsibleModule, "run_command", run)


Run = Callable[..., dict[str, Any]]


@pytest.fixture
def blink(run_module: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the module without `root`, an option that modules for nodes do not have."""

    def run(check: bool = False, **options: Any) -> dict[str, Any]:
        answer: dict[str, Any] = run_module("fnn_blink", check=check, root=None, **options)
        return answer

    return run


def test_the_nic_with_the_mac_blinks_for_the_seconds(blink: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ethtool = Ethtool(monkeypatch)
    assert blink(mac="02:00:00:00:00:02".upper(), seconds=30)["device"] == "eth2"
    assert ethtool.commands == [["/usr/sbin/ethtool", "-p", "eth2", "30"]]


def test_a_bond_that_borrows_the_mac_is_passed_over(blink: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ethtool = Ethtool(monkeypatch)
    bond = {"ifname": "bond0", "link_type": "ether", "address": "02:00:00:00:00:02", "mtu": 1500}
    nic = {**bond, "ifname": "eth2"}
    monkeypatch.setattr(read, "read_devices", lambda: [bond, nic])
    monkeypatch.setattr(read, "read_permanent_mac", lambda name: nic["address"] if name == "eth2" else None)
    assert blink(mac="02:00:00:00:00:02")["device"] == "eth2"
    assert ethtool.commands == [["/usr/sbin/ethtool", "-p", "eth2", "10"]]


def test_check_mode_blinks_nothing(blink: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ethtool = Ethtool(monkeypatch)
    assert blink(check=True, mac="02:00:00:00:00:02")["device"] == "eth2"
    assert ethtool.commands == []


def test_a_nic_without_an_led_is_reported_with_the_error_of_ethtool(
    blink: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is recorded from a virtual NIC."""
    Ethtool(monkeypatch, 95, "Cannot identify NIC: Operation not supported\n")
    answer = blink(mac="02:00:00:00:00:02")
    assert answer["msg"] == "eth2 does not blink: Cannot identify NIC: Operation not supported"


def test_an_unknown_mac_is_an_error(blink: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ethtool = Ethtool(monkeypatch)
    assert blink(mac="02:00:00:00:00:99")["msg"] == "no NIC here has the MAC 02:00:00:00:00:99"
    assert ethtool.commands == []

# SPDX-License-Identifier: GPL-3.0-or-later
"""The gateway of a cluster on its node, and the default route of the other nodes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.linkd.tables import find_lines
from ansible.module_utils.fnn.node.net import gateway
from ansible.module_utils.fnn.node.net.avoid import avoid
from ansible.module_utils.fnn.node.net.cutover import CLEAN, PREPARE, SWITCH, Cutover, blend
from ansible.module_utils.fnn.node.net.kernel import UNREACHABLE, Device, Hop, Kernel, Path4, forwarding_key
from ansible.module_utils.fnn.node.net.originals import Originals, list_settings
from ansible.module_utils.fnn.node.net.plan import DEFAULT, Leg, Plan, Route
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.plan_format import format_plan
from ansible.module_utils.fnn.shared.failed import Failed
from good_node import GOOD, difference, settled

LEGS = (Leg("red", "10.77.0.2"), Leg("blue", "10.77.1.2"))
LINE = (
    "route replace default metric 96 proto 196 src 10.78.0.1 "
    "nexthop via 10.77.0.2 dev nic0 weight 1 nexthop via 10.77.1.2 dev nic1 weight 1"
)


@pytest.fixture
def inside(etc: Path) -> Path:
    """A node whose gateway is k01."""
    (etc / "routes").write_text(GOOD["routes"] + "default k01 red=10.77.0.2 blue=10.77.1.2\n")
    return etc


@pytest.fixture
def at_gateway(etc: Path) -> Path:
    (etc / "node").write_text(GOOD["node"] + "gateway out0\n")
    return etc


def read(etc: Path) -> Plan:
    return read_plan(etc, etc / "sysctl")


def make_kernel(**forwarding: str) -> Kernel:
    """A settled node with an interface to the outside. forwarding: by device."""
    kernel = settled()
    kernel.devices["out0"] = Device("out0", mac="02:00:00:00:09:00", up=True)
    kernel.sysctls.update({forwarding_key(device): value for device, value in forwarding.items()})
    return kernel


def test_the_default_route_leads_over_all_switches_shared_with_the_gateway(inside: Path) -> None:
    assert read(inside).routes[-1] == Route(DEFAULT, LEGS, "k01")
    assert difference(inside, settled()).lines == [LINE]
    kernel = settled()
    kernel.routes[DEFAULT] = Path4(frozenset({Hop("nic0", "10.77.0.2"), Hop("nic1", "10.77.1.2")}), "10.78.0.1")
    assert not difference(inside, kernel)


def test_a_default_route_that_left_the_plan_is_deleted(etc: Path) -> None:
    kernel = settled()
    kernel.routes[DEFAULT] = Path4(frozenset({Hop("nic0", "10.77.0.2")}), "10.78.0.1")
    assert difference(etc, kernel).lines == ["route del default proto 196"]
    kernel.routes[DEFAULT] = UNREACHABLE
    assert difference(etc, kernel).lines == ["route del default proto 196"]


def test_the_default_route_avoids_nics_as_routes_to_the_gateway_do(inside: Path) -> None:
    plan, devices = read(inside), {"red": "nic0", "blue": "nic1"}
    detoured = avoid(plan, {"02:f0:00:00:01:00"})
    assert detoured.routes[-1].legs == LEGS[1:]
    assert "route replace default metric 96 proto 196 src 10.78.0.1 via 10.77.1.2 dev nic1" in find_lines(
        plan, detoured, devices
    )
    dead = avoid(plan, {"02:f0:00:00:01:00", "02:f0:00:00:01:01"}, dead=["k01"])
    assert "route replace unreachable default metric 96 proto 196" in find_lines(plan, dead, devices)


def test_a_gateway_forwards_what_arrives_on_its_nics_and_its_interface_alone(at_gateway: Path) -> None:
    kernel = make_kernel(nic0="0", nic1="0", out0="0", all="0")
    todo = difference(at_gateway, kernel)
    assert todo.sysctls == [(forwarding_key(device), "1") for device in ("nic0", "nic1", "out0")]
    assert "out0" not in todo.touched, "Ansible may arrive on it"
    assert not todo.lines


def test_a_missing_interface_is_named(at_gateway: Path) -> None:
    assert difference(at_gateway, settled()).missing == [
        "no device is called out0, planned as the outside interface of this gateway"
    ]


def test_a_name_that_is_no_device_is_refused(at_gateway: Path) -> None:
    (at_gateway / "node").write_text(GOOD["node"] + "gateway much-too-long-a-name\n")
    with pytest.raises(Failed) as caught:
        read(at_gateway)
    assert caught.value.messages == [f"{at_gateway}/node:6: much-too-long-a-name is no device name (15 letters)"]


def test_a_formatted_plan_keeps_gateway_and_default_route(inside: Path, tmp_path: Path) -> None:
    plan = replace(read(inside), gateway="out0")
    for name, text in format_plan(plan).items():
        (tmp_path / name).write_text(text)
    assert read(tmp_path) == plan


def test_in_a_cutover_a_new_gateway_forwards_first_and_a_former_one_stops_first(etc: Path) -> None:
    plan = read(etc)
    with_gateway = replace(plan, gateway="out0")
    for step in (PREPARE, SWITCH, CLEAN):
        assert blend(plan, with_gateway, Cutover(step)).gateway == "out0"
        assert blend(with_gateway, plan, Cutover(step)).gateway == ""


def test_the_setting_of_the_interface_is_recorded_when_it_becomes_that_of_a_gateway(etc: Path) -> None:
    plan = read(etc)
    with_gateway = replace(plan, gateway="out0")
    assert list_settings(with_gateway, plan, []) == [forwarding_key("out0")]
    assert list_settings(with_gateway, with_gateway, []) == []
    assert list_settings(replace(plan, gateway="out1"), with_gateway, []) == [forwarding_key("out1")]


@pytest.mark.parametrize(
    ("recorded", "of_new_devices", "now", "restored"),
    [("0", "0", "1", "0"), ("0", "1", "1", "0"), ("1", "0", "1", None), (None, "0", "1", "0"), (None, "0", None, None)],
)
def test_the_interface_gets_back_its_former_setting(
    monkeypatch: pytest.MonkeyPatch, recorded: str | None, of_new_devices: str, now: str | None, restored: str | None
) -> None:
    values = {forwarding_key("out0"): now, forwarding_key("all"): of_new_devices}
    monkeypatch.setattr(gateway, "read_sysctl", values.get)
    originals = Originals(sysctls={forwarding_key("out0"): recorded} if recorded else {})
    expected = [(forwarding_key("out0"), restored)] if restored else []
    assert gateway.find_former_forwarding("out0", originals) == expected


def test_the_interface_is_read_from_the_file_of_the_node() -> None:
    assert gateway.read_interface("node k00\n# gateway x\ngateway out0\n") == "out0"
    assert gateway.read_interface("node k00\n") == ""


Commands = list[str]


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool, bool], Commands]:
    """enabled: the unit of the rules; loaded: whether the rules are in the kernel."""

    def start(enabled: bool, loaded: bool) -> Commands:
        commands: Commands = []

        def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
            commands.append(" ".join(command))
            bad = ("is-enabled" in command and not enabled) or ("list" in command and not loaded)
            return subprocess.CompletedProcess(command, int(bad), "", "")

        monkeypatch.setattr(subprocess, "run", run)
        return commands

    return start


def test_a_rollback_to_a_gateway_loads_its_rules_if_they_changed(record: Callable[[bool, bool], Commands]) -> None:
    commands = record(True, True)
    assert gateway.restore_rules(["/etc/hosts"]) == []
    assert commands == []
    assert gateway.restore_rules(["/etc/fnn/gateway.nft"]) == []
    assert commands[1:] == ["systemctl reload-or-restart fnn-gateway.service", "systemctl restart fnn-names.service"]
    assert gateway.drop_rules(["/etc/fnn/gateway.nft"]) == []
    assert not any("stop" in each for each in commands)


def test_a_rollback_to_a_node_without_gateway_deletes_the_rules(record: Callable[[bool, bool], Commands]) -> None:
    commands = record(False, True)
    assert gateway.restore_rules([gateway.UNIT_FILES[0]]) == []
    assert gateway.drop_rules([gateway.UNIT_FILES[0]]) == []
    both = "fnn-gateway.service fnn-names.service"
    assert commands[2:4] == [f"systemctl stop {both}", f"systemctl reset-failed {both}"]
    assert commands[-1] == "/usr/sbin/nft delete table ip fnn_gateway"
    assert gateway.drop_rules(["/etc/hosts"]) == []

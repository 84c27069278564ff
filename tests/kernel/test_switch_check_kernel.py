# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of a switch on real bridges: a plain one has no nasty trait, and each that a lab can give it is found."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.switch_check.judge import judge
from ansible.module_utils.fnn.controller.switch_check.passport import replace_macs
from ansible.module_utils.fnn.controller.switch_check.stations import Participants, Station, choose_participants
from ansible.module_utils.fnn.controller.switch_check.trait import UNKNOWN, Trait
from ansible.module_utils.fnn.lab.traits import AGEING, FORWARD_DELAY, STORM, TABLE
from ansible.module_utils.fnn.node.net.egress import make_bytecode
from ansible.module_utils.fnn.node.switch_check.measure import STEPS
from module_server import RunningModule
from namespaces import PREFIX, Cables, run
from switch_lab import KEY, SWITCH, SwitchLab
from waiting import read_clock, wait_until

MBPS = 50  # that two cores of a test machine can send on all ports


@pytest.fixture(scope="module")
def lab(shared_cables: Cables, tmp_path_factory: pytest.TempPathFactory) -> SwitchLab:
    return SwitchLab(shared_cables, tmp_path_factory.mktemp("switch"))


@contextmanager
def checking(lab: SwitchLab, *fault: str) -> Iterator[Participants]:
    """The stations run meanwhile, on a switch with a fault of the lab, if one is given."""
    if fault:
        lab.inject(*fault)
    try:
        lab.start()
        stations = [Station(node, mac) for node, mac in zip(lab.nodes, lab.macs)]
        participants = choose_participants(stations, lab.receive())
        lab.layer = participants.layer
        yield participants
    finally:
        lab.stop()
        lab.repair()
        lab.layer = "experimental"


def find_traits(lab: SwitchLab, participants: Participants, *steps: str, **options: Any) -> dict[str, Trait]:
    options = {"mbps": MBPS, "ageing": 3, "addresses": 1024, **options}
    results = {step: lab.measure(step, **options) for step in steps}
    print(results)
    return judge(replace_macs(results, dict(zip(lab.macs, lab.nodes))), participants.isolated)


def test_a_plain_bridge_has_no_nasty_trait(lab: SwitchLab) -> None:
    with checking(lab) as participants:
        traits = find_traits(lab, participants, *STEPS)
    values = {name: trait.value for name, trait in traits.items()}
    expected = {
        "forwards_experimental_broadcast": True, "forwards_experimental_unicast": True, "forwards_ip": True,
        "forwards_lldp_nearest_bridge": False, "forwards_lldp_nearest_non_tpmr_bridge": False,
        # Without spanning tree, a bridge is none to this address.
        "forwards_lldp_nearest_customer_bridge": True,
        "isolated_pairs": 0, "largest_frame": None, "accepts_invented_addresses": True,
        "floods_unknown_addresses": True, "learns_addresses": True, "ageing": None, "table_size": None,
        "follows_moves": True, "survives_many_moves": True,
    }  # fmt: skip
    assert {name: values[name] for name in expected} == expected
    assert (traits["largest_frame"].at_least, traits["largest_frame"].at_most) == (9216, None)
    assert (traits["ageing"].at_least, traits["ageing"].at_most) == (3, None)
    assert (traits["table_size"].at_least, traits["table_size"].at_most) == (1024, None)
    assert traits["broadcast_limit"].at_most is None
    assert (traits["broadcast_limit"].at_least or 0) >= 1000
    assert traits["move_delay"].value < 0.2
    assert traits["start_delay"].value < 1
    assert values["pause_obeyed"] is not True
    assert values["pause_advertised"] == values["pause_sent"] == UNKNOWN
    assert values["ring_loss"] == 0, traits["ring_rate"]


# After spanning tree, a bridge ages sooner for a while, so these tests come first.


def test_an_ageing_time_of_two_seconds_is_bounded_within_a_second(lab: SwitchLab) -> None:
    lab.cables.ip("sw", "link", "set", SWITCH, "type", "bridge", "ageing_time", "200")
    with checking(lab) as participants:  # the end repairs the ageing time
        trait = find_traits(lab, participants, "learning", "ageing", ageing=10)["ageing"]
    assert trait.at_least is not None
    assert trait.at_most is not None
    assert trait.at_least <= 2.0 <= trait.at_most, trait
    assert trait.at_most - trait.at_least <= 2.1


@pytest.mark.long
def test_the_short_ageing_of_a_lab_is_found(lab: SwitchLab) -> None:
    with checking(lab, "short-ageing") as participants:
        trait = find_traits(lab, participants, "learning", "ageing", ageing=30, seconds=100)["ageing"]
    assert trait.at_least is not None
    assert trait.at_most is not None
    assert AGEING - 1 < trait.at_least <= trait.at_most < AGEING + 3, trait


@dataclass(frozen=True)
class Nasty:
    """fault: of the lab, with its arguments. step: that finds it.

    trait, value: what is found. least, most: between which its value is, or its bounds are.
    """

    fault: str
    step: str
    trait: str
    value: Any = None
    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        return self.fault.split()[0]


NASTY = [
    Nasty("lldp-forwarding red", "forwarding", "forwards_lldp_nearest_bridge", True),
    pytest.param(
        Nasty("small-mtu red", "sizes", "largest_frame", 1404, 1404, 1404), marks=pytest.mark.long
    ),  # a bridge leaves room for a VLAN tag
    Nasty("no-learning red", "learning", "learns_addresses", False),
    Nasty("port-security red", "learning", "accepts_invented_addresses", False),
    Nasty("small-table red", "learning table", "table_size", None, TABLE - 10, TABLE + 10),
    pytest.param(
        Nasty("storm-control red", "storm", "broadcast_limit", None, 0.7 * STORM, 3 * STORM), marks=pytest.mark.long
    ),
    pytest.param(Nasty("move-guard red", "moves", "follows_moves", False), marks=pytest.mark.long),
    pytest.param(Nasty("oversubscribed red", "ring", "ring_rate", None, 0, 0.5 * MBPS), marks=pytest.mark.long),
    pytest.param(
        Nasty("spanning-tree red", "start_delay", "start_delay", None, 2 * FORWARD_DELAY - 1, 2 * FORWARD_DELAY + 2),
        marks=pytest.mark.long,
    ),
]


@pytest.mark.parametrize("nasty", NASTY, ids=str)
def test_a_nasty_trait_is_found_and_repaired(lab: SwitchLab, nasty: Nasty) -> None:
    with checking(lab, *nasty.fault.split()) as participants:
        trait = find_traits(lab, participants, *nasty.step.split())[nasty.trait]
    if nasty.value is not None:
        assert trait.value == nasty.value, trait
    if nasty.least is not None and nasty.most is not None:
        assert trait.value != UNKNOWN, trait
        bounds = [trait.at_least, trait.at_most] if trait.value is None else [trait.value]
        assert all(each is not None and nasty.least <= each <= nasty.most for each in bounds), trait
    state = lab.read_state()
    assert not lab.read_repairs().lines
    assert (list(state.tables), dict(state.table_limits)) == ([], {})


def test_a_switch_that_drops_the_experimental_ethertype_is_measured_with_ip(lab: SwitchLab) -> None:
    with checking(lab, "ethertype-filter") as participants:
        assert participants.layer == "ip"
        traits = find_traits(lab, participants, "forwarding", "learning", "sizes")
    assert traits["forwards_experimental_broadcast"].value is False
    assert traits["forwards_experimental_unicast"].value is False
    assert traits["forwards_ip"].value is True
    assert traits["learns_addresses"].value is True
    assert traits["largest_frame"].at_least == 9216


def test_isolated_ports_are_found_and_one_of_them_takes_no_part(lab: SwitchLab) -> None:
    with checking(lab, "isolated", "k0:0", "k1:0") as participants:
        assert participants.isolated == (("k0", "k1"),)
        assert len(participants.stations) == 2
        assert judge({}, participants.isolated)["isolated_pairs"].value == 1


def test_one_port_with_a_small_mtu_is_named(lab: SwitchLab) -> None:
    with checking(lab, "small-mtu", "k1:0") as participants:
        trait = find_traits(lab, participants, "sizes")["largest_frame"]
    assert trait.value == 1404
    assert "only the ports of k1 stop there" in trait.sentence


@pytest.mark.long
def test_slow_ports_show_in_ring_and_incast(lab: SwitchLab) -> None:
    with checking(lab, "slow") as participants:
        traits = find_traits(lab, participants, "ring", "incast", mbps=10)
    assert 1.5 < traits["ring_rate"].value < 3.5, traits["ring_rate"]
    assert traits["incast_loss"].value > 50
    assert 0.5 <= traits["incast_fairness"].value <= 1


# --- What the check leaves behind ---


def read_nics(lab: SwitchLab) -> list[tuple[bool, int, str]]:
    """Of each node: whether its NIC is up, its MTU, and whether IPv6 is off."""
    links = [lab.cables.ip_json(node, "link", "show", "dev", "nic0")[0] for node in lab.nodes]
    path = "/proc/sys/net/ipv6/conf/nic0/disable_ipv6"
    off = [lab.cables.inside(node, "cat", path).stdout.strip() for node in lab.nodes]
    return [("UP" in link["flags"], link["mtu"], each) for link, each in zip(links, off)]


def list_processes(lab: SwitchLab) -> list[str]:
    return [pid for node in lab.nodes for pid in run("ip", "netns", "pids", f"{PREFIX}{node}").stdout.split()]


def test_nics_are_as_before_after_the_check(lab: SwitchLab) -> None:
    before = read_nics(lab)
    with checking(lab) as participants:
        assert read_nics(lab) != before, "they were down"
        find_traits(lab, participants, "sizes")
        assert {mtu for _, mtu, _ in read_nics(lab)} == {1500}, "the step restores the MTU"
    assert read_nics(lab) == before
    assert list_processes(lab) == []


def test_a_station_that_was_killed_leaves_nothing_after_stop(lab: SwitchLab) -> None:
    before = read_nics(lab)
    lab.start()
    for pid in list_processes(lab):
        run("kill", "-9", pid)
    lab.stop()
    assert read_nics(lab) == before


@contextmanager
def interrupting_step(lab: SwitchLab) -> Iterator[tuple[RunningModule, set[str]]]:
    """A step of a minute and the processes of its module. It is interrupted inside, and another step runs at once."""
    with checking(lab) as participants:
        stations = set(list_processes(lab))
        running = lab.start_step("ageing", ageing=60)
        wait_until(lambda: set(list_processes(lab)) > stations, 10)
        time.sleep(1)
        yield running, set(list_processes(lab)) - stations
        wait_until(lambda: set(list_processes(lab)) == stations, 5)
        began = read_clock()
        assert find_traits(lab, participants, "learning")["learns_addresses"].value is True
        assert read_clock() - began < 20, "the step of a minute had ended"


@pytest.mark.long
def test_a_step_ends_when_its_module_is_killed(lab: SwitchLab) -> None:
    with interrupting_step(lab) as (running, processes):
        for pid in processes:
            run("kill", "-9", pid)
        with pytest.raises(AssertionError):
            running.finish(60)


def test_a_step_ends_when_the_controller_is_gone(lab: SwitchLab) -> None:
    """SSH then closes the pipe of the module's output."""
    with interrupting_step(lab) as (running, _):
        os.close(running.answers)


@pytest.mark.long
def test_stations_of_an_interrupted_run_end_and_restore_their_nics(lab: SwitchLab) -> None:
    before = read_nics(lab)
    lab.start()
    lab.receive()
    lab.measure("learning")
    assert read_nics(lab) != before
    wait_until(lambda: list_processes(lab) == [], 90)
    assert read_nics(lab) == before


def test_the_nic_that_carries_the_connection_is_refused(lab: SwitchLab, tmp_path: Path) -> None:
    lab.cables.ip("k0", "address", "add", "10.79.0.1/24", "dev", "nic0")
    lab.cables.ssh_connection = "10.79.0.9 4711 10.79.0.1 22"
    try:
        answer = lab.on_all("start", match=["nic*"], key=KEY)["k0"]
    finally:
        lab.cables.ssh_connection = ""
        lab.cables.ip("k0", "address", "flush", "dev", "nic0")
        lab.stop()
    assert answer["failed"]
    assert answer["msg"] == "nic0: carries the SSH connection from 10.79.0.9; the switch check never touches such a NIC"


def test_the_egress_filter_of_configured_nodes_hides_nothing(lab: SwitchLab) -> None:
    """It drops LLDP, and broadcasts of IP."""
    words = ("egress", "protocol", "all", "pref", "1960", "handle", "1", "bpf", "da", "bytecode", make_bytecode(()))
    for node in lab.nodes:
        lab.cables.inside(node, "tc", "qdisc", "add", "dev", "nic0", "clsact")
        lab.cables.inside(node, "tc", "filter", "add", "dev", "nic0", *words)
    try:
        with checking(lab, "lldp-forwarding") as participants:
            traits = find_traits(lab, participants, "forwarding", "pause")
    finally:
        for node in lab.nodes:
            lab.cables.inside(node, "tc", "qdisc", "del", "dev", "nic0", "clsact")
    names = ("forwards_lldp_nearest_bridge", "forwards_ip", "forwards_experimental_broadcast")
    assert [traits[name].value for name in names] == [True, True, True]


def test_a_nic_in_use_keeps_its_link(lab: SwitchLab) -> None:
    """Its routes would be lost with the link."""
    for node in lab.nodes:
        lab.cables.ip(node, "link", "set", "nic0", "up")
    try:
        with checking(lab) as participants:
            trait = find_traits(lab, participants, "start_delay")["start_delay"]
    finally:
        for node in lab.nodes:
            lab.cables.ip(node, "link", "set", "nic0", "down")
    assert (trait.value, trait.reason) == (UNKNOWN, "the NICs were in use before, so their links stay up")

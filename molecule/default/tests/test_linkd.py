# SPDX-License-Identifier: GPL-3.0-or-later
"""fnn-linkd on the converged cluster: cables are pulled; the daemon is killed, restarted, switched off and on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest
from testinfra.host import Host
from waiting import wait_until

from .cabling import lab
from .conftest import NODES, Outcome, ask_all, read_status, wait_until_all_nics_are_used

Play = Callable[..., Outcome]
NET_ADMIN, NET_RAW, SYS_NICE = 12, 13, 23  # capability numbers, linux/capability.h
TIMEOUT = 0.9  # seconds of silence after which a NIC is suspected
EXCHANGE = 0.1  # seconds in which a daemon that has started proves its session to its peers
TRIES = 10  # restarts, of which one must be short enough
RECOVERY = 70  # seconds: a little more than the longest hold-down


@pytest.fixture
def repaired(nodes: dict[str, Host]) -> Iterator[None]:
    """At the end, also of a failed test, every cable is in and every NIC is used again."""
    yield
    lab("repair")
    wait_until_all_nics_are_used(nodes)


def list_route_devices(host: Host, peer: str) -> set[str]:
    """The devices of the route to a peer."""
    address = f"10.78.0.{NODES.index(peer) + 1}"
    (route,) = json.loads(host.check_output(f"ip -json route show {address}"))
    return {hop["dev"] for hop in route.get("nexthops", [route])}


def wait_for_routes(seconds: float, nodes: dict[str, Host], wanted: dict[tuple[str, str], set[str]]) -> None:
    """Waits until the routes between nodes use exactly these devices; else fails with the status of the daemons."""

    def find() -> dict[tuple[str, str], set[str]]:
        return {pair: list_route_devices(nodes[pair[0]], pair[1]) for pair in wanted}

    try:
        wait_until(lambda: find() == wanted, seconds, every=0.1)
    except AssertionError as late:
        raise AssertionError(find(), {node: read_status(nodes[node]) for node, _ in wanted}) from late


#: Two lines on the service, one with its capabilities, and the status of the daemon.
STATE = """systemctl is-active fnn-linkd && systemctl is-enabled fnn-linkd &&
grep CapBnd /proc/$(systemctl show --property=MainPID --value fnn-linkd)/status && fnn-linkd status"""


def test_every_daemon_hears_all_on_its_switches_with_few_capabilities(nodes: dict[str, Host]) -> None:
    for name, shown in ask_all(nodes, STATE).items():
        active, enabled, capabilities, status = shown.split("\n", 3)
        assert (active, enabled) == ("active", "enabled"), name
        assert [len(nic["hears"]) for nic in json.loads(status)["nics"]] == [3, 3], name
        # A container may lack SYS_NICE, which is for real-time scheduling.
        assert int(capabilities.split()[1], 16) & ~(1 << SYS_NICE) == 1 << NET_ADMIN | 1 << NET_RAW


def test_a_pulled_cable_moves_routes_on_both_sides_and_no_plan_undoes_it(
    nodes: dict[str, Host], repaired: None
) -> None:
    both = ("k01", "k00"), ("k00", "k01")
    wait_for_routes(0, nodes, {pair: {"nic0", "nic1"} for pair in both})
    lab("fault", "missing", "k00:0")
    wait_for_routes(3, nodes, {pair: {"nic1"} for pair in both})
    assert json.loads(nodes["k01"].check_output("fnn-net diff"))["changed"] is False
    assert [each["node"] for each in json.loads(nodes["k01"].check_output("fnn-net status"))["avoided"]] == ["k00"]
    assert "fnn_linkd_unusable_nics 1" in nodes["k01"].file("/var/lib/fnn/linkd.prom").content_string
    lab("repair")
    wait_for_routes(RECOVERY, nodes, {pair: {"nic0", "nic1"} for pair in both})


#: Restarts the daemon; prints the time before, in seconds since the epoch, and how long the restart took.
RESTART = "date +%s; read a _ < /proc/uptime; systemctl restart fnn-linkd; read b _ < /proc/uptime; echo $a $b"


def restart_quickly(host: Host) -> str | None:
    """The time of the restart, in seconds since the epoch; None if a busy machine needed longer than peers wait."""
    time.sleep(5)
    since, before, after = host.check_output(RESTART).split()
    return since if float(after) - float(before) < TIMEOUT - EXCHANGE else None


def test_a_restart_raises_no_suspicion(nodes: dict[str, Host]) -> None:
    for _ in range(TRIES):
        if since := restart_quickly(nodes["k00"]):
            time.sleep(3)
            journals = ask_all(nodes, f"journalctl --quiet --unit=fnn-linkd --since=@{since}")
            assert not any("is not used" in text for text in journals.values()), journals
            return
    pytest.skip(f"the machine is too busy: none of {TRIES} restarts was shorter than the timeout of the peers")


@pytest.mark.long
def test_a_killed_daemon_keeps_the_detour_and_a_stopped_one_restores_the_plan(
    nodes: dict[str, Host], repaired: None
) -> None:
    lab("fault", "missing", "k00:0")
    wait_until(lambda: list_route_devices(nodes["k01"], "k00") == {"nic1"}, 3, every=0.1)
    nodes["k01"].check_output("systemctl kill --signal=KILL fnn-linkd")
    wait_until(lambda: nodes["k01"].service("fnn-linkd").is_running, 5, every=0.1)
    wait_until(lambda: list_route_devices(nodes["k01"], "k00") == {"nic1"}, 5, every=0.1)
    nodes["k01"].check_output("systemctl stop fnn-linkd")
    assert list_route_devices(nodes["k01"], "k00") == {"nic0", "nic1"}
    nodes["k01"].check_output("systemctl start fnn-linkd")
    wait_until(lambda: list_route_devices(nodes["k01"], "k00") == {"nic1"}, 5, every=0.1)


@pytest.mark.long
def test_it_can_be_switched_off_and_on(play: Play, nodes: dict[str, Host]) -> None:
    assert play("playbooks/network.yml", "-e", "fnn_linkd=false").status == 0
    for host in nodes.values():
        assert not host.service("fnn-linkd").is_running
        assert not host.file("/usr/local/sbin/fnn-linkd").exists
        assert not host.file("/etc/fnn/linkd").exists
    assert play("playbooks/network.yml", "playbooks/prove.yml").status == 0

    def hear_all() -> bool:
        return all(len(nic["hears"]) == 3 for host in nodes.values() for nic in read_status(host)["nics"])

    wait_until(hear_all, 10, every=0.1)
    again = play("playbooks/network.yml")
    assert "changed=0" in again.output

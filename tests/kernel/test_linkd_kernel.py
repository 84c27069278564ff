# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that fnn-linkd detects on the six nodes.

Promised times are medians of several tries, in `make test` of one. This machine has two cores, which six daemons, the
tests and all other processes share. wait_until() and measure_gap() allow for other load of it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.locks import KERNEL_LOCK, locked
from ansible.module_utils.fnn.node.net.place import Place
from linkd_lab import HOLD, KEY, NEW_KEY, SLACK, SWITCHES, Lab, run_lab, watch
from namespaces import PREFIX, Cables
from six_pcs import SIX
from sixes import mac
from waiting import wait_until


@pytest.fixture
def lab(cables: Cables, tmp_path: Path) -> Iterator[Lab]:
    with run_lab(cables, tmp_path) as made:
        yield made


#: Tries of a promised time, and pulls of a cable.
TRIES, PULLS = (3, 10) if os.environ.get("FNN_TEST_FULL") else (1, 2)


def test_a_lost_carrier_moves_traffic_on_both_sides_within_a_tenth_of_a_second(lab: Lab) -> None:
    gaps = []
    for sender, receiver in (("k00", "k01"), ("k01", "k00"), ("k00", "k01"))[:TRIES]:
        lost: list[int] = []

        def pull(sender: str = sender, lost: list[int] = lost) -> None:
            # The cable of k00 that carries the flow; NIC and switch port have the same number.
            lost.append(busiest_nic(lab, sender)[1])
            lab.cables.ip("sw", "link", "set", f"k00.{lost[0]}", "down")

        gaps.append(lab.measure_gap(sender, receiver, pull))
        left = 1 - lost[0]
        assert lab.legs("k00", "k01") == {(f"nic{left}", f"10.77.{left}.2")}
        assert lab.legs("k01", "k00") == {(f"nic{left}", f"10.77.{left}.1")}
        # The news reaches nodes without that switch, too.
        assert lab.unusable("k03") == lab.unusable("k05") == {f"k00-{SIX['k00'][lost[0]]}"}
        lab.cables.ip("sw", "link", "set", f"k00.{lost[0]}", "up")
        wait_until(lambda: len(lab.legs("k01", "k00")) == 2 == len(lab.legs("k00", "k01")), 12 * HOLD)
    assert statistics.median(gaps) <= 0.1 + SLACK / 5, gaps
    assert all(lab.is_settled(node) for node in SIX)


@pytest.mark.parametrize(
    "directions",
    [
        pytest.param(("in", "out"), id="dead", marks=pytest.mark.long),
        pytest.param(("in",), id="mute", marks=pytest.mark.long),
        pytest.param(("out",), id="deaf"),
    ],
)
def test_a_silent_fault_moves_a_pair_in_time_and_heals_back(lab: Lab, directions: tuple[str, ...]) -> None:
    lab.block("k00", 0, *directions)
    took = wait_until(lambda: len(lab.legs("k01", "k00")) == 1 == len(lab.legs("k00", "k01")), 1.2 + SLACK)
    assert lab.legs("k00", "k01") == {("nic1", "10.77.1.2")}
    assert took > 0.3, "one lost frame is no reason"
    wait_until(lambda: all(lab.unusable(node) == {"k00-red"} for node in SIX), SLACK)
    # Pairs with this switch alone stay as planned: they have no alternative.
    assert lab.legs("k02", "k00") == {("nic0", "10.77.0.1")}
    lab.unblock("k00", 0)
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), HOLD + 2 + SLACK)
    wait_until(lambda: len(lab.legs("k01", "k00")) == 2 == len(lab.legs("k00", "k01")), 1)
    assert all(lab.is_settled(node) for node in SIX)


@pytest.mark.long
def test_a_tcp_flow_stalls_for_at_most_a_second_and_a_half(lab: Lab) -> None:
    gaps = []
    for _ in range(TRIES):
        # The hash of the flow chose one of the two links; the fault hits that one.
        gaps.append(lab.measure_gap("k00", "k01", lambda: lab.block(*busiest_nic(lab, "k00"), "in", "out"), tcp=True))
        assert len(lab.legs("k00", "k01")) == 1, "the fault came to an end before its effect"
        for nic in (0, 1):
            lab.unblock("k00", nic)
        wait_until(lambda: len(lab.legs("k01", "k00")) == 2 == len(lab.legs("k00", "k01")), 12 * HOLD)
    assert statistics.median(gaps) <= 1.5, gaps


def busiest_nic(lab: Lab, node: str) -> tuple[str, int]:
    def count() -> list[int]:
        links = [lab.cables.ip_json(node, "-s", "link", "show", f"nic{nic}")[0] for nic in (0, 1)]
        return [int(link["stats64"]["tx"]["packets"]) for link in links]

    before = count()
    time.sleep(0.2)
    grown = [after - start for start, after in zip(before, count())]
    return node, grown.index(max(grown))


@pytest.mark.long
def test_a_frozen_switch_is_left_by_all_and_found_again(lab: Lab) -> None:
    """A bridge that is down forwards no frames, and its ports keep their carrier."""
    lab.cables.ip("sw", "link", "set", "red", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1 == len(lab.legs("k02", "k03")), 1.2 + SLACK)
    assert lab.legs("k01", "k00") == {("nic1", "10.77.1.1")}
    assert lab.legs("k02", "k03") == {("nic1", "10.77.2.4")}
    on_red = {f"{node}-red" for node, wires in SIX.items() if "red" in wires}
    wait_until(lambda: lab.unusable("k05") == on_red, SLACK)
    lab.cables.ip("sw", "link", "set", "red", "up")
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), HOLD + 2 + SLACK)
    wait_until(lambda: all(lab.is_settled(node) for node in SIX), 1)


def test_planned_tables_are_restored_when_the_daemon_ends(lab: Lab) -> None:
    lab.cables.ip("sw", "link", "set", "k00.0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    status = json.loads(lab.run("k01", "fnn-net", "status"))
    assert [(each["node"], each["switch"]) for each in status["avoided"]] == [("k00", "red")]
    lab.stop("k01", signal.SIGKILL)
    assert len(lab.legs("k01", "k00")) == 1, "no program has restored the tables yet"
    lab.run("k01", "fnn-linkd", "release")
    assert lab.legs("k01", "k00") == {("nic0", "10.77.0.1"), ("nic1", "10.77.1.1")}
    assert lab.is_settled("k01")
    # The other nodes use a node whose daemon alone has stopped.
    time.sleep(1.5)
    assert lab.legs("k05", "k01") == {("nic0", "10.77.1.2")}
    assert lab.cables.ping("k05", "10.78.0.2")
    lab.start("k01")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 3)


@pytest.mark.long
def test_unusable_nics_of_a_stopped_daemon_are_dropped_by_the_next(lab: Lab) -> None:
    """fnn-net forgets it as well; it reads a file that outlives the daemon."""
    lab.cables.ip("sw", "link", "set", "k00.0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    lab.stop("k01")
    lab.run("k01", "fnn-linkd", "release")
    lab.cables.ip("sw", "link", "set", "k00.0", "up")
    wait_until(lambda: lab.unusable("k02") == set(), HOLD + 6)
    lab.start("k01")
    wait_until(lambda: lab.is_ready("k01"), 10)
    assert lab.unusable("k01") == set()
    assert json.loads(lab.run("k01", "fnn-net", "status"))["avoided"] == []
    assert json.loads(lab.run("k01", "fnn-net", "apply"))["commands"] == []
    assert len(lab.legs("k01", "k00")) == 2


@pytest.mark.long
def test_an_apply_in_between_undoes_nothing(lab: Lab) -> None:
    lab.cables.ip("sw", "link", "set", "k00.0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    assert json.loads(lab.run("k01", "fnn-net", "apply"))["commands"] == []
    assert len(lab.legs("k01", "k00")) == 1


@pytest.mark.long
def test_a_restart_of_a_daemon_moves_no_route(lab: Lab) -> None:
    lab.stop("k02")
    lab.start("k02")
    wait_until(lambda: lab.is_ready("k02"), 10)
    for node in SIX:
        assert "is not used" not in (lab.directory / node / "log").read_text()


@pytest.mark.long
def test_a_nic_that_was_set_down_gets_its_tables_back(lab: Lab) -> None:
    lab.cables.ip("k00", "link", "set", "nic0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    wait_until(lambda: lab.cables.ip_json("k00", "link", "show", "nic0")[0]["flags"].count("UP") == 1, 5)
    wait_until(lambda: len(lab.legs("k00", "k01")) == 2 == len(lab.legs("k01", "k00")), HOLD + 4)
    assert all(lab.is_settled(node) for node in SIX)


def test_status_and_textfile_report_a_fault(lab: Lab) -> None:
    lab.block("k00", 0, "in", "out")
    wait_until(lambda: lab.unusable("k01") == {"k00-red"}, 2 + SLACK)
    wait_until(lambda: lab.ask("k00")["nics"][0]["hears"] == [], 1 + SLACK)  # k00 may detect it later than its peers
    (nic, other) = lab.ask("k00")["nics"]
    assert (nic["switch"], nic["used"], nic["carrier"], nic["hears"]) == ("red", False, True, [])
    assert nic["why"] in ("no frames arrive", "suspected by its peers")
    assert (other["used"], other["hears"]) == (True, ["k01", "k04", "k05"])
    assert lab.ask("k01")["detours"] == 1
    path = lab.directory / "k01" / "linkd.prom"
    wait_until(lambda: "fnn_linkd_unusable_nics 1\n" in path.read_text(), 2)
    assert 'fnn_linkd_nic_used{switch="red",device="nic0"} 1\n' in path.read_text()


def test_a_pair_without_a_switch_left_meets_over_the_uplink_where_that_is_permitted(
    cables: Cables, tmp_path: Path
) -> None:
    with run_lab(cables, tmp_path, "backup") as lab:
        lab.block("k00", 0, "in", "out")
        wait_until(lambda: lab.legs("k00", "k02") == {("nic1", "10.77.1.3")}, 1.5 + SLACK)
        # k02 sends over red or green, whichever was tested first, to k00's NIC on blue.
        wait_until(lambda: find_next(lab, "k02", "k00") == mac("k00", 1), 1)
        assert cables.ping("k00", "10.78.0.3")
        assert cables.ping("k02", "10.78.0.1")
        assert all(lab.is_settled(node) for node in ("k00", "k02"))
        lab.unblock("k00", 0)
        wait_until(lambda: lab.legs("k00", "k02") == {("nic0", "10.77.0.3")}, HOLD + 3)
        assert all(lab.is_settled(node) for node in ("k00", "k02"))


@pytest.mark.long
def test_a_flow_of_a_pair_with_one_switch_survives_pulls_where_there_is_an_uplink(
    cables: Cables, tmp_path: Path
) -> None:
    """k00 and k02 share red alone. Without the uplink the flow would stall until the cable is back."""
    with run_lab(cables, tmp_path, "backup") as lab:
        gaps = []
        for pull in range(PULLS):
            end = ("k00", "k02")[pull % 2]
            gaps.append(lab.measure_gap("k00", "k02", lambda end=end: set_cable(lab, end, "down"), tcp=True))  # type: ignore[misc]
            set_cable(lab, end, "up")
        assert max(gaps) <= 1.2, gaps


def set_cable(lab: Lab, node: str, state: str) -> None:
    """Sets the cable between red and the node's first NIC up or down."""
    lab.cables.ip("sw", "link", "set", f"{node}.0", state)


def find_next(lab: Lab, node: str, peer: str) -> str:
    """The MAC to which a node sends for a peer with one next hop."""
    ((device, address),) = lab.legs(node, peer)
    (entry,) = lab.cables.ip_json(node, "neighbor", "show", "dev", device, "to", address)
    return str(entry["lladdr"])


def have_keys(lab: Lab, number: int) -> bool:
    return all(len(lab.ask(node)["keys"]) == number for node in SIX)


def test_a_key_rotation_moves_no_route(lab: Lab) -> None:
    for lines in (
        (f"sign {KEY}", f"next {NEW_KEY}"),
        (f"sign {NEW_KEY}", f"old {KEY}"),
        (f"sign {NEW_KEY}",),
    ):
        for node in SIX:
            lab.write_key(node, *lines)
            lab.daemons[node].send_signal(signal.SIGHUP)
            time.sleep(0.3)
        wait_until(partial(have_keys, lab, len(lines)), 3)
    assert len({tuple(lab.ask(node)["keys"]) for node in SIX}) == 1
    time.sleep(1.5)
    for node in SIX:
        assert lab.ask(node)["frames"]["refused"] == 0
        assert "is not used" not in (lab.directory / node / "log").read_text()


def test_missing_membership_and_a_second_daemon_are_reported(lab: Lab) -> None:
    command = ["ip", "netns", "exec", PREFIX + "k00", *lab.command("k00", "fnn-linkd", "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 1
    lock = re.escape(str(lab.directory / "k00" / "run" / "linkd.lock"))
    assert re.fullmatch(rf"fnn-linkd: {lock} is locked by process \d+ \(.+\)\n", done.stderr)
    (lab.directory / "k00" / "linkd").unlink()
    lab.stop("k00")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 2
    assert "linkd: does not exist" in done.stderr


@pytest.mark.long
def test_fnn_net_that_a_daemon_started_does_not_lock_out_the_next_daemon(lab: Lab) -> None:
    daemon = lab.daemons["k00"]
    children = Path(f"/proc/{daemon.pid}/task/{daemon.pid}/children")
    with locked(Place(Path("/")), KERNEL_LOCK):  # fnn-net waits for this lock
        daemon.send_signal(signal.SIGHUP)
        wait_until(lambda: stays(children), 5 + SLACK)
        (fnn_net,) = map(int, children.read_text().split())
        lab.stop("k00")
        lab.start("k00")
        wait_until(lambda: lab.is_ready("k00"), 3 + SLACK)
        assert Path(f"/proc/{fnn_net}").is_dir(), "fnn-net ended before the next daemon started"


def stays(children: Path) -> bool:
    """Whether there is a child that does not end within 0.5 s, as one does that was about to end."""
    before = children.read_text()
    time.sleep(0.5)
    return bool(before.strip()) and children.read_text() == before


def cut_off(lab: Lab, node: str) -> None:
    """Simulates a power failure, except that the ports keep their carrier."""
    for nic in (0, 1):
        lab.block(node, nic, "in", "out")


def is_unreachable(lab: Lab, node: str, peer: str) -> bool:
    (route,) = lab.cables.ip_json(node, "route", "show", f"10.78.0.{list(SIX).index(peer) + 1}")
    return bool(route.get("type") == "unreachable")


SEND = """
import errno, socket, sys
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    out.sendto(b"x", (sys.argv[1], 7001))
    print("sent")
except OSError as error:
    print(errno.errorcode[error.errno])
"""


def test_a_dead_node_is_unreachable_at_once_and_floods_nothing(lab: Lab) -> None:
    """Until the node is heard again. Switches that have forgotten its MACs would flood frames to it."""
    others = [node for node in SIX if node != "k02"]
    cut_off(lab, "k02")
    lab.stop("k02", signal.SIGKILL)
    took = wait_until(lambda: all(is_unreachable(lab, node, "k02") for node in others), 2.5 + 3 * SLACK)
    assert took > 0.6, "a node is asked before it is called dead"
    assert lab.ask("k00")["dead"] == ["k02"]
    for switch in SWITCHES:
        lab.cables.ip("sw", "link", "set", switch, "type", "bridge", "fdb_flush")
    with watch(lab, [f"{switch}.up" for switch in SWITCHES]) as seen:
        for node in others:
            shared = [f"10.77.{SWITCHES.index(color)}.3" for color in SIX[node] if color in SIX["k02"]]
            for address in ("10.78.0.3", *shared):
                done = lab.cables.inside(node, sys.executable, "-IS", "-c", SEND, address)
                assert done.stdout == "EHOSTUNREACH\n", (node, address)
    macs = [mac("k02", nic).replace(":", "") for nic in (0, 1)]
    to_it = [line for line in seen if any(each in line for each in macs) and "0800" in line[:60]]
    asked = b"fnn-linkd".hex()  # the daemons probe a dead node again after 1, 2, 4 ... 60 s
    assert [line for line in to_it if asked not in line] == []
    assert all(lab.is_settled(node) for node in others)
    assert json.loads(lab.run("k00", "fnn-net", "apply"))["changed"] is False
    assert lab.legs("k00", "k03") == {("nic0", "10.77.0.4")}, "the others stay as planned"
    for nic in (0, 1):
        lab.unblock("k02", nic)
    lab.start("k02")
    wait_until(lambda: not any(is_unreachable(lab, node, "k02") for node in others), 12 * HOLD)
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), 12 * HOLD)
    assert lab.cables.ping("k00", "10.78.0.3")
    assert all(lab.is_settled(node) for node in SIX)


@pytest.mark.long
def test_a_dead_node_that_is_up_again_without_its_daemon_is_reached(lab: Lab) -> None:
    cut_off(lab, "k02")
    lab.stop("k02", signal.SIGKILL)
    wait_until(lambda: is_unreachable(lab, "k00", "k02"), 2.5 + 3 * SLACK)
    for nic in (0, 1):
        lab.unblock("k02", nic)
    wait_until(lambda: not is_unreachable(lab, "k00", "k02"), 10)
    assert lab.cables.ping("k00", "10.78.0.3")


@pytest.mark.long
def test_a_node_that_was_shut_down_is_unreachable_and_one_without_its_daemon_is_not(lab: Lab) -> None:
    """fnn-linkd announces its end in both cases."""
    lab.stop("k02")
    time.sleep(3)
    assert lab.cables.ping("k00", "10.78.0.3")
    assert not any(is_unreachable(lab, node, "k02") for node in SIX if node != "k02")
    cut_off(lab, "k02")
    wait_until(lambda: all(is_unreachable(lab, node, "k02") for node in SIX if node != "k02"), 8 + 3 * SLACK)
    known = json.loads((lab.directory / "k00" / "run" / "linkd.known").read_text())
    assert known.keys() >= {mac("k02", nic) for nic in (0, 1)}, "after a minute no node reports it any more"
    lab.stop("k00", signal.SIGKILL)  # as in a restart, which keeps the known NICs and the routes
    lab.start("k00")
    log = lab.directory / "k00" / "log"
    wait_until(lambda: log.read_text().count("k02 is dead") == 2, 5)
    for nic in (0, 1):
        lab.unblock("k02", nic)
    lab.start("k02")
    wait_until(lambda: not any(is_unreachable(lab, node, "k02") for node in SIX if node != "k02"), 12 * HOLD)
    assert lab.cables.ping("k00", "10.78.0.3")


@pytest.mark.long
def test_unreachable_routes_of_a_dead_node_are_removed_with_the_daemon(lab: Lab) -> None:
    cut_off(lab, "k02")
    wait_until(lambda: is_unreachable(lab, "k00", "k02"), 2.5 + 3 * SLACK)
    lab.stop("k00", signal.SIGKILL)
    lab.run("k00", "fnn-linkd", "release")
    assert lab.legs("k00", "k02") == {("nic0", "10.77.0.3")}
    assert lab.is_settled("k00")


@pytest.mark.long
def test_nodes_that_took_each_other_for_dead_are_reached_again(lab: Lab) -> None:
    """Two groups with different keys hear no beacons of each other. While the switches are split, each group takes the
    other for dead, and no kernel has a route for an answer."""
    groups = ("k00", "k02", "k04"), ("k01", "k03", "k05")
    pairs = [(one, other) for one in groups[0] for other in groups[1] if set(SIX[one]) & set(SIX[other])]
    pairs += [(other, one) for one, other in pairs]
    for node in groups[1]:
        lab.write_key(node, f"sign {NEW_KEY}")
        lab.daemons[node].send_signal(signal.SIGHUP)
    wait_until(lambda: all(lab.unusable(node) for node in SIX), 12 * HOLD)
    time.sleep(1)
    assert not any(is_unreachable(lab, one, other) for one, other in pairs), "their kernels answer"
    for switch in SWITCHES:
        lab.cables.add_switch(f"{switch}2")
    for node in groups[1]:
        for nic, switch in enumerate(SIX[node]):
            lab.cables.plug(node, nic, f"{switch}2")
    wait_until(lambda: all(is_unreachable(lab, one, other) for one, other in pairs), 20)
    for node in groups[1]:
        for nic, switch in enumerate(SIX[node]):
            lab.cables.plug(node, nic, switch)
    wait_until(lambda: not any(is_unreachable(lab, one, other) for one, other in pairs), 40)
    assert all(lab.cables.ping(one, f"10.78.0.{list(SIX).index(other) + 1}") for one, other in pairs)


@pytest.mark.long
def test_a_nic_that_was_renamed_is_used_by_its_new_name(lab: Lab) -> None:
    """udev renames a NIC when its driver comes back. A route over the former device name fails as a whole."""
    for line in ("set nic0 down", "set nic0 name renamed0", "set renamed0 up"):
        lab.cables.ip("k00", "link", *line.split())
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), 12 * HOLD)
    lab.run("k00", "fnn-net", "apply")
    lab.cables.ip("sw", "link", "set", "k01.1", "down")
    wait_until(lambda: lab.legs("k00", "k01") == {("renamed0", "10.77.0.2")}, 1.2 + SLACK)

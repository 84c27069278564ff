# SPDX-License-Identifier: GPL-3.0-or-later
"""All ordered pairs of the six nodes send numbered datagrams while a switch splits, a cable fails or loses frames, or
all daemons restart.

The clock of an outage is the number of datagrams that the sender sent meanwhile, so that its own lag does not count.
"""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from linkd_lab import HOLD, Lab, run_lab
from namespaces import PREFIX, Cables
from six_pcs import SIX
from waiting import excusing, wait_until

SPACING = 0.01  # seconds between two datagrams of a pair
LIMIT = 1.5
PAIRS = list(itertools.permutations(SIX, 2))

# Sends numbered datagrams from argv[1] to the others until its input ends; prints what it received from each.
TALK = """
import json, select, socket, sys, time
own, others, spacing = sys.argv[1], sys.argv[3:], float(sys.argv[2])
talk = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
talk.bind((own, 7002))
talk.setblocking(False)
talk.setsockopt(socket.SOL_SOCKET, 33, 1 << 23)  # SO_RCVBUFFORCE
got, number, due, ending = {each: [] for each in others}, 0, time.monotonic(), 0.0
print("ready", flush=True)
sys.stdin.readline()
due = time.monotonic()
while not ending or time.monotonic() < ending:
    now = time.monotonic()
    if now >= due and not ending:
        number += 1
        due = now + spacing
        for each in others:
            try:
                talk.sendto(b"%d" % number, (each, 7002))
            except OSError:
                pass
    wait = max(0.0, due - time.monotonic()) if not ending else 0.1
    for each in select.select([talk, sys.stdin] if not ending else [talk], [], [], wait)[0]:
        if each is sys.stdin:
            ending = time.monotonic() + 1
            continue
        try:
            while True:
                ending = ending and time.monotonic() + 1  # until nothing has arrived for a second
                text, (sender, _) = talk.recvfrom(64)
                got[sender].append(int(text))
        except BlockingIOError:
            pass
print(json.dumps({"sent": number, "got": got}))
"""


class Talk:
    """Datagrams between all pairs; `lost` has, for each ordered pair, the numbers that did not arrive."""

    def __init__(self, lab: Lab) -> None:
        addresses = {node: f"10.78.0.{rank + 1}" for rank, node in enumerate(SIX)}
        self._programs = {}
        for node, own in addresses.items():
            others = [address for address in addresses.values() if address != own]
            command = [sys.executable, "-IS", "-c", TALK, own, str(SPACING), *others]
            self._programs[node] = subprocess.Popen(
                ["ip", "netns", "exec", PREFIX + node, *command],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
        self._addresses = addresses
        for each in self._programs.values():
            assert each.stdout
            assert each.stdout.readline() == "ready\n"
        for each in self._programs.values():
            assert each.stdin
            each.stdin.write("go\n")
            each.stdin.flush()

    def end(self) -> dict[tuple[str, str], list[int]]:
        answers = {}
        for each in self._programs.values():
            assert each.stdin
            each.stdin.close()
        for node, each in self._programs.items():
            assert each.stdout
            answers[node] = json.loads(each.stdout.read())
            each.stdout.close()
            each.wait()
        return {
            (one, two): sorted({*range(1, answers[one]["sent"] + 1)} - {*answers[two]["got"][self._addresses[one]]})
            for one, two in PAIRS
        }


def find_outage(lost: list[int]) -> float:
    """The longest run of lost datagrams, in seconds of the sender."""
    longest = run = 0
    for before, number in zip([0, *lost], lost):
        run = run + 1 if number == before + 1 else 1
        longest = max(longest, run)
    return longest * SPACING


def talk_during(lab: Lab, harm: Callable[[], None], seconds: float) -> dict[tuple[str, str], list[int]]:
    talk = Talk(lab)
    time.sleep(0.5)
    harm()
    time.sleep(seconds)
    return talk.end()


def has_no_fault(lab: Lab) -> bool:
    return all(map(lab.is_ready, SIX)) and not any(map(lab.unusable, SIX))


def make_halves(lab: Lab, switch: str, part: set[str]) -> None:
    """Makes a switch of two bridges joined by a cable. Only the first has an uplink; `part` is on the second."""
    far = f"{switch}2"
    if far not in lab.cables.switches:
        lab.cables.add_switch(far)
        lab.cables.ip("sw", "link", "add", f"{switch}.half", "type", "veth", "peer", "name", f"{far}.half")
        lab.cables.ip("sw", "link", "set", f"{switch}.half", "up", "master", switch)
        lab.cables.ip("sw", "link", "set", f"{far}.half", "up", "master", far)
    for node in list_nodes(switch):
        lab.cables.plug(node, SIX[node].index(switch), far if node in part else switch)
    wait_until(lambda: has_no_fault(lab), 60)
    time.sleep(1)  # an exchange that was under way has ended
    wait_until(lambda: has_no_fault(lab), 60)


def list_nodes(switch: str) -> list[str]:
    return [node for node in SIX if switch in SIX[node]]


def list_cut_pairs(part: set[str]) -> set[tuple[str, str]]:
    return {pair for pair in itertools.permutations(list_nodes("red"), 2) if (pair[0] in part) != (pair[1] in part)}


def list_losses(lost: dict[tuple[str, str], list[int]]) -> dict[tuple[str, str], int]:
    return {pair: len(numbers) for pair, numbers in lost.items() if numbers}


@pytest.fixture(scope="module")
def shared(shared_cables: Cables, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with run_lab(shared_cables, tmp_path_factory.mktemp("six"), "backup") as made:
        yield made


@pytest.fixture
def lab(shared: Lab) -> Lab:
    """The six nodes, which may use the uplink. Each test repairs what it breaks."""
    wait_until(lambda: has_no_fault(shared), 60)
    return shared


@pytest.mark.parametrize(
    "part", [{"k01", "k03"}, pytest.param({"k02", "k03"}, marks=pytest.mark.long)], ids=["across", "neighbors"]
)
def test_pairs_that_a_split_switch_cuts_use_another_path_and_others_lose_nothing(lab: Lab, part: set[str]) -> None:
    make_halves(lab, "red", part)
    with excusing() as excused:
        lost = talk_during(lab, lambda: lab.cables.ip("sw", "link", "set", "red.half", "nomaster"), 3)
    cut = list_cut_pairs(part)
    assert list_losses(lost).keys() <= cut
    outages = {pair: find_outage(lost[pair]) for pair in cut}
    assert max(outages.values()) <= LIMIT + excused(), outages
    assert all(lab.is_settled(node) for node in SIX)
    assert list_losses(talk_during(lab, lambda: None, 0)) == {}
    lab.cables.ip("sw", "link", "set", "red.half", "master", "red")
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), 30 * HOLD)
    wait_until(lambda: all(lab.is_settled(node) for node in SIX), 10)


def test_a_cable_that_loses_frames_leaves_the_routes_and_returns(lab: Lab) -> None:
    """One frame of four that k00 sends to red is lost."""
    rules = (
        "table netdev loss { chain red { type filter hook ingress device k00.0 priority 0; "
        "numgen random mod 100 < 25 drop; }; }"
    )
    lab.cables.inside("sw", "nft", rules)
    wait_until(lambda: lab.legs("k01", "k00") == {("nic1", "10.77.1.1")} and len(lab.legs("k00", "k01")) == 1, 60)
    wait_until(lambda: [each["node"] for each in lab.ask("k05")["lossy"]] == ["k00"], 30)
    assert lab.unusable("k05") == set(), "a NIC that loses frames still serves pairs without another path"
    assert lab.cables.ping("k04", "10.78.0.1")
    lab.cables.inside("sw", "nft", "delete", "table", "netdev", "loss")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 2 == len(lab.legs("k00", "k01")), 60)
    assert all(lab.is_settled(node) for node in SIX)


def test_a_restart_of_all_daemons_loses_nothing_and_keeps_or_finds_detours(lab: Lab) -> None:
    def restart() -> None:
        for node in SIX:
            lab.stop(node, signal.SIGKILL)  # as in a restart, which keeps the known NICs and the routes
        lab.start()

    assert list_losses(talk_during(lab, restart, 4)) == {}
    part = {"k01", "k03"}
    make_halves(lab, "red", part)
    lab.cables.ip("sw", "link", "set", "red.half", "nomaster")
    wait_until(lambda: list_losses(talk_during(lab, lambda: None, 0)) == {}, 60)
    with excusing() as excused:
        lost = talk_during(lab, restart, 4)
    assert list_losses(lost).keys() <= list_cut_pairs(part)
    outages = {pair: find_outage(numbers) for pair, numbers in lost.items() if numbers}
    assert max(outages.values(), default=0) <= LIMIT + excused(), outages
    lab.cables.ip("sw", "link", "set", "red.half", "master", "red")
    wait_until(lambda: has_no_fault(lab), 30 * HOLD)

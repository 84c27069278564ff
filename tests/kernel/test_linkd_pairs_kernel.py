# SPDX-License-Identifier: GPL-3.0-or-later
"""All ordered pairs of the six nodes send numbered datagrams while a switch splits, or a cable loses frames.

The clock of an outage is the number of datagrams that the sender sent meanwhile, so that its own lag does not count.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

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
    time.sleep(1)
    harm()
    time.sleep(seconds)
    return talk.end()


def make_halves(lab: Lab, switch: str, part: set[str]) -> None:
    """Makes a switch of two bridges joined by a cable. Only the first has an uplink; `part` is on the second."""
    far = f"{switch}2"
    lab.cables.add_switch(far)
    lab.cables.ip("sw", "link", "add", f"{switch}.half", "type", "veth", "peer", "name", f"{far}.half")
    lab.cables.ip("sw", "link", "set", f"{switch}.half", "up", "master", switch)
    lab.cables.ip("sw", "link", "set", f"{far}.half", "up", "master", far)
    for node in part:
        lab.cables.plug(node, SIX[node].index(switch), far)
    wait_until(lambda: not any(lab.unusable(node) for node in SIX) and all(map(lab.is_ready, SIX)), 60)
    time.sleep(1)  # an exchange that was under way has ended
    wait_until(lambda: not any(lab.unusable(node) for node in SIX), 60)


@pytest.fixture
def lab(cables: Cables, tmp_path: Path) -> Iterator[Lab]:
    with run_lab(cables, tmp_path, backup=True) as made:
        yield made


@pytest.mark.parametrize(
    "part", [{"k01", "k03"}, pytest.param({"k02", "k03"}, marks=pytest.mark.long)], ids=["across", "neighbors"]
)
def test_pairs_that_a_split_switch_cuts_use_another_path_and_others_lose_nothing(lab: Lab, part: set[str]) -> None:
    make_halves(lab, "red", part)
    with excusing() as excused:
        lost = talk_during(lab, lambda: lab.cables.ip("sw", "link", "set", "red.half", "nomaster"), 6)
    red = [node for node in SIX if "red" in SIX[node]]
    cut = {pair for pair in PAIRS if {*pair} <= {*red} and (pair[0] in part) != (pair[1] in part)}
    assert {pair: numbers for pair, numbers in lost.items() if numbers and pair not in cut} == {}
    outages = {pair: find_outage(lost[pair]) for pair in cut}
    assert max(outages.values()) <= LIMIT + excused(), outages
    assert all(lab.is_settled(node) for node in SIX)
    lost = talk_during(lab, lambda: None, 2)
    assert {pair: len(numbers) for pair, numbers in lost.items() if numbers} == {}
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

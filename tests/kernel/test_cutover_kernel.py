# SPDX-License-Identifier: GPL-3.0-or-later
"""Six nodes go from one plan to another, one node after another, while every pair talks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.bundle import pack, read_bundle
from ansible.module_utils.fnn.plan.render import Renderer
from ansible.module_utils.fnn.plan.views import make_plan
from namespaces import IDENTITY, PREFIX, ROOT, Cables
from six_pcs import SIX
from sixes import make_six

SIX_FILES = ROOT / "tests/golden/six"
SETTINGS = {"identity_kind": dict.fromkeys(SIX, IDENTITY)}
PLANS: dict[str, dict[str, Any]] = {
    "all NICs": {},
    "no numbers": {"addressing": "unnumbered"},
    "a NIC at rest": {"resting": [{"node": "k00", "nic": 0}, {"node": "k02", "nic": 0}], "over_uplink": True},
}
TALK = Path(__file__).with_name("talk.py")
PASSES = ("prepare", "switch", "clean")


class Six:
    """The six, and the files of several plans for them."""

    def __init__(self, cables: Cables, directory: Path) -> None:
        self.cables, self.directory = cables, directory
        make_six(cables)
        cables.join_switches()
        self.design, self.macs = (json.loads((SIX_FILES / name).read_text()) for name in ("design.json", "macs.json"))
        self.generation = 0
        for name, settings in PLANS.items():
            self.render(name, self.macs, settings)

    def render(self, name: str, macs: dict[str, Any], settings: dict[str, Any]) -> None:
        """One more plan, under this name."""
        self.generation += 1
        generation = f"{self.generation}-{self.generation:012x}"
        plan = make_plan(self.design, macs, {**SETTINGS, **settings, "generation": generation})
        for each in Renderer(ROOT).render(plan):
            place = self.directory / name / each.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(each.content)

    def replace_nic(self, node: str, nic: int, mac: str) -> dict[str, Any]:
        """Another NIC in the same port; returns the MACs with it."""
        self.cables.ip("sw", "link", "del", f"{node}.{nic}")
        self.cables.add_nic(node, nic, mac, SIX[node][nic], device="spare0")
        macs: dict[str, Any] = json.loads(json.dumps(self.macs))
        (nics,) = (each["nics"] for each in macs["nodes"] if each["name"] == node)
        nics[nic] = {**nics[nic], "name": "spare0", "mac": mac}
        return macs

    def apply(self, plan: str, node: str, **options: Any) -> dict[str, Any]:
        build = self.directory / plan
        bundle = pack(read_bundle(build / "common", build / "nodes" / node))
        answer = self.cables.run_module(
            node, "fnn_apply", bundle=bundle, root=str(self.directory / "roots" / node), **options
        )
        assert not answer.get("failed"), answer
        return answer

    def start(self, plan: str) -> None:
        for node in SIX:
            (self.directory / "roots" / node).mkdir(parents=True)
            assert self.apply(plan, node)["under_way"] is False

    def status(self, node: str) -> dict[str, Any]:
        root = self.directory / "roots" / node
        files = ("--etc", str(root / "etc/fnn"), "--sysctl", str(root / "etc/sysctl.d/90-fnn.conf"))
        done = self.cables.inside(node, sys.executable, str(root / "usr/local/sbin/fnn-net"), "status", *files)
        status: dict[str, Any] = json.loads(done.stdout)
        return status

    @contextmanager
    def conversation(self) -> Iterator[dict[tuple[str, str], int]]:
        """All talk; the dict is filled with the datagrams that each ordered pair lost when it ends."""
        names = {f"10.78.0.{rank + 1}": node for rank, node in enumerate(SIX)}
        talks = {}
        for own, node in names.items():
            talk = [sys.executable, "-IS", str(TALK), own, *(each for each in names if each != own)]
            command = ["ip", "netns", "exec", PREFIX + node, *talk]
            talks[node] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hear_all(talks)
        tell_all(talks)
        lost: dict[tuple[str, str], int] = {}
        yield lost
        tell_all(talks)
        for node, line in hear_all(talks).items():
            lost.update({(node, names[peer]): count for peer, count in json.loads(line).items() if count})
        for talk in talks.values():
            talk.communicate(timeout=30)


Talks = dict[str, "subprocess.Popen[str]"]


def hear_all(talks: Talks) -> dict[str, str]:
    """The next line that each prints."""
    return {node: talk.stdout.readline() for node, talk in talks.items() if talk.stdout}


def tell_all(talks: Talks) -> None:
    for talk in talks.values():
        if talk.stdin:
            print(file=talk.stdin, flush=True)


@pytest.fixture
def six(cables: Cables, tmp_path: Path) -> Six:
    return Six(cables, tmp_path)


# Not to NICs without numbers: with the last address of a NIC its routes go, and come back a moment later.
WAYS = [(former, new) for former in PLANS for new in PLANS if new not in (former, "no numbers")]
# All ways take minutes; `make test` takes the one that changes everything's address.
if not os.environ.get("FNN_TEST_FULL"):
    WAYS = [("no numbers", "a NIC at rest")]


@pytest.mark.parametrize(("former", "new"), WAYS)
def test_in_three_passes_nothing_is_lost(six: Six, former: str, new: str) -> None:
    six.start(former)
    with six.conversation() as lost:
        for at in PASSES:
            for node in SIX:
                under_way = six.apply(new, node, **{"pass": at})["under_way"]
                assert under_way is (at != "clean")
    assert lost == {}
    for node in SIX:
        assert six.apply(new, node)["changed"] is False


def test_in_one_pass_something_is_lost(six: Six) -> None:
    """What the passes are for: here k02 and k04 send to NICs that the peer has not raised yet."""
    six.start("a NIC at rest")
    with six.conversation() as lost:
        for node in reversed(SIX):
            six.apply("all NICs", node)
    assert lost


def test_a_node_that_missed_the_first_pass_is_reached_as_before(six: Six) -> None:
    six.start("a NIC at rest")
    there = [node for node in SIX if node != "k00"]
    with six.conversation() as lost:
        for at in PASSES:
            for node in there:
                six.apply("all NICs", node, **{"pass": at}, held=["k00"])
    assert lost == {}
    assert six.status("k01")["cutover"] == {"pass": "clean", "held": ["k00"]}
    assert [six.status(node)["differences"] for node in SIX] == [0] * len(SIX)
    with six.conversation() as lost:
        for at in PASSES:
            for node in SIX:
                six.apply("all NICs", node, **{"pass": at})
    assert lost == {}
    assert six.status("k01")["cutover"] is None
    assert {six.status(node)["generation"] for node in SIX} == {"1-000000000001"}


def test_passes_can_be_repeated_and_go_on_after_a_stop(six: Six) -> None:
    six.start("a NIC at rest")
    for at in PASSES:
        for node in SIX:
            assert six.apply("all NICs", node, **{"pass": at})["changed"]
            assert not six.apply("all NICs", node, **{"pass": at})["changed"]


def test_a_plan_may_come_while_another_is_under_way(six: Six) -> None:
    six.start("no numbers")
    with six.conversation() as lost:
        for at in PASSES[:2]:
            for node in SIX:
                six.apply("a NIC at rest", node, **{"pass": at})
        for at in PASSES:
            for node in SIX:
                six.apply("all NICs", node, **{"pass": at})
    assert lost == {}
    for node in SIX:
        assert six.apply("all NICs", node)["changed"] is False


def test_a_replaced_nic_comes_into_use_in_three_passes(six: Six) -> None:
    six.start("all NICs")
    six.render("replaced", six.replace_nic("k01", 0, "02:f0:00:00:01:99"), {})
    with six.conversation() as lost:
        for at in PASSES:
            for node in SIX:
                assert six.apply("replaced", node, **{"pass": at})["under_way"] is (at != "clean")
    assert {pair for pair in lost if "k01" not in pair} == set()
    with six.conversation() as lost:
        assert not any(six.apply("replaced", node)["changed"] for node in SIX)
    assert lost == {}


def test_a_nic_that_is_gone_for_good_leaves_the_plan_in_three_passes(six: Six) -> None:
    six.start("all NICs")
    six.cables.ip("sw", "link", "del", "k00.0")
    six.render("without", six.macs, {"resting": [{"node": "k00", "nic": 0}], "over_uplink": True})
    for at in PASSES:
        for node in SIX:
            assert six.apply("without", node, **{"pass": at})["under_way"] is (at != "clean")
    with six.conversation() as lost:
        assert not any(six.apply("without", node)["changed"] for node in SIX)
    assert lost == {}


def test_check_mode_tells_and_changes_nothing(six: Six) -> None:
    six.start("a NIC at rest")
    told = six.apply("all NICs", "k00", _ansible_check_mode=True)
    assert told["changed"] and told["commands"]
    assert six.apply("a NIC at rest", "k00")["changed"] is False

# SPDX-License-Identifier: GPL-3.0-or-later
"""Head and spare on the uplink switch `up` of the six PCs: where their cables are, without effect on other findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Finding, Verification, add_findings
from ansible.module_utils.fnn.controller.verify.satellites import find_satellite_faults, set_aside
from six_pcs import SIX, words
from wirings import Cluster, make_design

MACS = {"head": "02:aa:00:00:00:06", "hot1": "02:aa:00:00:00:07"}


class Eight:
    """The six PCs and two satellites. plugs: satellite -> switch, None without carrier."""

    def __init__(self) -> None:
        self.six = Cluster(make_design(SIX, uplink=True))
        nics = {name: [{"nic": 0, "name": "eth0", "mac": mac, "permanent": True}] for name, mac in MACS.items()}
        self.six.macs["satellites"] = [{"name": name, "nics": nics[name]} for name in MACS]
        self.plugs: dict[str, str | None] = dict.fromkeys(MACS, "up")
        self.silent: set[str] = set()

    def observe(self, joined: bool) -> dict[str, Any]:
        """joined: whether the uplinks are in, so that every NIC hears every other."""
        seen = self.six.observe()
        places = {self.six.mac(*end): switch for end, switch in self.six.plugs.items()}
        places |= {MACS[name]: switch for name, switch in self.plugs.items() if name not in self.silent}

        def hear(own: str) -> list[str]:
            mine = places[own]
            return [mac for mac, at in places.items() if mac != own and mine and at and (joined or at == mine)]

        for each in (each for node in seen.values() for each in node["heard"]):
            each["hears"] = hear(each["mac"])
        for name in MACS.keys() - self.silent:
            link = {"device": "eth0", "mac": MACS[name], "carrier": self.plugs[name] is not None}
            heard = {"device": "eth0", "mac": MACS[name], "hears": hear(MACS[name]), "loop": False}
            seen[name] = {"links": [link], "heard": [heard]}
        return seen

    def relearn(self) -> dict[str, Any]:
        found = self.six.relearn()
        for name, switch in self.plugs.items():
            if switch is None or name in self.silent:
                continue
            company = [mac for (n, i), at in self.six.plugs.items() if at == switch for mac in [self.six.mac(n, i)]]
            group = next((each for each in found["groups"] if set(company) & set(each)), None)
            if group is None:
                group = next((each for each in found["groups"] if set(MACS.values()) & set(each)), [])
                found["groups"] += [] if group else [group]
            group.append(MACS[name])
            found["reaches_head"].append(MACS[name])
        return found

    def verify(self, probe: bool = False) -> Verification:
        observations, relearn = self.observe(probe), self.relearn() if probe else None
        design, macs = self.six.design, self.six.macs
        verification = compare_with_design(design, macs, *set_aside(macs, observations, relearn))
        return add_findings(verification, find_satellite_faults(design, macs, observations, relearn, verification))


def list_findings(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(finding.kind, words(finding)) for finding in findings]


@pytest.mark.parametrize("probe", [False, True])
def test_in_the_uplink_switch_they_are_right_and_change_nothing(probe: bool) -> None:
    verification = Eight().verify(probe)
    assert (verification.verdict, list_findings(verification.findings)) == ("match", [])
    assert verification.scope == tuple(SIX)


@pytest.mark.parametrize("probe", [False, True])
def test_a_spare_in_a_leaf_switch_is_named_with_its_move(probe: bool) -> None:
    eight = Eight()
    eight.plugs["hot1"] = "green"
    verification = eight.verify(probe)
    assert list_findings(verification.findings) == [
        ("move", "hot1: move the cable in eth0 from GREEN to up, the uplink switch"),
    ]
    assert (verification.verdict, verification.must_stop) == ("miswired", True)
    assert verification.findings[0].evidence.endswith("shares a switch with k02 nic1, k03 nic1, k04 nic1 and 1 more")


def test_without_a_cable_it_is_missing() -> None:
    eight = Eight()
    eight.plugs["head"] = None
    assert list_findings(eight.verify().findings) == [
        ("missing", "head: plug a cable from eth0 into up; if there is one, try another"),
    ]


def test_faults_of_nodes_are_found_beside_those_of_satellites() -> None:
    eight = Eight()
    eight.plugs["hot1"] = "red"
    eight.six.swap(("k00", 0), ("k05", 1))
    assert [finding.kind for finding in eight.verify().findings] == ["swap", "move"]


def test_a_silent_satellite_has_no_finding() -> None:
    eight = Eight()
    eight.silent = {"head", "hot1"}
    assert eight.verify().verdict == "match"


def test_without_a_head_satellites_have_no_finding_while_the_uplinks_are_in() -> None:
    eight = Eight()
    observations = eight.observe(joined=True)
    verification = compare_with_design(eight.six.design, eight.six.macs, *set_aside(eight.six.macs, observations, None))
    verification = add_findings(
        verification, find_satellite_faults(eight.six.design, eight.six.macs, observations, None, verification)
    )
    assert verification.verdict == "unmeasured"
    assert [finding.kind for finding in verification.findings] == ["unknown"]


def test_the_probe_finds_a_spare_outside_the_uplink_switch() -> None:
    eight = Eight()
    eight.plugs["hot1"] = "house"
    observations, relearn = eight.observe(True), {**eight.relearn(), "head": "head"}
    mac = MACS["hot1"]
    relearn["groups"] = [[each for each in group if each != mac] for group in relearn["groups"]]
    relearn["reaches_head"] = [each for each in relearn["reaches_head"] if each not in MACS.values()]
    for heard in (each for node in observations.values() for each in node["heard"]):
        heard["hears"] = [] if heard["mac"] == mac else [each for each in heard["hears"] if each != mac]
    findings = find_satellite_faults(
        eight.six.design, eight.six.macs, observations, relearn,
        compare_with_design(eight.six.design, eight.six.macs, *set_aside(eight.six.macs, observations, relearn)),
    )  # fmt: skip
    assert list_findings(findings) == [
        ("move", "hot1: the cable in eth0 does not lead to up, the uplink switch; move it there")
    ]


def test_a_spare_in_a_leaf_switch_is_found_beside_unmeasured_nodes() -> None:
    eight = Eight()
    eight.plugs["hot1"], eight.six.silent = "red", {"k05"}
    observations = eight.observe(False)
    observations["k00"]["heard"][0]["hears"].remove(eight.six.mac("k02", 0))
    design, macs = eight.six.design, eight.six.macs
    verification = compare_with_design(design, macs, *set_aside(macs, observations, None))
    verification = add_findings(verification, find_satellite_faults(design, macs, observations, None, verification))
    assert [finding.kind for finding in verification.findings][-1] == "move"
    assert (verification.verdict, verification.must_stop) == ("miswired", True)


def test_the_only_switch_may_have_its_uplink_in() -> None:
    eight = Eight()
    eight.six = Cluster(make_design({f"k0{rank}": ["red"] for rank in range(3)}, uplink=True))
    nics = {name: [{"nic": 0, "name": "eth0", "mac": mac, "permanent": True}] for name, mac in MACS.items()}
    eight.six.macs["satellites"] = [{"name": name, "nics": nics[name]} for name in MACS]
    verification = compare_with_design(
        eight.six.design, eight.six.macs, *set_aside(eight.six.macs, eight.observe(True), None)
    )
    findings = [*find_satellite_faults(eight.six.design, eight.six.macs, eight.observe(True), None, verification)]
    assert len(findings) == 2
    assert all(words(each).endswith(", or unplug the cable between RED and up, if it is in") for each in findings)


def test_a_probe_that_a_loop_stopped_accuses_no_satellite() -> None:
    eight = Eight()
    eight.six.heard["k00", 0] = {"loop": True}
    observations = eight.observe(True)
    relearn = {"groups": [], "unsure": [], "reaches_head": [eight.six.mac("k00", 0)], "head": "head"}
    verification = compare_with_design(
        eight.six.design, eight.six.macs, *set_aside(eight.six.macs, observations, relearn)
    )
    assert not [*find_satellite_faults(eight.six.design, eight.six.macs, observations, relearn, verification)]


def test_a_satellite_that_was_heard_until_the_uplink_was_pulled_moved_no_cable() -> None:
    eight = Eight()
    eight.six.heard["k00", 0] = {"heard_before": [MACS["head"]], "tagged": [MACS["hot1"]]}
    assert list_findings(eight.verify().findings) == []

# SPDX-License-Identifier: GPL-3.0-or-later
"""verify/explain.py: where faults of different kinds meet, each is named and no right cable is moved."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.verify.explain import without_output
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification
from six_pcs import words
from test_verify_judge import DHCP
from wirings import Cluster, kinds, make_design, moved, names, six, the_finding

Key = tuple[str, int]
CASES = 30  # by lot; tests/full has more


@pytest.fixture(params=["lab", "eight", "sixteen"])
def design(root: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = read_json(root / f"inventory/{request.param}/design.json")
    return found


def list_on(cluster: Cluster, switch: str) -> list[Key]:
    return [key for key, designed in cluster.list_designed().items() if designed == switch]


def list_switches(design: dict[str, Any]) -> list[str]:
    return [switch["name"] for switch in design["switches"]]


def list_swaps(cluster: Cluster) -> Iterator[tuple[Key, Key]]:
    """Pairs of cables of which neither belongs on the switch of the other, or on another one of its node."""
    designed = cluster.list_designed()
    wants: dict[str, set[str]] = {}
    for (node, _), switch in designed.items():
        wants.setdefault(node, set()).add(switch)
    for one, other in combinations(designed, 2):
        if designed[other] not in wants[one[0]] and designed[one] not in wants[other[0]]:
            yield one, other


def compare(cluster: Cluster) -> Verification:
    """Without the coverage as wired, which takes longer."""
    return compare_with_design(cluster.design, cluster.macs, cluster.observe(), None, cluster.silent)


def list_found(cluster: Cluster) -> list[tuple[str, set[Key]]]:
    return sorted(((each.kind, names(each)) for each in compare(cluster).findings), key=str)


def draw(cases: Any) -> list[Any]:
    every = list(cases)
    return random.Random(len(every)).sample(every, min(CASES, len(every)))


@pytest.mark.parametrize("how", ["silent", "in the house network"])
def test_a_dead_switch_and_a_cable_that_leads_nowhere_are_both_named(design: dict[str, Any], how: str) -> None:
    designed = Cluster(design).list_designed()
    cases = [each for each in product(list_switches(design), designed) if designed[each[1]] != each[0]]
    for dead, key in draw(cases):
        cluster = Cluster(design)
        on = set(list_on(cluster, dead))
        cluster.plugs.update(dict.fromkeys(on))
        cluster.plugs[key] = "elsewhere"
        if how != "silent":
            cluster.heard[key] = {"strangers": [DHCP]}
        kind = "silent" if how == "silent" else "foreign-network"
        assert list_found(cluster) == sorted([("dead-switch", on), (kind, {key})], key=str)


def test_a_node_that_is_off_moves_no_cable_beside_a_swap(design: dict[str, Any]) -> None:
    for (one, other), node in draw(product(list_swaps(Cluster(design)), Cluster(design).ranks)):
        if node not in (one[0], other[0]):
            cluster = Cluster(design)
            cluster.swap(one, other)
            cluster.silent.add(node)
            assert list_found(cluster) == [("swap", {one, other})]


@pytest.mark.parametrize("fault", ["silent", "missing"])
def test_a_cable_without_frames_or_carrier_moves_no_other_beside_a_swap(design: dict[str, Any], fault: str) -> None:
    for (one, other), key in draw(product(list_swaps(Cluster(design)), Cluster(design).plugs)):
        if key not in (one, other):
            cluster = Cluster(design)
            cluster.swap(one, other)
            cluster.plugs[key] = "elsewhere" if fault == "silent" else None
            assert list_found(cluster) == sorted([("swap", {one, other}), (fault, {key})], key=str)


def test_a_switch_in_halves_is_split_and_none_of_its_cables_moves(design: dict[str, Any]) -> None:
    for switch in list_switches(design):
        cluster = Cluster(design)
        half = list_on(cluster, switch)[2:]
        cluster.plugs.update(dict.fromkeys(half, "the other half"))
        verification = compare(cluster)
        assert (the_finding(verification).kind, verification.moves) == ("split-switch", ())
        assert {each.state for each in verification.cables if each.key not in names(the_finding(verification))} == {
            "ok"
        }


def test_two_ports_in_another_vlan_are_apart_from_the_others() -> None:
    cluster = six()
    cluster.plugs["k00", 0] = cluster.plugs["k02", 0] = "VLAN 7"
    finding = the_finding(compare(cluster))
    assert (finding.kind, names(finding)) == ("split-switch", {("k01", 0), ("k03", 0)})
    assert words(finding).startswith(
        "RED passes no frames between k01 nic0 and k03 nic0 and its other ports: check its"
    )


def test_two_silent_cables_of_a_switch_of_two_accuse_neither_alone() -> None:
    wiring = {"k00": ["red", "blue"], "k01": ["red", "blue"], "k02": ["blue", "green"], "k03": ["blue", "green"]}
    cluster = Cluster(make_design(wiring))
    cluster.plugs["k00", 0] = "nothing"
    finding = the_finding(compare(cluster))
    assert (finding.kind, names(finding)) == ("dead-switch", {("k00", 0), ("k01", 0)})


def test_frames_of_a_node_that_does_not_answer_are_no_strangers() -> None:
    """The only other NIC on RED is one of that node, so no beacon reaches k01, but ordinary frames do."""
    wiring = {"k00": ["red", "blue"], "k01": ["red", "green"], "k02": ["blue", "green"], "k03": ["blue", "green"]}
    cluster = Cluster(make_design(wiring))
    cluster.silent.add("k00")
    frames = {"kind": "mac", "mac": cluster.mac("k00", 0), "detail": "IPv4 from 10.78.0.8"}
    cluster.heard["k01", 0] = {"strangers": [frames]}
    assert compare(cluster).findings == ()


def test_of_two_explanations_with_one_price_neither_is_an_accusation(root: Path) -> None:
    """In a cluster of six, RED and GREEN may have exchanged their names."""
    cluster = Cluster(read_json(root / "inventory/lab/design.json"))
    cluster.swap(("k03", 0), ("k04", 0))
    cluster.swap(("k00", 0), ("k00", 1))
    verification = compare(cluster)
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, verification.bindings) == ("miswired", "either", {})
    assert names(finding) >= {("k03", 0), ("k04", 0), ("k00", 0), ("k00", 1)}
    assert {cable.state for cable in verification.cables if cable.key in names(finding)} == {"unknown"}
    assert words(finding).startswith("what is heard has two explanations, and either makes all cables right. k0")
    cluster.do(verification)
    assert compare(cluster).verdict == "match"


def test_a_cable_between_two_nics_is_named_with_both() -> None:
    cluster = six()
    cluster.plugs["k00", 0] = cluster.plugs["k04", 1] = "a cable"
    verification = compare(cluster)
    finding = the_finding(verification)
    assert (finding.kind, moved(verification)) == ("joined-nics", {("k00", 0), ("k04", 1)})
    assert words(finding) == (
        "k00 nic0 and k04 nic1 hear each other and no other NIC: a cable joins them, or a switch outside of the "
        "design; plug k00 nic0 into RED, k04 nic1 into GREEN"
    )


def test_a_device_that_returns_frames_is_no_loop() -> None:
    cluster = six()
    cluster.plugs["k03", 1] = "a reflector"
    cluster.heard["k03", 1] = {"loop": True, "returned": 2, "counts": {"sent": 2}}
    verification = compare(cluster)
    assert (the_finding(verification).kind, moved(verification)) == ("echo", {("k03", 1)})


def test_frames_with_a_tag_are_named_at_the_port_where_they_arrive() -> None:
    cluster = six()
    cluster.heard["k03", 1] = {"tagged": [cluster.mac("k02", 1), cluster.mac("k04", 1)]}
    assert names(the_finding(compare(cluster))) == {("k03", 1)}
    cluster.heard = {key: {"tagged": [cluster.mac("k03", 1)]} for key in [("k02", 1), ("k04", 1), ("k05", 1)]}
    assert names(the_finding(compare(cluster))) == {("k03", 1)}


@pytest.mark.parametrize("now", ["green", "blue", None])
def test_a_cable_that_was_moved_during_the_run_joins_no_switches(now: str | None) -> None:
    """k03's NIC 1 left the switch where it was before; the NICs there list it still."""
    cluster = six()
    key, before = ("k03", 1), "blue" if now == "green" else "green"
    company = [other for other, switch in cluster.plugs.items() if switch == before and other != key]
    cluster.plugs[key] = now or "nothing"
    observed = cluster.observe()
    for node, nic in company:
        cluster.heard[node, nic] = {"hears": [*observed[node]["heard"][nic]["hears"], cluster.mac(*key)]}
    cluster.heard[key] = {"heard_before": [cluster.mac(*each) for each in company]}
    verification = compare(cluster)
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("unmeasured", "moved-meanwhile", {key})
    place = now.upper() if now else "no planned switch"
    assert words(finding).startswith(
        f"k03: the cable in nic1 was moved from {before.upper()} to {place} during the run"
    )
    assert verification.moves == ()


def test_all_cables_in_one_switch_are_said_to_be_there() -> None:
    cluster = six()
    cluster.plugs = dict.fromkeys(cluster.plugs, "red")
    finding = the_finding(compare(cluster))
    assert finding.kind == "switches-joined"
    assert "if all cables are in one switch, plug them into their own" in words(finding)


def test_cabling_in_progress_names_the_switches_that_have_cables(design: dict[str, Any]) -> None:
    """With the first cables of one switch, no other name is better, and empty switches count as dead."""
    for switch in list_switches(design):
        cluster = Cluster(design)
        plugged = list_on(cluster, switch)[:2]
        cluster.plugs = {key: switch if key in plugged else None for key in cluster.plugs}
        seen = {cable.key: cable.seen for cable in compare(cluster).cables if cable.seen}
        assert seen == dict.fromkeys(plugged, switch)


def test_a_split_switch_beside_two_joined_ones_is_no_permutation(root: Path) -> None:
    """There are as many groups as switches."""
    cluster = Cluster(read_json(root / "inventory/sixteen/design.json"))
    half, one, other = list_switches(cluster.design)[:3]
    cluster.plugs.update(dict.fromkeys(list_on(cluster, half)[4:], "the other half"))
    cluster.joined = {one: other}
    verification = compare(cluster)
    assert (sorted(kinds(verification)), verification.moves) == (["split-switch", "switches-joined"], ())


def test_a_cable_in_one_half_that_belongs_to_the_switch_joined_to_the_other_half_moves(root: Path) -> None:
    cluster = Cluster(read_json(root / "inventory/sixteen/design.json"))
    half, other = list_switches(cluster.design)[:2]
    on = {node for node, _ in list_on(cluster, half)}
    stray = next(key for key in list_on(cluster, other) if key[0] not in on)
    cluster.plugs.update(dict.fromkeys(list_on(cluster, half)[4:], "the other half"))
    cluster.joined = {"the other half": other}
    cluster.plugs[stray] = half
    verification = compare(cluster)
    assert (sorted(kinds(verification)), moved(verification)) == (["move", "split-switch", "switches-joined"], {stray})


def test_output_of_the_solver_does_not_reach_that_of_verify(capfd: pytest.CaptureFixture[str]) -> None:
    with without_output():
        os.write(1, b"of the solver\n")
    os.write(1, b"of verify\n")
    assert capfd.readouterr().out == "of verify\n"


def make_machines(root: Path) -> Cluster:
    return Cluster(read_json(root / "inventory/machines/design.json"))


def test_two_silent_nics_of_a_switch_may_have_one_silent_cable(root: Path) -> None:
    cluster = make_machines(root)
    cluster.mute.add(("k00", 1))
    cluster.deaf.add(("k00", 1))
    finding = the_finding(compare(cluster))
    assert (finding.kind, names(finding)) == ("dead-switch", {("k00", 1), ("k03", 0)})
    assert words(finding) == (
        "k00 nic1 and k03 nic0 have carrier, but hear no beacons: power BLUE off and on; if that does not help, "
        "replace the cable of one, then of the other"
    )


def test_a_cable_that_was_moved_into_a_dead_switch_has_no_finding_of_its_own(root: Path) -> None:
    cluster = make_machines(root)
    cluster.off.add("green")
    cluster.before["k01", 1] = "blue"
    finding = the_finding(compare(cluster))
    assert (finding.kind, names(finding)) == ("dead-switch", {("k01", 1), ("k02", 1), ("k03", 1)})


def test_a_nic_alone_on_its_switch_may_be_another_one_of_its_node(root: Path) -> None:
    """The NICs of k00 are swapped, and k03 nic0 is in an echoing device: BLUE has k00 nic0 alone."""
    cluster = make_machines(root)
    cluster.swap(("k00", 0), ("k00", 1))
    cluster.plugs["k03", 0] = "echo"
    cluster.echoing.add("echo")
    assert list_found(cluster) == [("crossed", {("k00", 0), ("k00", 1)}), ("echo", {("k03", 0)})]


def test_a_split_switch_beside_joined_ones_renames_no_switch() -> None:
    """As many groups as switches, of which other names than the designed ones need few moves, but rename many NICs."""
    wiring = {
        "k0": ["red", "blue", "green"], "k1": ["red", "orange", "purple"], "k2": ["blue", "orange", "white"],
        "k3": ["green", "purple", "white"], "k4": ["red", "blue", "white"], "k5": ["red", "green", "orange"],
        "k6": ["blue", "purple", "orange"], "k7": ["green", "purple", "white"],
    }  # fmt: skip
    cluster = Cluster(make_design(wiring))
    cluster.parts = dict.fromkeys([("k2", 0), ("k6", 0)], " part")
    cluster.joined = {"green": "red"}
    cluster.before["k3", 0] = "purple"
    assert sorted(kinds(compare(cluster))) == ["moved-meanwhile", "split-switch", "switches-joined"]


def test_the_smaller_part_of_a_split_switch_still_joins_its_own_pairs() -> None:
    cluster = Cluster(make_design({f"k{rank}": ["red"] for rank in range(6)}))
    cluster.parts = dict.fromkeys([("k0", 0), ("k1", 0)], " part")
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (finding.kind, finding.pairs_broken) == ("split-switch", 2 * 4)
    assert verification.as_wired is not None
    assert len(verification.as_wired.uncovered) == 2 * 4
    assert ("k0", "k1") not in verification.as_wired.uncovered

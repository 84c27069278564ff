# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults in, exact findings out: the six-node example by hand, larger wirings by chance."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.documents import Documents
from ansible.module_utils.fnn.errors import FnnError
from ansible.module_utils.fnn.verify.judge import judge
from ansible.module_utils.fnn.verify.model import Finding, Judgement, Wiring
from ansible.module_utils.fnn.verify.report import adopt, make_document, write_report
from wirings import SIX, Plugs, mac, make_design, make_macs, make_random, observe, plug

Wires = dict[str, list[str]]


def verify(wiring: Wires, plugs: Plugs, uplink: bool = False, without: tuple[str, ...] = ()) -> Judgement:
    observations = {node: seen for node, seen in observe(wiring, plugs).items() if node not in without}
    return judge(make_design(wiring, uplink), make_macs(wiring), observations)


def the_finding(judgement: Judgement) -> Finding:
    assert len(judgement.findings) == 1, [(each.kind, each.action) for each in judgement.findings]
    return judgement.findings[0]


def names(finding: Finding) -> set[tuple[str, int]]:
    return {(cable.node, cable.nic) for cable in finding.cables}


# --- The six-node example ---


def test_right_cables_match() -> None:
    judgement = verify(SIX, plug(SIX))
    assert (judgement.verdict, judgement.findings, judgement.must_stop) == ("match", [], False)
    assert all(cable.state == "ok" for cable in judgement.cables)


def test_swap_is_named_with_both_moves() -> None:
    """Out of red, k00 (now blue, green) still meets k02 and k03 in green; out of green, k05 (now blue, red) meets
    them in red. k00 and k01 share blue, k04 and k05 too. Nothing is lost."""
    plugs = plug(SIX)
    plugs["k00", 0], plugs["k05", 1] = "green", "red"
    judgement = verify(SIX, plugs)
    finding = the_finding(judgement)
    assert (judgement.verdict, judgement.must_stop, finding.kind) == ("miswired", True, "swap")
    assert finding.action == "k00: move the cable in nic0 from GREEN to RED; k05: move nic1 from RED to GREEN"
    assert finding.pairs_broken == 0
    assert names(finding) == {("k00", 0), ("k05", 1)}


def test_swap_that_puts_two_nics_of_a_node_on_one_switch_is_still_a_swap() -> None:
    plugs = plug(SIX)
    plugs["k00", 0], plugs["k05", 0] = "blue", "red"
    finding = the_finding(verify(SIX, plugs))
    assert finding.kind == "swap"
    assert names(finding) == {("k00", 0), ("k05", 0)}


def test_broken_pairs_are_counted() -> None:
    """Without its cable in red k02 shares no switch with k00 and k01; k03 is still met in green."""
    plugs = plug(SIX)
    plugs["k02", 0] = None
    judgement = verify(SIX, plugs)
    finding = the_finding(judgement)
    assert (finding.kind, finding.pairs_broken) == ("missing", 2)
    assert finding.action == "k02: plug a cable from nic0 into RED; if there is one, try another"
    assert [cable.state for cable in judgement.cables].count("missing") == 1


def test_crossed_nics_are_adopted_not_moved() -> None:
    plugs = plug(SIX)
    plugs["k03", 0], plugs["k03", 1] = plugs["k03", 1], plugs["k03", 0]
    judgement = verify(SIX, plugs)
    finding = the_finding(judgement)
    assert (judgement.verdict, judgement.must_stop, finding.kind) == ("match", False, "crossed")
    assert judgement.bindings == {"k03": [mac(SIX, "k03", 1), mac(SIX, "k03", 0)]}
    after = adopt(make_macs(SIX), judgement.bindings)
    nics = {nic["nic"]: nic["name"] for nic in after["nodes"][3]["nics"]}
    assert nics == {0: "nic1", 1: "nic0"}
    assert judge(make_design(SIX), after, observe(SIX, plugs)).findings == []


def test_two_nics_of_a_node_on_one_switch() -> None:
    plugs = plug(SIX)
    plugs["k00", 0] = "blue"
    finding = the_finding(verify(SIX, plugs))
    assert finding.kind == "same-switch"
    assert finding.action == "k00: nic1 and nic0 are both in BLUE; move the cable in nic0 to RED"


def test_cable_that_leads_elsewhere() -> None:
    plugs = plug(SIX)
    plugs["k00", 0] = "the router in the corner"
    judgement = verify(SIX, plugs)
    finding = the_finding(judgement)
    assert finding.kind == "move"
    assert finding.action == "k00: the cable in nic0 leads to no planned switch; move it to RED"
    assert finding.evidence == "beacons: k00 nic0 has carrier and hears nobody"


def test_switches_racked_in_another_order_are_right() -> None:
    """Beacons see who is together, and that is as planned; no label is read, so none can be wrong."""
    turn = {"red": "blue", "blue": "green", "green": "red"}
    plugs = {key: turn[switch] for key, switch in plug(SIX).items() if switch}
    assert verify(SIX, plugs).findings == []


def test_vanished_nic_is_missing() -> None:
    observations = observe(SIX, plug(SIX))
    observations["k01"]["links"].pop(1)
    observations["k01"]["heard"].pop(1)
    judgement = judge(make_design(SIX), make_macs(SIX), observations)
    finding = next(each for each in judgement.findings if each.kind == "missing")
    assert "is gone" in finding.action


def test_cables_to_an_uplink_leave_everything_unmeasured() -> None:
    plugs: Plugs = dict.fromkeys(plug(SIX), "everything")
    judgement = verify(SIX, plugs, uplink=True)
    finding = the_finding(judgement)
    assert (judgement.verdict, judgement.must_stop, finding.kind) == ("unmeasured", True, "unknown")
    assert finding.action.startswith("unplug the cables from RED, BLUE, GREEN to the uplink switch and run again;")
    assert {cable.state for cable in judgement.cables} == {"unknown"}


def test_two_uplink_cables_are_enough_to_measure_nothing() -> None:
    plugs = {key: "red" if switch == "blue" else switch for key, switch in plug(SIX).items()}
    judgement = verify(SIX, plugs, uplink=True)
    assert judgement.verdict == "unmeasured"
    assert "RED, BLUE to the uplink" in the_finding(judgement).action


def test_switches_joined_without_an_uplink_are_a_fault() -> None:
    plugs = {key: "red" if switch == "blue" else switch for key, switch in plug(SIX).items()}
    judgement = verify(SIX, plugs)
    assert judgement.verdict == "miswired"
    assert the_finding(judgement).kind == "switches-joined"


def test_silent_nodes_are_listed_and_not_judged() -> None:
    judgement = verify(SIX, plug(SIX), without=("k01", "k04"))
    assert (judgement.verdict, judgement.unreachable, judgement.must_stop) == ("match", ["k01", "k04"], False)
    document = make_document(judgement, make_design(SIX), make_macs(SIX))
    states = {(link["node"], link["nic"]): link["state"] for link in document["links"]}
    assert states["k01", 0] == states["k04", 1] == "unknown"
    assert states["k00", 0] == "ok"


def test_node_alone_on_its_switches_is_unknown_not_wrong() -> None:
    judgement = verify(SIX, plug(SIX), without=("k01", "k02", "k03", "k04", "k05"))
    assert (judgement.verdict, judgement.findings, judgement.must_stop) == ("unmeasured", [], False)
    assert {cable.state for cable in judgement.cables} == {"unknown"}


def test_switch_that_isolates_its_ports_is_unknown() -> None:
    plugs = {key: f"{key}" if switch == "red" else switch for key, switch in plug(SIX).items()}
    judgement = verify(SIX, plugs)
    assert judgement.verdict == "unmeasured"
    assert the_finding(judgement).action == "look at RED: does it isolate its ports?"


def test_hearing_in_one_direction_is_unknown() -> None:
    observations = observe(SIX, plug(SIX))
    observations["k00"]["heard"][0]["hears"].remove(mac(SIX, "k02", 0))
    judgement = judge(make_design(SIX), make_macs(SIX), observations)
    assert judgement.verdict == "unmeasured"
    assert the_finding(judgement).evidence == "beacons: k02 nic0 hears k00 nic0, but not the other way round"


def test_looped_switch_is_told_once() -> None:
    observations = observe(SIX, plug(SIX))
    for node in ("k00", "k01"):
        observations[node]["heard"][0]["loop"] = True
    finding = the_finding(judge(make_design(SIX), make_macs(SIX), observations))
    assert (finding.kind, finding.action) == ("loop", "find and pull the cable that closes a loop at RED")


def test_unused_nic_that_is_plugged_in_is_extra() -> None:
    observations = observe(SIX, {**plug(SIX), ("k00", 2): "green"})
    judgement = judge(make_design(SIX, nics=3), make_macs(SIX, nics=3), {"k00": observations["k00"], **observations})
    extra = next(each for each in judgement.findings if each.kind == "extra")
    assert extra.action == "k00: pull nic2 out of GREEN; the design leaves this NIC unused"


def test_missing_macs_are_an_error_with_a_place() -> None:
    macs = make_macs(SIX)
    macs["nodes"][2]["nics"].pop()
    with pytest.raises(FnnError, match="/nodes: k02 has no MAC for its NIC 1"):
        judge(make_design(SIX), macs, observe(SIX, plug(SIX)))


def test_document_is_valid_and_report_ends_with_the_count(root: Path) -> None:
    plugs = plug(SIX)
    plugs["k00", 0], plugs["k05", 1], plugs["k02", 1] = "green", "red", None
    design, macs = make_design(SIX), make_macs(SIX)
    judgement = verify(SIX, plugs)
    document = make_document(judgement, design, macs)
    Documents(root / "schemas").check(document, "fnn-findings")
    report = write_report(judgement, document, Wiring.of(design))
    assert report[-1] == "miswired: 12 cables, 9 ok, 2 wrong, 1 missing; 6 nodes judged by beacons"
    assert "k02 nic1                 GREEN            no carrier" in report
    assert [each["pairs_broken"] for each in document["findings"]] == sorted(
        (each["pairs_broken"] for each in document["findings"]), reverse=True
    )


# --- Faults by chance ---

SEEDS = range(40)


def pick(chance: random.Random, wiring: Wires, count: int) -> list[tuple[str, int]]:
    """Cables of different nodes, to different switches, such that no node should be on another's switch."""
    while True:
        cables = [(node, chance.randrange(len(wiring[node]))) for node in chance.sample(list(wiring), count)]
        switches = [wiring[node][nic] for node, nic in cables]
        strange = all(s not in wiring[n] for i, (n, _) in enumerate(cables) for j, s in enumerate(switches) if i != j)
        if len(set(switches)) == count and strange:
            return cables


def turn(plugs: Plugs, cables: list[tuple[str, int]]) -> None:
    """Each cable goes where the next one was."""
    targets = [plugs[each] for each in (*cables[1:], cables[0])]
    plugs.update(zip(cables, targets))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_swap_is_found(seed: int) -> None:
    wiring = make_random(seed)
    plugs, cables = plug(wiring), pick(random.Random(seed), wiring, 2)
    turn(plugs, cables)
    finding = the_finding(verify(wiring, plugs))
    assert (finding.kind, names(finding)) == ("swap", set(cables))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_cycle_of_three_is_found(seed: int) -> None:
    wiring = make_random(seed)
    plugs, cables = plug(wiring), pick(random.Random(seed), wiring, 3)
    turn(plugs, cables)
    finding = the_finding(verify(wiring, plugs))
    assert (finding.kind, names(finding)) == ("cycle", set(cables))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_cycle_of_four_takes_four_moves(seed: int) -> None:
    wiring = make_random(seed, nodes=40)
    plugs, cables = plug(wiring), pick(random.Random(seed), wiring, 4)
    turn(plugs, cables)
    finding = the_finding(verify(wiring, plugs))
    assert (finding.kind, names(finding)) == ("cycle", set(cables))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_cable_in_the_wrong_switch_is_found(seed: int) -> None:
    """A free port of a strange switch, or of a switch the node is on already."""
    wiring, chance = make_random(seed), random.Random(seed)
    node, nic = pick(chance, wiring, 1)[0]
    right = wiring[node][nic]
    for switch in sorted({switch for wires in wiring.values() for switch in wires} - {right}):
        plugs = plug(wiring)
        plugs[node, nic] = switch
        finding = the_finding(verify(wiring, plugs))
        assert finding.kind == ("same-switch" if switch in wiring[node] else "move")
        assert names(finding) == {(node, nic)}
        assert (finding.cables[0].expected, finding.cables[0].seen) == (right, switch)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_crossing_beside_any_swap_is_told_apart(seed: int) -> None:
    wiring, chance = make_random(seed), random.Random(seed)
    plugs, cables = plug(wiring), pick(chance, wiring, 2)
    turn(plugs, cables)
    node = chance.choice([each for each in wiring if each not in {name for name, _ in cables}])
    plugs[node, 0], plugs[node, 2] = plugs[node, 2], plugs[node, 0]
    judgement = verify(wiring, plugs)
    assert [each.kind for each in judgement.findings] == ["swap", "crossed"]
    assert judgement.bindings == {node: [mac(wiring, node, nic) for nic in (2, 1, 0)]}


@pytest.mark.parametrize("seed", SEEDS)
def test_any_order_of_switches_and_of_nics_is_right(seed: int) -> None:
    """Only software has to learn it; no cable is moved."""
    wiring, chance = make_random(seed), random.Random(seed)
    plugs: Plugs = {}
    for node, wires in wiring.items():
        order = chance.sample(wires, len(wires))
        plugs.update({(node, nic): f"box {switch}" for nic, switch in enumerate(order)})
    judgement = verify(wiring, plugs)
    assert judgement.verdict == "match"
    assert all(each.kind == "crossed" for each in judgement.findings)


@pytest.mark.parametrize("seed", range(15))
def test_no_more_cables_are_moved_than_were_misplaced(seed: int) -> None:
    """Several random faults at once: mending them as told leaves nothing wrong, in at most as many moves."""
    wiring, chance = make_random(seed), random.Random(seed)
    plugs = plug(wiring)
    misplaced = chance.sample(sorted(plugs), 6)
    turn(plugs, misplaced)
    judgement = verify(wiring, plugs)
    moved = [cable for finding in judgement.findings if finding.breaks for cable in finding.cables]
    assert len(moved) <= len(misplaced)
    for cable in moved:
        plugs[cable.node, cable.nic] = cable.expected
    assert verify(wiring, plugs).verdict == "match"


def test_a_thousand_nodes_are_judged_within_two_seconds() -> None:
    wiring = make_random(1, nodes=1024, switches=80, nics=5)
    plugs, cables = plug(wiring), pick(random.Random(1), wiring, 2)
    turn(plugs, cables)
    design, macs, observations = make_design(wiring), make_macs(wiring), observe(wiring, plugs)
    begin = time.perf_counter()
    judgement: Any = judge(design, macs, observations)
    document = make_document(judgement, design, macs)
    write_report(judgement, document, Wiring.of(design))
    assert time.perf_counter() - begin < 2
    assert names(the_finding(judgement)) == set(cables)

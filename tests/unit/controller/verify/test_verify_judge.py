# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/judge.py: one fault in, one exact finding out, on the six-node example."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.verify.condition import find_cause
from ansible.module_utils.fnn.controller.verify.document import adopt_bindings
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.shared.errors import FnnError
from six_pcs import SIX, words
from wirings import Cluster, kinds, make_design, moved, names, six, the_finding

WIRE = "a broken wire in the cable: up to 100 Mb/s needs two of its pairs, more needs all four"


def test_right_cables_match() -> None:
    verification = six().verify()
    assert (verification.verdict, verification.findings, verification.must_stop) == ("match", (), False)
    assert all(cable.state == "ok" for cable in verification.cables)


# --- Cables ---


def test_swap_is_named_with_both_moves() -> None:
    """No pair loses coverage. k00, now on blue and green, meets k02 and k03 in green; k05, now on blue and red, meets
    them in red. k00 and k01 still share blue, and so do k04 and k05."""
    cluster = six()
    cluster.swap(("k00", 0), ("k05", 1))
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, verification.must_stop, finding.kind) == ("miswired", True, "swap")
    assert words(finding) == "k00: move the cable in nic0 from GREEN to RED; k05: move nic1 from RED to GREEN"
    assert finding.evidence == "beacons: k00 nic0 hears k02 nic1, k03 nic1 and k04 nic1"
    assert finding.pairs_broken == 0
    assert names(finding) == {("k00", 0), ("k05", 1)}


def test_swap_that_puts_two_nics_of_a_node_on_one_switch_is_still_a_swap() -> None:
    cluster = six()
    cluster.swap(("k00", 0), ("k05", 0))
    finding = the_finding(cluster.verify())
    assert finding.kind == "swap"
    assert names(finding) == {("k00", 0), ("k05", 0)}


def test_cable_without_carrier_is_missing_and_its_broken_pairs_are_counted() -> None:
    """Without its cable in red, k02 shares no switch with k00 and k01; it still shares green with k03."""
    cluster = six()
    cluster.plugs["k02", 0] = None
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (finding.kind, finding.pairs_broken) == ("missing", 2)
    assert words(finding) == "k02: plug a cable from nic0 into RED; if there is one, try another"
    assert [cable.state for cable in verification.cables].count("missing") == 1


def test_swapped_nics_of_a_node_are_adopted_not_moved() -> None:
    cluster = six()
    cluster.swap(("k03", 0), ("k03", 1))
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, verification.must_stop, finding.kind) == ("match", False, "crossed")
    assert verification.bindings == {"k03": [cluster.mac("k03", 1), cluster.mac("k03", 0)]}
    after = adopt_bindings(cluster.macs, verification.bindings)
    assert {nic["nic"]: nic["name"] for nic in after["nodes"][3]["nics"]} == {0: "nic1", 1: "nic0"}
    assert compare_with_design(cluster.design, after, cluster.observe()).findings == ()


def test_two_nics_of_a_node_on_one_switch_are_one_finding() -> None:
    cluster = six()
    cluster.plugs["k00", 0] = "blue"
    finding = the_finding(cluster.verify())
    assert finding.kind == "same-switch"
    assert words(finding) == "k00: nic1 and nic0 are both in BLUE; move the cable in nic0 to RED"


def test_cables_in_a_switch_outside_the_design_have_to_move() -> None:
    cluster = six()
    cluster.plugs["k00", 0] = cluster.plugs["k05", 0] = cluster.plugs["k03", 1] = "the switch in the corner"
    assert [(each.kind, words(each)) for each in cluster.verify().findings] == [
        ("move", "k00: the cable in nic0 leads to no planned switch; move it to RED"),
        ("move", "k03: the cable in nic1 leads to no planned switch; move it to GREEN"),
        ("move", "k05: the cable in nic0 leads to no planned switch; move it to BLUE"),
    ]


def test_vanished_nic_is_missing() -> None:
    cluster = six()
    observations = cluster.observe()
    observations["k01"]["links"].pop(1)
    observations["k01"]["heard"].pop(1)
    verification = compare_with_design(cluster.design, cluster.macs, observations)
    finding = next(each for each in verification.findings if each.kind == "missing")
    assert "is gone" in words(finding)


def test_unused_nic_that_is_plugged_in_is_extra() -> None:
    cluster = Cluster(make_design(SIX, nics=3))
    cluster.plugs["k00", 2] = "green"
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (finding.kind, finding.pairs_broken) == ("extra", 0)
    assert words(finding) == "k00: pull nic2 out of GREEN; the design leaves this NIC unused"
    cluster.do(verification)
    assert cluster.verify().verdict == "match"


def test_unused_nic_outside_the_fabric_has_no_finding() -> None:
    cluster = Cluster(make_design(SIX, nics=3))
    cluster.plugs["k00", 2] = "the house"
    assert cluster.verify().findings == ()


def test_extra_cable_beside_a_missing_one_is_one_move_not_two() -> None:
    """nic2 serves for red as well as nic0: one move of its cable replaces a pull and a plug."""
    cluster = Cluster(make_design(SIX, nics=3))
    cluster.plugs["k00", 0], cluster.plugs["k00", 2] = None, "green"
    verification = cluster.verify()
    assert [(move.device, move.source, move.target) for move in verification.moves] == [("nic2", "green", "red")]
    cluster.do(verification)
    assert cluster.verify().verdict == "match"


def test_missing_macs_are_an_error_with_a_place() -> None:
    cluster = six()
    cluster.macs["nodes"][2]["nics"].pop()
    with pytest.raises(FnnError, match="/nodes: k02 has no MAC for its NIC 1"):
        cluster.verify()


def test_two_nics_with_one_mac_are_named_and_the_others_checked() -> None:
    cluster = six()
    mac = cluster.mac("k00", 0)
    cluster.links["k03", 0] = {"mac": mac}
    cluster.heard["k03", 0] = {"mac": mac}
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == (
        "miswired",
        "duplicate-mac",
        {("k00", 0), ("k03", 0)},
    )
    assert words(finding).startswith(f"k00 nic0 and k03 nic0 have the same MAC {mac}: give k03 nic0 one of its own")
    states = {(cable.node, cable.nic): cable.state for cable in verification.cables}
    assert states.pop(("k00", 0)) == states.pop(("k03", 0)) == "unknown"
    assert set(states.values()) == {"ok"}


# --- Whole nodes ---


def test_two_nodes_in_each_others_place_are_one_finding_that_needs_no_cable() -> None:
    """a and c differ in two cables; their cables in x stay."""
    wiring = {
        "a": ["red", "blue", "x"], "b": ["red", "blue", "y"], "c": ["green", "white", "x"],
        "d": ["green", "white", "y"], "e": ["red", "white", "x"], "f": ["green", "blue", "y"],
    }  # fmt: skip
    cluster = Cluster(make_design(wiring))
    cluster.swap(("a", 0), ("c", 0))
    cluster.swap(("a", 1), ("c", 1))
    verification = cluster.verify()
    finding = the_finding(verification)
    assert finding.kind == "shifted-node"
    assert words(finding) == (
        "a and c are exchanged. Without touching a cable: exchange their addresses (ansible_host) in the inventory, "
        "take them out of macs.json and discover again. Or: a: move the cable in nic0 from GREEN to RED, "
        "nic1 from WHITE to BLUE; c: move nic0 from RED to GREEN, nic1 from BLUE to WHITE"
    )
    assert len(verification.moves) == 4
    cluster.do(verification)
    assert cluster.verify().verdict == "match"


def test_the_nics_of_exchanged_nodes_are_not_adopted() -> None:
    """The switch x, which both are on, is NIC 2 of a and NIC 0 of c."""
    wiring = {
        "a": ["red", "blue", "x"], "b": ["red", "blue", "y"], "c": ["x", "green", "white"],
        "d": ["green", "white", "y"], "e": ["red", "white", "x"], "f": ["green", "blue", "y"],
    }  # fmt: skip
    cluster = Cluster(make_design(wiring))
    for nic in range(3):
        cluster.swap(("a", nic), ("c", nic))
    verification = cluster.verify()
    assert (the_finding(verification).kind, verification.bindings) == ("shifted-node", {})
    cluster.do(verification)
    assert set(kinds(cluster.verify())) <= {"crossed"}


def test_a_node_with_all_cables_misplaced_is_one_finding() -> None:
    wiring = {f"n{i}": wires for i, wires in enumerate([["a", "b"], ["a", "b"], ["c", "d"], ["c", "d"], ["a", "c"]])}
    cluster = Cluster(make_design(wiring))
    cluster.plugs["n0", 0], cluster.plugs["n0", 1] = "c", "d"
    finding = the_finding(cluster.verify())
    assert finding.kind == "shifted-node"
    assert words(finding) == (
        "all cables of n0 are misplaced; n0: move the cable in nic0 from C to A, nic1 from D to B"
    )


# --- Switches ---


def test_switches_racked_in_another_order_are_right() -> None:
    """Beacons show which NICs share a switch, and that is as planned. No label is read, so none can be wrong."""
    cluster = six()
    turn = {"red": "blue", "blue": "green", "green": "red"}
    cluster.plugs = {key: turn[switch] for key, switch in cluster.plugs.items() if switch}
    assert cluster.verify().findings == ()


def test_permuted_switches_that_send_their_names_are_relabeled_without_a_move() -> None:
    cluster = six()
    turn = {"red": "blue", "blue": "red", "green": "green"}
    cluster.plugs = {key: turn[switch] for key, switch in cluster.plugs.items() if switch}
    cluster.lldp = {"red": "red", "blue": "Blue", "green": "green"}
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, verification.must_stop, verification.moves) == ("match", False, ())
    assert finding.kind == "relabeled"
    assert words(finding).startswith(
        "the switches are permuted, and no cable has to move: the label BLUE is on RED, RED is on BLUE;"
    )
    assert finding.evidence == "LLDP: k00 nic0 hears BLUE, k00 nic1 hears RED"


def test_lldp_that_switches_pass_on_proves_nothing() -> None:
    cluster = six()
    observations = cluster.observe()
    for seen in observations.values():
        labels = [{"chassis": name, "port": "1", "system": name} for name in ("red", "blue", "green", "other")]
        seen["lldp"] = [{"device": f"nic{nic}", **each} for nic in (0, 1) for each in labels]
    assert compare_with_design(cluster.design, cluster.macs, observations).findings == ()


def test_switch_without_carrier_on_any_cable_is_dead() -> None:
    """Of the six pairs on red, k00 and k01 also share blue, and k02 and k03 green; the other 4 meet only in red."""
    cluster = six()
    cluster.plugs = {key: None if switch == "red" else switch for key, switch in cluster.plugs.items()}
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, finding.pairs_broken) == ("miswired", "dead-switch", 4)
    assert words(finding) == "check RED, no cable has carrier: does it have power?"
    assert verification.moves == ()


def test_the_only_switch_without_power_is_one_finding() -> None:
    """As after a power failure: no NIC at all has carrier."""
    one = Cluster(make_design({node: ["red"] for node in ("k0", "k1", "k2", "k3", "k4")}))
    one.off = {"red"}
    finding = the_finding(one.verify())
    assert (finding.kind, len(finding.cables)) == ("dead-switch", 5)
    assert words(finding) == "check RED, no cable has carrier: does it have power?"


def test_switch_that_passes_nothing_on_is_dead() -> None:
    cluster = six()
    cluster.plugs = {key: f"{key}" if switch == "red" else switch for key, switch in cluster.plugs.items()}
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind) == ("miswired", "dead-switch")
    assert words(finding) == (
        "check RED, its cables have carrier, but hear no beacons: power it off and on; does it isolate its ports?"
    )


def test_a_nic_that_is_left_alone_by_a_pulled_cable_does_not_make_its_switch_dead() -> None:
    wiring = {"k00": ["red", "blue"], "k01": ["red", "blue"], "k02": ["blue", "green"], "k03": ["blue", "green"]}
    cluster = Cluster(make_design(wiring))
    cluster.plugs["k01", 0] = None
    finding = the_finding(cluster.verify())
    assert (finding.kind, names(finding)) == ("missing", {("k01", 0)})


def test_of_two_nics_apart_the_one_in_another_network_is_misplaced() -> None:
    wiring = {"k00": ["red", "blue"], "k01": ["red", "blue"], "k02": ["blue", "green"], "k03": ["blue", "green"]}
    for node, other in (("k00", "k01"), ("k01", "k00")):
        cluster = Cluster(make_design(wiring))
        cluster.plugs[node, 0] = "house"
        cluster.heard[node, 0] = {"strangers": [{"kind": "dhcp", "mac": "02:99:00:00:00:01", "detail": None}]}
        finding = the_finding(cluster.verify())
        assert (finding.kind, names(finding)) == ("foreign-network", {(node, 0)}), other


def test_dead_switch_beside_a_swap_of_others_is_a_separate_finding() -> None:
    cluster = six()
    cluster.swap(("k00", 1), ("k03", 1))
    cluster.plugs = {key: None if switch == "red" else switch for key, switch in cluster.plugs.items()}
    assert sorted(kinds(cluster.verify())) == ["dead-switch", "swap"]


def test_switches_joined_by_an_unexpected_cable_are_named_and_the_rest_is_checked() -> None:
    cluster = six()
    cluster.joined = {"blue": "red"}
    cluster.plugs["k02", 1] = "nowhere"
    verification = cluster.verify()
    assert (verification.verdict, sorted(kinds(verification))) == ("miswired", ["silent", "switches-joined"])
    joined = next(each for each in verification.findings if each.kind == "switches-joined")
    assert words(joined) == "find and pull the cable that joins RED and BLUE"
    states = {(cable.node, cable.nic): cable.state for cable in verification.cables}
    assert (states["k00", 0], states["k00", 1], states["k04", 0]) == ("unknown", "unknown", "unknown")
    assert (states["k03", 1], states["k04", 1]) == ("ok", "ok")


def test_two_joined_switches_may_be_joined_by_their_uplinks() -> None:
    cluster = six(uplink=True)
    cluster.joined = {"blue": "red"}
    finding = the_finding(cluster.verify())
    assert finding.kind == "switches-joined"
    assert words(finding) == (
        "unplug the cables from RED and BLUE to the uplink switch; if they are out, find and pull the cable that joins "
        "RED and BLUE"
    )


def test_cable_into_joined_switches_that_belongs_to_neither_is_wrong() -> None:
    wiring = {f"n{i}": wires for i, wires in enumerate([["a", "c"], ["a", "c"], ["b", "c"], ["b", "c"], ["c", "d"],
                                                        ["c", "d"], ["a", "b"]])}  # fmt: skip
    cluster = Cluster(make_design(wiring))
    cluster.joined = {"b": "a"}
    cluster.plugs["n4", 1] = "b"
    verification = cluster.verify()
    move = next(each for each in verification.findings if each.kind == "move")
    assert words(move) == "n4: move the cable in nic1 from A or B to D"


def test_looped_switch_is_one_finding() -> None:
    cluster = six()
    cluster.heard = {("k00", 0): {"loop": True}, ("k01", 0): {"loop": True}}
    finding = the_finding(cluster.verify())
    assert (finding.kind, words(finding)) == ("loop", "find and pull the cable that closes a loop at RED")
    assert finding.evidence == "beacons: k00 nic0 and k01 nic0 hear themselves"


def test_old_beacons_that_circle_in_a_loop_join_no_switches() -> None:
    """The beacons entered the loop while the uplinks were in."""
    cluster = six(uplink=True)
    looped = [(node, 0) for node in ("k00", "k01", "k02", "k03")]
    all_macs = [cluster.mac(node, nic) for node, nic in cluster.plugs]
    cluster.heard = {each: {"loop": True, "hears": all_macs} for each in looped}
    finding = the_finding(cluster.verify())
    assert (finding.kind, names(finding)) == ("loop", set(looped))
    assert words(finding) == "find and pull the cable that closes a loop at RED"


# --- Uplinks ---


def test_cables_to_an_uplink_leave_everything_unmeasured() -> None:
    cluster = six(uplink=True)
    cluster.joined = dict.fromkeys(("red", "blue", "green"), "everything")
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, verification.must_stop, finding.kind) == ("unmeasured", True, "unknown")
    assert words(finding).startswith("unplug the cables from RED, BLUE, GREEN to the uplink switch and run again;")
    assert {cable.state for cable in verification.cables} == {"unknown"}


def test_cables_between_the_switches_of_a_tree_leave_everything_unmeasured() -> None:
    wiring = {"k00": ["red"], "k01": ["red"], "k02": ["blue"], "k03": ["blue"]}
    cluster = Cluster(make_design(wiring, trunks=[{"a": "red", "b": "blue", "count": 1}]))
    cluster.joined = {"blue": "red"}
    result = cluster.verify()
    (finding,) = result.findings
    assert words(finding).startswith("unplug the cables between RED and BLUE and run again; plug them in when")
    assert result.as_wired is None


def test_a_cable_in_the_wrong_switch_of_a_tree_breaks_no_pair() -> None:
    wiring = {"k00": ["red"], "k01": ["red"], "k02": ["blue"], "k03": ["blue"]}
    cluster = Cluster(make_design(wiring, trunks=[{"a": "red", "b": "blue", "count": 1}]))
    cluster.plugs["k00", 0] = "blue"
    (finding,) = cluster.verify().findings
    assert (finding.kind, finding.pairs_broken) == ("move", 0)


def through_uplinks(cluster: Cluster, without_uplink: tuple[str, ...] = ()) -> dict[str, object]:
    """The relearn probe's answer. Meanwhile, beacons reach every NIC whose switch has an uplink."""
    relearn = cluster.relearn(without_uplink)
    cluster.joined = {switch: "up" for switch in ("red", "blue", "green") if switch not in without_uplink}
    return relearn


def test_relearn_probe_separates_switches_with_the_uplinks_in() -> None:
    cluster = six(uplink=True)
    verification = cluster.verify(through_uplinks(cluster))
    assert (verification.verdict, verification.findings, verification.evidence) == ("match", (), "relearn probe")


def test_relearn_probe_is_named_as_the_evidence_of_a_swap() -> None:
    cluster = six(uplink=True)
    cluster.swap(("k00", 0), ("k05", 1))
    finding = the_finding(cluster.verify(through_uplinks(cluster)))
    assert finding.kind == "swap"
    assert finding.evidence == "relearn probe: k00 nic0 shares a switch with k02 nic1, k03 nic1 and k04 nic1"


def test_switch_that_the_head_does_not_hear_lacks_its_uplink() -> None:
    cluster = six(uplink=True)
    verification = cluster.verify(through_uplinks(cluster, ("red",)))
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind) == ("miswired", "uplink-wrong")
    assert words(finding) == "plug a cable from RED into the uplink switch; if there is one, try another"


def test_switch_without_uplink_is_grouped_by_its_beacons_when_the_probe_could_not() -> None:
    cluster = six(uplink=True)
    relearn = through_uplinks(cluster, ("red",))
    (red,) = [group for group in relearn["groups"] if cluster.mac("k00", 0) in group]  # type: ignore[attr-defined]
    relearn["groups"].remove(red)  # type: ignore[attr-defined]
    verification = cluster.verify({**relearn, "unsure": red})
    assert kinds(verification) == ["uplink-wrong"]
    assert {cable.state for cable in verification.cables} == {"ok"}


def stopped_by_a_loop(cluster: Cluster, without_uplink: tuple[str, ...] = ()) -> dict[str, object]:
    """NICs whose frames return report a loop, and the probe stops before it has formed any group."""
    relearn = through_uplinks(cluster, without_uplink)
    cluster.heard = {key: {"loop": True} for key, switch in cluster.plugs.items() if switch not in without_uplink}
    return {"groups": [], "unsure": relearn["reaches_head"], "reaches_head": relearn["reaches_head"]}


def test_doubled_uplink_is_a_loop_that_all_nics_hear() -> None:
    cluster = six(uplink=True)
    verification = cluster.verify(stopped_by_a_loop(cluster))
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind) == ("miswired", "uplink-wrong")
    assert words(finding).startswith("pull the second cable between the uplink switch and RED or BLUE or GREEN; if ")


def test_doubled_uplink_is_also_found_without_the_probe() -> None:
    cluster = six(uplink=True)
    stopped_by_a_loop(cluster)
    verification = cluster.verify()
    assert (verification.verdict, kinds(verification)) == ("miswired", ["uplink-wrong", "unknown"])


def test_uplink_in_the_wrong_switch_is_missing_here_and_doubled_there() -> None:
    cluster = six(uplink=True)
    finding = the_finding(cluster.verify(stopped_by_a_loop(cluster, ("red",))))
    assert finding.kind == "uplink-wrong"
    assert words(finding) == (
        "RED lacks its cable to the uplink switch, and BLUE or GREEN has two: move the end of the second one to RED"
    )


def test_uplink_in_the_wrong_switch_is_found_when_the_probe_stopped_before_the_first_answer() -> None:
    cluster = six(uplink=True)
    relearn = {**stopped_by_a_loop(cluster, ("red",)), "unsure": [], "reaches_head": []}
    finding = the_finding(cluster.verify(relearn))
    assert words(finding).startswith("RED lacks its cable to the uplink switch, and BLUE or GREEN has two: ")


def test_nic_the_probe_could_not_settle_is_unknown() -> None:
    cluster = six(uplink=True)
    relearn, mac = through_uplinks(cluster), cluster.mac("k03", 0)
    groups = [[each for each in group if each != mac] for group in relearn["groups"]]  # type: ignore[attr-defined]
    verification = cluster.verify({**relearn, "groups": groups, "unsure": [mac]})
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("unmeasured", "unknown", {("k03", 0)})


@pytest.mark.parametrize("swapped", [[], [("k00", 1), ("k02", 1)]])
def test_a_switch_that_the_probe_could_not_settle_hides_no_swap_elsewhere(swapped: list[tuple[str, int]]) -> None:
    """RED ages out MACs at once, so all its NICs are unsure. NIC 1 of k00 belongs to BLUE, NIC 1 of k02 to GREEN."""
    cluster = six(uplink=True)
    red = {cluster.mac(node, nic) for (node, nic), switch in cluster.plugs.items() if switch == "red"}
    if swapped:
        cluster.swap(*swapped)
    relearn = through_uplinks(cluster)
    groups = [[mac for mac in group if mac not in red] for group in relearn["groups"]]  # type: ignore[attr-defined]
    verification = cluster.verify({**relearn, "groups": [group for group in groups if group], "unsure": sorted(red)})
    assert kinds(verification) == (["swap", "unknown"] if swapped else ["unknown"])
    assert moved(verification) == set(swapped)


# --- Strangers ---

DHCP = {"kind": "dhcp", "mac": "aa:bb:cc:00:00:01", "detail": "offers 192.168.1.50"}


def test_nic_in_the_house_network_is_named_with_its_move() -> None:
    cluster = six()
    cluster.plugs["k04", 0] = "house"
    cluster.heard["k04", 0] = {"strangers": [DHCP]}
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (finding.kind, names(finding)) == ("foreign-network", {("k04", 0)})
    assert words(finding) == "k04: the cable in nic0 leads into a foreign network; move it to BLUE"
    assert finding.evidence == "k04 nic0 heard a DHCP server, aa:bb:cc:00:00:01 (offers 192.168.1.50)"
    cluster.heard.clear()
    cluster.do(verification)
    assert cluster.verify().verdict == "match"


def test_switch_that_is_joined_to_a_foreign_network_is_named_once() -> None:
    cluster = six()
    cluster.heard = {(node, 0): {"strangers": [DHCP]} for node in ("k00", "k01", "k02")}
    finding = the_finding(cluster.verify())
    assert finding.kind == "foreign-network"
    assert words(finding) == "find and pull the cable that leads from RED into a foreign network"


def test_house_traffic_over_the_uplinks_is_no_stranger() -> None:
    cluster = six(uplink=True)
    cluster.heard = {key: {"strangers": [DHCP]} for key in cluster.plugs}
    assert cluster.verify(through_uplinks(cluster)).findings == ()


def test_our_own_macs_are_no_strangers() -> None:
    cluster = six()
    cluster.heard["k00", 0] = {"strangers": [{"kind": "mac", "mac": cluster.mac("k05", 1), "detail": ""}]}
    assert cluster.verify().findings == ()


# --- Links below the values of the design ---


def test_slow_and_half_duplex_links_are_found_by_the_speeds_of_the_design() -> None:
    cluster = six()
    for key in cluster.plugs:
        cluster.links[key] = {"speed_mbps": 1000, "duplex": "full"}
    cluster.links["k02", 1] = {"speed_mbps": 100, "duplex": "half"}
    verification = cluster.verify()
    assert (verification.verdict, kinds(verification)) == ("miswired", ["slow", "half-duplex"])
    assert words(verification.findings[0]) == (
        f"k02: nic1 runs at 100 Mb/s instead of 1000, usually {WIRE}; try another cable, then another port of GREEN"
    )


@pytest.mark.parametrize(
    ("speed", "designed", "cause"),
    [
        (100, 1000, WIRE),
        (1000, 2500, "a port or module that offers no more, or a copper cable below category 5e"),
        (1000, 5000, "a port or module that offers no more, or a copper cable below category 6"),
        (2500, 10000, "a port or module that offers no more, or a copper cable below category 6A"),
        (10000, 25000, "a cable or module made for that speed, or an end that is set to it"),
    ],
)
def test_a_low_speed_has_a_usual_cause(speed: int, designed: int, cause: str) -> None:
    assert find_cause(speed, designed) == cause


def test_link_below_its_designed_port_names_the_speed_of_that_port() -> None:
    cluster = six()
    green = next(each for each in cluster.design["spec"]["switches"] if each["name"] == "green")
    green["ports"] = [{**green["ports"][0], "count": 4}, {"count": 2, "speed_mbps": 10000, "media": "rj45"}]
    node = next(each for each in cluster.design["spec"]["nodes"] if each["name"] == "k02")
    node["nics"][1]["speed_mbps"] = 2500
    link = next(each for each in cluster.design["nodes"] if each["name"] == "k02")["links"][1]
    link["port_mbps"] = 10000
    cluster.links["k02", 1] = {"speed_mbps": 1000, "duplex": "full"}
    slow = next(each for each in cluster.verify().findings if each.kind == "slow")
    assert words(slow) == (
        "k02: nic1 runs at 1000 Mb/s instead of 2500, usually a slower port than one of 10000 Mb/s; try another cable, "
        "then another port of GREEN"
    )


def test_link_that_is_faster_than_designed_is_right() -> None:
    cluster = six()
    cluster.links["k02", 1] = {"speed_mbps": 2500, "duplex": "full"}
    assert cluster.verify().findings == ()


def test_other_mtu_is_one_finding_and_does_not_fail_because_the_network_stage_sets_it() -> None:
    cluster = six(mtu=9000)
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, verification.must_stop, finding.kind) == ("match", False, "mtu")
    assert "and 9 more as they are: their MTU is 1500, and the network stage sets 9000" in words(finding)


# --- Undecidable cases ---


def test_silent_nodes_are_listed_and_not_checked() -> None:
    cluster = six()
    cluster.silent = {"k01", "k04"}
    verification = cluster.verify()
    assert (verification.verdict, verification.unreachable, verification.must_stop) == ("match", ("k01", "k04"), False)


def test_node_alone_on_its_switches_is_unknown_not_wrong() -> None:
    cluster = six()
    cluster.silent = {"k01", "k02", "k03", "k04", "k05"}
    verification = cluster.verify()
    assert (verification.verdict, verification.findings, verification.must_stop) == ("unmeasured", (), False)
    assert {cable.state for cable in verification.cables} == {"unknown"}


def test_hearing_in_one_direction_is_unknown() -> None:
    cluster = six()
    observations = cluster.observe()
    observations["k00"]["heard"][0]["hears"].remove(cluster.mac("k02", 0))
    verification = compare_with_design(cluster.design, cluster.macs, observations)
    assert verification.verdict == "unmeasured"
    assert the_finding(verification).evidence == "beacons: k02 nic0 hears k00 nic0, but not the other way round"

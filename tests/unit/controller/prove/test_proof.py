# SPDX-License-Identifier: GPL-3.0-or-later
"""Two nodes that share red and blue; k00 has 02:00 on red and 02:01 on blue, k01 has 03:00 and 03:01."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.prove.evidence import Evidence
from ansible.module_utils.fnn.controller.prove.proof import describe_egress, leave_out_arp, make_proof

NICS = {
    "02:00": ("k00", "red"),
    "02:01": ("k00", "blue"),
    "03:00": ("k01", "red"),
    "03:01": ("k01", "blue"),
}
IDENTITIES = {"k00": "10.78.0.1", "k01": "10.78.0.2"}
MPI = {
    "flavor": "MPICH", "version": "4.0.2", "command": "mpiexec.mpich", "ranks": 2, "pairs": 2,
    "message": 65536, "hosts": ["k00", "k01"], "sent": [65536, 70000], "error": None,
}  # fmt: skip


def sighting(request: list[str]) -> dict[str, Any]:
    return {"reached": True, "requests": [request], "replies": [request[::-1]]}


def evidence(**changes: Any) -> Evidence:
    reach = {
        "k00": {"peers": {"10.78.0.2": sighting(["02:00", "03:00"])}, "arp": 0, "dropped": 0, "frames": 2},
        "k01": {"peers": {"10.78.0.1": sighting(["03:01", "02:01"])}, "arp": 0, "dropped": 0, "frames": 2},
    }
    flows = [
        {"src": "10.78.0.1", "dst": "10.78.0.2", "in": ["k00.0"], "out": ["k01.0"], "frames": 1},
        {"src": "10.78.0.2", "dst": "10.78.0.1", "in": ["k01.1"], "out": ["k00.1"], "frames": 1},
    ]
    ports = {"k00.0": "red", "k01.0": "red", "k00.1": "blue", "k01.1": "blue", "red.up": "red", "up.red": "uplink"}
    capture = {"dropped": 0, "ports": ports, "arp": dict.fromkeys(ports, 0), "flows": flows}
    parts: dict[str, Any] = {
        "nodes": ["k00", "k01"], "missing": [], "identities": IDENTITIES, "nics": NICS, "apart": set(), "planned": {},
        "reach": reach, "capture": capture, "mpi": [MPI],
    }  # fmt: skip
    return Evidence(**copy.deepcopy({**parts, **changes}))


def test_everything_right_is_proved() -> None:
    proof = make_proof("six", evidence())
    assert proof["problems"] == []
    assert proof["verdict"] == "proved"
    assert proof["pairs"] == {"expected": 2, "reached": 2, "one_switch": 2, "captured": 2}
    assert proof["arp"] == {"nodes": 0, "ports": 0}
    assert proof["mpi"][0]["ok"]


def test_basic_routing_allows_only_the_planned_switch() -> None:
    planned = {("k00", "k01"): "red", ("k01", "k00"): "blue"}
    assert make_proof("six", evidence(planned=planned))["verdict"] == "proved"
    proof = make_proof("six", evidence(planned={**planned, ("k01", "k00"): "red"}))
    assert proof["problems"] == ["k01 sends to k00 over blue, not over red as planned"]


def test_nothing_is_expected_of_a_pair_without_a_common_switch() -> None:
    seen = evidence(apart={("k00", "k01"), ("k01", "k00")}, capture=None)
    for node in seen.nodes:
        seen.reach[node]["peers"].clear()
    proof = make_proof("six", seen)
    assert (proof["verdict"], proof["problems"], proof["pairs"]["expected"]) == ("proved", [], 0)


def test_a_frame_between_nics_on_different_switches_is_not_one_switch() -> None:
    seen = evidence()
    seen.reach["k00"]["peers"]["10.78.0.2"]["requests"] = [["02:01", "03:00"]]
    proof = make_proof("six", seen)
    assert proof["verdict"] == "failed"
    assert proof["pairs"]["one_switch"] == 1
    assert proof["problems"] == ["k00 does not send to k01 over a single switch: k00-blue to k01-red"]


def test_a_nic_that_fnn_linkd_avoids_is_named() -> None:
    seen = evidence()
    seen.reach["k00"]["peers"]["10.78.0.2"]["requests"] = [["02:01", "03:00"]]
    seen.reach["k00"]["avoided"] = [["k01", "blue"], ["k05", "red"]]
    proof = make_proof("six", seen)
    assert proof["problems"][-1].endswith("k00-blue to k01-red; fnn-linkd on k00 avoids k01 on blue")
    assert [cause["kind"] for cause in proof["causes"]] == ["avoided", "avoided"]
    assert proof["problems"][0] == (
        "fnn-linkd avoided k01 on blue while the proof ran (on k00), so frames took other paths: run ./fnn prove again"
        "; if it says this again, see `fnn-linkd status` on k01"
    )


def test_an_alarm_within_the_capture_is_a_cause_of_frames_on_an_uplink() -> None:
    seen = evidence()
    assert seen.capture
    seen.capture["flows"][0]["out"] = ["k01.0", "red.up"]
    assert [cause["kind"] for cause in make_proof("six", seen)["causes"]] == []
    seen.reach["k01"]["avoided"] = [["k01", "red"]]
    proof = make_proof("six", seen)
    assert proof["verdict"] == "failed"
    assert proof["problems"][0].startswith("fnn-linkd avoided k01 on red while the proof ran (on k01)")


def test_an_alarm_beside_a_proof_without_problems_is_none() -> None:
    seen = evidence()
    seen.reach["k00"]["avoided"] = [["k01", "blue"]]
    assert (make_proof("six", seen)["verdict"], make_proof("six", seen)["causes"]) == ("proved", [])


def test_an_unknown_mac_is_shown_as_it_is() -> None:
    seen = evidence()
    seen.reach["k00"]["peers"]["10.78.0.2"]["requests"] = [["02:00", "0a:0b"]]
    assert make_proof("six", seen)["problems"] == ["k00 does not send to k01 over a single switch: k00-red to 0a:0b"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"reached": False, "replies": []}, "k00 gets no answer from k01"),
        ({"requests": []}, "k00 reaches k01, but no frame to it was seen on its fabric NICs"),
    ],
)
def test_what_the_sender_misses_is_a_problem(change: dict[str, Any], problem: str) -> None:
    seen = evidence()
    seen.reach["k00"]["peers"]["10.78.0.2"].update(change)
    assert make_proof("six", seen)["problems"] == [problem]


def test_packets_that_pass_only_when_short_name_the_pair_and_its_switch() -> None:
    seen = evidence()
    seen.reach["k00"]["peers"]["10.78.0.2"]["full"] = 0
    assert make_proof("six", seen)["problems"] == [
        "packets of full size do not pass between k00 and k01 over red, short ones do: check the MTU of these ports "
        "and NICs; ./fnn verify names the cable"
    ]


def test_a_missing_route_is_a_problem() -> None:
    seen = evidence()
    del seen.reach["k01"]["peers"]["10.78.0.1"]
    proof = make_proof("six", seen)
    assert (proof["verdict"], proof["problems"]) == ("failed", ["k01 has no route to k00"])


@pytest.mark.parametrize(
    "ports",
    [
        {"in": ["k00.0", "up.red"], "out": ["k01.0"]},
        {"in": ["k00.0"], "out": ["k01.0", "red.up"]},
        {"in": ["k00.0"], "out": ["k01.1"]},
        {"in": ["k01.0"], "out": ["k01.0"]},
        {"in": ["k00.0"], "out": []},
    ],
)
def test_frames_on_any_other_port_are_a_problem(ports: dict[str, list[str]]) -> None:
    seen = evidence()
    assert seen.capture is not None
    seen.capture["flows"][0].update(ports)
    proof = make_proof("six", seen)
    assert (proof["verdict"], proof["pairs"]["captured"]) == ("failed", 1)
    assert proof["problems"][0].startswith("frames from k00 to k01 were seen on the ports ")


def test_a_pair_without_a_captured_frame_is_a_problem() -> None:
    seen = evidence()
    assert seen.capture is not None
    del seen.capture["flows"][1]
    assert make_proof("six", seen)["problems"] == ["no frame from k01 to k00 was captured on the switches"]


def test_one_arp_frame_anywhere_fails_the_proof() -> None:
    seen = evidence()
    assert seen.capture is not None
    seen.capture["arp"]["up.red"] = 1
    seen.reach["k01"]["arp"] = 2
    proof = make_proof("six", seen)
    assert proof["arp"] == {"nodes": 2, "ports": 1}
    assert proof["problems"] == ["k01 saw 2 ARP frames on its fabric NICs", "1 ARP frame on the switch port up.red"]


def test_arp_on_the_switches_of_a_maintenance_network_is_no_problem_but_frames_of_the_fabric_are() -> None:
    seen = evidence()
    assert seen.capture is not None
    capture = {**seen.capture, "ports": {**seen.capture["ports"], "k00.2": "grey", "k01.2": "grey"}}
    capture["arp"] = {**capture["arp"], "k00.2": 3}
    capture["arps"] = [{"port": "k00.2", "mac": "x", "sender": "10.80.0.1", "target": "10.80.0.2", "frames": 3}]
    assert make_proof("six", evidence(capture=leave_out_arp(capture, {"grey"})))["arp"] == {"nodes": 0, "ports": 0}
    assert make_proof("six", evidence(capture=capture))["arp"]["ports"] == 3
    strayed = {**capture["flows"][0], "in": ["k00.2"], "out": ["k01.2"]}
    capture["flows"] = [strayed, *capture["flows"][1:]]
    assert make_proof("six", evidence(capture=leave_out_arp(capture, {"grey"})))["verdict"] == "failed"


def test_lost_frames_make_the_counts_incomplete() -> None:
    seen = evidence()
    assert seen.capture is not None
    seen.capture["dropped"] = 3
    seen.reach["k00"]["dropped"] = 4
    assert make_proof("six", seen)["problems"] == [
        "k00 could not read 4 frames; its count of ARP frames is incomplete",
        "the capture lost 3 frames and is incomplete",
    ]


def test_without_a_capture_ports_have_no_results() -> None:
    proof = make_proof("six", evidence(capture=None))
    assert proof["verdict"] == "proved"
    assert proof["pairs"]["captured"] is None
    assert proof["arp"]["ports"] is None


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"error": "mpiexec.mpich ended with status 1: boom"}, "MPICH: mpiexec.mpich ended with status 1: boom"),
        (
            {"error": "mpiexec.mpich did not answer within 9 s", "lost": [["k00", "k01"]]},
            "MPICH: mpiexec.mpich did not answer within 9 s. Messages do not arrive: k00 to k01 over red",
        ),
        ({"hosts": ["k00", "k00"]}, "MPICH: no rank ran on k01"),
        ({"pairs": 1}, "MPICH: 1 of 2 pairs of ranks carried a correct message"),
    ],
)
def test_an_mpi_that_did_less_than_all_fails_the_proof(change: dict[str, Any], problem: str) -> None:
    proof = make_proof("six", evidence(mpi=[{**MPI, **change}]))
    assert (proof["verdict"], proof["problems"], proof["mpi"][0]["ok"]) == ("failed", [problem], False)


def test_nodes_with_an_older_plan_are_named() -> None:
    seen = evidence()
    seen.reach["k00"]["generation"], seen.reach["k01"]["generation"] = "10-3f2a9c1b0d2e", "9-000000000000"
    proof = make_proof("six", seen)
    assert proof["verdict"] == "failed"
    assert proof["problems"] == ["older plan than that of other nodes: k01; run playbooks/network.yml"]
    seen.reach["k01"]["generation"] = "x"
    assert make_proof("six", seen)["problems"] == proof["problems"]


def test_plans_of_the_same_number_that_differ_are_named() -> None:
    seen = evidence()
    seen.reach["k00"]["generation"], seen.reach["k01"]["generation"] = "8-3f2a9c1b0d2e", "8-000000000000"
    problem = "different plans of the same number: 8-000000000000 on k01; 8-3f2a9c1b0d2e on k00; "
    assert make_proof("six", seen)["problems"] == [f"{problem}run playbooks/network.yml for all nodes"]


def test_a_node_without_results_leaves_the_proof_incomplete() -> None:
    proof = make_proof("six", evidence(missing=["k02"]))
    assert (proof["verdict"], proof["missing"]) == ("incomplete", ["k02"])


def test_a_single_node_proves_nothing() -> None:
    proof = make_proof("six", evidence(nodes=["k00"], mpi=[]))
    assert proof["verdict"] == "incomplete"


def test_frames_that_filters_dropped_are_counted_and_no_problem() -> None:
    seen = evidence()
    assert "egress" not in make_proof("six", seen)
    reach: Any = seen.reach
    reach["k00"]["egress"] = {"dropped": 2, "total": 7, "senders": ["avahi-daemon (UDP port 5353)"]}
    reach["k01"]["egress"] = {"dropped": 0, "total": 0, "senders": []}
    proof = make_proof("six", seen)
    assert proof["verdict"] == "proved"
    assert proof["egress"] == [{"node": "k00", **reach["k00"]["egress"]}]
    assert describe_egress(proof["egress"][0]) == (
        "k00: the egress filters of its fabric NICs dropped 7 frames of broadcast or multicast, "
        "2 of them during this run; possible senders: avahi-daemon (UDP port 5353)"
    )


def test_owners_that_came_after_the_plan_are_listed_and_no_problem() -> None:
    seen = evidence()
    reach: Any = seen.reach
    reach["k00"]["owners"] = []
    assert "owners" not in make_proof("six", seen)
    reach["k01"]["owners"] = ["/etc/network/interfaces:4: ifupdown configures nic0; remove it"]
    proof = make_proof("six", seen)
    assert (proof["verdict"], proof["owners"]) == ("proved", [{"node": "k01", "claims": reach["k01"]["owners"]}])


def test_an_mpi_that_takes_another_network_is_named() -> None:
    proof = make_proof("six", evidence(mpi=[{**MPI, "sent": [65535, 70000]}]))
    assert proof["problems"] == [
        "MPICH: messages bypassed the fabric from k00 (65535 of 65536 octets sent over it); "
        "run playbooks/network.yml, which writes the MPI settings for the fabric"
    ]
    assert not proof["mpi"][0]["ok"]


def test_messages_between_ranks_of_one_host_need_no_network() -> None:
    run = {**MPI, "ranks": 4, "pairs": 12, "hosts": ["k00", "k00", "k01", "k01"]}
    evaluated = make_proof("six", evidence(mpi=[{**run, "sent": [4 * 65536, 0, 0, 4 * 65536]}]))["mpi"][0]
    assert evaluated["ok"]
    assert not make_proof("six", evidence(mpi=[{**run, "sent": [4 * 65536 - 1, 0, 0, 4 * 65536]}]))["mpi"][0]["ok"]


def test_an_mpi_that_did_not_run_leaves_the_proof_incomplete() -> None:
    assert make_proof("six", evidence(wanted=["MPICH"]))["verdict"] == "proved"
    assert make_proof("six", evidence(wanted=["MPICH", "Open MPI"]))["verdict"] == "incomplete"
    sparse = evidence(wanted=["MPICH"], mpi=[], apart={("k00", "k01"), ("k01", "k00")})
    assert make_proof("six", sparse)["verdict"] == "proved"


RING = {"k00": ("gray", "red"), "k01": ("red", "blue"), "k02": ("blue", "green"), "k03": ("green", "gray")}


def ring_evidence(*changed: dict[str, Any]) -> Evidence:
    """k00 and k02 of a ring of four, of which only these two were queried; k00 sends over k01, k02 over k03."""
    nics = {
        f"0{rank}:0{nic}": (node, switch) for rank, node in enumerate(RING) for nic, switch in enumerate(RING[node])
    }
    reach = {
        "k00": {"peers": {"10.78.0.3": sighting(["00:01", "01:00"])}, "arp": 0, "dropped": 0, "frames": 2},
        "k02": {"peers": {"10.78.0.1": sighting(["02:01", "03:00"])}, "arp": 0, "dropped": 0, "frames": 2},
    }
    there, back = {"src": "10.78.0.1", "dst": "10.78.0.3"}, {"src": "10.78.0.3", "dst": "10.78.0.1"}
    flows = [
        {**there, "in": ["k00.1"], "out": ["k01.0"]},
        {**there, "in": ["k01.1"], "out": ["k02.0"]},
        {**back, "in": ["k02.1"], "out": ["k03.0"]},
        {**back, "in": ["k03.1"], "out": ["k00.0"]},
    ]
    ports = {f"{node}.{nic}": switch for node, pair in RING.items() for nic, switch in enumerate(pair)}
    capture = {"dropped": 0, "ports": ports, "arp": dict.fromkeys(ports, 0), "flows": [*flows, *changed]}
    return evidence(
        nodes=["k00", "k02"], identities={"k00": "10.78.0.1", "k02": "10.78.0.3"}, nics=nics, reach=reach,
        capture=capture, mpi=[], forwarded={("k00", "k02"), ("k02", "k00")},
    )  # fmt: skip


def test_a_pair_without_a_common_cable_is_proved_over_a_node_that_forwards() -> None:
    proof = make_proof("ring", ring_evidence())
    assert (proof["problems"], proof["verdict"]) == ([], "proved")
    assert (proof["pairs"]["expected"], proof["pairs"]["forwarded"]) == (0, {"expected": 2, "right": 2})


def test_frames_off_the_shortest_paths_are_a_problem() -> None:
    """k00 sends to k02 over k01, which returns the frame to k00."""
    stray = {"src": "10.78.0.1", "dst": "10.78.0.3", "in": ["k01.0"], "out": ["k00.1"]}
    proof = make_proof("ring", ring_evidence(stray))
    assert proof["problems"] == ["frames from k00 to k02 were seen on the ports k00.1, k01.0"]
    assert proof["pairs"]["forwarded"] == {"expected": 2, "right": 1}


def test_paths_around_a_node_that_is_off_are_right_and_the_proof_is_incomplete() -> None:
    """A ring of five without k01: k00 reaches k02 over k04 and k03."""
    wires = {"k00": ("e", "a"), "k01": ("a", "b"), "k02": ("b", "c"), "k03": ("c", "d"), "k04": ("d", "e")}
    nics = {f"0{rank}:0{nic}": (node, wires[node][nic]) for rank, node in enumerate(wires) for nic in range(2)}
    reach = {
        "k00": {"peers": {"10.78.0.3": sighting(["00:00", "04:01"])}, "arp": 0, "dropped": 0, "frames": 2},
        "k02": {"peers": {"10.78.0.1": sighting(["02:01", "03:00"])}, "arp": 0, "dropped": 0, "frames": 2},
    }
    found = evidence(
        nodes=["k00", "k02"], missing=["k01"], identities={"k00": "10.78.0.1", "k02": "10.78.0.3"}, nics=nics,
        reach=reach, capture=None, mpi=[], forwarded={("k00", "k02"), ("k02", "k00")},
    )  # fmt: skip
    proof = make_proof("ring", found)
    assert (proof["problems"], proof["verdict"]) == ([], "incomplete")


def test_a_silent_peer_behind_a_node_that_forwards_is_a_problem() -> None:
    found = ring_evidence()
    found.reach["k00"]["peers"]["10.78.0.3"]["reached"] = False
    assert make_proof("ring", found)["problems"] == ["k00 gets no answer from k02"]


def test_the_time_of_a_proof_grows_with_its_pairs_and_not_with_their_square() -> None:
    """A hundred nodes on one switch: a search through all flows for each pair takes twenty seconds."""
    names = {f"k{rank:02}": f"10.78.0.{rank + 1}" for rank in range(100)}
    pairs = [(one, other) for one in names for other in names if one != other]
    reach: dict[str, Any] = {name: {"peers": {}, "arp": 0, "dropped": 0, "frames": 2} for name in names}
    for one, other in pairs:
        reach[one]["peers"][names[other]] = sighting([f"nic of {one}", f"nic of {other}"])
    flows = [
        {"src": names[one], "dst": names[other], "in": [f"{one}.0"], "out": [f"{other}.0"], "frames": 1}
        for one, other in pairs
    ]
    ports = {f"{name}.0": "red" for name in names}
    capture = {"dropped": 0, "ports": ports, "arp": dict.fromkeys(ports, 0), "flows": flows}
    nics = {f"nic of {name}": (name, "red") for name in names}
    whole = evidence(nodes=list(names), identities=names, nics=nics, reach=reach, capture=capture, mpi=[])
    began = time.process_time()
    proof = make_proof("hundred", whole)
    assert (proof["pairs"]["captured"], proof["problems"]) == (9900, [])
    assert time.process_time() - began < 8

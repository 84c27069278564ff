# SPDX-License-Identifier: GPL-3.0-or-later
"""A node and a satellite meet only over the uplink switch: k00 on red and blue, head on the uplink switch."""

from __future__ import annotations

import copy
from typing import Any

from ansible.module_utils.fnn.controller.prove.evidence import Evidence
from ansible.module_utils.fnn.controller.prove.proof import make_proof

NICS = {"02:00": ("k00", "red"), "02:01": ("k00", "blue"), "06:00": ("head", "uplink")}
IDENTITIES = {"k00": "10.78.0.1", "head": "10.78.0.7"}
PORTS = {
    "k00.0": "red", "k00.1": "blue", "head.0": "uplink", "red.up": "red", "up.red": "uplink", "blue.up": "blue",
    "up.blue": "uplink",
}  # fmt: skip
THERE = {"src": "10.78.0.1", "dst": "10.78.0.7", "in": ["k00.0", "up.red"], "out": ["head.0", "red.up"], "frames": 1}
BACK = {"src": "10.78.0.7", "dst": "10.78.0.1", "in": ["head.0", "red.up"], "out": ["k00.0", "up.red"], "frames": 1}


def sighting(request: list[str], reached: bool = True) -> dict[str, Any]:
    return {"reached": reached, "requests": [request], "replies": [request[::-1]]}


def prove(flows: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    reach = {
        "k00": {"peers": {"10.78.0.7": sighting(["02:00", "06:00"])}, "arp": 0, "dropped": 0, "frames": 2},
        "head": {"peers": {"10.78.0.1": sighting(["06:00", "02:00"])}, "arp": 0, "dropped": 0, "frames": 2},
    }
    flows = [THERE, BACK] if flows is None else flows
    capture = {"dropped": 0, "ports": PORTS, "arp": dict.fromkeys(PORTS, 0), "flows": flows}
    parts: dict[str, Any] = {
        "nodes": ["k00", "head"], "missing": [], "identities": IDENTITIES, "nics": NICS,
        "apart": {("k00", "head"), ("head", "k00")}, "planned": {}, "reach": reach, "capture": capture, "mpi": [],
        "satellites": {"head"}, "uplinked": {"red", "uplink"},
    }  # fmt: skip
    return make_proof("six", Evidence(**copy.deepcopy({**parts, **changes})))


def test_one_cable_to_the_uplink_switch_on_the_way_is_right() -> None:
    proof = prove()
    assert proof["problems"] == []
    assert proof["pairs"] == {
        "expected": 0, "reached": 0, "one_switch": 0, "captured": 0, "over_uplink": {"expected": 2, "right": 2},
    }  # fmt: skip


def test_a_flooded_frame_is_reported() -> None:
    flooded = {**THERE, "in": [*THERE["in"], "blue.up"], "out": [*THERE["out"], "up.blue", "k00.1"]}
    proof = prove([flooded, BACK])
    (problem,) = proof["problems"]
    assert problem.startswith("frames from k00 to head were seen on the ports blue.up, head.0, k00.0, k00.1")
    assert proof["pairs"]["over_uplink"]["right"] == 1


def test_a_frame_missing_from_the_capture_is_reported() -> None:
    assert prove([THERE])["problems"] == ["no frame from head to k00 was captured on the switches"]


def test_a_nic_on_a_switch_without_a_cable_to_the_uplink_is_reported() -> None:
    proof = prove(uplinked={"blue", "uplink"})
    assert proof["problems"] == [
        "k00 does not send to head over the uplink: k00-red to head-uplink",
        "head does not send to k00 over the uplink: head-uplink to k00-red",
    ]


def test_a_satellite_that_is_silent_or_unknown_is_reported() -> None:
    reach = {
        "k00": {"peers": {"10.78.0.7": sighting(["02:00", "06:00"], reached=False)}, "arp": 0, "dropped": 0},
        "head": {"peers": {}, "arp": 0, "dropped": 0},
    }
    proof = prove(reach=reach)
    assert proof["problems"] == ["k00 gets no answer from head", "head has no route to k00"]
    assert proof["verdict"] == "failed"


def test_no_rank_need_run_on_a_satellite() -> None:
    run = {
        "flavor": "MPICH", "version": "4", "command": "", "ranks": 1, "pairs": 0, "message": 65536,
        "hosts": ["k00"], "sent": [0], "error": None,
    }  # fmt: skip
    assert prove(mpi=[run])["mpi"][0]["ok"]
    assert not prove(mpi=[{**run, "hosts": ["head"]}])["mpi"][0]["ok"]


def test_packets_of_full_size_that_do_not_pass_to_a_satellite_are_named() -> None:
    reach = {
        "k00": {"peers": {"10.78.0.7": {**sighting(["02:00", "06:00"]), "full": 0}}, "arp": 0, "dropped": 0},
        "head": {"peers": {"10.78.0.1": {**sighting(["06:00", "02:00"]), "full": 9000}}, "arp": 0, "dropped": 0},
    }
    (problem,) = prove(reach=reach)["problems"]
    assert problem.startswith("packets of full size do not pass between k00 and head")

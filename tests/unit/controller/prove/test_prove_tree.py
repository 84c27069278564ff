# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that route over a tree: k00 and k01 share blue, but NIC 0 of k00 is on red and NIC 0 of k01 on blue."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.prove.evidence import Evidence
from ansible.module_utils.fnn.controller.prove.proof import make_proof
from ansible.module_utils.fnn.controller.prove.tree import UplinkTree
from ansible.module_utils.fnn.controller.prove.trunks import TrunkPaths

NICS = {
    "02:00": ("k00", "red"), "02:01": ("k00", "blue"), "03:00": ("k01", "blue"), "04:00": ("k02", "blue"),
    "05:00": ("head", "root"),
}  # fmt: skip
IDENTITIES = {name: f"10.78.0.{rank + 1}" for rank, name in enumerate(("k00", "k01", "k02", "head"))}
MACS = {"k00": "02:00", "k01": "03:00", "k02": "04:00", "head": "05:00"}
TREE = UplinkTree("root", {"k00": "red", "k01": "blue", "k02": "blue", "head": "root"})
PORTS = {
    "k00.0": "red", "k00.1": "blue", "k01.0": "blue", "k02.0": "blue", "head.0": "root", "red.up": "red",
    "up.red": "root", "blue.up": "blue", "up.blue": "root",
}  # fmt: skip
PATHS = {
    ("k00", "k01"): (["k00.0", "up.red", "blue.up"], ["red.up", "up.blue", "k01.0"]),
    ("k01", "k00"): (["k01.0", "up.blue", "red.up"], ["blue.up", "up.red", "k00.0"]),
    ("k00", "k02"): (["k00.0", "up.red", "blue.up"], ["red.up", "up.blue", "k02.0"]),
    ("k02", "k00"): (["k02.0", "up.blue", "red.up"], ["blue.up", "up.red", "k00.0"]),
    ("k01", "k02"): (["k01.0"], ["k02.0"]),
    ("k02", "k01"): (["k02.0"], ["k01.0"]),
    ("k00", "head"): (["k00.0", "up.red"], ["red.up", "head.0"]),
    ("head", "k00"): (["head.0", "red.up"], ["up.red", "k00.0"]),
    ("k01", "head"): (["k01.0", "up.blue"], ["blue.up", "head.0"]),
    ("head", "k01"): (["head.0", "blue.up"], ["up.blue", "k01.0"]),
    ("k02", "head"): (["k02.0", "up.blue"], ["blue.up", "head.0"]),
    ("head", "k02"): (["head.0", "blue.up"], ["up.blue", "k02.0"]),
}


def observe(**changes: Any) -> Evidence:
    reach: dict[str, Any] = {
        name: {"peers": {}, "arp": 0, "dropped": 0, "frames": 2, "tree": TREE.homes[name]} for name in MACS
    }
    for one, other in PATHS:
        macs = [MACS[one], MACS[other]]
        reach[one]["peers"][IDENTITIES[other]] = {"reached": True, "requests": [macs], "replies": [macs[::-1]]}
    flows = [
        {"src": IDENTITIES[one], "dst": IDENTITIES[other], "in": sorted(entries), "out": sorted(leaves), "frames": 1}
        for (one, other), (entries, leaves) in PATHS.items()
    ]
    parts: dict[str, Any] = {
        "nodes": list(MACS), "missing": [], "identities": IDENTITIES, "nics": NICS, "apart": set(), "planned": {},
        "reach": reach, "capture": {"dropped": 0, "ports": PORTS, "arp": dict.fromkeys(PORTS, 0), "flows": flows},
        "mpi": [], "satellites": {"head"}, "uplinked": {"red", "blue", "root"}, "paths": TREE,
    }  # fmt: skip
    return Evidence(**{**copy.deepcopy(parts), **changes})


def test_frames_that_cross_uplinks_by_intent_are_right_and_counted() -> None:
    proof = make_proof("six", observe())
    assert proof["problems"] == []
    assert proof["pairs"] == {
        "expected": 12, "reached": 12, "one_switch": 2, "captured": 12,
        "tree": {"expected": 12, "right": 12, "across_uplinks": 10},
    }  # fmt: skip


def test_a_frame_over_the_shared_switch_is_off_the_tree() -> None:
    seen = observe(capture=None)
    seen.reach["k00"]["peers"][IDENTITIES["k01"]]["requests"] = [["02:01", "03:00"]]
    proof = make_proof("six", seen)
    assert proof["problems"] == ["k00 does not send to k01 over the tree: k00-blue to k01-blue"]
    assert proof["pairs"]["tree"]["right"] == 11


@pytest.mark.parametrize(
    ("entries", "leaves"),
    [
        (["k00.1"], ["k01.0"]),
        (["k00.0", "up.red", "blue.up", "k02.0"], ["red.up", "up.blue", "k01.0"]),
        (["k00.0", "up.red", "blue.up"], ["red.up", "up.blue", "k01.0", "k02.0"]),
        (["k00.0", "up.red"], ["red.up"]),
    ],
)
def test_a_flow_at_other_ports_is_reported(entries: list[str], leaves: list[str]) -> None:
    seen = observe()
    assert seen.capture is not None
    (flow,) = (each for each in seen.capture["flows"] if (each["src"], each["dst"]) == ("10.78.0.1", "10.78.0.2"))
    flow.update({"in": entries, "out": leaves})
    (problem,) = make_proof("six", seen)["problems"]
    assert problem.startswith("frames from k00 to k01 were seen on the ports ")


def test_nodes_that_do_not_route_over_the_tree_are_named() -> None:
    seen = observe()
    seen.reach["k01"]["tree"] = ""
    assert make_proof("six", seen)["problems"] == [
        "k01: routes do not lead over the tree; run playbooks/network.yml with fnn_routing: tree"
    ]


def test_a_tree_that_the_inventory_does_not_want_is_named_with_the_way_back() -> None:
    seen = observe(paths=TrunkPaths(), nodes=["k01", "k02"], capture=None)
    (problem,) = make_proof("six", seen)["problems"]
    assert problem == (
        "k01, k02: routes lead over the uplink switch as a tree; run playbooks/network.yml to return to shared "
        "switches, or prove it with fnn_routing: tree"
    )


def test_a_dead_uplink_cable_is_the_cause_of_silent_pairs_across_it() -> None:
    seen = observe(capture=None)
    for one, other in PATHS:
        if (one == "k00") != (other == "k00"):
            seen.reach[one]["peers"][IDENTITIES[other]].update({"reached": False, "replies": []})
    assert make_proof("six", seen)["causes"] == [
        {
            "kind": "trunk", "at": None, "pairs": 6,
            "says": "no frame passes between red and root: check the cable between them and its ports",
        }
    ]  # fmt: skip


@pytest.mark.parametrize("receiver", ["blue", "red"])
def test_the_cables_of_a_pair_are_those_of_both_tree_nics(receiver: str) -> None:
    """IP is dropped only where both cables are right: of k01 on blue, although requests leave over red."""
    seen = observe(capture=None, verified={("k00", "red"), ("k01", receiver)})
    seen.reach["k00"]["peers"][IDENTITIES["k01"]].update({"reached": False, "replies": []})
    causes = [(each["kind"], each["pairs"]) for each in make_proof("six", seen)["causes"]]
    assert causes == ([("filter", 1)] if receiver == "blue" else [])

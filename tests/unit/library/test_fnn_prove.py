# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_prove.py on the golden six-PC cluster; tests/unit/controller/prove tests its verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.shared.peers import pack_peers
from plan_settings import BASE


def reach(design: dict[str, Any], asked: list[str]) -> dict[str, Any]:
    """Each of the asked nodes reaches all others over the first switch they share."""
    links = {node["name"]: {link["switch"]: link["nic"] for link in node["links"]} for node in design["nodes"]}
    ranks = {name: rank for rank, name in enumerate(links)}

    def see(sender: str, receiver: str) -> dict[str, Any]:
        switch = next(switch for switch in links[sender] if switch in links[receiver])
        macs = [f"02:f0:00:00:{ranks[name]:02x}:{links[name][switch]:02x}" for name in (sender, receiver)]
        return {"reached": True, "requests": [macs], "replies": [macs[::-1]]}

    return {
        name: {
            "peers": pack_peers({f"10.78.0.{ranks[peer] + 1}": see(name, peer) for peer in links if peer != name}),
            "frames": 10,
            "arp": 0,
            "dropped": 0,
        }
        for name in asked
    }


def prove(run_module: Any, root: Path, path: Path, asked: list[str]) -> dict[str, Any]:
    golden = root / "tests/golden/six"
    seen = reach(read_json(golden / "design.json"), asked)
    paths = {"design": golden / "design.json", "macs": golden / "macs.json", "path": path}
    answer: dict[str, Any] = run_module("fnn_prove", variables=BASE, reach=seen, **paths)
    return answer


def test_a_network_of_which_all_nodes_were_asked_is_proved(run_module: Any, root: Path, tmp_path: Path) -> None:
    answer = prove(run_module, root, tmp_path / "proof.json", [f"k0{rank}" for rank in range(6)])
    assert (answer["proof"]["verdict"], answer["proof"]["missing"]) == ("proved", [])
    assert answer["proof"]["pairs"]["one_switch"] == 30
    assert read_json(tmp_path / "proof.json") == answer["proof"]


def test_nodes_left_out_by_limit_leave_the_proof_incomplete(run_module: Any, root: Path, tmp_path: Path) -> None:
    proof = prove(run_module, root, tmp_path / "proof.json", ["k00", "k05"])["proof"]
    assert (proof["verdict"], proof["missing"]) == ("incomplete", ["k01", "k02", "k03", "k04"])


def test_over_the_tree_all_pairs_use_nic_0_also_those_that_share_no_switch(
    run_module: Any, root: Path, tmp_path: Path
) -> None:
    """Six nodes, four of them with NIC 0 on red and two on blue, and two satellites on the uplink switch."""
    golden = root / "tests/golden/satellites"
    macs = read_json(golden / "macs.json")
    nic_0 = {each["name"]: each["nics"][0]["mac"] for each in [*macs["nodes"], *macs["satellites"]]}
    identities = {name: f"10.78.0.{rank + 1}" for rank, name in enumerate(nic_0)}

    def see(sender: str, receiver: str) -> dict[str, Any]:
        pair = [nic_0[sender], nic_0[receiver]]
        return {"reached": True, "requests": [pair], "replies": [pair[::-1]]}

    seen = {
        name: {
            "peers": pack_peers({identities[peer]: see(name, peer) for peer in nic_0 if peer != name}),
            "frames": 10, "arp": 0, "dropped": 0, "tree": "its switch",
        }
        for name in nic_0
    }  # fmt: skip
    paths = {"design": golden / "design.json", "macs": golden / "macs.json", "path": tmp_path / "proof.json"}
    answer = run_module("fnn_prove", variables={**BASE, "fnn_routing": "tree"}, reach=seen, **paths)
    assert answer["proof"]["problems"] == []
    same = 4 * 3 + 2 * 1 + 2 * 1
    assert answer["proof"]["pairs"]["tree"] == {"expected": 56, "right": 56, "across_uplinks": 56 - same}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults on the converged cluster. Each test breaks one thing, checks its report, repairs it and checks the repair."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator

import pytest
from testinfra.host import Host

from .cabling import lab
from .conftest import BUILD, LAB, NODES, Outcome, read_json

Play = Callable[..., Outcome]
OPENMPI_CONF = "/etc/openmpi/openmpi-mca-params.conf"
APPLY = "Apply the files on each node"  # a task of fnn_network; Ansible shows it in check mode as well

#: For tests of the network: the proof starts no MPI.
WITHOUT_MPI = '--extra-vars={"fnn_prove_mpi": []}'


@pytest.fixture
def swapped() -> Iterator[None]:
    lab("swap", "k00:0", "k05:1")
    yield
    lab("swap", "k00:0", "k05:1")


def list_applied(outcome: Outcome) -> list[str]:
    """The nodes to which the run sent files."""
    _, _, rest = outcome.output.partition(f": {APPLY}]")
    lines = rest.partition("TASK [")[0].splitlines()
    return sorted(line.split("[")[1].split("]")[0] for line in lines if line.startswith(("ok: [", "changed: [")))


def stop_linkd(host: Host) -> None:
    """fnn-linkd would restore all tables to the plan when its view changes, as it does after cables were moved."""
    host.check_output("systemctl stop fnn-linkd")


@pytest.mark.long
def test_a_swapped_pair_of_cables_stops_the_play_and_is_named(play: Play, swapped: None) -> None:
    outcome = play("site.yml")
    assert outcome.status == 2
    assert APPLY not in outcome.output
    findings = read_json(BUILD / "findings.json")
    assert findings["verdict"] == "miswired"
    (finding,) = findings["findings"]
    assert finding["kind"] == "swap"
    assert "k00: move the cable in nic0 from" in finding["action"]
    assert "k05: move" in finding["action"]
    assert play("playbooks/report.yml").status == 0
    first_screen = read_json(BUILD / "report.json")["verdict"]
    assert first_screen["actions"] == [finding["action"]]


@pytest.mark.long
def test_after_swapping_back_the_cables_match(play: Play) -> None:
    outcome = play("playbooks/verify.yml")
    assert (outcome.status, read_json(BUILD / "findings.json")["verdict"]) == (0, "match")


def test_a_missing_neighbor_is_reported_and_restored(play: Play, nodes: dict[str, Host]) -> None:
    stop_linkd(nodes["k02"])
    nodes["k02"].check_output("ip neighbor del 10.77.0.1 dev nic0")
    outcome = play("playbooks/network.yml", "--check", "--diff", "--limit=k02")
    assert "neigh replace 10.77.0.1" in outcome.output and APPLY in outcome.output
    assert play("playbooks/prove.yml", WITHOUT_MPI).status == 2
    assert "k02 gets no answer from k00" in read_json(BUILD / "proof.json")["problems"]
    outcome = play("playbooks/check.yml", "playbooks/network.yml", "playbooks/prove.yml", WITHOUT_MPI)
    assert (outcome.status, list_applied(outcome)) == (0, ["k02"]), outcome.output
    assert nodes["k02"].service("fnn-linkd").is_running


@pytest.mark.long
def test_arp_switched_on_is_reported_and_switched_off(play: Play, nodes: dict[str, Host]) -> None:
    stop_linkd(nodes["k01"])
    nodes["k01"].check_output("ip link set nic1 arp on")
    outcome = play("playbooks/network.yml", "--check", "--diff", "--limit=k01")
    assert "arp off" in outcome.output
    assert play("playbooks/network.yml", "--limit=k01").status == 0
    assert "NOARP" in nodes["k01"].check_output("ip link show nic1")


@pytest.mark.long
def test_an_mpi_over_the_management_network_is_reported_and_corrected(play: Play, nodes: dict[str, Host]) -> None:
    for host in nodes.values():
        host.check_output("sed -i 's/^btl_tcp_if_include = .*/btl_tcp_if_include = mg0/' " + OPENMPI_CONF)
    assert play("playbooks/prove.yml").status == 2
    (problem,) = read_json(BUILD / "proof.json")["problems"]
    assert problem.startswith("Open MPI: messages bypassed the fabric from k00 (")
    assert play("playbooks/network.yml", "playbooks/prove.yml").status == 0


@pytest.mark.long
def test_swapped_nics_of_one_node_are_adopted(play: Play) -> None:
    lab("swap", "k03:0", "k03:1")
    try:
        assert play("playbooks/verify.yml").status == 0
        assert [each["kind"] for each in read_json(BUILD / "findings.json")["findings"]] == ["crossed"]
        (entry,) = [node for node in read_json(BUILD / "site" / "macs.json")["nodes"] if node["name"] == "k03"]
        assert [nic["name"] for nic in entry["nics"]] == ["nic1", "nic0"]
        outcome = play("playbooks/network.yml", "playbooks/prove.yml")
        assert outcome.status == 0, outcome.output
        assert read_json(BUILD / "proof.json")["verdict"] == "proved"
    finally:
        lab("swap", "k03:0", "k03:1")
        assert play("playbooks/verify.yml", "playbooks/network.yml").status == 0


@pytest.mark.long
def test_a_node_that_does_not_answer_is_named_and_the_others_finish(play: Play) -> None:
    subprocess.run(["podman", "pause", f"{LAB}-k04"], check=True, capture_output=True)
    try:
        outcome = play("site.yml", "--timeout=4", "--extra-vars", json.dumps({"fnn_proceed": True}))
    finally:
        subprocess.run(["podman", "unpause", f"{LAB}-k04"], check=True, capture_output=True)
    assert outcome.status == 4
    summary = read_json(BUILD / "summary.json")
    assert (summary["verdict"], summary["unfinished"]) == ("incomplete", ["k04"])
    assert read_json(BUILD / "proof.json")["pairs"]["reached"] == 20  # five nodes, 5 * 4 ordered pairs


ONLY_CHANGED = "--extra-vars=fnn_only_changed=true"


def test_only_nodes_that_have_not_confirmed_their_files_are_contacted_on_request(play: Play) -> None:
    """The runs before have recorded all nodes."""
    assert sorted(path.name for path in (BUILD / "delivered").iterdir()) == NODES
    (BUILD / "delivered/k04").unlink()
    outcome = play("playbooks/network.yml", ONLY_CHANGED)
    assert (outcome.status, list_applied(outcome)) == (0, ["k04"]), outcome.output
    outcome = play("playbooks/network.yml", ONLY_CHANGED)
    assert (outcome.status, list_applied(outcome)) == (0, []), outcome.output
    assert "6 nodes have these files and are not contacted" in " ".join(outcome.output.split())


@pytest.mark.long
def test_all_nodes_are_contacted_after_one_has_missed_a_change(play: Play) -> None:
    """The others still reach it by the former plan, and must remove what only this needed."""
    other = "--extra-vars=fnn_mpi_yield=false"
    subprocess.run(["podman", "pause", f"{LAB}-k04"], check=True, capture_output=True)
    try:
        outcome = play("playbooks/network.yml", other, ONLY_CHANGED, "--timeout=4")
    finally:
        subprocess.run(["podman", "unpause", f"{LAB}-k04"], check=True, capture_output=True)
    assert (outcome.status, list_applied(outcome)) == (4, [name for name in NODES if name != "k04"]), outcome.output
    preview = play("playbooks/network.yml", other, ONLY_CHANGED, "--check")
    assert (preview.status, list_applied(preview)) == (0, NODES), preview.output
    for expected in (NODES, []):
        outcome = play("playbooks/network.yml", other, ONLY_CHANGED)
        assert (outcome.status, list_applied(outcome)) == (0, expected), outcome.output
    outcome = play("playbooks/network.yml", ONLY_CHANGED)
    assert (outcome.status, list_applied(outcome)) == (0, NODES), outcome.output

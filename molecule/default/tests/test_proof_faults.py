# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that look like a dead cable to a user and are none. verify clears the cables, by beacons, which do not use IP;
the proof names the pairs that do not reach each other."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import pytest
from testinfra.host import Host

from .cabling import lab
from .conftest import BUILD, LAB, Outcome, read_json

pytestmark = pytest.mark.long
Play = Callable[..., Outcome]
#: Pairs that share red and no other switch: k00 and k01 share blue as well.
OVER_RED = [("k00", "k02"), ("k00", "k03"), ("k01", "k02"), ("k01", "k03")]


@pytest.fixture
def repaired() -> Iterator[None]:
    yield
    lab("repair")


def prove(play: Play) -> tuple[int, list[str]]:
    status = play("playbooks/prove.yml", "-e", "fnn_prove_mpi_seconds=15").status
    return status, read_json(BUILD / "proof.json")["problems"]


def list_unanswered(one: str, other: str) -> set[str]:
    return {f"{one} gets no answer from {other}", f"{other} gets no answer from {one}"}


def test_a_firewall_on_a_switch_is_a_problem_of_the_proof_and_no_finding(play: Play, repaired: None) -> None:
    lab("fault", "firewall", "red")
    outcome = play("playbooks/verify.yml")
    assert (outcome.status, read_json(BUILD / "findings.json")["findings"]) == (0, [])
    status, problems = prove(play)
    assert status == 2
    assert set().union(*(list_unanswered(*pair) for pair in OVER_RED)) <= set(problems)
    assert not any(problem in problems for problem in list_unanswered("k04", "k05"))
    lab("repair")
    assert prove(play) == (0, [])


def test_a_firewall_at_a_nic_is_a_problem_of_the_proof_and_no_finding(play: Play, repaired: None) -> None:
    lab("fault", "firewall", "k00:0")
    outcome = play("playbooks/verify.yml", "-e", "fnn_verify_evidence=relearn")
    assert (outcome.status, read_json(BUILD / "findings.json")["findings"]) == (0, [])
    status, problems = prove(play)
    assert status == 2
    assert list_unanswered("k00", "k02") <= set(problems)
    assert not any(problem in problems for problem in list_unanswered("k01", "k02"))


@pytest.fixture
def black_hole() -> Iterator[None]:
    """Long TCP segments from k01 to k02 are lost, except those of SSH. Pings arrive."""
    enter, rule = ("ip", "netns", "exec", f"{LAB}-k01", "iptables"), "-p tcp -d 10.78.0.3 ! --dport 22 ! --sport 22"
    words = f"OUTPUT {rule} -m length --length 1200:65535 -j DROP".split()
    subprocess.run([*enter, "-I", *words], check=True)
    yield
    subprocess.run([*enter, "-D", *words], check=True)


def test_messages_of_an_mpi_that_do_not_arrive_are_named(play: Play, black_hole: None) -> None:
    status, problems = prove(play)
    assert status == 2
    assert len(problems) == 2, problems  # one for each MPI
    assert all(problem.endswith("Messages do not arrive: k01 to k02 over red") for problem in problems), problems


def test_a_wrong_hosts_entry_fails_the_proof_and_is_corrected_by_the_network_stage(play: Play, repaired: None) -> None:
    lab("fault", "hosts", "k00", "k05", "k04")
    assert play("playbooks/verify.yml").status == 0
    status, problems = prove(play)
    assert status == 2
    assert any("Host key for k05 has changed" in problem for problem in problems)
    assert play("playbooks/network.yml", "--limit=k00").status == 0
    assert prove(play) == (0, [])


def test_an_absent_mpi_setting_is_reported_and_restored(play: Play, nodes: dict[str, Host]) -> None:
    """Without the setting Open MPI 4 does not end, and Open MPI 5 uses the management network."""
    for host in nodes.values():
        host.check_output("sed -i '/# BEGIN fnn/,/# END fnn/d' /etc/openmpi/openmpi-mca-params.conf")
    status, problems = prove(play)
    assert status == 2
    assert any(problem.startswith("Open MPI: ") for problem in problems)
    assert play("playbooks/network.yml", "playbooks/prove.yml").status == 0

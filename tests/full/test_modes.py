# SPDX-License-Identifier: GPL-3.0-or-later
"""The acceptance matrix: every mode of the fabric, and in each the common uses of a network.

A failed cell does not prevent others; at the end of a mode all failures are reported together.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import talking
from acceptance import describe_machine, list_not_offered, make_document, write_page
from modes_site import LAB, MODES, MTU, NODES, ONE_SWITCH, TWO_SWITCHES, Mode, ModesSite, inside
from talking import Iperf
from watching import Watch, check_capture

RATE = 10  # Mbit/s of UDP
MANY_FLOWS, ONE_FLOW = 1.9, 1.8  # ratios to one link where two switches are shared
Cells = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[ModesSite]:
    """Booted."""
    site = ModesSite(root)
    site.make(**MODES[0].list_variables())
    site.play("playbooks/lab-down.yml")
    site.play(*(f"playbooks/{stage}.yml" for stage in ("design", "lab", "discover")))
    site.shape()
    yield site
    site.play("playbooks/lab-down.yml")


@pytest.fixture(scope="module")
def matrix(site: ModesSite) -> Iterator[dict[str, Cells]]:
    """Mode -> its cells. Cables are verified with frames of full size."""
    site.play("playbooks/verify.yml")
    assert site.read(site.build / "findings.json")["mtu"] == {"wanted": MTU, "proved": True}
    cells: dict[str, Cells] = {}
    yield cells
    write_matrix(site, cells)


def write_matrix(site: ModesSite, cells: dict[str, Cells]) -> None:
    """Writes the cells filled so far, so that a stopped run leaves its results."""
    constants = {"datagrams": talking.DATAGRAMS, "flows": talking.FLOWS, "tries": talking.TRIES}
    document = make_document(cells, describe_machine(), **constants)
    (site.build / "acceptance.json").write_text(json.dumps(document, indent=2) + "\n")
    (site.build / "acceptance.md").write_text(write_page(document))


class Recorder:
    """Fills the cells of one mode."""

    def __init__(self, mode: Mode) -> None:
        self.cells: Cells = {
            check: {"state": "not offered", "says": why} for check, why in list_not_offered(mode).items()
        }

    def fill(self, check: str, find: Callable[[], str]) -> None:
        try:
            self.cells[check] = {"state": "ok", "says": find()}
        except Exception as error:
            self.cells[check] = {"state": "failed", "says": f"{type(error).__name__}: {error}"[:2000]}

    def list_failed(self) -> dict[str, str]:
        return {check: cell["says"] for check, cell in self.cells.items() if cell["state"] == "failed"}


def test_while_one_port_takes_less_all_keep_their_mtu_and_the_leg_is_named(site: ModesSite) -> None:
    subprocess.run(["ip", "-n", f"{LAB}-sw", "link", "set", "k02.0", "mtu", "1500"], check=True)
    try:
        site.play("playbooks/verify.yml")
        network = site.try_to_run(*site.write_play("playbooks/network.yml"))
    finally:
        subprocess.run(["ip", "-n", f"{LAB}-sw", "link", "set", "k02.0", "mtu", "9216"], check=True)
    (finding,) = site.read(site.build / "findings.json")["findings"]
    found = {key: finding[key] for key in ("kind", "node", "device", "expected", "breaks")}
    assert found == {"kind": "mtu", "node": "k02", "device": "nic0", "expected": "red", "breaks": False}
    assert read_mtus() == {1500}
    assert network.returncode == 0, network.stdout
    assert "12 NICs keep an MTU below 9000" in " ".join(network.stderr.split())


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_mode(site: ModesSite, matrix: dict[str, Cells], mode: Mode) -> None:
    site.tune(**mode.list_variables())
    site.play(*(f"playbooks/{stage}.yml" for stage in ("network", "mpi", "prove")))
    recorder = Recorder(mode)
    matrix[str(mode)] = recorder.cells
    assert read_mtus() == {MTU}
    proof = site.read(site.build / "proof.json")
    for key, flavor in (("openmpi", "Open MPI"), ("mpich", "MPICH")):
        recorder.fill(key, lambda flavor=flavor: find_mpi(proof, flavor))
    talking.wait_for_the_end_of_subflows(site)
    with Watch(site) as watch:
        fill_while_watched(recorder, site, mode)
    recorder.fill("capture", lambda: check_capture(site, watch.capture))
    recorder.fill("multicast", lambda: talking.describe_multicast(site))
    recorder.fill("firewall", lambda: find_firewall(site))
    write_matrix(site, matrix)
    assert not recorder.list_failed(), json.dumps(recorder.list_failed(), indent=1)


def fill_while_watched(recorder: Recorder, site: ModesSite, mode: Mode) -> None:
    recorder.fill("ping", talking.ping_all)
    recorder.fill("mtu", talking.carry_full_frames)
    recorder.fill("ssh", lambda: talking.log_in_everywhere(site))
    recorder.fill("one_way", lambda: talking.send_one_way(site))
    recorder.fill("nfs", lambda: talking.share_files(site))
    recorder.fill("udp", lambda: Iperf(site).measure_datagrams(ONE_SWITCH, RATE))
    one = Iperf(site).measure(ONE_SWITCH)
    recorder.fill("tcp", lambda: f"{one:.1f}")
    recorder.fill("flows", lambda: find_ratio_of_flows(site, mode, one))
    if mode.mptcp:
        recorder.fill("mptcp", lambda: find_ratio_of_one_flow(site, one))


def read_mtus() -> set[int]:
    """The MTUs of all fabric NICs."""
    links = [link for node in NODES for link in json.loads(inside(node, "ip", "-json", "link"))]
    return {link["mtu"] for link in links if link["ifname"].startswith("nic")}


def find_mpi(proof: dict[str, Any], flavor: str) -> str:
    (run,) = [run for run in proof["mpi"] if run["flavor"] == flavor]
    assert run["ok"], run
    return f"{run['pairs']} pairs of ranks"


def find_ratio_of_flows(site: ModesSite, mode: Mode, one: float) -> str:
    enough = MANY_FLOWS * one if mode.routing == "advanced" else 0.0
    many = Iperf(site).measure_best(TWO_SWITCHES, enough, "--parallel", str(talking.FLOWS))
    if mode.routing == "basic":
        assert many < 1.1 * one, f"{many:.1f} Mbit/s is more than the one link of {one:.1f} that the routing table has"
    else:
        assert many >= enough, f"{many:.1f} Mbit/s is {many / one:.2f} of one link with {one:.1f}"
    return f"{many:.1f}, {many / one:.2f} of one link"


def find_ratio_of_one_flow(site: ModesSite, one: float) -> str:
    multipath = Iperf(site, "mptcpize", "run").measure_best(TWO_SWITCHES, ONE_FLOW * one)
    assert multipath >= ONE_FLOW * one, f"{multipath:.1f} Mbit/s is {multipath / one:.2f} of one link with {one:.1f}"
    return f"{multipath:.1f}, {multipath / one:.2f} of one link"


def find_firewall(site: ModesSite) -> str:
    """The firewall drops IP between the ports of red: the cables are right, and the proof names the cause."""
    site.fnn("lab", "fault", "firewall", "red")
    try:
        site.play("playbooks/verify.yml")
        findings = site.read(site.build / "findings.json")
        assert (findings["verdict"], findings["findings"]) == ("match", [])
        done = site.try_to_run(*site.write_play("playbooks/prove.yml"))
        assert done.returncode == 2, done.stdout
        (cause,) = site.read(site.build / "proof.json")["causes"]
        assert (cause["kind"], cause["at"]) == ("filter", "red"), cause
    finally:
        site.fnn("lab", "repair")
        site.shape()
    return f"{cause['pairs']} pairs, at {cause['at']}"


def test_one_mpi_pair_uses_both_switches_that_it_shares(site: ModesSite, matrix: dict[str, Cells]) -> None:
    """Job-wide settings that also suit pairs with one shared switch: the proof runs both MPIs."""
    mode = MODES[0]
    site.tune(**mode.list_variables(), fnn_mpi_rails=True)
    site.play("playbooks/network.yml", "playbooks/prove.yml")
    one, two = talking.measure_mpi(ONE_SWITCH), talking.measure_mpi(TWO_SWITCHES)
    says = f"{two:.1f}, {two / one:.2f} of one link"
    matrix.setdefault(str(mode), {})["rails"] = {"state": "ok" if two >= ONE_FLOW * one else "failed", "says": says}
    assert two >= ONE_FLOW * one, says


NFT = (
    "add table ip mine; add chain ip mine in { type filter hook input priority 0; }; add rule ip mine in iif nic0 drop"
)


def test_nftables_in_a_node_is_named_and_no_cable_is(site: ModesSite, matrix: dict[str, Cells]) -> None:
    inside("k02", "nft", NFT)
    try:
        site.play("playbooks/verify.yml")
        assert site.read(site.build / "findings.json")["findings"] == []
        assert site.try_to_run(*site.write_play("playbooks/prove.yml")).returncode == 2
        (cause,) = site.read(site.build / "proof.json")["causes"]
        assert (cause["kind"], cause["at"]) == ("filter", "k02"), cause
    finally:
        inside("k02", "nft", "delete table ip mine")
    site.play("playbooks/prove.yml")

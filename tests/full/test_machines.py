# SPDX-License-Identifier: GPL-3.0-or-later
"""An evening on four real systems: from ready nodes to a proved cluster, its repair and growth, and its removal.

Debian 12 with ifupdown and with NetworkManager, Debian 13 with netplan written by cloud-init and with networkd, as
virtual machines with kernels and boots of their own. The tests share one lab and run in order: each leaves it as the
next one needs it.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from labsite import find_changed
from machines_site import (
    BOOT,
    JOINING,
    NODES,
    OF_A_USER,
    MachinesSite,
    compare_states,
    needs_programs,
    report,
)

pytestmark = needs_programs

DEBIAN_12 = "Debian GNU/Linux 12 (bookworm), Python 3.11.2"
DEBIAN_13 = "Debian GNU/Linux 13 (trixie), Python 3.13.5"
READY = f"""k00  ready    {DEBIAN_12}, NICs eth1, eth2
k01  ready    {DEBIAN_12}, NICs ens4, ens5
k02  ready    {DEBIAN_13}, NICs ens4, ens5
k03  ready    {DEBIAN_13}, NICs lan0, lan1
4 nodes ready
"""
NAMES = {"k00": ("eth1", "eth2"), "k01": ("ens4", "ens5"), "k02": ("ens4", "ens5"), "k03": ("lan0", "lan1")}
#: Nodes of the same release, whose MPIs run together, and how an ordinary user runs a program of both ranks.
PAIRS = (("k00", "k01"), ("k02", "k03"))
OPEN_MPI = "mpirun.openmpi -host {0},{1} -np 2 hostname"
MPICH = "mpiexec.mpich -hosts {0},{1} -n 2 hostname"
NEW_MAC = "02:f0:00:00:99:01"
STAGES = tuple(f"playbooks/{stage}.yml" for stage in ("discover", "verify", "network", "mpi", "prove", "summary"))
BIGGER = [{"name": color, "ports": 5} for color in ("red", "blue", "green")]


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[MachinesSite]:
    site = MachinesSite(root)
    with site.running():
        yield site


@pytest.fixture(scope="module")
def before(site: MachinesSite) -> dict[str, dict[str, Any]]:
    """Files and network settings of each machine before the toolkit changed anything."""
    return {node: site.read_state(node) for node in NODES}


@pytest.fixture(autouse=True)
def progress(request: pytest.FixtureRequest) -> None:
    report(request.node.name)


def test_all_machines_are_ready_and_unchanged_by_the_check(site: MachinesSite, before: dict[str, Any]) -> None:
    assert site.fnn("check") == READY
    assert {node: compare_states(before[node], site.read_state(node)) for node in NODES} == {node: [] for node in NODES}


def test_discover_finds_the_nics_of_every_network_manager(site: MachinesSite) -> None:
    site.fnn("discover")
    nodes = site.read("macs.json")["nodes"]
    assert {node["name"]: tuple(nic["name"] for nic in node["nics"]) for node in nodes} == NAMES
    macs = [[nic["mac"] for nic in node["nics"]] for node in nodes]
    assert macs == [[f"02:f0:00:00:0{rank}:0{nic}" for nic in range(2)] for rank in range(4)]


def test_verify_names_a_cable_in_a_wrong_switch_and_then_finds_none(site: MachinesSite) -> None:
    site.fnn("lab", "move", "k02:1", "blue")
    done = site.try_to_run(*site.write_fnn("verify"))
    findings = site.read(site.build / "findings.json")
    assert [each["kind"] for each in findings["findings"]] == ["move"], findings
    assert [(end["node"], end["nic"]) for end in findings["findings"][0]["cables"]] == [("k02", 1)]
    assert done.returncode != 0
    site.fnn("lab", "recable")
    site.fnn("verify")
    assert site.read(site.build / "findings.json")["verdict"] == "match"


def test_live_cabling_asks_for_a_pulled_cable_until_it_is_plugged_in(site: MachinesSite) -> None:
    """Without the uplinks, over which beacons would reach every switch."""
    site.fnn("lab", "uplinks", "unplug")
    site.fnn("lab", "unplug", "k01:1")
    with subprocess.Popen(
        site.write_fnn("wire", "--json"), stdout=subprocess.PIPE, cwd=site.root, env=site.environment, text=True
    ) as wire:
        assert wire.stdout
        latest = threading.Timer(BOOT, wire.kill)
        latest.start()
        verdicts: dict[str, str] = {}
        for event in (json.loads(line) for line in wire.stdout if line.startswith('{"')):
            if event.get("event") == "cable":
                verdicts[f"{event['node']}:{event['nic']}"] = event["verdict"]
            if list(verdicts.values()).count("right") == 7 and verdicts.get("k01:1") == "to-plug":
                site.fnn("lab", "plug", "k01:1")
        latest.cancel()
    site.fnn("lab", "uplinks", "plug")
    assert (wire.returncode, set(verdicts.values()), len(verdicts)) == (0, {"right"}, 8)


def test_all_stages_prove_the_cluster(site: MachinesSite) -> None:
    site.play("site.yml")
    check_proof(site, NODES)
    assert site.find_silent(NODES) == []


@pytest.mark.parametrize("command", [OPEN_MPI, MPICH], ids=["open-mpi", "mpich"])
@pytest.mark.parametrize("pair", PAIRS, ids=["debian-12", "debian-13"])
def test_an_ordinary_user_runs_mpi(command: str, pair: tuple[str, str], site: MachinesSite) -> None:
    assert sorted(site.as_user(pair[0], "fnn", command.format(*pair)).split()) == [*pair]


def test_a_reboot_of_all_machines_brings_the_network_back(site: MachinesSite) -> None:
    site.reboot(*NODES)
    assert site.find_silent(NODES) == []
    for node in NODES:
        assert site.shell(node, "systemctl --failed --no-legend") == ""


def test_names_outlive_a_boot_at_which_cloud_init_writes_hosts(site: MachinesSite) -> None:
    assert "manage_etc_hosts" in site.shell("k02", "cat /etc/hosts"), "cloud-init wrote the file"
    planned = {line.split()[1]: line.split()[0] for line in site.shell("k02", "cat /etc/fnn/hosts").splitlines()}
    resolved = {name: site.shell("k02", f"getent ahostsv4 {name}").split()[0] for name in NODES}
    assert resolved == {name: planned[name] for name in NODES}
    assert site.read_status("k02")["names"] == []


def test_a_second_run_changes_nothing(site: MachinesSite) -> None:
    again = site.play("site.yml", "--diff")
    assert find_changed(again) == [], again


def test_a_replaced_nic_comes_into_use(site: MachinesSite) -> None:
    """The .link files of k03 do not know the new NIC, so udev names it by its slot."""
    site.shut_down("k03")
    site.replace_nic("k03", 1, NEW_MAC)
    site.fnn("replace-nic", "k03", "1")
    (nics,) = [each["nics"] for each in site.read("macs.json")["nodes"] if each["name"] == "k03"]
    assert (nics[1]["name"], nics[1]["mac"]) == ("ens5", NEW_MAC)
    site.play("playbooks/verify.yml", "playbooks/network.yml", "playbooks/prove.yml")
    check_proof(site, NODES)


def test_an_added_machine_is_reached_by_all_others(site: MachinesSite) -> None:
    site.list_nodes(*NODES, JOINING)
    site.tune(fnn_switches=BIGGER)
    site.fnn("design", "--grow")
    site.play("playbooks/lab.yml")
    site.fnn("lab", "recable")
    site.play(*STAGES)
    check_proof(site, (*NODES, JOINING))


def test_a_removed_machine_leaves_no_entries_on_the_others(site: MachinesSite) -> None:
    site.play("playbooks/remove.yml", "--limit", JOINING)
    site.shut_down(JOINING)
    site.fnn("lab", "unplug", f"{JOINING}:0", f"{JOINING}:1")
    site.list_nodes(*NODES)
    site.fnn("design", "--grow")
    site.play(*STAGES)
    check_proof(site, NODES)
    for node in NODES:
        assert JOINING not in site.shell(node, "cat /etc/fnn/nics /etc/fnn/neighbors /etc/hosts")


def test_removal_leaves_every_machine_as_it_was(site: MachinesSite, before: dict[str, Any]) -> None:
    site.play("playbooks/remove.yml")
    after = {node: site.read_state(node) for node in NODES}
    found = {node: compare_states(before[node], after[node], OF_A_USER) for node in NODES}
    # The MAC of the replaced NIC is the new one.
    found["k03"] = [line for line in found["k03"] if NEW_MAC not in line and "02:f0:00:00:03:01" not in line]
    assert found == {node: [] for node in NODES}


def check_proof(site: MachinesSite, nodes: tuple[str, ...]) -> None:
    proof = site.read(site.build / "proof.json")
    assert (proof["verdict"], proof["problems"], sorted(proof["nodes"])) == ("proved", [], sorted(nodes)), proof
    assert proof["arp"] == {"nodes": 0, "ports": 0}
    pairs = len(nodes) * (len(nodes) - 1)
    assert proof["pairs"] == {"captured": pairs, "expected": pairs, "one_switch": pairs, "reached": pairs}


def test_states_differ_by_lines() -> None:
    one = {"files": ["/etc/a -rw- root:root", "/etc/passwd -rw- root:root"], "route": [{"dst": "10.0.0.0/8"}]}
    two = {"files": ["/etc/a -rwx root:root"], "route": [{"dst": "10.0.0.0/8"}]}
    assert compare_states(one, two, OF_A_USER) == [
        "files: gone: /etc/a -rw- root:root",
        "files: new: /etc/a -rwx root:root",
    ]

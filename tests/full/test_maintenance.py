# SPDX-License-Identifier: GPL-3.0-or-later
"""The committed cluster with a maintenance network of two switches as a lab.

Both networks are proved and stay as they are in a second run. Faults of the maintenance network are named exactly, and
the fabric does not notice them. Removing the toolkit restores the maintenance NIC. At last Ansible arrives over this
network alone, as it often does on hardware.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from test_topologies import TopologySite

NODES = [f"k0{rank}" for rank in range(6)]
SOURCE = "two-networks"


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[TopologySite]:
    inventory = root / "inventory" / SOURCE / "group_vars/all/fnn.yml"
    variables = {**yaml.safe_load(inventory.read_text()), "fnn_cluster": f"{SOURCE}-lab"}
    made = TopologySite(root, "maint", NODES, variables, source=SOURCE)
    with made.booted("playbooks/design.yml", "playbooks/lab.yml", "site.yml"):
        yield made


def verify(site: TopologySite) -> tuple[int, list[tuple[str, str]], list[tuple[str, str]]]:
    """The exit status of ./fnn verify, and kinds and actions of the findings in the fabric and in maintenance."""
    status = site.try_to_run(*site.write_fnn("verify")).returncode
    fabric, own = (site.read(site.build / path) for path in ("findings.json", "maintenance/findings.json"))
    return status, list_actions(fabric), list_actions(own)


def list_actions(findings: Any) -> list[tuple[str, str]]:
    return [(each["kind"], each["action"]) for each in findings["findings"]]


def test_both_networks_are_proved_and_a_second_run_changes_nothing(site: TopologySite) -> None:
    site.check_proved(*NODES, whole=True)
    lines = site.read(site.build / "summary.json")["lines"]
    assert "  maintenance  6 nodes on 2 switches, a tree" in lines
    assert f"  {'':11}  match: 6 of 6 node cables verified as designed (by beacons)" in lines
    assert [run["ok"] for run in site.read(site.build / "proof.json")["mpi"]] == [True, True]


def test_nodes_reach_each_other_over_the_maintenance_network_by_name(site: TopologySite) -> None:
    names = [f"{node}-maintenance" for node in NODES]
    script = "for name in $0 $@; do ping -q -c 1 -W 2 $name > /dev/null || echo $name; done"
    assert [site.inside(node, "sh", "-c", script, *names) for node in NODES] == [""] * 6
    for rank, node in enumerate(NODES):
        (device,) = json.loads(site.inside(node, "ip", "-d", "-j", "address", "show", "dev", "nicm"))
        addresses = [each["local"] for each in device["addr_info"] if each["family"] == "inet"]
        assert (addresses, "NOARP" in device["flags"]) == ([f"10.80.0.{rank + 1}"], False)


def test_no_file_of_the_mpis_and_no_route_names_the_network(site: TopologySite) -> None:
    files = "/etc/fnn/hosts.* /etc/fnn/routes /etc/fnn/nics /etc/fnn/neighbors /etc/fnn/links /etc/openmpi/* /etc/ucx/*"
    for node in NODES:
        found = site.shell(node, f"grep -rlE '10[.]80[.]|nicm|maintenance' {files} 2> /dev/null", check=False)
        assert found == ""
        assert "nicm" not in site.inside(node, "ip", "route", "show", "proto", "196")


def test_swapped_plugs_of_two_maintenance_switches_are_one_swap(site: TopologySite) -> None:
    site.fnn("lab", "swap", "k01:2", "k04:2")
    swap = ("swap", "k01: move the cable in nicm from WHITE to GREY; k04: move nicm from GREY to WHITE")
    assert verify(site) == (4, [], [swap])
    site.fnn("lab", "swap", "k01:2", "k04:2")
    assert verify(site) == (0, [], [])


def test_a_pulled_maintenance_cable_is_named(site: TopologySite) -> None:
    site.fnn("lab", "unplug", "k02:2")
    status, fabric, own = verify(site)
    assert (status, fabric) == (4, [])
    assert own == [("missing", "k02: plug a cable from nicm into GREY; if there is one, try another")]
    assert site.find_silent(NODES) == [], "the fabric does not depend on it"
    site.fnn("lab", "recable")
    assert verify(site) == (0, [], [])


def test_a_cable_in_the_wrong_maintenance_switch_is_one_move(site: TopologySite) -> None:
    site.fnn("lab", "unplug", "k03:2")
    site.fnn("lab", "move", "k00:2", "white")
    status, fabric, own = verify(site)
    assert (status, fabric, sorted(kind for kind, _ in own)) == (4, [], ["missing", "move"])
    assert any(action.startswith("k00: move the cable in nicm from WHITE to GREY") for _, action in own)
    site.fnn("lab", "recable")


def test_a_maintenance_cable_in_a_switch_of_the_fabric_is_named(site: TopologySite) -> None:
    site.fnn("lab", "move", "k05:2", "red")
    text = "k05: the cable in nicm leads into a foreign network; move it to WHITE"
    assert verify(site) == (4, [], [("foreign-network", text)])
    site.fnn("lab", "recable")
    site.play("playbooks/verify.yml")


def test_removing_the_toolkit_restores_the_nic(site: TopologySite) -> None:
    site.play("playbooks/remove.yml")
    for node in NODES:
        (device,) = json.loads(site.inside(node, "ip", "-j", "-d", "address", "show", "dev", "nicm"))
        assert [each for each in device["addr_info"] if each["family"] == "inet"] == []
        assert "fnn" not in device.get("ifalias", "")


# --- Ansible over the maintenance network ---


def connect_controller(site: TopologySite) -> None:
    """A cable from the controller to a maintenance switch, and an address in a subnet of the operator's own."""
    switches, controller = f"{site.lab}-sw", f"{site.lab}-mg"
    for words in (
        (switches, "link", "add", "controller", "type", "veth", "peer", "name", "over", "netns", controller),
        (switches, "link", "set", "dev", "controller", "master", "white", "up"),
        (controller, "address", "add", "192.168.55.250/24", "dev", "over"),
        (controller, "link", "set", "dev", "over", "up"),
    ):
        site.run("ip", "-n", *words)
    for rank, node in enumerate(NODES, start=1):
        site.shell(node, f"ip link set dev nicm up && ip address add 192.168.55.{rank}/24 dev nicm")


def write_inventory(site: TopologySite) -> Path:
    """The same cluster as hardware: not a lab, and reached by these addresses."""
    inventory = site.root / "build" / f"{SOURCE}-over"
    if inventory.exists():  # of an interrupted run
        shutil.rmtree(inventory)
    shutil.copytree(site.inventory, inventory)
    config = (site.root / f"build/lab/{site.lab}/ssh/config").read_text()
    config = config.replace("HostName 10.79.0.", "HostName 192.168.55.").replace(f"Host {site.lab}-", "Host over-")
    (inventory / "ssh_config.orig").write_text(config)
    variables = {
        "ansible_host": "over-{{ inventory_hostname }}",
        "ansible_user": "root",
        "ansible_ssh_common_args": f"-F {inventory}/ssh_config.orig",
        "ansible_python_interpreter": "/usr/bin/python3",
        "fnn_nic_match": ["nic*"],
        "fnn_mpi_yield": True,
    }
    (inventory / "group_vars/all/lab.yml").unlink()
    (inventory / "group_vars/fnn_nodes/lab.yml").write_text(json.dumps(variables))
    return inventory


def describe_nic(site: TopologySite, node: str) -> Any:
    (device,) = json.loads(site.inside(node, "ip", "-d", "-j", "address", "show", "dev", "nicm"))
    addresses = [each["local"] for each in device["addr_info"] if each["family"] == "inet"]
    return device["flags"], device["mtu"], device.get("ifalias"), addresses


def test_a_nic_over_which_ansible_arrives_is_verified_and_never_changed(site: TopologySite) -> None:
    connect_controller(site)
    before = {node: describe_nic(site, node) for node in NODES}
    inventory = write_inventory(site)
    program = site.write_play()[0]
    site.run(program, "-i", inventory, "site.yml")
    assert {node: describe_nic(site, node) for node in NODES} == before
    findings = site.read(site.build / "maintenance/findings.json")
    assert (findings["verdict"], findings["switches"][0]["name"]) == ("match", "maintenance")
    assert site.inside("k01", "getent", "hosts", "k04-maintenance").split()[0] == "192.168.55.5"
    assert site.read_view("k04")["maintenance"]["length"] is None
    shutil.rmtree(inventory)

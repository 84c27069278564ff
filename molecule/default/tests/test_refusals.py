# SPDX-License-Identifier: GPL-3.0-or-later
"""Invalid input: one message refuses it, and the nodes stay as before."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from testinfra.host import Host

from .conftest import BUILD, NODES, Outcome, look, read_json

Refused = Callable[..., str]


def find_arrival_mac(host: Host) -> str:
    return str(host.check_output("cat /sys/class/net/mg0/address"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of the scenario's documents, to be modified."""
    return Path(shutil.copytree(BUILD / "site", tmp_path / "site"))


@pytest.fixture
def refused(play: Callable[..., Outcome], nodes: dict[str, Host], site: Path, tmp_path: Path) -> Iterator[Refused]:
    """Runs playbooks that must fail, and returns the message in one line; then the nodes are as before."""
    before = look(nodes)

    def run(*playbooks: str, **variables: Any) -> str:
        places = {"fnn_site_dir": str(site), "fnn_build_dir": str(tmp_path / "build")}
        outcome = play(*playbooks, "--extra-vars", json.dumps({**places, **variables}))
        assert outcome.status == 2, outcome.output
        assert "Traceback" not in outcome.output
        return " ".join(outcome.output.partition("FAILED! =>")[2].split())

    yield run
    assert look(nodes) == before


@pytest.mark.long
def test_a_spec_that_claims_the_interface_ansible_arrives_on(refused: Refused, site: Path) -> None:
    before = (site / "macs.json").read_bytes()
    nics = [{"name": name, "speed_mbps": 1000, "media": "rj45"} for name in ("nic0", "mg0")]
    what = "so it cannot be a NIC of the fabric"
    message = refused("site.yml", fnn_nics=nics, fnn_redesign=True)
    for name in NODES:
        assert f"{name}: problem: mg0 carries the SSH connection from " in message
        assert f"{what} (fnn_nics of {name})" in message
    message = refused("playbooks/design.yml", "playbooks/discover.yml", fnn_nics=nics, fnn_redesign=True)
    for rank, name in enumerate(NODES):
        assert f"/nodes/{rank}/nics/1/name: mg0 carries the SSH connection from " in message
        assert f"{what} (fnn_nics of {name})" in message
    assert (site / "macs.json").read_bytes() == before


def test_a_binding_to_the_interface_ansible_arrives_on(refused: Refused, site: Path, nodes: dict[str, Host]) -> None:
    macs = read_json(site / "macs.json")
    macs["nodes"][2]["nics"][1]["mac"] = find_arrival_mac(nodes["k02"])
    (site / "macs.json").write_text(json.dumps(macs))
    message = refused("playbooks/discover.yml")
    assert "/nodes/2/nics/1: mg0 carries the SSH connection from " in message


# Second line of defence: the node itself refuses a plan that claims the interface, whatever its source.
def test_a_plan_that_claims_the_interface_ansible_arrives_on(
    refused: Refused, tmp_path: Path, nodes: dict[str, Host], show_view: Callable[[str], dict[str, Any]]
) -> None:
    bundle = Path(shutil.copytree(BUILD / "nodes" / "k00", tmp_path / "bundle"))
    links = bundle / "etc" / "fnn" / "links"
    planned = show_view("k00")["links"][0]["mac"]
    links.write_text(links.read_text().replace(planned, find_arrival_mac(nodes["k00"])))
    playbook = tmp_path / "apply.yml"
    tasks = [{"name": "Apply", "fnn_apply": {"bundle": str(bundle), "common": str(BUILD / "common")}}]
    playbook.write_text(json.dumps([{"name": "Apply", "hosts": "k00", "tasks": tasks}]))
    assert "fnn-net: mg0 carries the SSH connection from " in refused(str(playbook))


def test_addresses_that_would_draw_the_connection_into_the_network(refused: Refused, tmp_path: Path) -> None:
    prefixes = {"fnn_prefix": "10.79.0.0/16", "fnn_management_prefix": "10.99.0.0/16"}
    message = refused("playbooks/network.yml", **prefixes)
    assert "fnn_prefix: 10.79.0.0/16 covers the management address 10.79.0.1 of k00 and 5 more" in message
    assert not (tmp_path / "build" / "nodes").exists()


@pytest.mark.long
def test_addresses_that_do_not_fit(refused: Refused, tmp_path: Path) -> None:
    message = refused("playbooks/network.yml", fnn_prefix="10.77.0.0/24")
    assert "fnn_prefix: 10.77.0.0/24 holds 1 subnet of /24, but 3 switches need 3; 10.77.0.0/22 would do" in message
    assert not (tmp_path / "build" / "nodes").exists()


@pytest.mark.long
def test_one_mac_at_two_nodes(refused: Refused, site: Path) -> None:
    macs = read_json(site / "macs.json")
    mac = macs["nodes"][0]["nics"][0]["mac"]
    macs["nodes"][3]["nics"][1]["mac"] = mac
    (site / "macs.json").write_text(json.dumps(macs))
    before = (site / "macs.json").read_bytes()
    message = refused("site.yml")
    assert f"macs.json#/nodes/3/nics/1/mac: {mac} is already the MAC of /nodes/0/nics/0" in message
    assert (site / "macs.json").read_bytes() == before


@pytest.mark.long
def test_a_spec_that_no_design_can_meet(refused: Refused) -> None:
    switches = [{"name": name, "ports": 4} for name in ("red", "blue", "green")]
    message = refused("site.yml", fnn_switches=switches, fnn_redesign=True)
    assert (
        "spec.json: no design can exist (degree bound): k00 with 2 NICs can share a switch with at most 4 nodes"
        in message
    )

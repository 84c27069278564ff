# SPDX-License-Identifier: GPL-3.0-or-later
"""A head and a spare on the uplink switch, through all stages; broadcast and multicast; a spare that stands in.

The tests share one lab and run in order: each leaves it as the next one needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from uplink_site import ALL, GROUP, HEAD, NO_NAMESPACE, NODES, PROBE, SPARE, UplinkSite, count_on_uplinks, find_changed

LIMITED_BROADCAST = "255.255.255.255"


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[UplinkSite]:
    """Booted; no plan is applied."""
    site = UplinkSite(root)
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"):
        yield site


def read_proof(site: UplinkSite) -> dict[str, Any]:
    proof: dict[str, Any] = site.read(site.build / "proof.json")
    return proof


def test_all_playbooks_prove_every_path(site: UplinkSite) -> None:
    site.play("site.yml")
    proof = read_proof(site)
    assert proof["verdict"] == "proved"
    assert proof["nodes"] == list(ALL)
    assert proof["pairs"]["expected"] == proof["pairs"]["captured"] == 6 * 5 + 2  # nodes, and head and spare
    assert proof["pairs"]["over_uplink"] == {"expected": 2 * 2 * 6, "right": 2 * 2 * 6}
    assert proof["arp"] == {"nodes": 0, "ports": 0}
    assert [(run["flavor"], run["ranks"]) for run in proof["mpi"]] == [("Open MPI", 7), ("MPICH", 7)]
    assert [each["name"] for each in site.read("macs.json")["satellites"]] == [HEAD, SPARE]


def test_a_second_time_nothing_changes(site: UplinkSite) -> None:
    assert find_changed(site.play("site.yml")) == []


def test_all_ping_all_by_name_and_no_node_suspects_a_satellite(site: UplinkSite) -> None:
    assert site.find_silent(ALL) == []
    assert site.inside("k00", "cat", "/run/fnn/legs-down", check=False).splitlines()[1:] == []
    assert "inactive" in site.inside(HEAD, "systemctl", "is-active", "fnn-linkd", check=False)


def test_mpi_starts_from_the_head(site: UplinkSite) -> None:
    found = site.run_mpi(HEAD)
    assert (found["ranks"], found["pairs"], sorted(found["hosts"])) == (7, 42, sorted([*NODES, HEAD]))


def test_the_head_runs_the_probe_with_the_uplinks_in(site: UplinkSite) -> None:
    site.play("playbooks/verify.yml", *PROBE, *NO_NAMESPACE)
    findings = site.read(site.build / "findings.json")
    assert (findings["verdict"], findings["evidence"], findings["findings"]) == ("match", "relearn probe", [])


@pytest.mark.parametrize("how", [(), (*PROBE, *NO_NAMESPACE)], ids=["beacons", "relearn probe"])
def test_a_spare_in_a_leaf_switch_is_named(site: UplinkSite, how: tuple[str, ...]) -> None:
    site.fnn("lab", "move", f"{SPARE}:0", "red")
    try:
        assert site.try_to_run(*site.write_play("playbooks/verify.yml", *how)).returncode == 2
        (finding,) = site.read(site.build / "findings.json")["findings"]
        assert {key: finding[key] for key in ("kind", "node", "expected", "seen")} == {
            "kind": "move", "node": SPARE, "expected": "uplink", "seen": "red",
        }  # fmt: skip
    finally:
        site.fnn("lab", "recable")


def test_without_broadcast_no_group_frame_crosses_an_uplink(site: UplinkSite) -> None:
    with site.capture() as seen:
        failed = site.inside("k00", "ping", "-c", "1", "-W", "1", GROUP, check=False)
    assert "1 received" not in failed
    assert count_on_uplinks(seen, GROUP, LIMITED_BROADCAST, "10.77.0.255") == 0


@pytest.mark.parametrize("addressing", ["subnets", "unnumbered"])
def test_multicast_reaches_each_once_and_broadcast_once_per_raised_nic(site: UplinkSite, addressing: str) -> None:
    site.tune(fnn_broadcast=True, fnn_addressing=addressing)
    site.play("playbooks/network.yml")
    for speaker in ("k03", HEAD):
        with site.capture() as seen:
            heard = site.find_receivers(speaker, GROUP, LIMITED_BROADCAST)
        assert set(seen["arp"].values()) == {0}
        for node in (each for each in ALL if each != speaker):
            assert heard[node] == {GROUP: 1, LIMITED_BROADCAST: 1 if node in (HEAD, SPARE) else 2}, (speaker, node)
        assert count_on_uplinks(seen, GROUP, LIMITED_BROADCAST) > 0
    site.play("playbooks/prove.yml")


def test_broadcast_switched_off_leaves_no_routes_or_neighbors(site: UplinkSite) -> None:
    site.tune()
    site.play("playbooks/network.yml")
    for node in ALL:
        assert LIMITED_BROADCAST not in site.inside(node, "ip", "neighbor", "show", "nud", "permanent")
        assert "224.0.0.0" not in site.inside(node, "ip", "route")


def test_the_spare_takes_the_place_of_a_dead_node(site: UplinkSite) -> None:
    site.fnn("lab", "unplug", "k02:0", "k02:1")
    site.run("podman", "stop", "--time=0", f"{site.lab}-k02")
    site.fnn("stand-in", "k02", SPARE)
    alive = tuple(name for name in ALL if name != "k02")
    assert site.find_silent(alive) == []
    assert site.inside("k00", "getent", "hosts", "k02").split() == ["10.78.0.3", "k02", SPARE]
    assert " 10.78.0.3\n" in site.inside(SPARE, "cat", "/etc/fnn/node")
    site.try_to_run(*site.write_play("playbooks/prove.yml"))
    proof = read_proof(site)
    assert (proof["verdict"], proof["problems"]) == ("proved", [])
    assert proof["nodes"] == ["k00", "k01", SPARE, "k03", "k04", "k05", HEAD]
    assert sorted(site.run_mpi(HEAD)["hosts"]) == sorted(alive)


def test_the_node_has_its_place_back(site: UplinkSite) -> None:
    site.run("podman", "start", f"{site.lab}-k02")
    site.fnn("lab", "plug", "k02:0", "k02:1")
    site.play("playbooks/lab.yml")  # waits until the node answers
    site.fnn("stand-in", "k02", "--end")
    assert not (site.inventory / "stand-ins.json").exists()
    site.play("site.yml")
    assert read_proof(site)["verdict"] == "proved"
    assert site.find_silent(ALL) == []
    assert find_changed(site.play("playbooks/network.yml")) == []

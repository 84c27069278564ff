# SPDX-License-Identifier: GPL-3.0-or-later
"""Labs of four nodes grow from a ring, a star, a mesh, one switch and a tree to a flat neighborhood network, while
pairs talk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from labsite import Site
from sixteen import Rewiring, Traffic, list_cables

NODES = [f"k{rank}" for rank in range(4)]
NIC = {"speed_mbps": 10000, "media": "sfp"}
#: Pairs that keep a path may be silent for this long while routes change, in seconds.
ROUTES_CHANGE = 1.5


def list_switches(*names: str, ports: int) -> list[dict[str, Any]]:
    groups = [{"count": ports, "speed_mbps": 10000, "media": "sfp"}]
    return [{"name": name, "ports": groups} for name in names]


@dataclass(frozen=True)
class Case:
    """start: variables of the first network. switches: of the new one. bought: those that are new. nics: of each node.

    trunk: a cable between switches, which is unplugged to verify; its pairs have no path then.
    """

    lab: str
    start: dict[str, Any]
    switches: list[dict[str, Any]]
    bought: tuple[str, ...]
    trunk: str = ""
    nics: int = 2


THREE = ("red", "blue", "green")
TWO = list_switches("red", "blue", ports=5)
CASES = {
    "ring": Case("growring", {"fnn_topology": "ring", "fnn_switches": []}, list_switches(*THREE, ports=3), THREE),
    "star": Case(
        "growstar", {"fnn_topology": "star", "fnn_switches": []}, list_switches(*THREE, ports=4), THREE, nics=3
    ),
    "mesh": Case(
        "growmesh", {"fnn_topology": "mesh", "fnn_switches": []}, list_switches(*THREE, ports=4), THREE, nics=3
    ),
    "one-switch": Case(
        "growone",
        {"fnn_topology": "switch", "fnn_switches": list_switches("white", ports=4)},
        list_switches(*THREE, ports=3),
        THREE,
    ),
    "tree": Case("growtree", {"fnn_topology": "tree", "fnn_switches": TWO}, TWO, (), "red.blue"),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


@pytest.fixture
def site(root: Path, case: Case) -> Iterator[Site]:
    """Booted, and proved as it stands."""
    made = Site(root, case.lab, NODES, {"fnn_cluster": case.lab, "fnn_nics": [NIC] * case.nics, **case.start})
    with made.booted("playbooks/design.yml", "playbooks/lab.yml", "site.yml"):
        yield made


@pytest.fixture
def traffic(site: Site, case: Case) -> Iterator[Traffic]:
    traffic = Traffic(case.lab, NODES)
    yield traffic
    traffic.kill()


def test_the_cluster_grows_while_pairs_with_a_path_talk(site: Site, case: Case, traffic: Traffic) -> None:
    before = site.read("design.json")
    site.tune(fnn_topology="fnn", fnn_switches=case.switches, fnn_goals={"shared_switches": 1})
    target = site.build / "next.json"
    site.play("playbooks/design.yml", "-e", f"fnn_redesign_output={target}")
    site.fnn("rewire", "--to", str(target), "--plan")
    job = site.read("rewire.json")
    assert site.read("design.json") == before
    assert tuple(job["buy"][0].get("names", ())) == case.bought

    for number, text in enumerate(Rewiring(site)):
        batch = job["batches"][number]
        assert f"batch {number + 1} of {len(job['batches'])} (resting)" in text
        if number == 0:
            site.fnn("lab", "up")  # the new switches are put up
        site.move_cables(batch["moves"])
        if case.trunk:
            site.run("ip", "netns", "exec", f"{case.lab}-sw", "ip", "link", "set", case.trunk, "down")
    assert site.read("rewire.json")["done"] == len(job["batches"])

    silences = traffic.stop()
    print(f"silences: {silences}")
    apart = {tuple(pair) for batch in job["batches"] for pair in batch["pairs"]}
    apart |= {(one, other) for one in NODES[:2] for other in NODES[2:] if case.trunk}
    late = {pair: silence for pair, silence in silences.items() if silence > ROUTES_CHANGE}
    assert late.keys() <= apart, silences
    site.play("site.yml")
    after, new = site.read("design.json"), site.read(target)
    assert after["spec"] == new["spec"]
    assert len(list_cables(after)) == len(list_cables(new))
    site.check_proved(*NODES)
    for node in NODES:
        forwarding = site.shell(node, "cat /proc/sys/net/ipv4/conf/nic*/forwarding").split()
        assert set(forwarding) == {"0"}, "nodes forward no longer"

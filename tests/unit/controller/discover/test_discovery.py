# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings of a discovery besides the bound MACs, on the six PCs of the lab."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.discover.discovery import Discovery, discover
from ansible.module_utils.fnn.controller.documents import Documents, check_macs, read_json
from ansible.module_utils.fnn.shared.errors import FnnError


def mac(node: int, nic: int) -> str:
    return f"02:f0:00:00:{node:02x}:{nic:02x}"


class Site:
    """nodes: the current NICs of each node, device -> MAC; None for a silent node. macs: the MACs bound so far."""

    def __init__(self, root: Path) -> None:
        self.documents = Documents(root / "schemas")
        self.design = read_json(root / "inventory/lab/design.json")
        bound = read_json(root / "inventory/lab/macs.json")
        del bound["host_names"]  # the module keeps them
        self.macs: dict[str, Any] | None = bound
        self.nodes: dict[str, dict[str, str] | None] = {
            f"k{rank:02d}": {f"nic{nic}": mac(rank, nic) for nic in (0, 1)} for rank in range(6)
        }

    def put(self, node: str, **links: str) -> None:
        self.nodes[node] = {**(self.nodes[node] or {}), **links}

    def take(self, node: str, device: str) -> None:
        links = self.nodes[node]
        assert links is not None
        del links[device]

    def color(self, node: str, nic: int) -> str:
        links = next(each["links"] for each in self.design["nodes"] if each["name"] == node)
        return str(next(link["switch"] for link in links if link["nic"] == nic))

    def discover(self) -> Discovery:
        seen = {
            node: links
            and {
                "links": [{"device": device, "mac": mac, "permanent": False} for device, mac in links.items()],
            }
            for node, links in self.nodes.items()
        }
        found = discover(self.design, self.macs, seen)
        self.documents.check(found.macs, "fnn-macs")
        self.documents.check(found.document, "fnn-discovery")
        check_macs(found.macs)
        return found


@pytest.fixture
def site(root: Path) -> Site:
    return Site(root)


def list_bound(macs: dict[str, Any]) -> dict[str, str]:
    return {f"{node['name']}:{nic['nic']}": nic["mac"] for node in macs["nodes"] for nic in node["nics"]}


def list_findings(found: Discovery) -> list[tuple[str, str, bool]]:
    return [(each["kind"], each["action"], each["breaks"]) for each in found.document["findings"]]


def test_a_site_as_it_was_has_no_findings_and_neither_has_a_first_discovery(site: Site) -> None:
    before = list_bound(site.macs or {})
    for macs in (site.macs, None):
        site.macs = macs
        found = site.discover()
        assert (list_findings(found), found.must_stop, list_bound(found.macs)) == ([], False, before)
        assert found.report == ["macs.json: has the MACs of 12 of 12 NICs"]


# --- One MAC, several NICs ---

TWINS = (
    f"k00 nic0 and k03 nic1 have the same MAC {mac(0, 0)}: give k03 nic1 one of its own (replace the NIC, or set "
    "another address), then run discover and verify again"
)


def test_duplicate_macs_are_not_bound_and_all_others_are(site: Site) -> None:
    site.macs = None
    site.put("k03", nic1=mac(0, 0))
    found = site.discover()
    assert (list_findings(found), found.must_stop) == ([("duplicate-mac", TWINS, True)], True)
    assert sorted({f"k{n:02d}:{i}" for n in range(6) for i in (0, 1)} - set(list_bound(found.macs))) == [
        "k00:0",
        "k03:1",
    ]
    assert found.report == [
        f"duplicate-mac: {TWINS}",
        f"    links: {mac(0, 0)} is the address of k00 nic0 and k03 nic1",
        "macs.json: has the MACs of 10 of 12 NICs",
    ]
    site.macs = found.macs
    site.put("k03", nic1="54:e1:ad:5f:24:b4")
    assert list_bound(site.discover().macs) == {
        **{f"k{n:02d}:{i}": mac(n, i) for n in range(6) for i in (0, 1)},
        "k03:1": "54:e1:ad:5f:24:b4",
    }


def test_the_record_names_both_nics_with_the_switches_of_their_cables(site: Site) -> None:
    site.put("k03", nic1=mac(0, 0))
    (finding,) = site.discover().document["findings"]
    own = {"node": "k00", "nic": 0, "device": "nic0", "mac": mac(0, 0), "expected": site.color("k00", 0), "seen": None}
    twin = {**own, "node": "k03", "nic": 1, "device": "nic1", "expected": site.color("k03", 1)}
    assert finding == {
        "kind": "duplicate-mac",
        **own,
        "cables": [own, twin],
        "evidence": f"links: {mac(0, 0)} is the address of k00 nic0 and k03 nic1",
        "pairs_broken": 0,
        "breaks": True,
        "action": TWINS,
    }


@pytest.mark.parametrize(("owner", "thief"), [("k00", "k03"), ("k03", "k00")])
def test_an_earlier_binding_stays_and_the_other_nic_needs_another_mac(site: Site, owner: str, thief: str) -> None:
    before = copy.deepcopy(site.macs)
    site.put(thief, nic1=mac(int(owner[1:]), 0))
    found = site.discover()
    assert found.macs == before
    ((_, action, _),) = list_findings(found)
    assert action.startswith(f"{owner} nic0 and {thief} nic1 have the same MAC")
    assert f"give {thief} nic1 one of its own" in action


def test_nics_of_one_node_with_one_mac_keep_their_bindings(site: Site) -> None:
    before = copy.deepcopy(site.macs)
    site.put("k02", nic1=mac(2, 0))
    found = site.discover()
    assert found.macs == before
    assert [kind for kind, _, _ in list_findings(found)] == ["duplicate-mac"]
    site.macs = None
    assert "k02" not in [node["name"] for node in site.discover().macs["nodes"]]


def test_a_nic_under_the_mac_of_another_is_known_by_its_device_and_no_spare_takes_its_place(site: Site) -> None:
    before = copy.deepcopy(site.macs)
    site.put("k02", a_spare="54:e1:ad:5f:24:b4", nic1=mac(0, 0))
    assert site.discover().macs == before


def test_of_three_with_one_mac_two_are_to_get_another(site: Site) -> None:
    for node in ("k03", "k04"):
        site.put(node, nic1=mac(0, 0))
    ((_, action, _),) = list_findings(site.discover())
    assert "give k03 nic1 and k04 nic1 one of their own" in action


def test_two_names_of_one_machine_are_one_finding(site: Site) -> None:
    site.nodes["k03"] = site.nodes["k00"]
    site.macs = None
    found = site.discover()
    assert list_findings(found) == [
        (
            "duplicate-mac",
            "k00 and k03 have the same NICs, so these names reach one machine: give each the address of its own "
            "machine (ansible_host in the inventory), then run discover again",
            True,
        )
    ]
    assert (
        found.document["findings"][0]["evidence"]
        == f"links: k00 and k03 report the same MACs, {mac(0, 0)} and {mac(0, 1)}"
    )
    assert [node["name"] for node in found.macs["nodes"]] == ["k01", "k02", "k04", "k05"]


def test_the_mac_of_a_silent_node_is_not_bound_to_another(site: Site) -> None:
    before = copy.deepcopy(site.macs)
    site.nodes["k03"] = None
    site.put("k05", nic0=mac(3, 1))
    found = site.discover()
    assert (found.macs, found.document["unreachable"]) == (before, ["k03"])
    assert list_findings(found) == [
        (
            "duplicate-mac",
            f"k05 nic0 has the MAC {mac(3, 1)}, which is that of k03 nic1, and k03 does not answer: switch k03 on, or, "
            "if its NIC was moved to k05, take k03 out of macs.json; then run discover again",
            True,
        )
    ]


# --- Gone and new ---


def test_a_nic_that_is_gone_fails_and_keeps_its_place(site: Site) -> None:
    before = copy.deepcopy(site.macs)
    site.take("k02", "nic0")
    found = site.discover()
    assert found.macs == before
    assert list_findings(found) == [
        (
            "vanished-mac",
            f"k02: nic0 ({mac(2, 0)}) is gone; put it back, or run discover to bind its replacement",
            True,
        )
    ]
    (finding,) = found.document["findings"]
    assert (finding["node"], finding["nic"], finding["expected"]) == ("k02", 0, site.color("k02", 0))
    # Each node is on two switches and shares only one of them with some peers.
    assert finding["pairs_broken"] == 2
    assert found.report[0].endswith("(2 pairs without a shared switch)")


def test_a_replaced_nic_is_bound_and_both_nics_are_reported(site: Site) -> None:
    site.put("k02", nic0="54:e1:ad:5f:24:b4")
    found = site.discover()
    assert list_bound(found.macs)["k02:0"] == "54:e1:ad:5f:24:b4"
    color = site.color("k02", 0).upper()
    assert (found.must_stop, list_findings(found)) == (
        False,
        [
            ("vanished-mac", f"k02: nic0 ({mac(2, 0)}) is gone; nic0 (54:e1:ad:5f:24:b4) has taken its place", False),
            ("new-mac", f"k02: nic0 (54:e1:ad:5f:24:b4) is new; its cable belongs in {color}", False),
        ],
    )
    site.macs = found.macs
    assert list_findings(site.discover()) == []


def test_a_nic_that_was_moved_to_another_node_is_new_there_and_gone_here(site: Site) -> None:
    site.take("k02", "nic0")
    site.put("k04", nic1=mac(2, 0))
    found = site.discover()
    bound = list_bound(found.macs)
    assert bound["k04:1"] == mac(2, 0)
    assert "k02:0" not in bound
    assert [(each["kind"], each["node"], each["breaks"]) for each in found.document["findings"]] == [
        ("vanished-mac", "k02", True),
        ("vanished-mac", "k04", False),
        ("new-mac", "k04", False),
    ]
    assert found.document["findings"][0]["evidence"] == ("links: the node has no NIC with this MAC, k04 nic1 has it")


def test_errors_of_the_inventory_are_reported_with_duplicate_macs_and_nothing_is_bound(site: Site) -> None:
    site.macs = None
    site.put("k03", nic1=mac(0, 0))
    site.take("k01", "nic1")
    with pytest.raises(FnnError) as error:
        site.discover()
    assert str(error.value).splitlines() == [
        "/nodes/1/nics: 2 NICs planned, but k01 has 1: nic0 (fnn_nics of k01)",
        f"duplicate-mac: {TWINS}",
    ]


@pytest.mark.parametrize("seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(40, 200))])
def test_no_mac_is_bound_twice_and_every_unbound_nic_has_a_breaking_finding(site: Site, seed: int) -> None:
    """NICs get each other's MACs or new ones, or vanish; nodes are silent. Site.discover checks the documents."""
    chance = random.Random(seed)
    if chance.random() < 0.3:
        site.macs = None
    for node in site.nodes:
        for device in ("nic0", "nic1"):
            what = chance.random()
            if what < 0.2:
                site.put(node, **{device: mac(chance.randrange(6), chance.randrange(3))})
            elif what < 0.25 and site.macs:
                site.take(node, device)
        if chance.random() < 0.1:
            site.nodes[node] = None
    found = site.discover()
    had = list_bound(site.macs or {"nodes": []})
    bound = list_bound(found.macs)
    here = {f"{node}:{mac}" for node, links in site.nodes.items() for mac in (links or {}).values()}
    owners = [mac for links in site.nodes.values() for mac in (links or {}).values()]
    for place, address in bound.items():
        if address != had.get(place):
            assert f"{place[:3]}:{address}" in here, "only what is in the node gets a new binding"
            assert owners.count(address) == 1, "and only to the one NIC that has it"
    lacking = {place for place in bound if site.nodes[place[:3]] and f"{place[:3]}:{bound[place]}" not in here}
    lacking |= {f"{node}:{nic}" for node, links in site.nodes.items() if links for nic in (0, 1)} - set(bound)
    reported = {
        f"{c['node']}:{c['nic']}" for each in found.document["findings"] if each["breaks"] for c in each["cables"]
    }
    assert lacking <= reported


# --- Names ---


def name_nics(site: Site, node: str, *nics: dict[str, Any]) -> None:
    """The inventory names the NICs of a node."""
    spec = next(each for each in site.design["spec"]["nodes"] if each["name"] == node)
    spec["nics"] = [{**old, **new} for old, new in zip(spec["nics"], nics)]


def test_a_card_that_shifts_the_names_is_reported_with_the_line_of_the_inventory(site: Site) -> None:
    name_nics(site, "k02", {"name": "nic0"}, {"name": "nic1", "speed_mbps": 2500})
    before = list_bound(site.macs or {})
    site.nodes["k02"] = {"nic1": mac(2, 0), "nic2": mac(2, 1), "nic0": mac(2, 99)}
    found = site.discover()
    action = (
        "k02: nic1 and nic2 keep their places, as macs.json has their MACs; write "
        "`fnn_nics: [nic1, {name: nic2, speed_mbps: 2500}]` for it in the inventory, then run `./fnn design --grow`, "
        "which moves no cable. If other NICs are meant, take k02 out of macs.json and run discover again"
    )
    assert (list_findings(found), found.must_stop) == ([("renamed-nic", action, False)], False)
    assert found.document["findings"][0]["evidence"] == "links: NIC 0 was nic0, NIC 1 was nic1"
    assert list_bound(found.macs) == before, "no MAC is gone"
    site.macs = found.macs
    assert list_findings(site.discover()) == [("renamed-nic", action, False)], "until the inventory has the names"
    name_nics(site, "k02", {"name": "nic1"}, {"name": "nic2"})
    assert list_findings(site.discover()) == []


def test_new_names_of_unnamed_nics_are_reported_once(site: Site) -> None:
    site.nodes["k02"] = {"enp1s0": mac(2, 0), "enp2s0": mac(2, 1)}
    found = site.discover()
    action = "k02: enp1s0 and enp2s0 have new names and keep their places, as macs.json has their MACs"
    assert list_findings(found) == [("renamed-nic", action, False)]
    site.macs = found.macs
    assert list_findings(site.discover()) == []


def test_nics_that_verify_has_exchanged_are_not_renamed(site: Site) -> None:
    name_nics(site, "k02", {"name": "nic0"}, {"name": "nic1"})
    assert site.macs is not None
    nics = next(node["nics"] for node in site.macs["nodes"] if node["name"] == "k02")
    for nic in nics:
        nic["nic"] = 1 - nic["nic"]
    nics.reverse()
    assert list_findings(site.discover()) == []


def test_a_new_mainboard_is_reported_as_replaced_and_bound_by_name(site: Site) -> None:
    site.nodes["k02"] = {"nic0": "54:e1:ad:00:00:01", "nic1": "54:e1:ad:00:00:02"}
    found = site.discover()
    assert sorted(kind for kind, _, _ in list_findings(found)) == ["new-mac", "new-mac", "vanished-mac", "vanished-mac"]
    assert not found.must_stop
    assert [list_bound(found.macs)[f"k02:{nic}"] for nic in (0, 1)] == ["54:e1:ad:00:00:01", "54:e1:ad:00:00:02"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_macs.py, fnn_verify.py and fnn_adopt.py on the golden six-PC cluster; fnn_adopt.py on others, too."""

from __future__ import annotations

import base64
import errno
import itertools
import os
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller import files
from ansible.module_utils.fnn.controller.documents import digest, dumps, read_json
from ansible.module_utils.fnn.controller.segments import show_cables
from ansible.module_utils.fnn.controller.spanning_tree import BridgedPaths
from ansible.module_utils.fnn.node.answer.pack import pack_answer

Verify = Callable[..., dict[str, Any]]
Plugs = dict[tuple[str, int], str]


class Site:
    """The documents of a site, and the beacons its nodes hear with cables plugged as in `plugs`."""

    def __init__(self, run_module: Any, golden: Path, directory: Path) -> None:
        self.run_module, self.directory = run_module, directory
        (directory / "design.json").write_bytes((golden / "design.json").read_bytes())
        self.design = read_json(directory / "design.json")
        nodes = show_cables(self.design)["nodes"]
        self.plugs: Plugs = {(node["name"], link["nic"]): link["switch"] for node in nodes for link in node["links"]}

    def mac(self, node: str, nic: int) -> str:
        rank = [each["name"] for each in self.design["nodes"]].index(node)
        return f"02:f0:00:00:{rank:02x}:{nic:02x}"

    def observe(self) -> dict[str, Any]:
        members = defaultdict(list)
        for (node, nic), switch in self.plugs.items():
            members[switch].append(self.mac(node, nic))
        results: dict[str, Any] = defaultdict(lambda: {"links": [], "heard": [], "arrived_on": None})
        for (node, nic), switch in self.plugs.items():
            own = {"device": f"nic{nic}", "mac": self.mac(node, nic)}
            results[node]["links"].append({**own, "permanent": False, "carrier": True})
            hears = [mac for mac in members[switch] if mac != own["mac"]]
            results[node]["heard"].append({**own, "hears": hears, "loop": False})
        return dict(results)

    def run(self, module: str, check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
        paths = {"design": self.directory / "design.json", "macs": self.directory / "macs.json"}
        options = {"observations": self.observe(), **paths, **options}
        if module == "fnn_macs":
            options["discovery"] = self.directory / "discovery.json"
        answer: dict[str, Any] = self.run_module(module, check=check, diff=diff, **options)
        return answer

    def verify(self, **options: Any) -> dict[str, Any]:
        return self.run("fnn_verify", findings=self.directory / "findings.json", **options)

    def swap(self, one: tuple[str, int], other: tuple[str, int]) -> None:
        self.plugs[one], self.plugs[other] = self.plugs[other], self.plugs[one]


@pytest.fixture
def site(run_module: Any, root: Path, tmp_path: Path) -> Site:
    made = Site(run_module, root / "tests/golden/six", tmp_path)
    assert made.run("fnn_macs")["changed"]
    return made


def test_macs_are_bound_once(site: Site) -> None:
    again = site.run("fnn_macs")
    assert (again["changed"], again["missing"]) == (False, [])
    assert again["bound"] == [node["name"] for node in site.design["nodes"]]


def test_check_mode_binds_nothing(site: Site) -> None:
    (site.directory / "macs.json").unlink()
    answer = site.run("fnn_macs", check=True, diff=True)
    assert answer["changed"] and '"02:f0:00:00:00:00"' in answer["diff"]["after"]
    assert not (site.directory / "macs.json").exists()


def test_bad_observations_are_reported_with_their_place(site: Site) -> None:
    seen = site.observe()
    seen["k00"]["links"].pop()
    (site.directory / "macs.json").unlink()
    answer = site.run("fnn_macs", observations=seen)
    assert answer["failed"]
    assert answer["msg"].startswith("/nodes/0/nics: ")


def test_right_cables_match_and_a_second_run_changes_nothing(site: Site) -> None:
    first = site.verify()
    assert (first["verdict"], first["findings"]) == ("match", [])
    assert read_json(site.directory / "findings.json")["verdict"] == "match"
    assert site.verify()["changed"] is False


def test_observations_are_read_from_files(site: Site) -> None:
    """What all nodes hear of each other is too large for Ansible (action_plugins/save_answer.py)."""
    site.swap(("k00", 0), ("k05", 1))
    direct, files = site.verify(check=True), {}
    for node, seen in site.observe().items():
        files[node] = str(site.directory / f"{node}.json.gz")
        Path(files[node]).write_bytes(base64.b64decode(pack_answer(seen)))
    answer = site.verify(check=True, observations=files)
    assert (answer["msg"], answer["findings"]) == (direct["msg"], direct["findings"])
    Path(files["k03"]).unlink()
    answer = site.verify(check=True, observations=files)
    assert answer["msg"] == f"{files['k03']}: cannot be read: No such file or directory"


def test_every_swap_of_two_cables_is_named_as_that_swap(site: Site) -> None:
    """All pairs of cables of different nodes in different switches."""
    before = dict(site.plugs)
    for one, other in itertools.combinations(before, 2):
        if one[0] != other[0] and before[one] != before[other]:
            site.swap(one, other)
            answer = site.verify(check=True)
            assert answer["failed"] and answer["verdict"] == "miswired"
            (finding,) = answer["findings"]
            named = {(cable["node"], cable["nic"]) for cable in finding["cables"]}
            assert (finding["kind"], named) == ("swap", {one, other})
            site.swap(one, other)


def test_wrong_cable_fails_with_the_report_and_adopts_nothing(site: Site) -> None:
    site.swap(("k00", 0), ("k05", 1))
    site.swap(("k01", 0), ("k01", 1))
    before = (site.directory / "macs.json").read_bytes()
    answer = site.verify()
    assert answer["failed"]
    assert answer["msg"].splitlines() == answer["report"]
    assert answer["msg"].startswith("swap: k00: move the cable in nic0 from ")
    assert (site.directory / "macs.json").read_bytes() == before
    assert read_json(site.directory / "findings.json")["verdict"] == "miswired"


def test_swapped_nics_are_adopted(site: Site) -> None:
    site.swap(("k03", 0), ("k03", 1))
    answer = site.verify(check=True, diff=True)
    assert answer["adopted"] == ["k03"] and not (site.directory / "findings.json").exists()
    answer = site.verify()
    assert (answer["verdict"], answer["adopted"], answer["changed"]) == ("match", ["k03"], True)
    nics = next(node["nics"] for node in read_json(site.directory / "macs.json")["nodes"] if node["name"] == "k03")
    assert [(nic["nic"], nic["name"]) for nic in nics] == [(0, "nic1"), (1, "nic0")]
    assert site.run("fnn_macs")["changed"] is False, "discover must keep what was adopted"
    assert site.verify()["findings"] == []


def test_adoption_can_be_declined(site: Site) -> None:
    site.swap(("k03", 0), ("k03", 1))
    assert site.verify(adopt=False)["adopted"] == []


def test_unreachable_nodes_do_not_fail_the_play(site: Site) -> None:
    answer = site.verify(unreachable=["k04"])
    assert (answer["verdict"], answer["not_judged"]) == ("match", ["k04"])
    assert answer["report"][-1] == "not checked, because they did not answer: k04"


def test_uplink_cables_fail_the_play(site: Site) -> None:
    site.plugs = dict.fromkeys(site.plugs, "joined")
    answer = site.verify()
    assert answer["failed"] and answer["verdict"] == "unmeasured"
    assert "to the uplink switch and run again" in answer["msg"]


def test_uplinks_may_stay_in_with_the_relearn_probe(site: Site) -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for (node, nic), switch in site.plugs.items():
        places[switch].append(site.mac(node, nic))
    groups = list(places.values())
    site.plugs = dict.fromkeys(site.plugs, "joined")
    relearn = {"groups": groups, "unsure": [], "reaches_head": [mac for group in groups for mac in group]}
    assert site.verify(relearn=relearn)["verdict"] == "match"
    assert read_json(site.directory / "findings.json")["evidence"] == "relearn probe"


def test_one_node_fails_for_its_own_faults_only(site: Site) -> None:
    site.swap(("k00", 0), ("k05", 1))
    assert site.verify(node="k00")["failed"]
    answer = site.verify(node="k02")
    assert (answer["verdict"], answer["findings"], answer.get("failed")) == ("match", [], None)
    assert read_json(site.directory / "findings.json")["verdict"] == "miswired"


def test_the_next_run_lists_repaired_findings(site: Site) -> None:
    site.swap(("k00", 0), ("k05", 1))
    assert site.verify()["since"] is None
    site.swap(("k00", 0), ("k05", 1))
    answer = site.verify()
    assert [len(answer["since"][key]) for key in ("repaired", "new")] == [1, 0]
    assert "since the last run: 1 repaired, 0 new, 0 unchanged" in answer["report"]


def test_findings_of_another_version_do_not_count_as_the_last_run(site: Site) -> None:
    (site.directory / "findings.json").write_text("{}")
    assert site.verify()["since"] is None


def test_an_unknown_node_is_refused(site: Site) -> None:
    assert site.verify(node="k77")["msg"].startswith("fnn_verify_node: no node is called k77, there are: k00, k01")


def test_every_run_renews_the_time_of_its_findings_but_not_in_check_mode(site: Site) -> None:
    """./fnn verify shows only findings whose time changed. The first two differ in `since`."""
    path = site.directory / "findings.json"
    site.verify()
    site.verify()
    before = path.read_bytes()
    os.utime(path, (1, 1))
    site.verify(check=True)
    assert path.stat().st_mtime == 1
    site.verify()
    assert path.stat().st_mtime > 1
    assert path.read_bytes() == before


def test_there_are_no_new_findings_if_an_adoption_could_not_be_recorded(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, *rest: Any, **more: Any) -> bool:
        raise OSError(errno.EROFS, "Read-only file system", path)

    site.swap(("k03", 0), ("k03", 1))
    monkeypatch.setattr(files.atomic, "write_atomic", refuse)
    assert "macs.json: cannot be written: Read-only file system" in site.verify()["msg"]
    assert not (site.directory / "findings.json").exists()


# --- Adopting the wiring as plugged ---


def adopt(site: Site, **more: Any) -> dict[str, Any]:
    return site.run("fnn_adopt", findings=site.directory / "findings.json", observations=None, **more)


@pytest.mark.usefixtures("designer")
def test_a_valid_wiring_is_adopted_as_the_design(site: Site) -> None:
    site.swap(("k00", 0), ("k05", 1))
    site.swap(("k01", 0), ("k01", 1))
    assert site.verify()["as_wired"]["valid_fnn"]
    answer = adopt(site, check=True)
    assert (answer["changed"], answer["cables"]) == (True, 4)
    assert read_json(site.directory / "design.json") == site.design
    macs = (site.directory / "macs.json").read_bytes()
    assert adopt(site)["changed"]
    design = read_json(site.directory / "design.json")
    plugged = {(node["name"], link["nic"]): link["switch"] for node in design["nodes"] for link in node["links"]}
    assert plugged == site.plugs
    assert (design["spec"], design["spec_digest"]) == (site.design["spec"], site.design["spec_digest"])
    assert (site.directory / "macs.json").read_bytes() == macs
    answer = site.verify()
    assert (answer["verdict"], answer["findings"]) == ("match", [])
    assert adopt(site)["changed"] is False


@pytest.mark.usefixtures("designer")
def test_a_wiring_that_is_no_design_is_not_adopted(site: Site) -> None:
    site.swap(("k00", 0), ("k05", 0))
    before = (site.directory / "design.json").read_bytes()
    site.verify()
    answer = adopt(site)
    assert answer["failed"]
    assert (
        "findings.json#/as_wired: 3 pairs share too few switches, so the wiring is not a valid design" in answer["msg"]
    )
    assert "nic0 of k00 are both in" in answer["msg"] or "nic1 of k00 are both in" in answer["msg"]
    assert (site.directory / "design.json").read_bytes() == before


@pytest.mark.usefixtures("designer")
def test_nothing_is_adopted_after_a_nic_was_replaced(site: Site) -> None:
    site.verify()
    macs = site.directory / "macs.json"
    macs.write_text(macs.read_text().replace(site.mac("k03", 1), "02:f0:00:00:77:77"))
    why = f"k03 nic1 ({site.mac('k03', 1)}) is no longer in macs.json; run verify again"
    assert adopt(site)["msg"] == f"findings.json#/links/7: {why}"


@pytest.mark.usefixtures("designer")
def test_nothing_is_adopted_after_a_nic_was_bound_to_another_node(site: Site) -> None:
    site.verify()
    macs = site.directory / "macs.json"
    macs.write_text(macs.read_text().replace('"k03"', '"k99"'))
    why = f"k03 nic0 ({site.mac('k03', 0)}) is bound to k99 in macs.json; run verify again"
    assert adopt(site)["msg"].splitlines()[0] == f"findings.json#/links/6: {why}"


@pytest.mark.usefixtures("designer")
def test_nothing_is_adopted_of_nodes_that_did_not_answer(site: Site) -> None:
    site.verify(unreachable=["k04"])
    answer = adopt(site)
    assert [line.split(": ")[1] for line in answer["msg"].splitlines()] == [
        "k04 nic0 was not checked",
        "k04 nic1 was not checked",
    ]


def open_site(run_module: Any, root: Path, directory: Path, name: str, **ends: str) -> Site:
    """A site of an inventory, with other cables: name="k0:1 k2:0"."""
    site = Site(run_module, root / "inventory" / name, directory)
    assert site.run("fnn_macs")["changed"]
    for cable, both in ends.items():
        for node, nic in (end.split(":") for end in both.split()):
            site.plugs[node, int(nic)] = cable
    site.verify()
    return site


#: k0 - k2 - k1 - k3 - k0
OTHER_ORDER = {"one": "k0:1 k2:0", "two": "k2:1 k1:0", "three": "k1:1 k3:0", "four": "k3:1 k0:0"}


@pytest.mark.parametrize(
    "name", ["ring", *(pytest.param(each, marks=pytest.mark.long) for each in ("ring-stp", "ring-bonded"))]
)
def test_a_ring_in_another_order_is_adopted(
    run_module: Any, root: Path, tmp_path: Path, designer: Path, name: str
) -> None:
    site = open_site(run_module, root, tmp_path, name, **OTHER_ORDER)
    answer = adopt(site)
    assert (answer.get("failed"), answer["changed"], answer["cables"]) == (None, True, 6), answer
    after = site.verify()
    assert (after["verdict"], after["findings"]) == ("match", [])
    design, network = read_json(tmp_path / "design.json"), tmp_path / "network.json"
    peers = {node["name"]: {link["peer"]["node"] for link in node["links"]} for node in design["nodes"]}
    assert peers == {"k0": {"k2", "k3"}, "k1": {"k2", "k3"}, "k2": {"k0", "k1"}, "k3": {"k0", "k1"}}
    subprocess.run([designer, "evaluate", tmp_path / "design.json", "-o", network], check=True, capture_output=True)
    for each in read_json(network)["hops"] if name != "ring" else ():
        paths = BridgedPaths(design).find(each["a"], each["b"])
        assert sum(len(path) - 1 for path in paths) / len(paths) == each["nodes_between"]["value"], each


@pytest.mark.usefixtures("designer")
def test_two_rings_of_two_are_not_adopted(run_module: Any, root: Path, tmp_path: Path) -> None:
    two = {"one": "k0:1 k1:0", "two": "k0:0 k1:1", "three": "k2:1 k3:0", "four": "k2:0 k3:1"}
    site = open_site(run_module, root, tmp_path, "ring", **two)
    assert adopt(site)["msg"] == "the cables as plugged: the ring of k0 has 2 nodes, not all 4"


@pytest.mark.usefixtures("designer")
def test_a_node_on_the_other_switch_of_a_tree_is_adopted(run_module: Any, root: Path, tmp_path: Path) -> None:
    site = open_site(run_module, root, tmp_path, "two-switches", red="k3:0", blue="k0:0")
    answer = adopt(site)
    assert answer.get("cables") == 2, answer
    assert read_json(tmp_path / "design.json")["switches"][0] == {"name": "red", "nodes": ["k1", "k2", "k3"]}
    assert site.verify()["findings"] == []


# --- A maintenance network ---


def make_maintenance(run_module: Any, root: Path, directory: Path, joined: bool) -> Callable[..., dict[str, Any]]:
    """Verifies the network of inventory/two-networks. joined: whether the cable between its switches is plugged in."""
    design = root / "inventory/two-networks/maintenance-design.json"
    homes = {node["name"]: node["links"][0]["switch"] for node in read_json(design)["nodes"]}
    macs = {node: f"02:f2:00:00:{node[1:]}:00" for node in homes}
    own = {node: {"device": "nicm", "mac": mac, "permanent": False, "carrier": True} for node, mac in macs.items()}
    run_module(
        "fnn_macs",
        design=design,
        macs=directory / "own.json",
        discovery=directory / "discovery.json",
        observations={node: {"links": [link]} for node, link in own.items()},
    )

    def verify(**plugs: str) -> dict[str, Any]:
        places = {**homes, **plugs}
        heard = {
            node: [macs[each] for each in places if each != node and (joined or places[each] == places[node])]
            for node in places
        }
        observations = {
            node: {
                "links": [],
                "heard": [],
                "maintenance": {
                    "links": [own[node]],
                    "heard": [{**own[node], "hears": heard[node], "loop": False}],
                },
            }
            for node in places
        }
        paths = {"design": design, "macs": directory / "own.json", "findings": directory / "findings.json"}
        answer: dict[str, Any] = run_module("fnn_verify", network="maintenance", observations=observations, **paths)
        return answer

    return verify


def test_each_maintenance_switch_is_verified_and_nothing_is_adopted(
    run_module: Any, root: Path, tmp_path: Path
) -> None:
    verify = make_maintenance(run_module, root, tmp_path, joined=False)
    assert verify()["verdict"] == "match"
    answer = verify(k01="white", k04="grey")
    assert [(each["kind"], each["breaks"]) for each in answer["findings"]] == [("swap", True)]
    assert (answer["failed"], answer["as_wired"]) == (True, None)
    assert "adopt" not in answer["msg"]


def test_connected_maintenance_switches_are_verified_as_one_and_match(
    run_module: Any, root: Path, tmp_path: Path
) -> None:
    answer = make_maintenance(run_module, root, tmp_path, joined=True)()
    assert (answer["verdict"], answer["findings"]) == ("match", [])
    document = read_json(tmp_path / "findings.json")
    assert [switch["name"] for switch in document["switches"]] == ["maintenance"]
    assert {link["expected"] for link in document["links"]} == {"maintenance"}


def test_the_report_of_connected_switches_shows_them_as_designed(run_module: Any, root: Path, tmp_path: Path) -> None:
    make_maintenance(run_module, root, tmp_path, joined=True)()
    design = root / "inventory/two-networks/maintenance-design.json"
    run_module("fnn_evaluate", design=design, build=tmp_path, alternatives=["none"])
    answer = run_module("fnn_report", design=design, build=tmp_path, scaling=tmp_path / "none.json")
    assert not answer.get("failed"), answer["msg"]
    assert "GREY" in (tmp_path / "report.html").read_text()


PROOF = {
    "format": "fnn-proof", "version": 1, "cluster": "six", "verdict": "proved", "nodes": ["k00"], "missing": [],
    "pairs": {"expected": 30, "reached": 30, "one_switch": 30, "captured": None}, "arp": {"nodes": 0, "ports": None},
    "mpi": [], "causes": [], "problems": [],
}  # fmt: skip


def find_kept(site: Site, directory: Path, digest: str, *nodes: str) -> Any:
    """What fnn_verify_method says of the findings, if these nodes have had their links since."""
    hosts = [node["name"] for node in site.design["nodes"]]
    return site.run_module(
        "fnn_verify_method", design=directory / "design.json", passport=directory / "switch-passport.json", seconds=2,
        blocked=35, build=directory, macs=directory / "macs.json", hosts=hosts, verified=dict.fromkeys(nodes, digest),
    )  # fmt: skip


def write_proof(site: Site, directory: Path, verdict: str) -> None:
    proof = {**PROOF, "verdict": verdict, "design_digest": digest(site.design)}
    (directory / "proof.json").write_text(dumps(proof))


def test_findings_hold_while_all_nodes_have_had_their_links_since(site: Site, tmp_path: Path) -> None:
    found, hosts = site.verify()["digest"], [node["name"] for node in site.design["nodes"]]
    assert find_kept(site, tmp_path, found, *hosts)["kept"] == "", "there is no proof"
    write_proof(site, tmp_path, "failed")
    assert find_kept(site, tmp_path, found, *hosts)["kept"] == "", "the last proof failed"
    write_proof(site, tmp_path, "proved")
    assert find_kept(site, tmp_path, found, *hosts)["kept"] == found
    answer = find_kept(site, tmp_path, found, *hosts[1:])
    assert answer["kept"] == ""
    assert answer["notes"][-1].endswith(f"do not answer: {hosts[0]}")
    assert find_kept(site, tmp_path, found)["notes"] == [], "no node was checked in this run"


@pytest.mark.parametrize("name", ["proof.json", "findings.json"])
def test_bad_documents_of_an_earlier_run_are_no_error(site: Site, tmp_path: Path, name: str) -> None:
    found, hosts = site.verify()["digest"], [node["name"] for node in site.design["nodes"]]
    write_proof(site, tmp_path, "proved")
    for text in ("{", "{}", '{"format": "fnn-proof", "version": 99}'):
        (tmp_path / name).write_text(text)
        assert find_kept(site, tmp_path, found, *hosts)["kept"] == ""


@pytest.mark.parametrize("name", ["proof.json", "findings.json"])
def test_documents_of_another_design_keep_no_findings(site: Site, tmp_path: Path, name: str) -> None:
    """Although all nodes answer the digest of these findings."""
    site.verify()
    write_proof(site, tmp_path, "proved")
    (tmp_path / name).write_text(dumps({**read_json(tmp_path / name), "design_digest": f"sha256:{'0' * 64}"}))
    found, hosts = digest(read_json(tmp_path / "findings.json")), [node["name"] for node in site.design["nodes"]]
    assert find_kept(site, tmp_path, found, *hosts)["kept"] == ""

# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_render.py"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, digest, dumps, read_json
from ansible.module_utils.fnn.controller.plan.generation import note_prepared
from ansible.module_utils.fnn.controller.rewire.job import plan_job
from plan_settings import BASE, plan_with

Render = Callable[..., dict[str, Any]]
NODES = [f"k0{rank}" for rank in range(6)]


@pytest.fixture
def render(run_module: Any, root: Path, tmp_path: Path) -> Render:
    """Runs the module on the golden six-PC cluster, copied to the temporary directory."""
    for name in ("design", "macs"):
        (tmp_path / f"{name}.json").write_bytes((root / f"tests/golden/six/{name}.json").read_bytes())

    def run(
        check: bool = False, diff: bool = False, facts: dict[str, Any] | None = None, **variables: Any
    ) -> dict[str, Any]:
        paths = {name: tmp_path / f"{name}.json" for name in ("design", "macs")}
        paths |= {"build": tmp_path / "build", "rewiring": tmp_path / "rewire.json"}
        given = {"variables": {**BASE, **variables}, "facts": facts}
        answer: dict[str, Any] = run_module("fnn_render", check=check, diff=diff, **given, **paths)
        return answer

    return run


def test_all_nodes_are_rendered_once(render: Render, tmp_path: Path) -> None:
    first = render()
    assert (first["changed"], first["nodes"], first["changed_nodes"], first["unreached"]) == (True, NODES, NODES, {})
    assert (tmp_path / "build/common/usr/local/sbin/fnn-net").stat().st_mode & 0o777 == 0o755
    second = render()
    assert (second["changed"], second["changed_nodes"], second["changed_files"]) == (False, [], 0)


def test_a_common_file_changes_on_all_nodes(render: Render, tmp_path: Path) -> None:
    render()
    assert render(fnn_slots={"k03": 4})["changed_nodes"] == NODES
    (tmp_path / "build/nodes/k09/etc").mkdir(parents=True)
    (tmp_path / "build/nodes/k09/etc/hosts").touch()
    (tmp_path / "build/nodes/k04/manifest.json").unlink()
    assert render(fnn_slots={"k03": 4})["changed_nodes"] == ["k04", "k09"]


def test_a_node_that_was_not_reached_stays_behind_the_gateway(render: Render, tmp_path: Path) -> None:
    def list_behind() -> list[str]:
        routes = {name: (tmp_path / f"build/nodes/{name}/etc/fnn/routes").read_text() for name in NODES}
        return [name for name in NODES if "\ndefault k00 " in routes[name]]

    gateway = {"fnn_gateway": "k00", "fnn_gateway_interface": "eno1"}
    first = render(facts={"default_route": {"k00": "eno1", "k01": "", "k02": ""}}, **gateway)
    assert list_behind() == ["k01", "k02"]
    assert render(facts={"default_route": {"k02": ""}}, **gateway)["generation"] == first["generation"]
    assert list_behind() == ["k01", "k02"]
    apart = render(facts={"default_route": {"k02": "mg0"}}, **gateway)
    assert list_behind() == ["k01"]
    assert apart["generation"] != first["generation"], "its nodes are prepared for the change"
    render(**gateway | {"fnn_gateway": ""})
    assert list_behind() == []


def test_check_mode_says_what_would_change_and_writes_nothing(render: Render, tmp_path: Path) -> None:
    answer = render(check=True, diff=True)
    assert answer["changed_nodes"] == NODES
    assert len(answer["diff"]) == 11  # ten files, and the number of the others
    assert answer["diff"][-1]["prepared"] == f"… and {answer['changed_files'] - 10} more files\n"
    assert not (tmp_path / "build").exists()


def test_a_new_mac_changes_the_links_of_its_node_and_a_line_of_a_common_file(render: Render, tmp_path: Path) -> None:
    def read(path: str) -> list[str]:
        return (tmp_path / "build" / path).read_text().splitlines()

    render()
    paths = ["common/etc/fnn/nics"]
    paths += [f"nodes/{name}/etc/fnn/{file}" for name in NODES for file in ("links", "neighbors", "routes")]
    before = {path: read(path) for path in paths}
    macs = read_json(tmp_path / "macs.json")
    macs["nodes"][0]["nics"][0]["mac"] = "02:f0:00:00:00:99"
    (tmp_path / "macs.json").write_text(dumps(macs))
    render()
    new = {path: [line for line in read(path) if line not in before[path]] for path in paths}
    found = {path: [line.split()[-2:] for line in lines] for path, lines in new.items() if lines}
    assert found == {
        "common/etc/fnn/nics": [["02:f0:00:00:00:99", NODES[0]]],
        f"nodes/{NODES[0]}/etc/fnn/links": [["10.77.0.1/24", "1500"]],
    }


def test_plans_are_counted(render: Render, tmp_path: Path) -> None:
    counted = tmp_path / "build/generation.json"
    first = render()["generation"]
    assert first.startswith("1-")
    counted.write_text(dumps(note_prepared(read_json(counted), ["k01"])))
    assert render()["changed"] is False
    second = render(fnn_mptcp=True)["generation"]
    assert second.startswith("2-")
    assert read_json(counted)["prepared"] == []
    for name in NODES:
        assert f"\ngeneration {second}\n" in (tmp_path / f"build/nodes/{name}/etc/fnn/node").read_text()


def test_nodes_know_the_count_when_build_is_gone(render: Render) -> None:
    generations = dict.fromkeys(NODES[1:], render()["generation"].replace("1-", "7-"))
    assert render(facts={"generations": generations})["generation"] == generations["k01"]
    assert render(facts={"generations": generations}, fnn_mptcp=True)["generation"].startswith("8-")


def test_routes_of_another_design_are_refused(render: Render, run_module: Any, root: Path, tmp_path: Path) -> None:
    places = {"design": tmp_path / "design.json", "macs": tmp_path / "macs.json", "build": tmp_path / "build"}
    run_module("fnn_routes", design=root / "inventory/eight/design.json", build=tmp_path)
    for routing in ("basic", "advanced"):
        variables = {**BASE, "fnn_routing": routing}
        answer = run_module("fnn_render", routes=tmp_path / "routes.json", variables=variables, **places)
        assert answer["failed"] is True
        assert answer["msg"].startswith("routes.json#/design_digest: the routes were chosen for another design")
        assert not (tmp_path / "build").exists()
    equal = {**BASE, "fnn_weights": False}
    answer = run_module("fnn_render", routes=tmp_path / "routes.json", variables=equal, **places)
    assert "failed" not in answer, "equal parts need no routes"


def test_weights_reach_the_nodes_that_have_some(render: Render, run_module: Any, tmp_path: Path) -> None:
    places = {"design": tmp_path / "design.json", "macs": tmp_path / "macs.json", "build": tmp_path / "build"}
    run_module("fnn_routes", design=places["design"], build=tmp_path)
    equal = run_module("fnn_render", routes=tmp_path / "routes.json", variables=BASE, **places)
    routes = read_json(tmp_path / "routes.json")
    routes["weights"] = [{"code": "0", "weights": [1, 3]}]
    for place, row in ((0, ".0===="), (1, "0.====")):
        routes["nodes"][place]["weight_row"] = row
    (tmp_path / "routes.json").write_text(dumps(routes))
    answer = run_module("fnn_render", routes=tmp_path / "routes.json", variables=BASE, **places)
    assert answer["generation"] != equal["generation"]
    lines = {name: (tmp_path / f"build/nodes/{name}/etc/fnn/routes").read_text().splitlines() for name in NODES}
    assert "10.78.0.2 k01 red=10.77.0.2 blue=10.77.1.2*3" in lines["k00"]
    assert "10.78.0.1 k00 red=10.77.0.1 blue=10.77.1.1*3" in lines["k01"]
    again = run_module("fnn_render", routes=tmp_path / "routes.json", variables=BASE, **places)
    assert again["changed"] is False
    off = {**BASE, "fnn_weights": False}
    answer = run_module("fnn_render", routes=tmp_path / "routes.json", variables=off, **places)
    assert not any("*" in line for name in NODES for line in read_lines(tmp_path, name))
    assert answer["generation"].split("-")[0] == "3"


def read_lines(place: Path, node: str) -> list[str]:
    """The routes of a node, without comments."""
    text = (place / f"build/nodes/{node}/etc/fnn/routes").read_text()
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_a_node_that_was_not_asked_keeps_its_files(render: Render) -> None:
    everyone = dict.fromkeys(NODES, "networkd")
    render(facts={"manager": everyone, "identity_kind": dict.fromkeys(NODES, "veth")})
    alone = render(facts={"manager": {"k02": "networkd"}, "identity_kind": {"k02": "veth"}})
    assert (alone["changed"], alone["changed_nodes"]) == (False, [])
    assert render(facts={"manager": {**everyone, "k02": "none"}})["changed_nodes"] == ["k02"]


def test_a_node_that_was_not_seen_is_listed_as_unreached(render: Render, tmp_path: Path) -> None:
    macs = read_json(tmp_path / "macs.json")
    macs["nodes"].pop()
    (tmp_path / "macs.json").write_text(dumps(macs))
    answer = render()
    assert answer["nodes"] == NODES[:5]
    assert answer["unreached"] == {name: ["k05"] for name in NODES[:5]}


def test_cables_of_a_batch_are_out_of_use(render: Render, tmp_path: Path) -> None:
    """k00 (red, blue) and k02 (red, green) exchange their cables in blue and green."""
    old = read_json(tmp_path / "design.json")
    new = json.loads(json.dumps(old).replace('"k00"', '"k"').replace('"k02"', '"k00"').replace('"k"', '"k02"'))
    new["spec"] = old["spec"]
    job = {**plan_job(old, new, 8), "resting": True}
    (tmp_path / "rewire.json").write_text(dumps(job))
    assert job["moves"] == 2
    links, routes = (tmp_path / f"build/nodes/k00/etc/fnn/{name}" for name in ("links", "routes"))
    answer = render()
    assert (answer["changed"], answer["unreached"]) == (True, {})
    assert (links.read_text().count("\nblue "), routes.read_text().count("blue=")) == (0, 0)


def test_two_nics_with_one_mac_are_refused(render: Render, tmp_path: Path) -> None:
    macs = read_json(tmp_path / "macs.json")
    macs["nodes"][3]["nics"][1]["mac"] = macs["nodes"][0]["nics"][0]["mac"]
    (tmp_path / "macs.json").write_text(dumps(macs))
    answer = render()
    mac = macs["nodes"][0]["nics"][0]["mac"]
    where = "/nodes/0/nics/0 (k03 nic1 and k00 nic0)"
    assert answer["msg"] == f"macs.json#/nodes/3/nics/1/mac: {mac} is already the MAC of {where}"
    assert not (tmp_path / "build").exists()


def test_macs_of_another_cluster_are_refused(render: Render, tmp_path: Path) -> None:
    macs = read_json(tmp_path / "macs.json")
    (tmp_path / "macs.json").write_text(dumps({**macs, "cluster": "seven"}))
    assert render()["msg"] == "macs.json#/cluster: seven is not the cluster of the design, six"


def test_an_address_plan_that_does_not_fit_is_refused(render: Render, tmp_path: Path) -> None:
    answer = render(fnn_prefix="10.77.0.0/24", fnn_identity_prefix="10.79.0.0/16")
    assert [line.split(":")[0] for line in answer["msg"].splitlines()] == ["fnn_prefix", "fnn_management_prefix"]
    assert "10.77.0.0/22 would do" in answer["msg"]
    assert not (tmp_path / "build").exists()


def test_values_of_other_types_are_read_and_wrong_ones_are_refused_together(render: Render, tmp_path: Path) -> None:
    assert render(fnn_linkd="yes", fnn_linkd_misses="4", fnn_linkd_hold="2.5", fnn_slots={"k03": "8"})["changed"]
    view = read_json(tmp_path / "build/cluster.json")
    assert (view["linkd"]["misses"], view["linkd"]["hold"], view["mpi"]["hosts"][3]["slots"]) == (4, 2.5, 8)
    answer = render(fnn_linkd_misses=101, fnn_addressing="dhcp", fnn_slots={"k03": 0})
    assert answer["msg"].splitlines() == [
        'fnn_addressing: "dhcp" is not "subnets" or "unnumbered"',
        "fnn_linkd_misses: 101 is not an integer from 2 to 100",
        "fnn_slots of k03: 0 is not a positive integer",
    ]


def read_files(build: Path) -> dict[str, tuple[bytes, int]]:
    """Path -> content and mode of every file below the build directory that the plan makes."""
    made = [path for part in ("common", "nodes") for path in (build / part).rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mode) for path in [build / "cluster.json", *made]}


def age_record(build: Path) -> None:
    """Marks the record, so that a run that plans and writes a new one shows."""
    record = read_json(build / "rendered.json")
    (build / "rendered.json").write_text(dumps({**record, "warnings": ["recorded"]}))


def test_an_unchanged_run_ends_before_it_plans(render: Render, tmp_path: Path) -> None:
    facts = {"manager": dict.fromkeys(NODES, "networkd"), "generations": dict.fromkeys(NODES, "")}
    first = render(facts=facts)
    age_record(tmp_path / "build")
    facts["generations"] = dict.fromkeys(NODES, first["generation"])
    second = render(facts=facts)
    assert "recorded" in str(second["warnings"]), "it repeats the warnings of the record"
    assert {key: second[key] for key in ("generation", "nodes", "unreached")} == {
        key: first[key] for key in ("generation", "nodes", "unreached")
    }
    assert (second["changed"], second["changed_files"], second["changed_nodes"]) == (False, 0, [])


@pytest.mark.parametrize(
    "change",
    [
        {"facts": {"manager": {"k01": "networkd"}}},
        {"facts": {"generations": {"k01": "9-0123456789ab"}}},
        {"fnn_slots": {"k03": 4}},
        {"document": "macs.json"},
        {"document": "rewire.json"},
        {"document": "build/facts.json"},
        {"document": "build/generation.json"},
    ],
    ids=str,
)
def test_any_changed_input_makes_a_new_plan(render: Render, tmp_path: Path, change: dict[str, Any]) -> None:
    render()
    age_record(tmp_path / "build")
    if path := change.pop("document", None):
        (tmp_path / path).touch()
        text = (tmp_path / path).read_text()
        (tmp_path / path).write_text(f"{text}\n" if text else "{")
    if path == "build/generation.json":
        (tmp_path / path).unlink()
    assert "recorded" not in str(render(**change))


def edit_with_the_same_size_and_time(path: Path) -> None:
    before = path.stat()
    path.write_text(path.read_text().replace("red", "der"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


HANDS: dict[str, Callable[[Path], Any]] = {
    "edit": lambda home: (home / "etc/fnn/links").write_text("mine\n"),
    "edit of the same size and time": lambda home: edit_with_the_same_size_and_time(home / "etc/fnn/links"),
    "mode": lambda home: (home / "etc/fnn/links").chmod(0o600),
    "deletion": lambda home: (home / "etc/fnn/links").unlink(),
    "addition": lambda home: (home / "etc/fnn/more").write_text(""),
    "directory": lambda home: (home / "etc/more").mkdir(),
    "node": lambda home: shutil.copytree(home, home.with_name("k09")),
    "deleted node": shutil.rmtree,
    "common file": lambda home: (home.parents[1] / "common/etc/hosts").write_text(""),
    "deleted common files": lambda home: shutil.rmtree(home.parents[1] / "common"),
    "cluster": lambda home: (home.parents[1] / "cluster.json").write_text("{}"),
}


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_files_changed_by_hand_are_restored(render: Render, tmp_path: Path, hand: Callable[[Path], Any]) -> None:
    build = tmp_path / "build"
    render()
    before = read_files(build)
    for _ in range(2):
        hand(build / "nodes/k02")
        render()
        assert read_files(build) == before
        assert not (build / "nodes/k02/etc/more").exists()
        assert render()["changed"] is False


def test_files_behind_a_link_are_compared_by_content(render: Render, tmp_path: Path) -> None:
    """A listing of the directory does not show them."""
    render()
    nodes = tmp_path / "build/nodes"
    nodes.rename(tmp_path / "elsewhere")
    nodes.symlink_to(tmp_path / "elsewhere")
    assert [render()["changed"] for _ in range(2)] == [False, False]
    (tmp_path / "elsewhere/k01/etc/fnn/links").write_text("mine\n")
    assert render()["changed_nodes"] == ["k01"]


def test_a_changed_template_is_rendered(render: Render, run_module: Any, root: Path, tmp_path: Path) -> None:
    toolkit = tmp_path / "toolkit"
    for part in ("module_utils", "roles", "schemas"):
        shutil.copytree(root / part, toolkit / part, ignore=shutil.ignore_patterns("__pycache__"))
    paths = {name: tmp_path / f"{name}.json" for name in ("design", "macs")} | {"build": tmp_path / "build"}
    run_module("fnn_render", root=toolkit, variables=BASE, **paths)
    template = toolkit / "roles/fnn_network/templates/links.j2"
    template.write_text(template.read_text() + "# more\n")
    assert run_module("fnn_render", root=toolkit, variables=BASE, **paths)["changed_nodes"] == NODES
    assert (tmp_path / "build/nodes/k00/etc/fnn/links").read_text().endswith("# more\n")


def test_a_build_directory_of_the_former_version_keeps_its_facts(
    render: Render, root: Path, documents: Documents, tmp_path: Path
) -> None:
    """It has a view of each node below nodes/, and neither facts.json nor rendered.json."""
    build = tmp_path / "build"
    facts = {"manager": dict.fromkeys(NODES, "networkd"), "identity_kind": dict.fromkeys(NODES, "veth")}
    render(facts=facts)
    files = read_files(build)
    design, macs = (read_json(tmp_path / f"{name}.json") for name in ("design", "macs"))
    for name, view in plan_with(design, macs, facts).views.items():
        (build / "nodes" / f"{name}.json").write_text(dumps(view))
    for name in ("facts", "rendered"):
        (build / f"{name}.json").unlink()
    (build / "nodes/k05.json").write_text("{")
    answer = render(facts={"manager": {"k05": "networkd"}, "identity_kind": {"k05": "veth"}})
    assert (answer["changed"], answer["changed_nodes"]) == (True, [])
    assert "nodes/k05.json: not JSON, line 1 column 2; ignored" in str(answer["warnings"])
    assert read_files(build) == files, "the views are gone, and all other files are as before"


def test_a_nic_of_a_node_that_was_not_reached_keeps_its_mtu(render: Render, tmp_path: Path) -> None:
    def read_mtus(node: str) -> set[str]:
        lines = (tmp_path / f"build/nodes/{node}/etc/fnn/links").read_text().splitlines()
        return {line.split()[3] for line in lines if not line.startswith("#")}

    design = read_json(tmp_path / "design.json")
    design["spec"]["mtu"] = 9000
    (tmp_path / "design.json").write_text(dumps({**design, "spec_digest": digest(design["spec"])}))
    nics = {node["name"]: [nic["mac"] for nic in node["nics"]] for node in read_json(tmp_path / "macs.json")["nodes"]}
    links = {name: [{"mac": mac, "mtu": 4000} for mac in macs] for name, macs in nics.items()}
    first = render(facts={"links": links})
    assert first["warnings"] == render(facts={"links": links})["warnings"]
    assert "keep an MTU below 9000" in str(first["warnings"])
    assert render(facts={"links": {"k01": links["k01"]}})["changed"] is False
    assert read_mtus("k03") == {"4000"}

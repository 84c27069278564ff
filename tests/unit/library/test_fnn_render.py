# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_render.py"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import dumps, read_json
from ansible.module_utils.fnn.controller.plan.generation import note_prepared
from ansible.module_utils.fnn.controller.rewire.job import plan_job
from plan_settings import BASE

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


def test_a_new_mac_concerns_the_node_and_those_that_reach_it(render: Render, tmp_path: Path) -> None:
    def read(file: str) -> list[str]:
        return [(tmp_path / f"build/nodes/{name}/etc/fnn/{file}").read_text() for name in NODES]

    render()
    files = {file: read(file) for file in ("links", "neighbors", "routes")}
    macs = read_json(tmp_path / "macs.json")
    macs["nodes"][0]["nics"][0]["mac"] = "02:f0:00:00:00:99"
    (tmp_path / "macs.json").write_text(dumps(macs))
    design = read_json(tmp_path / "design.json")
    switch = design["nodes"][0]["links"][0]["switch"]
    members = next(each["nodes"] for each in design["switches"] if each["name"] == switch)
    render()
    changed = {file: [name for name, was, now in zip(NODES, files[file], read(file)) if was != now] for file in files}
    assert changed == {"links": members[:1], "neighbors": members[1:], "routes": []}


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
    variables = {**BASE, "fnn_routing": "basic"}
    answer = run_module("fnn_render", routes=tmp_path / "routes.json", variables=variables, **places)
    assert answer["failed"] is True
    assert answer["msg"].startswith("routes.json#/design_digest: the routes were chosen for another design")
    assert not (tmp_path / "build").exists()


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_render.py"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.documents import dumps, read_json

Render = Callable[..., dict[str, Any]]
NODES = [f"k0{rank}" for rank in range(6)]


@pytest.fixture
def render(run_module: Any, root: Path, tmp_path: Path) -> Render:
    """Runs the module on the golden six-PC cluster, copied to the temporary directory."""
    for name in ("design", "macs"):
        (tmp_path / f"{name}.json").write_bytes((root / f"tests/golden/six/{name}.json").read_bytes())

    def run(check: bool = False, diff: bool = False, **settings: Any) -> dict[str, Any]:
        paths = {"design": tmp_path / "design.json", "macs": tmp_path / "macs.json", "build": tmp_path / "build"}
        answer: dict[str, Any] = run_module("fnn_render", check=check, diff=diff, settings=settings, **paths)
        return answer

    return run


def test_all_nodes_are_rendered_once(render: Render, tmp_path: Path) -> None:
    first = render()
    assert (first["changed"], first["nodes"], first["changed_nodes"], first["unreached"]) == (True, NODES, NODES, {})
    assert (tmp_path / "build/nodes/k05/usr/local/sbin/fnn-net").stat().st_mode & 0o777 == 0o755
    second = render()
    assert (second["changed"], second["changed_nodes"], second["changed_files"]) == (False, [], 0)


def test_check_mode_says_what_would_change_and_writes_nothing(render: Render, tmp_path: Path) -> None:
    answer = render(check=True, diff=True)
    assert answer["changed_nodes"] == NODES
    assert len(answer["diff"]) == 11  # ten files, and how many more
    assert answer["diff"][-1]["prepared"] == f"… and {answer['changed_files'] - 10} more files\n"
    assert not (tmp_path / "build").exists()


def test_a_new_mac_changes_the_node_and_those_that_reach_it(render: Render, tmp_path: Path) -> None:
    render()
    macs = read_json(tmp_path / "macs.json")
    macs["nodes"][0]["nics"][0]["mac"] = "02:f0:00:00:00:99"
    (tmp_path / "macs.json").write_text(dumps(macs))
    design = read_json(tmp_path / "design.json")
    switch = design["nodes"][0]["links"][0]["switch"]
    members = next(each["nodes"] for each in design["switches"] if each["name"] == switch)
    assert render()["changed_nodes"] == members


def test_a_node_that_was_not_asked_keeps_its_files(render: Render) -> None:
    everyone = dict.fromkeys(NODES, "networkd")
    render(manager=everyone, identity_kind=dict.fromkeys(NODES, "veth"))
    alone = render(manager={"k02": "networkd"}, identity_kind={"k02": "veth"})
    assert (alone["changed"], alone["changed_nodes"]) == (False, [])
    assert render(manager={**everyone, "k02": "none"})["changed_nodes"] == ["k02"]


def test_a_node_that_was_not_seen_is_listed_as_unreached(render: Render, tmp_path: Path) -> None:
    macs = read_json(tmp_path / "macs.json")
    macs["nodes"].pop()
    (tmp_path / "macs.json").write_text(dumps(macs))
    answer = render()
    assert answer["nodes"] == NODES[:5]
    assert answer["unreached"] == {name: ["k05"] for name in NODES[:5]}


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
    answer = render(prefix="10.77.0.0/24", identity_prefix="10.79.0.0/16")
    assert [line.split(":")[0] for line in answer["msg"].splitlines()] == ["fnn_prefix", "fnn_management_prefix"]
    assert "10.77.0.0/22 would do" in answer["msg"]
    assert not (tmp_path / "build").exists()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole pipelines on the controller: spec -> design -> plan -> files, compared with what is committed (README.md)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.plan.files import list_node_files
from ansible.module_utils.fnn.controller.plan.render import Renderer, check_views
from ansible.module_utils.fnn.controller.plan.views import Plan
from ansible.module_utils.fnn.controller.spec.spec import load_spec
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from plan_settings import plan_with, read_case

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/spec.json"))
COPIES = {each.path for each in list_node_files(HERE.parents[1]) if not each.source.endswith(".j2")}

by_name = pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)


def plan_of(case: Path, documents: Documents) -> Plan:
    design, macs = documents.read(case / "design.json", "fnn-design"), documents.read(case / "macs.json", "fnn-macs")
    settings = read_case(case)
    return plan_with(design, macs, settings["facts"], settings["inputs"], **settings["variables"])


def leave_out_copies(manifest: str) -> str:
    """A manifest without the programs, which change with each of their modules and are in no golden file."""
    document = json.loads(manifest)
    document["files"] = [each for each in document["files"] if each["path"] not in COPIES]
    return dumps(document)


@by_name
def test_every_file_of_every_node_is_as_committed(case: Path, root: Path, documents: Documents) -> None:
    plan = plan_of(case, documents)
    check_views(plan, documents)
    rendered = {str(each.path): each.content.decode() for each in Renderer(root).render(plan)}
    rendered = {path: text for path, text in rendered.items() if not any(path.endswith(copy) for copy in COPIES)}
    rendered |= {path: leave_out_copies(text) for path, text in rendered.items() if path.endswith("/manifest.json")}
    expected = case / "expected"
    if os.environ.get("FNN_REGENERATE"):
        shutil.rmtree(expected, ignore_errors=True)
        write_all(rendered, expected)
        pytest.fail("regenerated; read the diff and run again without FNN_REGENERATE")
    found = {str(path.relative_to(expected)): path.read_text() for path in expected.rglob("*") if path.is_file()}
    assert sorted(rendered) == sorted(found)
    for path, text in rendered.items():
        assert text == found[path], path


@by_name
def test_the_design_is_for_the_spec_and_valid(case: Path, documents: Documents, designer: Path) -> None:
    spec = load_spec(documents.read(case / "spec.json", "fnn-spec"), documents)
    assert documents.read(case / "design.json", "fnn-design")["spec"] == spec
    subprocess.run([designer, "check", case / "design.json"], check=True, capture_output=True)


@by_name
def test_every_node_can_read_its_files(case: Path, root: Path, documents: Documents, tmp_path: Path) -> None:
    """fnn-net on the node reads all links, neighbors, routes and addresses of the plan from the rendered files."""
    plan = plan_of(case, documents)
    write_all({str(each.path): each.content.decode() for each in Renderer(root).render(plan)}, tmp_path)
    for name, view in plan.views.items():
        home = tmp_path / "nodes" / name
        read = read_plan(home / "etc/fnn", tmp_path / "common/etc/sysctl.d/90-fnn.conf")
        assert (read.cluster, read.node, read.identity.address) == (case.name, name, view["identity"]["address"])
        assert [link.mac for link in read.links] == [link["mac"] for link in view["links"]]
        assert [each.mac for each in read.neighbors] == [each["mac"] for each in view["neighbors"]]
        legs = [tuple((via["switch"], via["address"] or "") for via in route["via"]) for route in view["routes"]]
        assert [route.legs for route in read.routes] == legs
        assert len(read.sysctls) == (4 if view["access"] else 3)
        access = view["access"] and (
            view["access"]["nic_mac"],
            f"{view['access']['address']}/{view['access']['length']}",
        )
        assert (read.access and (read.access.nic, read.access.address)) == access


def write_all(rendered: dict[str, str], directory: Path) -> None:
    for path, text in rendered.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

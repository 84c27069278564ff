# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole pipelines on the controller: spec -> design -> plan -> files, compared with what is committed (README.md)."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, digest, dumps
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.plan.files import list_node_files
from ansible.module_utils.fnn.controller.plan.render import Renderer, check_views
from ansible.module_utils.fnn.controller.plan.views import Plan
from ansible.module_utils.fnn.node.net.plan import Leg
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from difference import Files, apply_difference, make_difference
from node_root import write_node_root
from plan_settings import Document, plan_with, read_case

HERE = Path(__file__).parent
#: The case that differences are against, unless the settings of a case name another `base`.
BASE = "six"


def find_base(case: Path) -> Path | None:
    """The case that the difference of a case is against; None for one with all its files."""
    return HERE / read_case(case).get("base", BASE) if (case / "expected.diff").exists() else None


def count_bases(case: Path) -> int:
    base = find_base(case)
    return 1 + count_bases(base) if base else 0


#: Bases come first: on an update the differences need their new files.
CASES = sorted((path.parent for path in HERE.glob("*/settings.json")), key=lambda case: (count_bases(case), case.name))
COPIES = {each.path for each in list_node_files(HERE.parents[1]) if not each.source.endswith(".j2")}

by_name = pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)


def read_documents(case: Path, documents: Documents) -> tuple[Document, Document, Document]:
    """(spec, design, macs) of the case, or of the case that its settings name, for a cluster named as this case."""
    source = HERE / read_case(case).get("documents", case.name)
    spec, design, macs = (
        documents.read(source / f"{name}.json", f"fnn-{name}") | {"cluster": case.name}
        for name in ("spec", "design", "macs")
    )
    if source != case:
        inner = design["spec"] | {"cluster": case.name}
        design |= {"spec": inner, "spec_digest": digest(inner)}
    return spec, design, macs


def make_case_plan(case: Path, documents: Documents) -> Plan:
    _, design, macs = read_documents(case, documents)
    settings = read_case(case)
    return plan_with(design, macs, settings["facts"], settings["inputs"], **settings["variables"])


def leave_out_copies(manifest: str) -> str:
    """A manifest without the programs, which change with each of their modules and are in no golden file."""
    document = json.loads(manifest)
    document["files"] = [each for each in document["files"] if each["path"] not in COPIES]
    return dumps(document)


def render_case(case: Path, root: Path, documents: Documents) -> Files:
    """Every file of the case except the copies, by its path."""
    plan = make_case_plan(case, documents)
    check_views(plan, documents)
    rendered = {str(each.path): each.content.decode() for each in Renderer(root).render(plan)}
    rendered = {path: text for path, text in rendered.items() if not any(path.endswith(copy) for copy in COPIES)}
    return rendered | {
        path: leave_out_copies(text) for path, text in rendered.items() if path.endswith("/manifest.json")
    }


def read_files(directory: Path) -> Files:
    return {str(path.relative_to(directory)): path.read_text() for path in directory.rglob("*") if path.is_file()}


def read_base(case: Path, base: Path) -> Files:
    """The committed files of the base, for a cluster named as this case."""
    return {path: re.sub(rf"\b{base.name}\b", case.name, text) for path, text in read_expected(base).items()}


def read_expected(case: Path) -> Files:
    """The committed files of the case, or those of the base with the committed difference."""
    if base := find_base(case):
        return apply_difference(read_base(case, base), (case / "expected.diff").read_text())
    return read_files(case / "expected")


def write_expected(case: Path, rendered: Files) -> None:
    if base := find_base(case):
        (case / "expected.diff").write_text(make_difference(read_base(case, base), rendered))
    else:
        if (case / "expected").exists():
            shutil.rmtree(case / "expected")
        write_all(rendered, case / "expected")


@by_name
def test_every_file_of_every_node_is_as_committed(case: Path, root: Path, documents: Documents) -> None:
    rendered = render_case(case, root, documents)
    if os.environ.get("FNN_REGENERATE"):
        write_expected(case, rendered)
        pytest.fail("regenerated; read the diff and run again without FNN_REGENERATE")
    found = read_expected(case)
    assert sorted(rendered) == sorted(found)
    for path, text in rendered.items():
        assert text == found[path], path


@by_name
def test_the_design_is_for_the_spec_and_valid(
    case: Path, documents: Documents, engine: Designer, tmp_path: Path
) -> None:
    spec, design, _ = read_documents(case, documents)
    assert design.get("document", design)["spec"] == engine.normalize(spec, case)
    documents.write(tmp_path / "design.json", design)
    engine.check(tmp_path / "design.json")


@by_name
def test_every_node_can_read_its_files(case: Path, root: Path, documents: Documents, tmp_path: Path) -> None:
    """fnn-net on the node reads all links, neighbors, routes and addresses of the plan from the rendered files."""
    plan = make_case_plan(case, documents)
    files = list(Renderer(root).render(plan))
    for name, view in plan.views.items():
        write_node_root(files, name, tmp_path / name)
        read = read_plan(tmp_path / name / "etc/fnn", tmp_path / name / "etc/sysctl.d/90-fnn.conf")
        assert (read.cluster, read.node, read.identity.address) == (case.name, name, view["identity"]["address"])
        assert [link.mac for link in read.links] == [link["mac"] for link in view["links"]]
        assert [each.mac for each in read.neighbors] == [each["mac"] for each in view["neighbors"]]
        assert [route.legs for route in read.routes] == [
            tuple(Leg(via["switch"], via["address"] or "", via.get("weight", 1)) for via in route["via"])
            for route in view["routes"]
        ]
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


def test_a_difference_has_changed_new_and_removed_files() -> None:
    base = {"a": "one\ntwo\nthree\nfour\nfive\n", "b": "old\n", "c": "same\n"}
    files = {"a": "zero\none\ntwo\nthree\nfive\nsix\n", "c": "same\n", "d": "new\n"}
    difference = make_difference(base, files)
    assert difference.splitlines() == [
        *("--- a", "+++ a", "@@ -1 +1,2 @@", "+zero", " one", "@@ -3,3 +4,3 @@", " three", "-four", " five", "+six"),
        *("--- b", "+++ /dev/null", "@@ -1 +0,0 @@", "-old"),
        *("--- /dev/null", "+++ d", "@@ -0,0 +1 @@", "+new"),
    ]
    assert apply_difference(base, difference) == files
    with pytest.raises(AssertionError, match="line 3 is 'tree"):
        apply_difference({**base, "a": base["a"].replace("three", "tree")}, difference)

# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/render.py; the rendered files are in tests/golden."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, digest
from ansible.module_utils.fnn.controller.plan.files import list_common, list_node_files
from ansible.module_utils.fnn.controller.plan.render import (
    FileChange,
    Renderer,
    check_views,
    find_changes,
    make_change,
    remove_empty_directories,
    show_change,
)
from ansible.module_utils.fnn.controller.plan.views import Plan
from ansible.module_utils.fnn.shared.errors import FnnError
from jinja2 import UndefinedError
from plan_settings import plan_with

Document = dict[str, Any]


@pytest.fixture
def plan(design: Document, macs: Document) -> Plan:
    return plan_with(design, macs)


def bring_up_to_date(plan: Plan, root: Path, build: Path) -> list[tuple[str, str]]:
    """Applies all changes; returns (nodes, path) of each."""
    changed = []
    for change in find_changes(Renderer(root).render(plan), build):
        make_change(change)
        changed.append((" ".join(change.nodes), str(change.path.relative_to(build))))
    remove_empty_directories(build)
    return changed


def test_a_second_run_changes_nothing(plan: Plan, root: Path, tmp_path: Path) -> None:
    assert bring_up_to_date(plan, root, tmp_path)
    assert bring_up_to_date(plan, root, tmp_path) == []


def test_only_changed_files_are_written(
    plan: Plan, design: Document, macs: Document, root: Path, tmp_path: Path
) -> None:
    bring_up_to_date(plan, root, tmp_path)
    changed = bring_up_to_date(plan_with(design, macs, fnn_slots={"k03": 4}), root, tmp_path)
    all_nodes = " ".join(f"k0{n}" for n in range(6))
    files = [(all_nodes, f"common/etc/fnn/hosts.{mpi}") for mpi in ("openmpi", "mpich")]
    assert changed == [("", "cluster.json"), *files]


def test_a_hand_edited_file_and_a_wrong_mode_are_corrected(plan: Plan, root: Path, tmp_path: Path) -> None:
    bring_up_to_date(plan, root, tmp_path)
    (tmp_path / "nodes/k01/etc/fnn/links").write_text("mine\n")
    (tmp_path / "nodes/k02/etc/fnn/routes").chmod(0o600)
    (tmp_path / "common/usr/local/sbin/fnn-net").chmod(0o644)
    assert bring_up_to_date(plan, root, tmp_path) == [
        ("k00 k01 k02 k03 k04 k05", "common/usr/local/sbin/fnn-net"),
        ("k01", "nodes/k01/etc/fnn/links"),
        ("k02", "nodes/k02/etc/fnn/routes"),
    ]


def test_files_and_nodes_that_left_the_plan_are_removed(
    plan: Plan, design: Document, macs: Document, root: Path, tmp_path: Path
) -> None:
    bring_up_to_date(plan, root, tmp_path)
    (tmp_path / "nodes/k00/etc/fnn/old").write_text("")
    (tmp_path / "common/usr/old").mkdir()
    (tmp_path / "common/usr/old/program").write_text("")
    del macs["nodes"][5]
    changed = bring_up_to_date(plan_with(design, macs), root, tmp_path)
    assert ("k00", "nodes/k00/etc/fnn/old") in changed
    assert ("k05", "nodes/k05/manifest.json") in changed
    assert ("", "common/usr/old/program") in changed
    assert not (tmp_path / "common/usr/old").exists()
    assert sorted(path.name for path in (tmp_path / "nodes").iterdir() if "k05" in path.name) == []


def test_views_of_a_former_version_are_removed_and_concern_no_node(plan: Plan, root: Path, tmp_path: Path) -> None:
    bring_up_to_date(plan, root, tmp_path)
    (tmp_path / "nodes/k01.json").write_text("{}\n")
    assert bring_up_to_date(plan, root, tmp_path) == [("", "nodes/k01.json")]


def test_nics_and_routes_have_a_line_for_each_item_of_the_plan(plan: Plan, root: Path) -> None:
    files = {str(each.path): each.content.decode().splitlines() for each in Renderer(root).render(plan)}
    links = [(name, link) for name, view in plan.views.items() for link in view["links"]]
    assert files["common/etc/fnn/nics"][2:] == [
        f"{link['switch']} {link['address']} {link['mac']} {name}" for name, link in links
    ]
    for name, view in plan.views.items():
        assert files[f"nodes/{name}/etc/fnn/neighbors"][2:] == []
        assert [line.split()[:2] for line in files[f"nodes/{name}/etc/fnn/routes"][2:]] == [
            [each["to"], each["node"]] for each in view["routes"]
        ]


def test_a_view_that_breaks_its_schema_is_refused(plan: Plan, documents: Documents) -> None:
    plan.views["k04"]["links"][1]["mtu"] = 0
    with pytest.raises(FnnError, match="/links/1/mtu: 0 is not an integer from 576 to 9216"):
        check_views(plan, documents)


def test_a_shared_item_that_breaks_its_schema_is_refused(plan: Plan, documents: Documents) -> None:
    plan.views["k04"]["neighbors"][0]["mac"] = "?"
    with pytest.raises(FnnError, match=r'/neighbors/\d+/mac: "\?" is not a MAC'):
        check_views(plan, documents)


def test_a_template_with_an_undefined_variable_fails(plan: Plan, root: Path) -> None:
    del plan.cluster["identity_device"]
    with pytest.raises(UndefinedError, match="identity_device"):
        list(Renderer(root).render(plan))


def test_a_change_is_shown_as_a_diff_of_limited_length(tmp_path: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(100)).encode()
    text = show_change(FileChange(tmp_path / "a/b", None, lines), tmp_path, 5)
    assert text.splitlines() == [
        "--- before: a/b",
        "+++ after: a/b",
        "@@ -0,0 +1,100 @@",
        "+line 0",
        "+line 1",
        "… 98 more lines",
    ]


def test_a_removal_is_shown_as_a_diff(tmp_path: Path) -> None:
    assert "-old" in show_change(FileChange(tmp_path / "a", b"old\n", None), tmp_path, 9).splitlines()


@pytest.mark.long
def test_a_thousand_nodes_take_seconds(root: Path) -> None:
    """1024 nodes with 5 NICs each, over 20 switches: 1275 neighbors and 1023 routes a node, 2.3 million in all.

    About 2 s; the limit only catches a worse order of growth, such as
    building each item again for each node.
    """
    design, macs = affine_plane(1024)
    before = time.process_time()
    plan = plan_with(design, macs)
    files = sum(1 for _ in Renderer(root).render(plan))
    assert files == 1 + (1 + len(list_common(list_node_files(root), plan.cluster))) + 1024 * 5
    assert time.process_time() - before < 30


def affine_plane(count: int) -> tuple[Document, Document]:
    """Nodes spread over the 16 points of the affine plane of order 4; the 20 lines are the switches.

    Point (x, y) is on the lines y = mx + b, number 4m + b, for each slope m of the field with four elements, and on
    the vertical line x, number 16 + x. Any two points are on one line, so any two nodes share a switch.
    """
    times = [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]
    nodes = []
    for rank in range(count):
        x, y = divmod(rank % 16, 4)
        lines = [4 * m + (y ^ times[m][x]) for m in range(4)] + [16 + x]  # addition in this field is xor
        links = [{"nic": nic, "switch": f"s{line:02d}"} for nic, line in enumerate(lines)]
        nodes.append({"name": f"k{rank:04d}", "links": links})
    nics = [{"name": None, "speed_mbps": 1000, "media": "rj45"}] * 5
    ports = [{"count": 256, "speed_mbps": 1000, "media": "rj45"}]
    names = [f"s{line:02d}" for line in range(20)]
    spec = {
        "topology": "fnn",
        "cluster": "big",
        "nodes": [{"name": node["name"], "nics": nics} for node in nodes],
        "switches": [{"name": name, "color": name, "ports": ports, "reserved": 0} for name in names],
        "uplink": None,
        "mtu": None,
    }
    macs = [
        {
            "name": node["name"],
            "nics": [
                {"nic": nic, "name": f"nic{nic}", "mac": f"02:f0:00:{rank >> 8:02x}:{rank & 255:02x}:{nic:02x}"}
                for nic in range(5)
            ],
        }
        for rank, node in enumerate(nodes)
    ]
    return {"cluster": "big", "spec": spec, "spec_digest": digest(spec), "nodes": nodes}, {"nodes": macs}

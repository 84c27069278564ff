# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_deliveries.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile, identify_delivery, make_delivery, read_bundle

NODES = ["k00", "k01", "k02"]


def render(build: Path, **contents: str) -> Path:
    """Write files as fnn_render does: one that all nodes have, and one of each node."""
    for place, content in {"common": "", **{f"nodes/{name}": contents.get(name, "") for name in NODES}}.items():
        (build / place).mkdir(parents=True, exist_ok=True)
        (build / place / "manifest.json").write_text(content)
    return build


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return render(tmp_path / "build")


def test_confirmed_nodes_are_unchanged_until_their_files_change(run_module: Any, build: Path) -> None:
    assert run_module("fnn_deliveries", build=build)["unchanged"] == []
    answer = run_module("fnn_deliveries", build=build, confirmed=["k02", "k00", "router"])
    assert (answer["changed"], answer["unchanged"]) == (False, ["k00", "k02"])
    render(build, k02="new")
    assert run_module("fnn_deliveries", build=build)["unchanged"] == ["k00"]
    render(build)
    assert run_module("fnn_deliveries", build=build)["unchanged"] == ["k00", "k02"]
    (build / "common/manifest.json").write_text("new")
    assert run_module("fnn_deliveries", build=build)["unchanged"] == []


def test_a_node_that_loses_its_files_is_no_longer_confirmed(run_module: Any, build: Path) -> None:
    run_module("fnn_deliveries", build=build, confirmed=NODES)
    assert run_module("fnn_deliveries", build=build, revoked=["k01"])["unchanged"] == ["k00", "k02"]


def test_the_record_of_a_node_that_left_the_plan_is_removed(run_module: Any, build: Path) -> None:
    run_module("fnn_deliveries", build=build, confirmed=NODES)
    (build / "nodes/k02/manifest.json").unlink()
    assert run_module("fnn_deliveries", check=True, build=build)["unchanged"] == ["k00", "k01"]
    assert (build / "delivered/k02").exists()
    assert run_module("fnn_deliveries", build=build)["unchanged"] == ["k00", "k01"]
    assert sorted(path.name for path in (build / "delivered").iterdir()) == ["k00", "k01"]


def test_check_mode_compares_its_own_files_and_records_nothing(run_module: Any, build: Path, tmp_path: Path) -> None:
    run_module("fnn_deliveries", build=build, confirmed=["k00", "k01"])
    preview = render(tmp_path / "preview", k01="new")
    answer = run_module("fnn_deliveries", check=True, build=build, files=preview, confirmed=NODES, revoked=["k00"])
    assert answer["unchanged"] == ["k00"]
    assert run_module("fnn_deliveries", build=build)["unchanged"] == ["k00", "k01"]


def test_no_rendered_files_are_no_error(run_module: Any, tmp_path: Path) -> None:
    answer = run_module("fnn_deliveries", build=tmp_path, revoked=["k00"])
    assert (answer["changed"], answer["unchanged"], "failed" in answer) == (False, [], False)


def write_files(build: Path, place: str, **contents: str) -> Path:
    """A directory of rendered files with a manifest, as fnn_render writes it."""
    bundle = Bundle({}, [BundledFile(f"/etc/fnn/{name}", "file", 0o644, text) for name, text in contents.items()])
    for file in bundle.files:
        path = build / place / file.path.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.content)
    (build / place / "manifest.json").write_text(bundle.manifest)
    return build / place


def test_nodes_whose_state_is_that_of_their_files_are_in_place(run_module: Any, tmp_path: Path) -> None:
    """fnn-linkd adds its keys to the files; a satellite gets only its own files."""
    keys = tmp_path / "linkd.keys"
    ids = run_module("fnn_linkd_keys", path=keys)["ids"]
    common = write_files(tmp_path, "common", linkd="interval 100\n")
    own = {name: write_files(tmp_path, f"nodes/{name}", links=name) for name in ("k00", "k01", "k02", "sat0")}
    key = BundledFile("/etc/fnn/linkd.key", "file", 0o600, "")
    has = {name: read_bundle(common, path).files for name, path in own.items()}
    states = {
        "k00": identify_delivery(make_delivery(Bundle({}, [*has["k00"], key])), ids),
        "k01": identify_delivery(make_delivery(Bundle({}, [*has["k00"], key])), ids),
        "k02": None,
        "sat0": identify_delivery(make_delivery(read_bundle(own["sat0"])), []),
        "gone": "91ab33c0",
    }
    given = {"build": tmp_path, "linkd_keys": keys, "satellites": ["sat0"], "states": states}
    assert run_module("fnn_deliveries", **given)["in_place"] == ["k00", "sat0"]
    run_module("fnn_linkd_keys", path=keys, step="accept")
    assert run_module("fnn_deliveries", **given)["in_place"] == ["sat0"], "the others lack the next key"
    keys.unlink()
    assert run_module("fnn_deliveries", **given)["in_place"] == ["sat0"]


def test_a_node_without_the_present_keys_of_fnn_linkd_is_not_confirmed(
    run_module: Any, build: Path, tmp_path: Path
) -> None:
    """It missed a rotation; the others ignore its frames."""
    keys = tmp_path / "site/.secrets/linkd.keys"
    run_module("fnn_linkd_keys", path=keys)
    given = {"build": build, "linkd_keys": keys}
    assert run_module("fnn_deliveries", **given, confirmed=NODES)["unchanged"] == NODES
    run_module("fnn_linkd_keys", path=keys, step="accept")
    assert run_module("fnn_deliveries", **given)["unchanged"] == []
    assert run_module("fnn_deliveries", **given, confirmed=["k01"])["unchanged"] == ["k01"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_stand_in.py, and the use of its document by M(fnn_keys)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.shared.trust import unpack
from plan_settings import BASE


@pytest.fixture
def files(root: Path, tmp_path: Path) -> dict[str, Path]:
    case = root / "tests/golden/satellites"
    return {"design": case / "design.json", "macs": case / "macs.json", "path": tmp_path / "stand-ins.json"}


def test_the_document_comes_and_goes(run_module: Any, files: dict[str, Path]) -> None:
    answer = run_module("fnn_stand_in", node="k02", spare="hot1", diff=True, **files)
    assert (answer["changed"], answer["stand_ins"]) == (True, [{"node": "k02", "spare": "hot1"}])
    assert '"spare": "hot1"' in answer["diff"]["after"]
    document = read_json(files["path"])
    assert (document["format"], document["cluster"]) == ("fnn-stand-ins", "satellites")
    assert run_module("fnn_stand_in", node="k02", spare="hot1", **files)["changed"] is False
    assert run_module("fnn_stand_in", node="k02", **files)["changed"] is True
    assert not files["path"].exists()


def test_check_mode_writes_nothing(run_module: Any, files: dict[str, Path]) -> None:
    assert run_module("fnn_stand_in", check=True, node="k02", spare="hot1", **files)["changed"] is True
    assert not files["path"].exists()


@pytest.mark.parametrize(
    ("node", "spare", "message"),
    [
        ("k9", "hot1", "stand-ins.json#/stand_ins/0/node: no node is called k9, there are: k00, k01"),
        ("k02", "hot9", "stand-ins.json#/stand_ins/0/spare: hot9 is no satellite with a known MAC, there are: head"),
        ("k02", None, "k02: no spare stands in for it; present stand-ins: none"),
    ],
)
def test_invalid_stand_ins_are_refused(
    run_module: Any, files: dict[str, Path], node: str, spare: str | None, message: str
) -> None:
    answer = run_module("fnn_stand_in", node=node, spare=spare, **files)
    assert answer["failed"]
    assert answer["msg"].startswith(message)
    assert not files["path"].exists()


def test_the_host_key_of_a_dead_node_is_that_of_its_stand_in(run_module: Any, files: dict[str, Path]) -> None:
    run_module("fnn_stand_in", node="k02", spare="hot1", **files)
    key = {"host": "ssh-ed25519 AAAA", "user": "ssh-ed25519 BBBB"}
    answer = run_module(
        "fnn_keys",
        **{**files, "path": files["path"].with_name("keys.json")},
        stand_ins=files["path"],
        variables=BASE,
        user="fnn",
        seen={name: {**key, "host": f"ssh-ed25519 {name}"} for name in ("k00", "k02", "hot1")},
    )
    known = dict(line.split(maxsplit=1) for line in unpack(answer["trust"]).known_hosts.splitlines())
    assert [names for names, host in known.items() if "k02" in names.split(",")] == [
        "hot1,k02,10.78.0.3,hot1-uplink,10.77.3.3,hot1-mg,10.79.0.8"
    ]
    assert "ssh-ed25519 k02" not in known.values()

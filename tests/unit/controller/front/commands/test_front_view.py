# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn view, on the golden six PCs whose files were rendered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.plan.views import Plan
from module_runner import run_module
from plan_settings import BASE, plan_with

__all__ = ["run_module"]

Fnn = Callable[..., int]
#: Everything that a view has from variables and facts.
VARIABLES = {**BASE, "fnn_gateway": "k00", "fnn_gateway_interface": "eno1", "fnn_slots": {"k03": 4}}
FACTS = {
    "ansible_host": {"k01": "192.168.3.9", "k02": "k02.example"},
    "default_route": {"k00": "eno1", "k01": ""},
    "manager": {"k01": "networkd"},
    "identity_kind": {"k01": "veth"},
}


@pytest.fixture
def site(ansible: Any, run_module: Any, root: Path) -> Path:
    """A site whose files are rendered."""
    site: Path = ansible.site
    for name in ("design", "macs"):
        (site / f"{name}.json").write_bytes((root / f"tests/golden/six/{name}.json").read_bytes())
    paths = {name: site / f"{name}.json" for name in ("design", "macs")} | {"build": site / "build"}
    assert "failed" not in run_module("fnn_render", variables=VARIABLES, facts=FACTS, **paths)
    return site


def make_plan(site: Path) -> Plan:
    design, macs = (read_json(site / f"{name}.json") for name in ("design", "macs"))
    return plan_with(design, macs, FACTS, **VARIABLES)


def test_it_prints_the_view_that_the_files_were_rendered_from(
    fnn: Fnn, site: Path, capsys: pytest.CaptureFixture[str], documents: Documents
) -> None:
    planned = make_plan(site).views
    generation = read_json(site / "build/generation.json")["generation"]
    for node in ("k00", "k01", "k02"):
        assert fnn("view", node) == 0
        shown = json.loads(capsys.readouterr().out)
        documents.check(shown, "fnn-view")
        assert shown == {**planned[node], "generation": generation}
    assert "default" in [route["to"] for route in planned["k01"]["routes"]], "the view follows from facts too"


def test_documents_that_changed_since_are_named(fnn: Fnn, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "macs.json").write_text((site / "macs.json").read_text() + "\n")
    assert fnn("view", "k01") == 1
    error = capsys.readouterr().err
    assert error.startswith(f"fnn: {site / 'macs.json'}: has changed since the files of the nodes were rendered; ")
    assert error.count("\n") == 1


def test_an_unknown_node_and_a_site_without_files_are_named(
    fnn: Fnn, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fnn("view", "k11") == 2
    assert capsys.readouterr().err.startswith("fnn: k11: no such node (did you mean k01?); the nodes are k00, ")
    (site / "build/rendered.json").unlink()
    assert fnn("view", "k01") == 1
    assert "rendered.json: missing; run ./fnn site" in capsys.readouterr().err

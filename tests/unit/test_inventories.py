# SPDX-License-Identifier: GPL-3.0-or-later
"""The committed inventories: the documents beside them match them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.spec.spec import select_fabric
from inventories import make_spec

INVENTORIES = Path(__file__).parents[2] / "inventory"
SITES = sorted(path.parent for path in INVENTORIES.glob("**/spec.json"))
NAMES = [str(site.relative_to(INVENTORIES)) for site in SITES]


def test_every_inventory_has_its_documents_and_a_row_in_the_table() -> None:
    hosts = sorted(path.parent for path in INVENTORIES.glob("**/hosts.yml"))
    assert [*hosts] == SITES
    rows = [line for line in (INVENTORIES / "README.md").read_text().splitlines() if line.startswith("| `")]
    assert sorted(row.split("`")[1] for row in rows) == NAMES


@pytest.mark.parametrize("site", SITES, ids=NAMES)
def test_the_committed_spec_is_that_of_the_inventory(site: Path, documents: Documents, engine: Designer) -> None:
    assert documents.read(site / "spec.json", "fnn-spec") == make_spec(site, engine)


@pytest.mark.parametrize("site", SITES, ids=NAMES)
def test_the_committed_design_is_for_the_spec_and_valid(site: Path, documents: Documents, designer: Path) -> None:
    read = documents.read(site / "design.json", "fnn-design")
    design = read.get("document", read)
    assert (design["verdict"], design["uncovered"]) == ("found", [])
    assert design["spec"] == select_fabric(documents.read(site / "spec.json", "fnn-spec"))
    subprocess.run([designer, "check", site / "design.json"], check=True, capture_output=True)


@pytest.mark.parametrize("site", SITES, ids=NAMES)
def test_the_same_spec_and_seed_give_the_committed_design(site: Path, designer: Path, tmp_path: Path) -> None:
    """When a change of the engine leads to other designs, remake them with `make designs` (the lab's by hand)."""
    seed = json.loads((site / "design.json").read_text())["seed"]
    command = [designer, "design", site / "spec.json", "-o", tmp_path / "design.json", "--seed", str(seed)]
    subprocess.run([*command, "--time-limit", "60"], check=True, capture_output=True)
    assert (tmp_path / "design.json").read_bytes() == (site / "design.json").read_bytes()


@pytest.mark.parametrize("site", SITES, ids=NAMES)
def test_a_committed_maintenance_network_is_that_of_the_spec(
    site: Path, documents: Documents, engine: Designer, designer: Path, tmp_path: Path
) -> None:
    spec, own = documents.read(site / "spec.json", "fnn-spec"), site / "maintenance-spec.json"
    assert own.exists() == ("maintenance" in spec)
    if own.exists():
        expected = engine.normalize(spec, site, maintenance=True)
        assert documents.read(own, "fnn-spec") == expected
        command = [designer, "design", own, "-o", tmp_path / "design.json"]
        subprocess.run(command, check=True, capture_output=True)
        assert (tmp_path / "design.json").read_bytes() == (site / "maintenance-design.json").read_bytes()


@pytest.mark.parametrize("name", ["lab", "one-switch", "two-switches", "ring", "star", "mesh"])
@pytest.mark.parametrize("switches", [1, 2])
def test_every_topology_may_have_a_maintenance_network(
    name: str, switches: int, documents: Documents, engine: Designer
) -> None:
    site = INVENTORIES / name
    spec = documents.read(site / "spec.json", "fnn-spec")
    devices = [{"name": name, "ports": 8} for name in ("grey", "white")[:switches]]
    both = {**spec, "maintenance": {"nic": "eno9", "switches": devices}}
    assert select_fabric(engine.normalize(both, site)) == spec
    own = engine.normalize(both, site, maintenance=True)
    assert own["topology"] == ("switch" if switches == 1 else "tree")
    assert [node["name"] for node in own["nodes"]] == [node["name"] for node in spec["nodes"]]
    assert {nic["name"] for node in own["nodes"] for nic in node["nics"]} == {"eno9"}

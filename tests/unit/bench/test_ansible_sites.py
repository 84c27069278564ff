# SPDX-License-Identifier: GPL-3.0-or-later
"""The sites of the benchmarks of Ansible: sizes, inventories, the floor and the files of the template tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from ansible.module_utils.fnn.controller.consistency import check_design
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bench import cases_naive, sites
from bench.cases_ansible import compare_files
from bench.floor import write_files
from bench.packing import list_options, pack_all

pytestmark = pytest.mark.usefixtures("designer")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> sites.Site:
    made = sites.make_site(tmp_path_factory.mktemp("sites"), 64)
    sites.design_site(made)
    write_files(made.inventory, made.place / "floor")
    return made


def test_sizes_are_chosen_by_a_text() -> None:
    assert sites.choose_sizes(None) == [64, 256, 1024]
    assert sites.choose_sizes("256 64") == [64, 256]
    with pytest.raises(ValueError, match="FNN_BENCH_ANSIBLE_NODES: 65 is none of 64, 256, 1024"):
        sites.choose_sizes("64 65")


def test_the_root_of_a_site_has_a_build_directory_of_its_own(site: sites.Site, root: Path) -> None:
    linked = site.place / "root"
    assert (linked / "schemas").resolve() == root / "schemas"
    assert not (linked / "build").is_symlink()


def test_the_redesign_of_a_site_is_a_valid_design_with_other_cables(site: sites.Site) -> None:
    before = (site.inventory / "design.json").read_text()
    try:
        sites.rewire(site)
        after = site.read("design.json")
        check_design(after)
        moved = sum(old["links"] != new["links"] for old, new in zip(json.loads(before)["nodes"], after["nodes"]))
        assert moved > 32
    finally:
        (site.inventory / "design.json").write_text(before)


def test_files_are_compared_without_the_number_of_the_plan(site: sites.Site, tmp_path: Path) -> None:
    write_files(site.inventory, tmp_path / "again")
    again = tmp_path / "again/nodes/n0003/etc/fnn"
    (again / "node").write_text("generation 2\n")
    assert compare_files(site.place / "floor", tmp_path / "again")
    (again / "routes").write_text("")
    assert not compare_files(site.place / "floor", tmp_path / "again")
    assert not compare_files(tmp_path / "empty", tmp_path / "empty")


def test_the_templates_write_what_the_renderer_writes(site: sites.Site) -> None:
    hosts = cases_naive.list_variables(site)
    loader = FileSystemLoader(cases_naive.TEMPLATES)
    templates = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    for node in ("n0000", "n0037", "n0063"):
        known = {"fnn_cluster": "bench", "groups": {"fnn_nodes": list(hosts)}, "hostvars": hosts}
        for name, path in cases_naive.FILES.items():
            text = templates.get_template(f"{name}.j2").render(known, inventory_hostname=node, **hosts[node])
            assert text == cases_naive.find_file(site.place / "floor", node, path).read_text(), (node, name)


def test_the_inventory_of_the_template_tasks_has_all_hosts(site: sites.Site) -> None:
    own = cases_naive.write_naive(site)
    inventory = yaml.safe_load((own.inventory / "hosts.yml").read_text())
    assert list(inventory["fnn_nodes"]["hosts"]) == site.names


def test_only_small_clusters_are_measured_in_full() -> None:
    assert cases_naive.count_hosts(64) == (64,)
    assert cases_naive.count_hosts(1024) == cases_naive.SAMPLES
    assert cases_naive.format_cost(cases_naive.NAIVE, 64, 30.0, 2.0) == "30.0 s, 15.0x"
    assert cases_naive.format_cost(cases_naive.NAIVE, 256, 30.0, 2.0) == "~30.0 s, ~15.0x"
    assert cases_naive.format_cost(cases_naive.OURS, 256, 30.0, 2.0) == "30.0 s, 15.0x"


def test_the_packing_counts_what_a_node_gets_and_leaves_its_files(site: sites.Site) -> None:
    build = site.place / "floor"
    before = (build / "nodes/n0063/etc/fnn/routes").read_bytes()
    sent = pack_all(build)
    assert 1000 < sent["own"] <= sent["all"] < 1 << 20
    assert (build / "nodes/n0063/etc/fnn/routes").read_bytes() == before


def test_files_are_delivered_with_the_options_that_the_module_has() -> None:
    options = list_options("/build", "n0003")
    assert {"bundle": "/build/nodes/n0003", "common": "/build/common"}.items() <= options.items()

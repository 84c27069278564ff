# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/spec/variables.py and host_variables.py, with the variables of schemas/variables.yml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.spec.host_variables import FOLLOWS, pick_variables
from ansible.module_utils.fnn.controller.spec.variable_source import read_source
from ansible.module_utils.fnn.controller.spec.variables import (
    find_bad_variables,
    find_repeated_keys,
    find_unreadable_files,
)

GOOD: dict[str, Any] = {"fnn_cluster": "six", "fnn_switches": [], "fnn_nics": 2}


@pytest.fixture
def complaints(root: Path) -> Any:
    """The messages about nodes k00, k01, ... with these variables."""

    def find(*nodes: dict[str, Any]) -> list[str]:
        hosts = {f"k{rank:02d}": {**GOOD, **variables} for rank, variables in enumerate(nodes)}
        return [str(each) for each in find_bad_variables(hosts, read_source(root).variables)]

    return find


def test_variables_of_the_roles_are_accepted(complaints: Any) -> None:
    assert not complaints({"fnn_near_weight": "0.5", "fnn_design_mpirun": ["mpirun"]})
    assert not complaints({"fnn_slots": "4", "fnn_mpi_yield": "yes", "fnn_lab_name": "fnn", "fnn_nic_match": ["nic*"]})


def test_a_misspelt_variable_is_reported_with_the_nearest_name(complaints: Any) -> None:
    assert complaints({"fnn_redesing": True, "fnn_colour_of_the_racks": "red"}) == [
        "fnn_colour_of_the_racks: unknown variable; docs/reference/variables.md lists all variables",
        "fnn_redesing: unknown variable; did you mean fnn_redesign?",
    ]


def test_a_missing_variable_is_reported_with_its_description(complaints: Any) -> None:
    keys = "name, speed_mbps, media, cage, twin"
    expected = f"the fabric NICs of a node, as a number or a list; each entry may have {keys}"
    assert complaints({"fnn_nics": None}, {}) == [f"fnn_nics of k00: missing ({expected})"]


def test_a_value_of_another_kind_is_reported_with_the_expected_kind(complaints: Any) -> None:
    assert complaints(
        {"fnn_seed": -1, "fnn_slots": "two", "fnn_mpi_yield": 2, "fnn_prefix": [], "fnn_topology": "x"}
        | {"fnn_near_weight": "nan", "fnn_design_hosts": {"k00": 4}}
    ) == [
        "fnn_design_hosts: an object is not a list",
        "fnn_mpi_yield: 2 is not true or false",
        'fnn_near_weight: "nan" is not a non-negative number',
        "fnn_prefix: an array is not a text",
        "fnn_seed: -1 is not a non-negative integer",
        'fnn_slots: "two" is not a positive integer',
        'fnn_topology: "x" is not "fnn", "switch", "tree", "ring", "star" or "mesh"',
    ]


def test_a_number_outside_its_range_is_reported_with_the_range(complaints: Any) -> None:
    assert complaints({"fnn_linkd_misses": 101, "fnn_linkd_hold": 0, "fnn_outside_mtu": "575"}) == [
        "fnn_linkd_hold: 0 is not a positive number",
        "fnn_linkd_misses: 101 is not an integer from 2 to 100",
        'fnn_outside_mtu: "575" is not an integer of at least 576',
    ]


def test_hosts_are_named_when_only_some_have_the_problem(complaints: Any) -> None:
    few, many = [{"fnn_slots": 0}] * 2, [{"fnn_slots": 0}] * 5
    assert complaints(*few, {})[0].startswith("fnn_slots of k00, k01: ")
    assert complaints(*many, {})[0].startswith("fnn_slots of k00, k01, k02 and 2 more: ")


def test_a_value_that_follows_from_a_role_is_taken_as_it_is(complaints: Any) -> None:
    class Unknown:
        pass

    hosts = {"k00": {"ansible_host": "k", "fnn_seed": Unknown(), "fnn_nics": 2}}
    assert pick_variables(["k00"], hosts, Unknown) == {"k00": {"fnn_seed": FOLLOWS, "fnn_nics": 2}}
    assert not complaints({"fnn_seed": FOLLOWS})


def test_a_repeated_key_is_reported_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "group_vars").mkdir()
    (tmp_path / "hosts.yml").write_text("fnn_nodes:\n  hosts:\n    k00:\n    k01:\n    k00: {fnn_rack: left}\n")
    (tmp_path / "group_vars" / "all.yml").write_text("fnn_switches:\n  - {name: red, ports: 5, name: blue}\n")
    expected = [
        "group_vars/all.yml:2: name is given twice, first in line 2",
        "hosts.yml:5: k00 is given twice, first in line 3",
    ]
    assert [str(each) for each in find_repeated_keys([str(tmp_path)])] == expected
    assert [str(each) for each in find_repeated_keys([str(tmp_path / "hosts.yml")])] == expected[::-1]


def test_files_that_are_no_yaml_are_left_to_ansible(tmp_path: Path) -> None:
    (tmp_path / "hosts.yml").write_text("a: [\n")
    (tmp_path / "hosts").write_text("[fnn_nodes]\nk00\nk00\n")
    assert not find_repeated_keys([str(tmp_path), "k00,k01,"])


def test_variables_that_are_no_yaml_are_named_with_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "group_vars" / "all").mkdir(parents=True)
    (tmp_path / "hosts.yml").write_text("fnn_nodes: [")
    (tmp_path / "group_vars/all/fnn.yml").write_text("fnn_switches:\n  - {name: red, ports: 5}\n   - {name: blue}\n")
    (tmp_path / "group_vars/all/good.yml").write_text("fnn_key: !vault |\n  00\nfnn_name: '{{ x }}'\t# tab\n")
    (tmp_path / "backup" / "group_vars").mkdir(parents=True)
    (tmp_path / "backup/group_vars/all.yml").write_text("[")  # Ansible does not read this file
    for source in (tmp_path, tmp_path / "hosts.yml"):
        (problem,) = map(str, find_unreadable_files([str(source), "k00,"]))
        assert problem.startswith("group_vars/all/fnn.yml:3:")
        assert ": not YAML, " in problem

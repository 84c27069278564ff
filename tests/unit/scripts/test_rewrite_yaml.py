# SPDX-License-Identifier: GPL-3.0-or-later
"""Short names in YAML become fully qualified, and nothing else changes."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from scripts.collection.names import Names
from scripts.collection.rewrite_yaml import rewrite_yaml

NAMES = Names(
    modules=frozenset({"fnn_spec", "fnn_design"}),
    filters=frozenset({"fnn_nic", "fnn_nics_of"}),
    roles=frozenset({"fnn", "fnn_design", "fnn_lab"}),
    fragments=frozenset({"fnn"}),
    playbooks=frozenset({"design.yml", "lab-down.yml", "adhoc/lab-fault.yml"}),
)


def rewrite(text: str, directory: str = "") -> str:
    return rewrite_yaml(text, NAMES, PurePosixPath(directory))


def test_modules_of_tasks_and_of_blocks_are_qualified() -> None:
    text = (
        "- name: Call fnn_spec\n  fnn_spec: {root: /}  # fnn_spec\n"
        "- block:\n    - fnn_design:\n        spec: fnn_spec\n"
    )
    assert rewrite(text) == (
        "- name: Call fnn_spec\n  flatnet.fnn.fnn_spec: {root: /}  # fnn_spec\n"
        "- block:\n    - flatnet.fnn.fnn_design:\n        spec: fnn_spec\n"
    )


def test_an_option_or_a_variable_with_the_name_of_a_module_stays() -> None:
    text = "- ansible.builtin.set_fact:\n    fnn_spec: 1\n  vars:\n    fnn_design: 2\n"
    assert rewrite(text) == text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("roles: [fnn_lab]\n", "roles: [flatnet.fnn.fnn_lab]\n"),
        ("roles:\n  - role: fnn_lab\n    name_of: fnn\n", "roles:\n  - role: flatnet.fnn.fnn_lab\n    name_of: fnn\n"),
        (
            "dependencies:\n  - fnn\n  - role: fnn_lab\n",
            "dependencies:\n  - flatnet.fnn.fnn\n  - role: flatnet.fnn.fnn_lab\n",
        ),
        (
            "- ansible.builtin.import_role: {name: fnn, tasks_from: fnn}\n",
            "- ansible.builtin.import_role: {name: flatnet.fnn.fnn, tasks_from: fnn}\n",
        ),
        ("roles: [theirs.collection.fnn]\n", "roles: [theirs.collection.fnn]\n"),
    ],
)
def test_roles_are_qualified_where_a_role_is_named(given: str, expected: str) -> None:
    assert rewrite(given) == expected


@pytest.mark.parametrize(
    ("directory", "given", "expected"),
    [
        ("", "playbooks/design.yml", "flatnet.fnn.design"),
        ("", "lab-down.yml", "flatnet.fnn.lab_down"),
        ("", "adhoc/lab-fault.yml", "flatnet.fnn.adhoc.lab_fault"),
        ("adhoc", "../lab-down.yml", "flatnet.fnn.lab_down"),
    ],
)
def test_imported_playbooks_are_named_without_hyphens(directory: str, given: str, expected: str) -> None:
    assert rewrite(f"- import_playbook: {given}\n", directory) == f"- import_playbook: {expected}\n"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a | fnn_nic(b)", "a | flatnet.fnn.fnn_nic(b)"),
        ("a|fnn_nics_of|fnn_nic", "a|flatnet.fnn.fnn_nics_of|flatnet.fnn.fnn_nic"),
        ("a | map('fnn_nic')", "a | map('flatnet.fnn.fnn_nic')"),
        ("fnn_nic | default(1)", "fnn_nic | default(1)"),
    ],
)
def test_filters_are_qualified_where_they_are_applied(given: str, expected: str) -> None:
    assert rewrite(f'x: "{{{{ {given} }}}}"\n') == f'x: "{{{{ {expected} }}}}"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- fnn_gone:\n", "unknown module fnn_gone"),
        ("roles: [fnn_gone]\n", "unknown role fnn_gone"),
        ("- ansible.builtin.include_role: {name: fnn_gone}\n", "unknown role fnn_gone"),
        ("- import_playbook: gone.yml\n", "unknown playbook gone.yml"),
        ('x: "{{ a | fnn_gone }}"\n', "unknown filter fnn_gone"),
        ("x: \"{{ a | map('fnn_nics') }}\"\n", "unknown filter fnn_nics"),
    ],
)
def test_a_stale_name_is_an_error(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rewrite(text)

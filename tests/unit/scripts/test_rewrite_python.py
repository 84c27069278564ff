# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports, names and documentation of plugins in a collection."""

from __future__ import annotations

import pytest

from scripts.collection.names import Names
from scripts.collection.rewrite_python import rewrite_filter_documentation, rewrite_plugin, rewrite_sources

NAMES = Names(
    modules=frozenset({"fnn_spec", "fnn_design"}),
    filters=frozenset({"fnn_nic"}),
    roles=frozenset({"fnn"}),
    fragments=frozenset({"fnn"}),
    playbooks=frozenset({"design.yml"}),
)
PACKAGE = "ansible_collections.flatnet.fnn.plugins.module_utils"
#: The beginning of a plugin, which finds the package in a checkout.
FINDS_PACKAGE = """import sys
from pathlib import Path

import ansible.module_utils

# The reason.
_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.shared.errors import FnnError
"""


def test_imports_of_the_package_are_those_of_the_collection() -> None:
    text = (
        "from ansible.module_utils.basic import AnsibleModule\nfrom ansible.module_utils.fnn_module import run_module\n"
    )
    assert rewrite_plugin(text, NAMES).splitlines() == [
        "from ansible.module_utils.basic import AnsibleModule",
        f"from {PACKAGE}.fnn_module import run_module",
    ]


def test_a_plugin_does_not_search_for_the_package() -> None:
    assert rewrite_plugin(FINDS_PACKAGE, NAMES) == f"import sys\n\nfrom {PACKAGE}.fnn.shared.errors import FnnError\n"


def test_another_search_for_the_package_is_an_error() -> None:
    with pytest.raises(ValueError, match="in another way than other plugins"):
        rewrite_plugin(FINDS_PACKAGE.replace("_ROOT", "_TOP"), NAMES)


def test_an_action_plugin_executes_the_module_of_the_collection() -> None:
    assert rewrite_plugin('self._execute_module("fnn_spec")', NAMES) == 'self._execute_module("flatnet.fnn.fnn_spec")'


def test_documentation_names_modules_filters_and_fragments_in_full() -> None:
    text = (
        "  - As M(fnn_spec) and RV(fnn_spec#module:spec) of P(fnn_nic#filter), C(fnn_spec), M(ansible.builtin.copy).\n"
        "extends_documentation_fragment: [fnn, fnn.root, action_common_attributes]\n"
    )
    assert rewrite_plugin(text, NAMES) == (
        "  - As M(flatnet.fnn.fnn_spec) and RV(flatnet.fnn.fnn_spec#module:spec) of P(flatnet.fnn.fnn_nic#filter),"
        " C(fnn_spec), M(ansible.builtin.copy).\n"
        "extends_documentation_fragment:\n  - flatnet.fnn.fnn\n  - flatnet.fnn.fnn.root\n  - action_common_attributes\n"
    )


def test_examples_are_tasks_of_a_user_of_the_collection() -> None:
    text = 'EXAMPLES = r"""\n- name: Check fnn_spec\n  fnn_spec:\n    root: "{{ fnn_root | fnn_nic }}"\n"""\n'
    assert rewrite_plugin(text, NAMES) == (
        'EXAMPLES = r"""\n- name: Check fnn_spec\n  flatnet.fnn.fnn_spec:\n'
        '    root: "{{ fnn_root | flatnet.fnn.fnn_nic }}"\n"""\n'
    )


def test_the_documentation_of_a_filter_is_rewritten_in_all_parts() -> None:
    text = "DOCUMENTATION:\n  x: M(fnn_spec)\nEXAMPLES: |\n  a: '{{ b | fnn_nic }}'\nRETURN:\n  y: M(fnn_design)\n"
    assert rewrite_filter_documentation(text, NAMES) == (
        "DOCUMENTATION:\n  x: M(flatnet.fnn.fnn_spec)\nEXAMPLES: |\n  a: '{{ b | flatnet.fnn.fnn_nic }}'\n"
        "RETURN:\n  y: M(flatnet.fnn.fnn_design)\n"
    )


def test_files_of_the_toolkit_are_below_plugins() -> None:
    assert rewrite_sources('"module_utils/fnn/node"') == '"plugins/module_utils/fnn/node"'
    assert rewrite_plugin('root / "module_utils/fnn/lab/capture.py"', NAMES) == (
        'root / "plugins/module_utils/fnn/lab/capture.py"'
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("M(fnn_gone)", "unknown module fnn_gone"),
        ("RV(fnn_gone#module:spec)", "unknown module fnn_gone"),
        ('self._execute_module("fnn_gone")', "unknown module fnn_gone"),
        ("P(fnn_gone#filter)", "unknown filter fnn_gone"),
        ("extends_documentation_fragment: [fnn_gone]", "unknown fragment fnn_gone"),
        ('EXAMPLES = r"""\n- fnn_gone:\n"""\n', "unknown module fnn_gone"),
    ],
)
def test_a_stale_name_is_an_error(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rewrite_plugin(text, NAMES)

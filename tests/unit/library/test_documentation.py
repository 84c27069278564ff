# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation of the modules, with the fragments of doc_fragments/, against the arguments that they take."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils import basic
from documentation import read_documentation
from loading import load_file
from programs import ROOT

MODULES = sorted(path.stem for path in (ROOT / "library").glob("*.py"))
#: Options that action_plugins/ evaluates on the controller.
OF_ACTIONS = {"fnn_apply": {"bundle", "common", "linkd_keys", "delivered", "lease"}, "fnn_confirm": {"timeout"}}
KEYS = ("type", "required", "default", "choices", "elements")
DEFAULTS = {"type": "str", "required": False}


class Arguments(Exception):
    """The arguments of a module, in place of its run."""


def read_arguments(name: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The keyword arguments with which a module makes its AnsibleModule."""

    def stop(_: basic.AnsibleModule, **given: Any) -> None:
        raise Arguments(given)

    monkeypatch.setattr(basic.AnsibleModule, "__init__", stop)
    module = load_file(ROOT / "library" / f"{name}.py")
    with pytest.raises(Arguments) as caught:
        module.main()
    arguments: dict[str, Any] = caught.value.args[0]
    return arguments


def describe(options: dict[str, dict[str, Any]], without: set[str]) -> dict[str, dict[str, Any]]:
    return {
        name: {key: option.get(key, DEFAULTS.get(key)) for key in KEYS}
        for name, option in options.items()
        if name not in without
    }


@pytest.mark.parametrize("name", MODULES)
def test_documented_options_are_those_that_the_module_takes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    documented, arguments = read_documentation(name)["options"], read_arguments(name, monkeypatch)["argument_spec"]
    of_actions = OF_ACTIONS.get(name, set())
    assert describe(documented, of_actions) == describe(arguments, of_actions)


@pytest.mark.parametrize("name", MODULES)
def test_documented_support_of_check_mode_is_that_of_the_module(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    documentation, arguments = read_documentation(name), read_arguments(name, monkeypatch)
    supported = "full" if arguments.get("supports_check_mode") else "none"
    assert documentation["attributes"]["check_mode"]["support"] == supported
    assert documentation["attributes"]["diff_mode"]["description"]
    assert documentation["author"]


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_what_ansible_doc_needs(name: str) -> None:
    documentation = read_documentation(name)
    assert documentation["short_description"]
    assert documentation["description"]
    assert all(option["description"] for option in documentation["options"].values())

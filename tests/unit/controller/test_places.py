# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the toolkit writes on the controller."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.places import find_generated, find_state, is_collection

COLLECTION = Path("/usr/share/ansible/collections/ansible_collections/flatnet/fnn")


def test_a_checkout_has_its_generated_files_below_build() -> None:
    assert find_generated("/home/ada/fnn") == Path("/home/ada/fnn/build")


def test_a_collection_has_them_in_the_state_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/var/ada")
    assert is_collection(COLLECTION)
    assert find_generated(COLLECTION) == Path("/var/ada/fnn")


@pytest.mark.parametrize("given", ["", "state"])
def test_the_state_directory_is_below_home_unless_an_absolute_one_is_given(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_STATE_HOME", given)
    assert find_state() == Path("/home/ada/.local/state/fnn")

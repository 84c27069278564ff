# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands run Ansible with a locale that this machine has."""

from __future__ import annotations

import locale
import os

import pytest
from ansible.module_utils.fnn.controller.front.locales import use_known_locale


@pytest.mark.parametrize(
    ("given", "used"),
    [("xx_XX.UTF-8", "C.UTF-8"), ("C", "C.UTF-8"), ("C.UTF-8", "C.UTF-8")],
)
def test_a_locale_that_ansible_refuses_is_replaced(given: str, used: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", given)
    present = locale.setlocale(locale.LC_ALL)
    use_known_locale(os.environ)
    assert os.environ["LC_ALL"] == used
    assert locale.setlocale(locale.LC_ALL) == present


def test_a_locale_that_exists_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    use_known_locale(os.environ)
    assert "LC_ALL" not in os.environ

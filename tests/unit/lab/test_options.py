# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/options.py"""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.task import Task
from ansible.module_utils.fnn.lab import options
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.wiring import Device, Work, swap
from plan_settings import BASE

Executed = list[tuple[str, list[str]]]


def make_task(root: Path, check: bool = False) -> Task:
    given = {"lab": "lbt", "design": str(root / "tests/lab/site/design.json"), "satellites": [], "maintenance": None}
    words = {"root": str(root), "variables": BASE, "facts": {}, **given}
    return Task(words, check, False, lambda _: (0, "", ""), lambda _: None)


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> Executed:
    found: Executed = []
    monkeypatch.setattr(options, "execute", lambda work, lab: found.append((lab, work.commands())))
    return found


@pytest.fixture
def work(layout: Layout, whole: dict[str, dict[str, Device]]) -> Work:
    return swap(layout, whole, "k00:0", "k01:1")


def test_the_layout_is_that_of_the_design(root: Path, layout: Layout) -> None:
    assert options.read_layout(make_task(root)).cables == layout.cables


def test_work_is_executed_in_its_lab_and_shown_as_commands(root: Path, work: Work, executed: Executed) -> None:
    result = options.run_work(make_task(root), work)
    assert executed == [("lbt", work.commands())]
    assert (result["changed"], result["commands"]) == (True, work.commands())
    assert result["diff"]["after"].splitlines() == work.commands()


def test_check_mode_shows_the_commands_and_executes_none(root: Path, work: Work, executed: Executed) -> None:
    assert options.run_work(make_task(root, check=True), work)["commands"] == work.commands()
    assert executed == []


def test_work_without_commands_is_no_change(root: Path, executed: Executed) -> None:
    assert options.run_work(make_task(root), Work())["changed"] is False

# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/reference/command-line.md: its tables have every command, and every option that all commands share."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from ansible.module_utils.fnn.controller.front.main import fnn
from ansible.module_utils.fnn.controller.front.run.log import KEPT
from ansible.module_utils.fnn.controller.front.settings import make_shared_options


@pytest.fixture
def page(root: Path) -> str:
    return (root / "docs/reference/command-line.md").read_text(encoding="utf-8")


def test_every_command_has_a_row(page: str) -> None:
    assert set(re.findall(r"^\| `\./fnn ([\w-]+)", page, re.MULTILINE)) == set(fnn.commands)


def test_the_arguments_of_a_command_are_those_of_its_row(page: str) -> None:
    for row in re.findall(r"^\| `\./fnn ([^`]+)`", page, re.MULTILINE):
        name, *shown = row.split()
        arguments = [each for each in fnn.commands[name].params if isinstance(each, click.Argument)]
        assert len(shown) == len(arguments), row


def test_options_of_a_row_exist(page: str) -> None:
    for name, text in re.findall(r"^\| `\./fnn ([\w-]+)[^`]*` \| (.*) \|$", page, re.MULTILINE):
        known = {option for each in fnn.commands[name].params for option in each.opts}
        assert set(re.findall(r"`(--[\w-]+)`", text)) <= known, name


def test_every_shared_option_has_a_row(page: str) -> None:
    shown = set(re.findall(r"`(--?[\w-]+)", page[page.index("| option |") : page.index("## Output")]))
    missing = [each.opts for each in make_shared_options() if not shown & set(each.opts)]
    assert missing == []


def test_the_number_of_logs_is_that_of_the_program(page: str) -> None:
    assert f"keeps its newest {KEPT} logs" in page

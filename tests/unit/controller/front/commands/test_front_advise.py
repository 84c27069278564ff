# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn advise: the variables that it passes, and what it shows of the document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.advise.ranking import VERSION

Fnn = Callable[..., int]
WORDS = ("advise", "--nodes", "16", "--ports", "3", "--prices", "list.json")
ADVICE = {
    "format": "fnn-advice", "version": VERSION, "nodes": 16, "nics": 3, "speeds_mbps": [1000], "routing": "basic",
    "pairs": 120, "prices": {"name": "shop", "date": "2026-11", "currency": "EUR"}, "networks": [], "sizes": [],
}  # fmt: skip


@pytest.fixture
def advise(ansible: Any, fnn: Fnn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fnn:
    """Runs ./fnn advise in a directory, into which the replaced playbook writes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.json").touch()
    return lambda *words: fnn(*WORDS, "--output", "advice", *words)


def test_files_are_found_from_the_directory_of_the_operator(advise: Fnn, ansible: Any, tmp_path: Path) -> None:
    ansible.replies = [(0, ADVICE)]
    assert advise("--ports-speed", "1000", "--routing", "basic") == 0
    ((playbook, variables),) = ansible.asked
    assert playbook == "advise"
    assert variables == {
        "fnn_advise_nodes": 16,
        "fnn_advise_nics": "3",
        "fnn_advise_mbps": 1000,
        "fnn_advise_prices": str(tmp_path / "list.json"),
        "fnn_advise_directory": str(tmp_path / "advice"),
        "fnn_routing": "basic",
    }


def test_the_answer_ends_with_the_place_of_the_documents(
    advise: Fnn, ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, ADVICE)]
    assert advise() == 0
    assert "fnn_advise_mbps" not in ansible.asked[0][1]
    shown = capsys.readouterr().out
    assert shown.startswith("No network can be built for a known price.")
    assert shown.endswith("\nall networks: advice/advice.txt, advice.json, advice.svg\n")


def test_json_is_the_document_alone(advise: Fnn, ansible: Any, capsys: pytest.CaptureFixture[str]) -> None:
    ansible.replies = [(0, ADVICE)]
    assert advise("--json") == 0
    assert json.loads(capsys.readouterr().out) == ADVICE


def test_a_playbook_that_fails_is_shown_and_no_earlier_advice(
    advise: Fnn, ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.write("advise", ADVICE)
    ansible.replies = [(2, None)]
    assert advise() == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", ansible.FAILED)


def test_without_a_list_the_playbook_takes_that_of_the_toolkit(fnn: Fnn, advise: Fnn, ansible: Any) -> None:
    ansible.replies = [(0, ADVICE)]
    assert fnn("advise", "--nodes", "11", "--nics", "1x1 + 2x2.5", "--output", "advice") == 0
    ((_, variables),) = ansible.asked
    assert "fnn_advise_prices" not in variables
    assert variables["fnn_advise_nics"] == "1x1 + 2x2.5"


@pytest.mark.parametrize("missing", ["--nodes", "--ports"])
def test_a_command_without_a_number_is_a_mistake(
    advise: Fnn, fnn: Fnn, ansible: Any, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    at = WORDS.index(missing)
    assert (fnn(*WORDS[:at], *WORDS[at + 2 :]), ansible.asked) == (2, [])
    assert capsys.readouterr().err.startswith("fnn: Missing option '--")


def test_a_price_list_that_does_not_exist_is_named_before_a_playbook_starts(
    fnn: Fnn, ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (fnn("advise", "--nodes", "6", "--nics", "2", "--prices", "nowhere.json"), ansible.asked) == (2, [])
    message = "fnn: Invalid value for '--prices': File 'nowhere.json' does not exist. See ./fnn advise --help\n"
    assert capsys.readouterr().err == message

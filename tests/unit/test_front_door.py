# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify and blink: what they ask of a playbook, and which exit status its answer becomes."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def fnn(root: Path) -> ModuleType:
    """The script as a module; nothing runs on import."""
    loader = SourceFileLoader("fnn_script", str(root / "fnn"))
    spec = spec_from_loader("fnn_script", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


class Playbooks:
    """Stands for ansible-playbook: remembers what it was asked for, and leaves the answer it was made with."""

    def __init__(self, answer: dict[str, Any] | None, code: int = 0) -> None:
        self.answer, self.code = answer, code
        self.asked: dict[str, Any] = {}

    def start(
        self, options: argparse.Namespace, name: str, quiet: bool, **variables: Any
    ) -> subprocess.CompletedProcess[str]:
        self.asked = {"name": name, **variables}
        if self.answer is not None:
            Path(variables["fnn_verify_answer"]).write_text(json.dumps(self.answer))
        return subprocess.CompletedProcess([], self.code, "what Ansible said\n")


def run(fnn: ModuleType, monkeypatch: pytest.MonkeyPatch, playbooks: Playbooks, *words: str) -> int:
    monkeypatch.setattr(fnn, "start_playbook", playbooks.start)
    monkeypatch.setattr(sys, "argv", ["fnn", *words])
    return int(fnn.main())


@pytest.mark.parametrize("status", [0, 2, 3, 4])
def test_the_answer_is_shown_and_its_status_is_the_exit_status(
    fnn: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    """Ansible's own status, 2 for a play that failed, is not ours."""
    playbooks = Playbooks({"verdict": "whatever", "status": status, "text": "the report\n"}, code=2)
    assert run(fnn, monkeypatch, playbooks, "verify", "--format", "md", "--node", "k00") == status
    assert capsys.readouterr() == ("the report\n", "")
    assert (playbooks.asked["name"], playbooks.asked["fnn_verify_format"]) == ("verify", "md")
    assert (playbooks.asked["fnn_verify_node"], playbooks.asked["fnn_verify_color"]) == ("k00", False)


def test_a_play_that_broke_off_is_a_measurement_that_failed(
    fnn: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(fnn, monkeypatch, Playbooks(None, code=4), "verify") == 3
    assert capsys.readouterr() == ("", "what Ansible said\n")


@pytest.mark.parametrize(
    ("words", "environment", "colored"),
    [
        (["verify"], {}, True),
        (["verify", "--no-color"], {}, False),
        (["verify"], {"NO_COLOR": "1"}, False),
    ],
)
def test_colors_are_for_terminals_that_want_them(
    fnn: ModuleType, monkeypatch: pytest.MonkeyPatch, words: list[str], environment: dict[str, str], colored: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    playbooks = Playbooks({"verdict": "match", "status": 0, "text": ""})
    run(fnn, monkeypatch, playbooks, *words)
    assert playbooks.asked["fnn_verify_color"] is colored


def test_blink_names_node_and_nic_to_the_playbook(fnn: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    playbooks = Playbooks(None)
    assert run(fnn, monkeypatch, playbooks, "blink", "k00", "eth2", "--seconds", "30") == 0
    assert playbooks.asked == {
        "name": "adhoc/blink",
        "fnn_verify_node": "k00",
        "fnn_verify_blink": "eth2",
        "fnn_verify_blink_seconds": 30,
    }


@pytest.mark.parametrize("words", [["verify", "--format", "yaml"], ["blink", "k00"], []])
def test_a_mistake_in_the_command_exits_2(root: Path, words: list[str]) -> None:
    done = subprocess.run([sys.executable, root / "fnn", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "usage: fnn" in done.stderr

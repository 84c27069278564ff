# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion of ./fnn: the words that are offered, and the scripts of the shells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.front.completion import PROGRAM, VARIABLE, write_script
from ansible.module_utils.fnn.controller.front.main import fnn
from click.shell_completion import BashComplete


def complete(*words: str) -> list[str]:
    """What is offered for the last word."""
    return [item.value for item in BashComplete(fnn, {}, PROGRAM, VARIABLE).get_completions([*words[:-1]], words[-1])]


def test_commands_options_inventories_and_nodes_are_completed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    assert complete("ver") == ["verify"]
    assert complete("labels", "--pap") == ["--paper"]
    assert complete("labels", "--ask-b") == ["--ask-become-pass"]
    assert complete("-i", "klat") == ["klat2", "klat2-lean"]
    assert complete("-i", "inventory/klat") == ["inventory/klat2", "inventory/klat2-lean"]
    assert complete("lab", "swap", "k00") == ["k00:"]
    assert complete("switch-check", "") == ["red", "blue", "green"], "and not the uplink switch"
    assert complete("-i", "mesh", "blink", "k") == ["k0", "k1", "k2"]
    assert complete("-i", "mesh", "check", "--limit", "k") == ["k0", "k1", "k2"]
    assert complete("-i", "nowhere", "blink", "k") == []


def test_bash_offers_them_by_its_script(root: Path) -> None:
    """The function of the script is called as bash calls it."""
    setup = f'eval "$({sys.executable} ./fnn completion bash)"; COMP_WORDS=(./fnn lab sw) COMP_CWORD=2'
    call = "_fnn_completion ./fnn; printf '%s\\n' \"${COMPREPLY[@]}\""
    done = subprocess.run(["bash", "-c", f"{setup}; {call}"], cwd=root, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("swap\n", "")


def test_the_script_for_zsh_starts_the_program_as_it_was_typed() -> None:
    script = write_script("zsh", fnn)
    assert "_FNN_COMPLETE=zsh_complete ${words[1]})}" in script
    assert "$+commands" not in script, "it would need fnn on PATH"
    assert "compdef _fnn_completion fnn" in script

# SPDX-License-Identifier: GPL-3.0-or-later
"""Completion of ./fnn, by the script of bash itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def complete(root: Path, *words: str) -> list[str]:
    """What bash offers for the last word: the function of the script is called as bash calls it."""
    setup = f'eval "$({sys.executable} ./fnn completion bash)"; COMP_WORDS=({" ".join(map(repr, words))})'
    call = f"COMP_CWORD={len(words) - 1}; _fnn_completion ./fnn; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", f"{setup}; {call}"], cwd=root, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_options_inventories_and_nodes(root: Path) -> None:
    assert complete(root, "./fnn", "lab", "sw") == ["swap"]
    assert complete(root, "./fnn", "labels", "--ask-b") == ["--ask-become-pass"]
    assert complete(root, "./fnn", "-i", "inventory/klat") == ["inventory/klat2", "inventory/klat2-lean"]
    assert complete(root, "./fnn", "-i", "mesh", "blink", "k") == ["k0", "k1", "k2"]


def test_the_script_for_zsh_starts_the_program_as_it_was_typed(root: Path) -> None:
    command = [sys.executable, "fnn", "completion", "zsh"]
    script = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert "_FNN_COMPLETE=zsh_complete ${words[1]})}" in script
    assert "$+commands" not in script, "it would need fnn on PATH"
    assert "compdef _fnn_completion fnn" in script

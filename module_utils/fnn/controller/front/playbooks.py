# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs playbooks for the commands of ./fnn."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[4]
BIN = ROOT / ".venv" / "bin"

#: The exit status after Ctrl-C, as of any program.
INTERRUPTED = 130
#: The exit status while another operator works on the site (EX_TEMPFAIL of sysexits.h).
IN_USE = 75
#: Options of Ansible that every command hands on, by their names in the options of ./fnn.
HANDED_ON = ("ask_pass", "ask_become_pass", "extra_vars", "limit")
#: A subcommand: takes the options, returns the exit status.
Command = Callable[[argparse.Namespace], int]


def write_command(options: argparse.Namespace, name: str, variables: dict[str, Any]) -> list[str]:
    """The command that runs playbooks/<name>.yml for the inventory of the command line."""
    command = [str(BIN / "ansible-playbook"), "-i", str(options.inventory.resolve()), f"playbooks/{name}.yml"]
    command += list_handed_on(options)
    return [*command, "-e", json.dumps(variables)] if variables else command


def list_handed_on(options: argparse.Namespace) -> list[str]:
    """The options of the command line that Ansible gets."""
    words = [f"--{name.replace('_', '-')}" for name in ("ask_pass", "ask_become_pass") if getattr(options, name)]
    words += [word for each in options.extra_vars or () for word in ("-e", each)]
    return [*words, "--limit", options.limit] if options.limit else words


def run_playbook(options: argparse.Namespace, name: str, quiet: bool = False, **variables: Any) -> int:
    """Runs playbooks/<name>.yml from the repository's root. quiet: its output is shown only when it fails."""
    done = start_playbook(options, name, quiet, **variables)
    if quiet and done.returncode:
        print(done.stdout, file=sys.stderr, end="")
    return done.returncode


def start_playbook(
    options: argparse.Namespace, name: str, quiet: bool, **variables: Any
) -> subprocess.CompletedProcess[str]:
    """The same; returns the output of a quiet playbook instead of showing it."""
    command = write_command(options, name, variables)
    return subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE if quiet else None, text=True)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs playbooks for the commands of ./fnn, and shows how they ended."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from ..places import BIN, ROOT, show_path
from ..settings import Settings
from . import process
from .display import Display
from .events import Outcome
from .failures import describe_failure
from .log import open_log

#: The exit status after Ctrl-C, as of any program.
INTERRUPTED = 130
#: The exit status while another operator works on the site (EX_TEMPFAIL of sysexits.h).
IN_USE = 75
#: The exit status of a mistake in the command line.
USAGE = 2


def write_command(settings: Settings, names: Sequence[str], variables: dict[str, Any]) -> list[str]:
    """The command that runs these playbooks: playbooks/<name>.yml, or site.yml."""
    paths = [f"{name}.yml" if name == "site" else f"playbooks/{name}.yml" for name in names]
    command = [str(BIN / "ansible-playbook"), "-i", str(settings.inventory), *paths, *settings.handed_on]
    return [*command, "-e", json.dumps(variables)] if variables else command


def start_playbook(settings: Settings, *names: str, is_silent: bool = False, **variables: Any) -> Outcome:
    """Runs playbooks and shows their progress only. is_silent: not even their stages."""
    command = write_command(settings, names, variables)
    return process.execute(command, open_log(names[0]), Display(settings.verbosity > 0, is_silent))


def run_playbook(settings: Settings, *names: str, is_silent: bool = False, done: str = "", **variables: Any) -> int:
    """Runs playbooks and shows what they show, or why they failed. Returns the exit status of Ansible.

    is_silent: show failures alone, as the command has output of its own. done: what is true after success, for
    playbooks that show no result.
    """
    outcome = start_playbook(settings, *names, is_silent=is_silent, **variables)
    if outcome.status or not is_silent:
        show_outcome(settings, outcome, done)
    return outcome.status


def clean_up(settings: Settings, name: str, is_shown: bool, **variables: Any) -> None:
    """Runs a playbook that reverses the effect of another. is_shown: False if the other failed, which was shown."""
    outcome = start_playbook(settings, name, is_silent=True, **variables)
    if outcome.status and is_shown:
        show_failure(outcome)


def show_outcome(settings: Settings, outcome: Outcome, done: str = "") -> None:
    """Prints the messages of a run that succeeded, or the failure. With -v, the operator has seen the messages."""
    if outcome.status:
        show_failure(outcome)
        return
    if settings.verbosity == 0:
        show_messages(outcome)
    if settings.check:
        print(describe_preview(outcome))
    elif done:
        print(shorten_paths(done))


def describe_preview(outcome: Outcome) -> str:
    """The hosts that a run in check mode would change, and where the log has the differences."""
    progress = outcome.progress
    changed = [*progress.changed, *(["documents of the controller"] if progress.changes_documents else [])]
    log = f"; log: {show_path(outcome.log)}" if outcome.log else ""
    return f"would change {', '.join(changed) or 'nothing'}{log}"


def show_messages(outcome: Outcome, is_last: bool = False) -> None:
    """Prints notices, then the results of all plays, or of the last one."""
    results = outcome.progress.results
    for text in (*outcome.progress.notices, *(results[-1:] if is_last else results)):
        print(shorten_paths(text))


def show_failure(outcome: Outcome, headline: str = "") -> None:
    """Prints at most six lines on standard error. headline: instead of the task that failed."""
    print("\n".join(shorten_paths(each) for each in describe_failure(outcome, headline)), file=sys.stderr)


def shorten_paths(text: str) -> str:
    """Paths of the checkout relative to the working directory, as a person would type them."""
    shown = show_path(ROOT)
    return text.replace(f"{ROOT}/", "" if shown == "." else f"{shown}/")

# SPDX-License-Identifier: GPL-3.0-or-later
"""A failed run in at most six lines: what failed and where, what to do, and the log.

fnn: Verify the cables: Compare every cable with the design: failed
  move: k01: move the cable from BLUE to RED; ...
  and 3 more lines in the log
  log: build/six/log/20260102-101500-site.log

The first failure is the cause of the others. Its first line and its remedies are shown; evidence is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ....shared.errors import cut_lines
from ...check.connection import find_last_line
from ..places import shorten, show_path
from .events import Failure, Outcome

MOST_LINES = 6
_REMEDY = "./fnn check names the remedy for each node"
#: Messages of Ansible without a password of Ansible Vault, or with a wrong one.
_VAULT = "no vault secrets"
_VAULT_REMEDY = "give the password of Ansible Vault with --vault-password-file FILE, --vault-id ID or -J, which asks"
#: Lines of Ansible and of stages that say nothing beyond the headline.
_EMPTY = ("Validation of arguments failed:", "The network is not proved:")


def describe_failure(outcome: Outcome, headline: str = "") -> list[str]:
    """The lines for people. headline: instead of the task that failed."""
    causes = list(_list_causes(outcome))
    first = headline or _describe_place(outcome)
    remedies = [_REMEDY] if any(each.is_unreachable for each in outcome.progress.failures) else []
    last = [*remedies, *find_remedy(causes), *([f"log: {show_path(outcome.log)}"] if outcome.log else [])]
    shown = cut_lines(causes, MOST_LINES - 1 - len(last), " in the log")
    return [f"fnn: {first}", *(f"  {each}" for each in (*shown, *last))]


def find_remedy(causes: Iterable[str]) -> list[str]:
    """The remedy for a message of Ansible that names none; nothing for others."""
    return [_VAULT_REMEDY] if any(_VAULT in each for each in causes) else []


def _list_in_order(outcome: Outcome) -> list[Failure]:
    """The failures, the first cause first. A node that only did not answer is no cause, as runs go on without it."""
    return sorted(outcome.progress.failures, key=lambda each: each.is_unreachable)


def _describe_place(outcome: Outcome) -> str:
    """ "Check the nodes: Read what the node offers: failed on k03, k05"."""
    failures = _list_in_order(outcome)
    if not failures:
        return f"Ansible stopped with exit status {outcome.status}"
    first = failures[0]
    place = dict.fromkeys(each for each in (first.play or outcome.progress.play, first.task) if each)
    hosts = sorted({each.host for each in failures if each.host and each.task == first.task})
    return f"{': '.join(place)}: failed{f' on {shorten(hosts)}' if hosts else ''}"


def _list_causes(outcome: Outcome) -> Iterator[str]:
    """Lines of the first task that failed, then of later ones, each once and with the hosts that it concerns."""
    failures = _list_in_order(outcome)
    if not failures:
        yield from outcome.errors
        return
    hosts: dict[str, set[str]] = {}
    for failure in sorted(failures, key=lambda each: (each.task != failures[0].task, each.is_unreachable)):
        for line in _split(failure):
            hosts.setdefault(line, set()).add(failure.host)
    everywhere = {each.host for each in failures}
    for line, where in hosts.items():
        names = sorted(each for each in where if each)
        is_plain = where == everywhere or not names or any(line.startswith(f"{name}:") for name in names)
        yield line if is_plain else f"{shorten(names)}: {line}"


def _split(failure: Failure) -> list[str]:
    """The lines with a cause. A node that did not answer has one, the same for all nodes with the same cause."""
    if failure.is_unreachable:
        cause = find_last_line({"msg": failure.text})
        name = rf"(?<![\w-]){re.escape(failure.host)}(?![\w-])"
        return [f"not reached: {re.sub(name, 'NODE', cause) if failure.host else cause}"]
    return [line for each in failure.text.splitlines() if (line := each.rstrip()).strip() and line not in _EMPTY]

# SPDX-License-Identifier: GPL-3.0-or-later
"""A failed run in at most six lines: what failed and where, what to do, and the log.

fnn: Verify the cables: Compare every cable with the design: failed
  move: k01: move the cable from BLUE to RED; ...
  and 3 more lines
  log: build/six/log/20260102-101500-site.log
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...check.connection import find_last_line
from ..places import shorten, show_path
from .events import Failure, Outcome

MOST_LINES = 6
_REMEDY = "./fnn check names the remedy for each node"
#: Lines of Ansible that say nothing beyond the headline.
_EMPTY = ("Validation of arguments failed:",)


def describe_failure(outcome: Outcome, headline: str = "") -> list[str]:
    """The lines for people. headline: instead of the task that failed."""
    causes = list(_list_causes(outcome))
    first = headline or _describe_place(outcome)
    remedy = [_REMEDY] if any(each.is_unreachable for each in outcome.progress.failures) else []
    last = [*remedy, *([f"log: {show_path(outcome.log)}"] if outcome.log else [])]
    room = MOST_LINES - 1 - len(last)
    if len(causes) > room:
        causes = [*causes[: room - 1], f"and {len(causes) - room + 1} more lines in the log"]
    return [f"fnn: {first}", *(f"  {each}" for each in (*causes, *last))]


def _describe_place(outcome: Outcome) -> str:
    """ "Check the nodes: Read what the node offers: failed on k03, k05"."""
    failures = outcome.progress.failures
    if not failures:
        return f"Ansible stopped with exit status {outcome.status}"
    task = failures[-1].task
    place = dict.fromkeys(each for each in (outcome.progress.play, task) if each)
    hosts = sorted({each.host for each in failures if each.host and each.task == task})
    return f"{': '.join(place)}: failed{f' on {shorten(hosts)}' if hosts else ''}"


def _list_causes(outcome: Outcome) -> Iterator[str]:
    """Lines of the last task that failed, then of earlier ones, each once and with the hosts that it concerns."""
    failures = outcome.progress.failures
    if not failures:
        yield from outcome.errors
        return
    hosts: dict[str, set[str]] = {}
    for failure in sorted(failures, key=lambda each: (each.task != failures[-1].task, each.is_unreachable, each.host)):
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
        return [f"not reached: {re.sub(name, 'NODE', cause)}"]
    return [line for each in failure.text.splitlines() if (line := each.strip()) and line not in _EMPTY]

# SPDX-License-Identifier: GPL-3.0-or-later
"""What callback_plugins/fnn_events.py reports of a run, as values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..places import expand_path

Event = dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """A task that failed on a host, or the host that did not answer.

    host: empty for a task that runs once for all hosts. text: lines, the first the most important. play: of the task.
    """

    host: str
    task: str
    text: str
    is_unreachable: bool = False
    play: str = ""


@dataclass
class Progress:
    """The state of a run, from its events so far.

    results: messages of tasks named "Show ...", which the operator asked for. notices: messages of
    tasks named "Report ...", which concern every operator. changed: hosts that the run changed, or would change;
    changes_documents: whether it changed files of the controller.
    """

    play: str = ""
    task: str = ""
    places: dict[str, str] = field(default_factory=dict)
    results: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    changes_documents: bool = False

    def add(self, event: Event) -> None:
        """Takes the next event. Unknown events have no effect."""
        facts = dict(event)
        kind = facts.pop("event")
        if kind == "play":
            self.play, self.task = facts["name"], ""
        elif kind == "task":
            self.task = name_task(facts["name"])
        elif kind == "places":
            self.places = facts
        elif kind == "end":
            self.changed, self.changes_documents = facts["changed"], facts["documents"]
        elif kind == "failure":
            self.failures.append(Failure(**{**facts, "task": name_task(facts["task"]), "play": self.play}))
        elif kind == "message" and facts["kind"] == "notice":
            self.notices.append(facts["text"])
        elif kind == "message":
            self.results.append(facts["text"])


def name_task(name: str) -> str:
    """The name of a task for people. Ansible adds one to each role, which compares variables with argument specs."""
    return "variables" if name.startswith("Validating arguments against arg spec") else name


def read_events(lines: Iterable[bytes]) -> list[Event]:
    """The events of whole lines."""
    return [json.loads(line) for line in lines]


@dataclass(frozen=True)
class Outcome:
    """How a run of a playbook ended. status: of Ansible. log: the file with its output. errors: lines of that output
    that name a problem, for a run that ended before its first task."""

    status: int
    progress: Progress
    log: Path | None = None
    errors: tuple[str, ...] = ()

    @property
    def site(self) -> Path | None:
        """The directory of the committed documents, if a play gave it."""
        found = self.progress.places.get("fnn_site_dir")
        return expand_path(found) if found else None

    @property
    def design(self) -> Path | None:
        """The design that a design stage made: of the site, or the file of fnn_redesign_output."""
        aside = self.progress.places.get("fnn_redesign_output")
        return expand_path(aside) if aside else self.site / "design.json" if self.site else None

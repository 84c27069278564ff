# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a playbook that measures, and reads the documents that this run wrote: ./fnn check, verify and others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ....shared.errors import FnnError
from ...site_lock import SiteInUse, lock_site, unlock_site
from ..settings import Settings
from .playbooks import IN_USE, clean_up, show_failure, start_playbook
from .site import Site, read_document, read_site, require_documents

#: The exit status of a measurement that did not take place.
UNMEASURED = 3

Document = dict[str, Any]


@dataclass(frozen=True)
class Measurement:
    """playbook: its name. format: of the documents. paths: from the site to the path of each document.

    The first document is required. work: what the playbook does before it writes it, for messages. needs: documents of
    the site without which the playbook would stop, and the command that makes each. variables: for the playbook.
    ends: names of the playbooks that end an interrupted measurement on the nodes, with end_variables.
    shows_failures: whether all failures are shown beside the documents, which do not have them, or only those of nodes.
    """

    playbook: str
    format: str
    paths: Callable[[Site], Mapping[str, Path]]
    work: str
    needs: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    ends: Sequence[str] = ()
    end_variables: Mapping[str, Any] = field(default_factory=dict)
    shows_failures: bool = False


@dataclass(frozen=True)
class Measured:
    """A document that the run wrote, and the path of its file."""

    path: Path
    document: Document


def measure(settings: Settings, measurement: Measurement) -> dict[str, Measured] | int:
    """The documents of a new run, by name; the exit status if there are none, with a message on standard error."""
    try:
        return _run(settings.without_check(), measurement)
    except SiteInUse as error:
        print(f"fnn: {error}", file=sys.stderr)
        return IN_USE
    except FnnError as error:
        print(*(f"fnn: {each}" for each in error.problems), sep="\n", file=sys.stderr)
        return UNMEASURED
    except KeyboardInterrupt:
        for each in measurement.ends:
            clean_up(settings, each, is_shown=True, **measurement.end_variables)
        raise


def _run(settings: Settings, measurement: Measurement) -> dict[str, Measured] | int:
    """The exit status if this run wrote no document: that of an earlier run says nothing about the present.

    Raises SiteInUse and FnnError.
    """
    site = read_site(settings)
    require_documents(site.directory, measurement.needs)
    paths = measurement.paths(site)
    # No other run writes a document between this and the lock of the playbook: a measurement takes longer.
    lock = lock_site(site.directory)
    before = {name: identify_file(path) for name, path in paths.items()}
    unlock_site(lock)
    outcome = start_playbook(settings, measurement.playbook, **measurement.variables)
    fresh = [name for name, path in paths.items() if identify_file(path) != before[name]]
    if outcome.status != IN_USE and next(iter(paths)) in fresh:
        failures = [each for each in outcome.progress.failures if each.host or measurement.shows_failures]
        if outcome.status and failures:
            show_failure(replace(outcome, progress=replace(outcome.progress, failures=failures)))
        return {name: Measured(paths[name], read_document(paths[name], measurement.format)) for name in fresh}
    if outcome.status == IN_USE:
        show_failure(outcome)
        return IN_USE
    show_failure(outcome, f"{measurement.playbook} stopped before {measurement.work}")
    return UNMEASURED


def identify_file(path: Path) -> tuple[int, int] | None:
    """Inode and time of a file; None if it is missing. A measurement renews the time also of an unchanged document."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def has_color(no_color: bool) -> bool:
    """Whether output goes to a terminal with colors, and neither the option --no-color nor NO_COLOR forbids them.

    An empty NO_COLOR forbids nothing (https://no-color.org).
    """
    forbidden = no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not forbidden

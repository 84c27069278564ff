# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the commands of docs/tutorial/first-evening.md: its indented lines, by section and in order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from programs import ROOT

PAGE = ROOT / "docs/tutorial/first-evening.md"
#: Commands of the page that the test does not run, because it needs their effect itself.
NOT_RUN = {"make setup": "runs before the tests"}
#: Programs that have a stand-in, because a lab has its own keys and a network in a namespace.
STAND_INS = {
    "ssh": "uses the SSH configuration of the lab",
    "ssh-keyscan": "prints nothing, as the lab knows the host keys of its nodes",
    "ssh-copy-id": "does nothing, as the nodes of the lab have the key of the controller",
}
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A section of the page with the commands in it, one per line."""

    title: str
    commands: tuple[str, ...]


def read_sections(text: str) -> list[Section]:
    """The sections that have commands. Fenced blocks have none."""
    parts = re.split(r"^## (.*)\n", _FENCED.sub("", text), flags=re.MULTILINE)
    found = [
        Section(title, tuple(line[4:] for line in body.splitlines() if line.startswith("    ")))
        for title, body in zip(parts[1::2], parts[2::2])
    ]
    return [section for section in found if section.commands]

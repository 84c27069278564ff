# SPDX-License-Identifier: GPL-3.0-or-later
"""Each message on the troubleshooting page occurs in the sources of the toolkit."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import pytest
from programs import ROOT

PAGE = ROOT / "docs/how-to/troubleshooting.md"
SOURCES = (
    "fnn",
    "module_utils",
    "library",
    "roles",
    "playbooks",
    "action_plugins",
    "callback_plugins",
    "designer/src",
    "scripts/*.sh",
)
#: The end of a string literal and the beginning of the next, as in Python and C++ sources.
_BETWEEN = re.compile(r"""["']\s*\+?\s*\n\s*\+?\s*f?["']""")


def list_messages() -> list[str]:
    """The first cells of the tables, each a message in code, perhaps with code inside."""
    rows = re.findall(r"^\| (`+)(.+?)\1 \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [message.strip() for _, message in rows]


@cache
def read_sources() -> str:
    """All sources as one text, in which a message is not split over several literals."""
    listed = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in listed.splitlines() if not name.endswith(".md")]
    texts = [path.read_text(encoding="utf-8") for path in paths if path.is_file()]
    whole = "\n".join(texts)
    return " ".join(re.sub(r"\s+", " ", text) for text in (whole, _BETWEEN.sub("", whole)))


def split_message(message: str) -> list[str]:
    """The fixed parts of a message, without the names and numbers that `…` stands for."""
    return [part for part in re.split(r"\s*…[.,:;]?\s*", message) if len(re.sub(r"\W", "", part)) > 2]


def test_parts_of_a_message_are_found_without_names_and_numbers() -> None:
    assert split_message("… found, but … planned; … would be used") == ["found, but", "planned;", "would be used"]


def test_the_page_has_many_messages() -> None:
    assert len(list_messages()) > 40


@pytest.mark.parametrize("message", list_messages())
def test_a_message_of_the_page_is_one_of_the_toolkit(message: str) -> None:
    parts = split_message(message)
    assert parts
    assert [part for part in parts if part not in read_sources()] == []


def test_an_invented_message_is_not_found() -> None:
    assert "the flux capacitor has no carrier" not in read_sources()

# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong and where: every stage gathers all its problems and raises them at once.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing wrong.

    at: a JSON pointer into the document at hand ("/nodes/2/nics"), the same behind a file name
        ("spec.json#/nodes/2/nics"), the name of a variable ("fnn_prefix"), or "" if the message says all.
    message: what was found and what was expected.
    """

    at: str
    message: str

    def __str__(self) -> str:
        return f"{self.at}: {self.message}" if self.at else self.message


class FnnError(Exception):
    """All problems of one stage. `str()` has one line per problem."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(each) for each in self.problems))

    def within(self, name: str) -> FnnError:
        """The same problems, with the document's name before each pointer: `spec.json#/nodes/2/nics`."""
        return FnnError(Problem(f"{name}#{each.at}" if each.at else name, each.message) for each in self.problems)

    def below(self, pointer: str) -> FnnError:
        """The same problems of a part of a document, with the pointer to the part before each pointer."""
        return FnnError(Problem(f"{pointer}{each.at}", each.message) for each in self.problems)


def problem(at: str, message: str) -> FnnError:
    """An error with a single problem, for `raise problem(...)`."""
    return FnnError([Problem(at, message)])


def in_document_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sorted by pointer, array indexes as numbers and keys by their letters; every problem once."""
    return sorted(dict.fromkeys(problems), key=lambda each: _pointer_key(each.at))


def cut_lines(lines: Sequence[str], most: int, where: str = "") -> list[str]:
    """At most so many lines, the last with the number of the others; evidence is cut before causes and remedies.

    In every message of the toolkit, an indented line is evidence for the line above it. where: of the other lines.
    """
    if len(lines) <= most:
        return list(lines)
    important = sorted(range(len(lines)), key=lambda at: lines[at].startswith(" "))[: most - 1]
    return [*(lines[at] for at in sorted(important)), f"and {len(lines) - most + 1} more lines{where}"]


def cut_output(text: str) -> str:
    """The output of another program in one line: its first lines, which have the cause, and the last, the outcome."""
    lines = [line.strip() for line in text.splitlines() if line.strip("-=* \t")]
    return "; ".join([*cut_lines(lines[:-1], 3), *lines[-1:]])


def count(number: int, thing: str) -> str:
    """A number of things in words: "1 port", "2 ports", "3 switches"."""
    return f"{number} {inflect(number, thing)}"


def inflect(number: float, thing: str) -> str:
    """The noun after a number: "port" after 1, "ports" after 0, 1.5 or 2, "switches" after 3."""
    plural = "es" if thing.endswith("ch") else "s"
    return thing if number == 1 else thing + plural


def _pointer_key(pointer: str) -> list[tuple[int, int | str]]:
    parts = pointer.split("/")[1:]
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in parts]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Inventories with random edits of lines: a run succeeds, or names a place and changes no document.

Types and values of variables are in test_bad_day_documents.py; these are slips in an editor.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from bad_day import Desk

EDITS = int(os.environ.get("FNN_TEST_EDITS", "40"))
#: Lines that replace others.
LINES = (
    *("", "\t", "-", ":", "- x", "---", "fnn_nodes:", "fnn_nodes: [", "  hosts: 7", "  vars: 7", "    k00:"),
    *("    k02: 7", "    k0 0:", "    K07:", "    k00: {fnn_nics: -1}", "  children: {fnn_nodes: {}}"),
    *("{{ x }}", "a: &a [*a]", "b: *b", "!x y", "%", "ü: é", "\ufeff", "fnn_nics: {{ x }}", 'fnn_cluster: "{{ x }}"'),
)
#: Places that a message may name: a file, a variable, a place of the spec, or a node.
PLACES = ("hosts.yml", "group_vars", ".json", "fnn_", "/nodes/", "/switches/", "k0")


@pytest.mark.parametrize("seed", [1, 2])
def test_an_edited_inventory_is_right_or_answered_with_a_place(
    root: Path, designer: Path, tmp_path: Path, seed: int
) -> None:
    assert designer.exists()
    desk, dice = Desk.make(root, tmp_path), random.Random(seed)
    good = read_all(desk.site)
    wrong = []
    for _ in range(EDITS):
        path = dice.choice([path for path in good if path.suffix == ".yml"])
        lines, what = edit(good[path].decode().splitlines(), dice)
        path.write_text("\n".join(lines) + "\n")
        wrong += [f"{path.name}: {what}: {each}" for each in observe(desk, {**good, path: path.read_bytes()})]
        for each, content in good.items():
            each.write_bytes(content)
    assert wrong == []


def read_all(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def edit(lines: list[str], dice: random.Random) -> tuple[list[str], str]:
    """Leaves out, repeats, moves, indents or replaces one line; returns the lines and a description."""
    at, there = dice.randrange(len(lines)), dice.randrange(len(lines))
    what = dice.choice(("leave out", "repeat", "move", "indent", "replace", "cut"))
    line = dice.choice(LINES)
    rest = [*lines[:at], *lines[at + 1 :]]
    done = {
        "leave out": rest,
        "repeat": [*lines[:there], lines[at], *lines[there:]],
        "move": [*rest[:there], lines[at], *rest[there:]],
        "indent": [*lines[:at], f" {lines[at]}", *lines[at + 1 :]],
        "replace": [*lines[:at], line, *lines[at + 1 :]],
        "cut": [*lines[:at], lines[at][: dice.randrange(len(lines[at]) + 1)]],
    }
    return done[what], f"{what} line {at + 1}" + (f" by {line!r}" if what == "replace" else f" ({there + 1})")


def observe(desk: Desk, before: dict[Path, bytes]) -> list[str]:
    """The faults of a run."""
    with desk.start("design") as playing:
        output, _ = playing.communicate(timeout=500)
    if playing.returncode == 0:
        return []
    # The spec follows the inventory; the program refuses a design that was made for another spec.
    after = {path: content for path, content in read_all(desk.site).items() if path.name != "spec.json"}
    changed = [path.name for path, content in after.items() if before.get(path) != content]
    faults = [f"changed {', '.join(changed)}"] if changed else []
    if "Traceback" in output or not any(place in output for place in PLACES):
        faults.append(output)
    return faults

# SPDX-License-Identifier: GPL-3.0-or-later
"""The page that lists the variables agrees with the argument specs that check them."""

from __future__ import annotations

import re
from pathlib import Path

import yaml


def read_documented(page: Path) -> set[str]:
    lines = page.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| `fnn_")]
    return {name for row in rows for name in re.findall(r"`(fnn_\w+)`", row.split("|")[1])}


def read_specified(root: Path) -> set[str]:
    names: set[str] = set()
    for path in root.glob("roles/*/meta/argument_specs.yml"):
        if path.parts[-3] == "fnn_lab":
            continue  # the lab's own page: docs/operator/lab.md
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"].values():
            names |= set(entry["options"])
    return names


def test_every_variable_is_on_the_page_and_in_an_argument_spec(root: Path) -> None:
    assert read_documented(root / "docs/reference/variables.md") == read_specified(root)


def test_every_variable_of_a_lab_is_on_the_page_of_the_lab(root: Path) -> None:
    specs = yaml.safe_load((root / "roles/fnn_lab/meta/argument_specs.yml").read_text(encoding="utf-8"))
    assert read_documented(root / "docs/operator/lab.md") == set(specs["argument_specs"]["main"]["options"])

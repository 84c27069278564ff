# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are made from schemas/variables.yml are up to date, and their source is what it claims to be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.spec.variable_source import Source, read_source
from ansible.module_utils.fnn.controller.spec.variables import find_expected
from jsonschema_rs import Draft202012Validator
from jsonschema_rs import meta as meta_schema


@pytest.fixture(scope="module")
def source(root: Path) -> Source:
    return read_source(root)


def test_generated_files_are_up_to_date(root: Path) -> None:
    command = [sys.executable, root / "scripts/generate.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_role_has_entry_points_and_every_variable_one(root: Path, source: Source) -> None:
    assert set(source.entry_points) == {path.name for path in (root / "roles").iterdir()}
    assert sum(len(section.variables) for section in source.sections) == len(source.variables), "a name occurs twice"
    for section in source.sections:
        assert set(section.entry_points) <= set(source.entry_points[section.role]), section.title


def test_every_variable_is_a_schema_and_its_default_fits_it(source: Source) -> None:
    for variable in source.variables.values():
        meta_schema.validate(variable.schema)
        assert variable.description.endswith("."), variable.name
        if variable.default is None or (isinstance(variable.default, str) and "{{" in variable.default):
            continue
        assert find_expected(variable.default, variable) is None, variable.name
        assert Draft202012Validator(variable.schema).is_valid(variable.default), variable.name


def test_every_linked_page_exists(root: Path, source: Source) -> None:
    texts = [each.description for each in (*source.sections, *source.variables.values())]
    links = [part.split(")")[0].split("#")[0] for text in texts for part in text.split("](")[1:]]
    assert len(links) > 20
    assert [link for link in links if not (root / "docs" / link).is_file()] == []

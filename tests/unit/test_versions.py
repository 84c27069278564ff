# SPDX-License-Identifier: GPL-3.0-or-later
"""The promises of docs/reference/versions.md that need no other Python. tests/full/test_versions.py has the others."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from interpreters import CONTROLLER_VERSIONS, NODE_VERSIONS
from programs import ROOT
from versions import NODE_FILES, NODE_MODULES

OLDEST = (3, 9)
PAGE = ROOT / "docs/reference/versions.md"


@pytest.mark.parametrize("path", NODE_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_of_a_node_has_the_syntax_of_the_oldest_python(path: Path) -> None:
    ast.parse(path.read_text(), feature_version=OLDEST)


def test_the_files_of_a_node_are_its_programs_their_modules_and_those_of_ansible() -> None:
    names = {str(path.relative_to(ROOT)) for path in NODE_FILES}
    assert {"roles/fnn_network/files/fnn-net", "roles/fnn_network/files/fnn-linkd", "library/fnn_links.py"} <= names
    assert {"fnn_apply", "fnn_confirm", "fnn_reach", "fnn_relearn", "fnn_remove"} <= set(NODE_MODULES)
    assert "fnn_design" not in NODE_MODULES


def test_the_page_names_the_versions_that_the_tests_use() -> None:
    rows = PAGE.read_text()
    (node,) = re.findall(r"^\| nodes, head \| ([0-9.]+) to ([0-9.]+), ", rows, re.MULTILINE)
    assert node == (NODE_VERSIONS[0], NODE_VERSIONS[-1])
    assert NODE_VERSIONS[0] == ".".join(map(str, OLDEST))
    newest = re.findall(r"^\| controller, newest packages \| ([0-9., ]+) \|", rows, re.MULTILINE)
    assert tuple(", ".join(newest).split(", ")) == CONTROLLER_VERSIONS


def test_the_page_names_the_locked_release_of_ansible() -> None:
    locked = re.search(r"^ansible-core==(\d+\.\d+)\.", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    named = re.search(r"^\| controller, as locked \| [^|]+ \| ansible-core ([0-9.]+), ", PAGE.read_text(), re.MULTILINE)
    assert locked and named and locked[1] == named[1]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that need packages are exceptions of ansible-test, others are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.collection.__main__ import FILES as FILES_OF_COLLECTION
from scripts.collection.__main__ import find_place, list_sources
from scripts.collection.names import PACKAGE
from scripts.collection.sanity import list_exceptions

ASSERTION = re.compile(r"^\s+assert ", re.MULTILINE)
FILES = {
    "module_utils/fnn/spec.py": "import json\nimport numpy.linalg\n",
    "module_utils/fnn/plan/first.py": "from ..spec import read\nfrom . import second\n",
    "module_utils/fnn/plan/second.py": "from .first import read\n",
    "module_utils/fnn/node.py": "import socket\nfrom ansible.module_utils.basic import AnsibleModule\n",
    "modules/fnn_plan.py": f"from {PACKAGE}.module_utils.fnn.plan.first import read\n",
    "modules/fnn_node.py": f"from {PACKAGE}.module_utils.fnn.node import read\n",
    "modules/fnn_page.py": "import jinja2\n",
    "action/fnn_page.py": "from pathlib import Path\n",
    "action/fnn_node.py": "from pathlib import Path\n",
    "filter/fnn.py": "import yaml\n",
}


@pytest.fixture
def exceptions(tmp_path: Path) -> list[str]:
    for name, text in FILES.items():
        path = tmp_path / "plugins" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [line for line in list_exceptions(tmp_path) if "import-3.12" not in line and "import-3.13" not in line]


def test_packages_count_through_all_imports(exceptions: list[str]) -> None:
    assert exceptions == [
        "plugins/action/fnn_page.py import-3.11!skip # needs jinja2",
        "plugins/module_utils/fnn/plan/first.py import-3.11!skip # needs numpy",
        "plugins/module_utils/fnn/plan/second.py import-3.11!skip # needs numpy",
        "plugins/module_utils/fnn/spec.py import-3.11!skip # needs numpy",
        "plugins/modules/fnn_page.py import-3.11!skip # needs jinja2",
        "plugins/modules/fnn_plan.py import-3.11!skip # needs numpy",
        "plugins/modules/fnn_plan.py validate-modules:import-error # needs numpy",
    ]


def test_each_assertion_of_the_collection_is_an_exception(root: Path) -> None:
    """ansible-test forbids `assert`; tests/full/test_collection.py runs it, for minutes."""
    lines = (root / FILES_OF_COLLECTION / "tests/sanity/ignore-2.19.txt").read_text().splitlines()
    listed = {line.split()[0] for line in lines if line.split()[1] == "no-assert"}
    shipped = {path: find_place(path) for path in list_sources() if path.suffix == ".py"}
    asserting = {str(place) for path, place in shipped.items() if place and ASSERTION.search((root / path).read_text())}
    assert asserting == listed

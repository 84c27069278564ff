# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures: the sources of reports on the committed designs, evaluated by the real engine."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.evaluate.evaluations import name_evaluation
from ansible.module_utils.fnn.controller.evaluate.scaling import TABLE_2001, read_capacities, study_scaling
from ansible.module_utils.fnn.controller.report.sources import Sources

MakeSources = Callable[[str], Sources]


@pytest.fixture(scope="session")
def study(root: Path, designer: Path) -> dict[str, Any]:
    """The scaling study."""
    ask = [designer, "capacity", "--ports", "2..1024", "--nics", "2..5", "--format", "csv"]
    done = subprocess.run(ask, capture_output=True, text=True, check=True)
    theirs = read_capacities((root / TABLE_2001).read_text(), TABLE_2001)
    return study_scaling(read_capacities(done.stdout, "capacity"), theirs)


@pytest.fixture(scope="session")
def make_sources(
    root: Path, designer: Path, documents: Documents, study: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> MakeSources:
    """make_sources("klat2"): the sources of the report on the committed design of an inventory."""

    @functools.cache
    def make(site: str) -> Sources:
        design, place = root / "inventory" / site / "design.json", tmp_path_factory.mktemp("report")
        read = documents.read(design, "fnn-design")
        name, format = name_evaluation(read)
        chosen = name == "evaluation.json"
        options = {"evaluate": ["--patterns", "20"], **({"routes": []} if chosen else {})}
        for command, more in options.items():
            words = [designer, command, design, "-o", place / f"{command}.json", *more]
            subprocess.run(words, capture_output=True, check=True)
        return Sources(
            read,
            documents.read(place / "evaluate.json", format),
            documents.read(place / "routes.json", "fnn-routes") if chosen else None,
            study if chosen else None,
            links=[("labels of all nodes, A4", "labels/a4/node-labels.pdf")],
        )

    return make

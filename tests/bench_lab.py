# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixture: the committed lab of six nodes with its routes and evaluation by the engine, for documents of benchmarks."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.document import Inputs, make_document
from ansible.module_utils.fnn.controller.documents import Documents
from synthetic_cells import make_raw

Document = dict[str, Any]


@dataclass
class Lab:
    """raw: of a run without faults."""

    design: Mapping[str, Any]
    routes: Document
    evaluation: Document
    raw: Document

    def judge(self, raw: Document | None = None, kind: str = "basic") -> Document:
        """The document of a run, by default of the one without faults."""
        return make_document(Inputs(self.design, raw or self.raw, None, self.routes, self.evaluation, kind))


@pytest.fixture(scope="session")
def lab(root: Path, documents: Documents, designer: Path, tmp_path_factory: pytest.TempPathFactory) -> Lab:
    place, path = tmp_path_factory.mktemp("bench"), root / "inventory/lab/design.json"
    for command, name in (("evaluate", "evaluation"), ("routes", "routes")):
        subprocess.run([designer, command, path, "-o", place / f"{name}.json"], capture_output=True, check=True)
    design, routes = documents.read(path, "fnn-design"), documents.read(place / "routes.json", "fnn-routes")
    evaluation = documents.read(place / "evaluation.json", "fnn-evaluation")
    return Lab(design, routes, evaluation, make_raw(design, routes, 1))

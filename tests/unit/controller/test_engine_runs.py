# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/engine_runs.py"""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.engine_program import run_command
from ansible.module_utils.fnn.controller.engine_runs import RECORD, EngineRun
from ansible.module_utils.fnn.controller.task import Task


class Site:
    """An engine, a design and a build directory."""

    def __init__(self, root: Path, directory: Path) -> None:
        self.engine, self.design, self.build = (directory / name for name in ("engine", "design.json", "build"))
        self.document, self.record = self.build / "routes.json", self.build / RECORD
        self.engine.write_text("engine 1")
        self.design.write_text("design 1")
        self.root, self.check = root, False

    def open(self, name: str = "routes.json", **options: int) -> EngineRun:
        given = {"root": str(self.root), "build": str(self.build)}
        task = Task(given, self.check, diff_mode=False, run_command=run_command, warn=lambda _: None)
        return EngineRun(task, Designer(self.engine, run_command), name, [self.design], options)

    def make(self, name: str = "routes.json", content: str = "routes", **options: int) -> None:
        run = self.open(name, **options)
        self.build.mkdir(exist_ok=True)
        (self.build / name).write_text(content)
        run.record(content)


@pytest.fixture
def site(root: Path, tmp_path: Path) -> Site:
    return Site(root, tmp_path)


def test_a_document_is_unchanged_while_its_inputs_and_content_are(site: Site, documents: Documents) -> None:
    assert site.open().read_unchanged() is None
    site.make(seed=1)
    assert site.open(seed=1).read_unchanged() == "routes"
    assert site.open(seed=2).read_unchanged() is None
    assert site.open("evaluation.json", seed=1).read_unchanged() is None
    for path in (site.engine, site.design, site.document):
        content = path.read_text()
        path.write_text("edited")
        assert site.open(seed=1).read_unchanged() is None, path
        path.write_text(content)
    assert site.open(seed=1).read_unchanged() == "routes"
    site.document.unlink()
    assert site.open(seed=1).read_unchanged() is None
    assert documents.read(site.record, "fnn-engine-runs")["runs"][0]["document"] == "routes.json"


def test_documents_of_one_directory_share_a_record(site: Site) -> None:
    site.make("routes.json", "routes")
    site.make("evaluation.json", "evaluation", seed=1)
    assert site.open("routes.json").read_unchanged() == "routes"
    assert site.open("evaluation.json", seed=1).read_unchanged() == "evaluation"


@pytest.mark.parametrize("content", ["", "{}", '{"format": "fnn-engine-runs", "version": 1, "runs": [1]}'])
def test_a_damaged_record_costs_a_run_and_is_written_again(site: Site, content: str) -> None:
    site.make()
    site.record.write_text(content)
    assert site.open().read_unchanged() is None
    site.make()
    assert site.open().read_unchanged() == "routes"


def test_check_mode_records_nothing(site: Site) -> None:
    site.check = True
    site.make()
    assert not site.record.exists()

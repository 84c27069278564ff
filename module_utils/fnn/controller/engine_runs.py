# SPDX-License-Identifier: GPL-3.0-or-later
"""Skips runs of the engine whose inputs and document have not changed (controller only).

The engine makes the same document from the same inputs. build/<cluster>/engine-runs.json has, for each document that it
made there, a digest of the inputs (engine, options, files) and one of the document. If both agree, the run is left out:
at 1,024 nodes an evaluation takes the engine many seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..shared.errors import FnnError
from .digests import compute_sha256
from .engine import Designer
from .task import Task

RECORD = "engine-runs.json"
FORMAT = "fnn-engine-runs"


class EngineRun:
    """A run that makes the document `name` below the build directory of the task."""

    def __init__(
        self, task: Task, designer: Designer, name: str, files: Iterable[Path], options: Mapping[str, Any]
    ) -> None:
        """files: that the engine reads. options: of the engine, without those that do not affect the document."""
        self._task = task
        self._name = name
        self._inputs = _digest_inputs(designer.program, files, options)

    def read_unchanged(self) -> str | None:
        """The document as text, if the last run had the same inputs and the document has not changed since."""
        recorded = self._read_record().get(self._name)
        if recorded is None or recorded["inputs"] != self._inputs:
            return None
        try:
            content = (self._task.path("build") / self._name).read_bytes()
        except OSError:
            return None
        return content.decode() if recorded["content"] == compute_sha256(content) else None

    def record(self, content: str) -> None:
        """Record that the document with this text follows from the inputs, outside check mode. Raises WriteFailed."""
        run = {"document": self._name, "inputs": self._inputs, "content": compute_sha256(content.encode())}
        runs = self._read_record()
        if runs.get(self._name) == run:
            return
        listed = [each for _, each in sorted({**runs, self._name: run}.items())]
        document = {"format": FORMAT, "version": 1, "runs": listed}
        self._task.write(self._task.path("build") / RECORD, document)

    def _read_record(self) -> dict[str, dict[str, Any]]:
        """Document name -> its run. Empty without a record that can be read: everything is computed again."""
        try:
            record = self._task.documents.read(self._task.path("build") / RECORD, FORMAT)
        except FnnError:
            return {}
        return {each["document"]: each for each in record["runs"]}


def _digest_inputs(program: Path, files: Iterable[Path], options: Mapping[str, Any]) -> str:
    digests = [compute_sha256(path.read_bytes()) for path in (program, *files)]
    return compute_sha256(json.dumps([digests, options], sort_keys=True).encode())

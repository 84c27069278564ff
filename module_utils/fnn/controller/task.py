# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of a module on the controller: its options, the toolkit's documents, check mode and diff mode.

Each module of library/ is a function from a task to a result, and its arguments, as a ControllerModule:

    def update_keys(task: Task) -> Result:
        old, keys = task.read_existing("path", "fnn-keys"), ...
        task.write(task.path("path"), keys)
        return task.describe_change(task.path("path"), old, keys)

Two files make the task and execute the function: module_utils/fnn_module.py in a process of its own, which any module
can have, and action_plugins/run_on_controller.py in the process of Ansible, which starts faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..shared.errors import FnnError
from .documents import Documents, dumps
from .engine import Designer, open_designer, provide_designer
from .engine_program import Runner
from .files import write_atomic
from .options import require_paths

#: What a module returns, by key.
Result = dict[str, Any]
#: What a file holds: a document, text, or nothing because the file is missing.
Content = Mapping[str, Any] | str | None


@dataclass(frozen=True)
class Task:
    """options: by name; `root` is the root directory of the toolkit.

    run_command: starts a command and returns its exit code and output. warn: shows a warning to the operator.
    report: shows the progress of long work while the task runs; only the process of Ansible can.
    """

    options: Mapping[str, Any]
    check_mode: bool
    diff_mode: bool
    run_command: Runner
    warn: Callable[[str], None]
    report: Callable[[str], None] = lambda _: None

    @property
    def root(self) -> Path:
        """The root directory of the toolkit."""
        return self.path("root")

    @cached_property
    def documents(self) -> Documents:
        """Reads and writes documents by the schemas of the toolkit."""
        return Documents(self.root / "schemas")

    def open_designer(self) -> Designer:
        """The engine. Raises FnnError when it is not built."""
        return open_designer(self.root, self.run_command)

    def provide_designer(self, launcher: Sequence[str] = ()) -> Designer:
        """The engine by the options ENGINE, compiled if it is missing and may be. Raises FnnError.

        launcher: the words that start a search as several processes.
        """
        named, build = self.options["designer"], self.options["build"]
        return provide_designer(self.root, self.run_command, named, build, launcher)

    def path(self, option: str) -> Path:
        """The path that an option has."""
        return Path(self.options[option])

    def read(self, option: str, format: str = "") -> dict[str, Any]:
        """The document in the file that an option names. format: "fnn-" and the option by default. Raises FnnError."""
        return self.documents.read(self.options[option], format or f"fnn-{option}")

    def read_existing(self, option: str, format: str = "") -> dict[str, Any] | None:
        """The same; None if the option is not given or the file is missing. Raises FnnError."""
        given = self.options[option] is not None and self.path(option).exists()
        return self.read(option, format) if given else None

    def read_usable(self, option: str) -> dict[str, Any] | None:
        """The document of an earlier run; None if the option is not given, or the file is missing, unreadable or of
        another version."""
        path = self.options[option]
        return self.documents.read_usable(path, f"fnn-{option}") if path is not None else None

    def write(self, path: Path, content: Mapping[str, Any] | str) -> None:
        """Write a document or text, outside check mode. Raises FnnError."""
        if self.check_mode:
            return
        if isinstance(content, str):
            write_atomic(path, content)
        else:
            self.documents.write(path, content)

    def write_preview(self, name: Path | str, content: bytes | str, mode: int = 0o644) -> None:
        """In check mode, write a file below the directory of the option `preview`, if it is given."""
        if self.check_mode and self.options["preview"]:
            write_atomic(self.path("preview") / name, content, mode, durable=False)

    def describe_change(self, path: Path, before: Content, after: Content) -> Result:
        """Results for a file: `changed`, and in diff mode `diff`."""
        return {"changed": before != after, **({"diff": make_diff(path, before, after)} if self.diff_mode else {})}


@dataclass(frozen=True)
class ControllerModule:
    """A module of library/ that runs on the controller.

    function: does the work; in check mode without lasting changes. It raises FnnError or OSError to fail.
    arguments: the argument spec without `root`, which every such module has. required_if: as of AnsibleModule.
    """

    function: Callable[[Task], Result]
    arguments: Mapping[str, Mapping[str, Any]]
    required_if: Sequence[tuple[str, str, Sequence[str]]] = ()

    @property
    def argument_spec(self) -> dict[str, Mapping[str, Any]]:
        """The arguments with `root`."""
        return {**require_paths("root"), **self.arguments}

    def execute(self, task: Task) -> Result:
        """The result; `failed` and `msg` if the function raised FnnError or OSError. Nothing changes by default."""
        try:
            result = self.function(task)
        except (FnnError, OSError) as error:
            return {"failed": True, "msg": str(error)}
        return result if result.get("failed") else {"changed": False, **result}


def make_diff(path: Path, before: Content, after: Content) -> dict[str, str]:
    """The diff of a file, for the result `diff`."""
    header = {"before_header": str(path), "after_header": str(path)}
    return {**header, "before": _format(before), "after": _format(after)}


def _format(content: Content) -> str:
    return content if isinstance(content, str) else dumps(content) if content else ""

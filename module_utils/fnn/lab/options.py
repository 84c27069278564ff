# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that the lab's modules share, and the layout and files that they select."""

from __future__ import annotations

from pathlib import Path

from ..controller.options import NAMES, PATH, PLAN, Arguments, require_paths
from ..controller.places import find_generated
from ..controller.plan.settings import read_settings
from ..controller.task import Result, Task
from .host import execute
from .layout import Layout, make_layout
from .wiring import Work

#: Arguments of a module that works on the lab of a design.
OF_A_DESIGN: Arguments = {
    "lab": {"type": "str", "required": True},
    **require_paths("design"),
    **PLAN,
    "satellites": NAMES,
    "maintenance": PATH,
}


def read_layout(task: Task) -> Layout:
    """The layout that the options describe. Raises FnnError."""
    design, options = task.read("design"), task.options
    settings = read_settings(task.root, options["variables"], options["facts"])
    maintenance = task.read_existing("maintenance", "fnn-design")
    return make_layout(design, options["lab"], settings, options["satellites"], maintenance)


def run_work(task: Task, work: Work) -> Result:
    """Execute the work, outside check mode; the result of the module. Raises FnnError and OSError."""
    if not task.check_mode:
        execute(work, task.options["lab"])
    return describe_commands(work.commands())


def describe_commands(commands: list[str]) -> Result:
    """The result of a module that ran these commands, or would have in check mode."""
    diff = {"before": "", "after": "".join(f"{command}\n" for command in commands)}
    return {"changed": bool(commands), "commands": commands, "diff": diff}


def lab_directory(task: Task) -> Path:
    """The directory of the lab's files."""
    return find_generated(task.root) / "lab" / str(task.options["lab"])

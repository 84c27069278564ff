# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that the lab's modules share, and the layout and files that they select."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..controller.documents import Documents
from ..controller.plan.settings import read_settings
from .layout import Layout, make_layout

#: Argument spec of a module that works on the lab of a design.
OF_A_DESIGN: dict[str, dict[str, Any]] = {
    "lab": {"type": "str", "required": True},
    "root": {"type": "path", "required": True},
    "design": {"type": "path", "required": True},
    "variables": {"type": "dict", "required": True},
    "facts": {"type": "dict", "default": {}},
    "satellites": {"type": "list", "elements": "str", "default": []},
}


def read_schemas(options: Mapping[str, Any]) -> Documents:
    """The documents of the toolkit at `root`."""
    return Documents(Path(options["root"]) / "schemas")


def read_layout(options: Mapping[str, Any]) -> Layout:
    """The layout these options describe. Raises FnnError."""
    design = read_schemas(options).read(options["design"], "fnn-design")
    settings = read_settings(Path(options["root"]), options["variables"], options["facts"])
    return make_layout(design, options["lab"], settings, options["satellites"])


def describe_commands(commands: list[str]) -> dict[str, Any]:
    """The result of a module that ran these commands, or would have in check mode."""
    diff = {"before": "", "after": "".join(f"{command}\n" for command in commands)}
    return {"changed": bool(commands), "commands": commands, "diff": diff}


def lab_directory(options: Mapping[str, Any]) -> Path:
    """The directory of the lab's files."""
    return Path(options["root"]) / "build" / "lab" / str(options["lab"])

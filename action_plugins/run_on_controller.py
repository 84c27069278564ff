# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a module of the controller in the process of Ansible.

Each link of this folder to this file does so for the module of its name. A module in a process of its own first starts
Python, unpacks itself and imports its packages, which often takes longer than its work. Here Ansible imports the module
once, before it forks the worker that executes the task.

With `become`, `environment` or `async`, and for a host that is reached over another connection than `local`, the module
runs as Ansible runs any module. fnn_design has no link: its search ends on a signal, and writes a checkpoint first.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import ansible.module_utils
from ansible.module_utils.common.json import Direction, get_module_decoder, get_module_encoder
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

# Ansible builds `ansible.module_utils.fnn` for modules but not for plugins, whatever ansible.cfg says.
_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.site_workers import mark_as_working

#: How Ansible writes the options and results of Python modules as JSON.
_PROFILE = "legacy"


def load_module(plugin: Path) -> ControllerModule:
    """The module of library/, or plugins/modules/ of a collection, that has the name of this plugin.

    Raises ImportError if it needs a package that is missing.
    """
    folder = next(path for name in ("library", "modules") if (path := plugin.parents[1] / name).is_dir())
    name = f"{__name__}_module"
    spec = importlib.util.spec_from_file_location(name, folder / plugin.name)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {folder / plugin.name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    described: ControllerModule = module.describe_module()
    return described


def transmit(value: dict[str, Any], direction: Direction) -> dict[str, Any]:
    """The value as the receiver of its JSON gets it: a module has plain strings, Ansible has those that it tags."""
    encoded = json.dumps(value, cls=get_module_encoder(_PROFILE, direction))
    decoded: dict[str, Any] = json.loads(encoded, cls=get_module_decoder(_PROFILE, direction))
    return decoded


def show_progress(text: str) -> None:
    """Shows the text on the standard error of Ansible, at once also from a worker."""
    Display().display(text, stderr=True)


# Ansible loads plugins outside of any task: an error here would end it without naming the task.
_MODULE: ControllerModule | None = None
_MISSING = ""
try:
    from ansible.module_utils.fnn.controller.engine_program import run_command
    from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task

    _MODULE = load_module(Path(__file__))
except ImportError as error:
    _MISSING = (
        f"{error}; install the packages of requirements.txt for {sys.executable}, or run make setup in a checkout"
    )


class ActionModule(ActionBase):
    """Executes the task here, or as a module where this process may not do it."""

    _supports_async = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        if self._needs_process():
            result.update(self._execute_module(task_vars=task_vars, wrap_async=self._task.async_val))
        elif _MODULE is None:
            result.update(failed=True, msg=_MISSING)
        else:
            result.update(self._execute_here(_MODULE))
        return result

    def _needs_process(self) -> bool:
        is_local = self._connection.transport == "local" and not self._connection.become
        return bool(not is_local or self._task.async_val or self._compute_environment_string())

    def _execute_here(self, module: ControllerModule) -> Result:
        _, options = self.validate_argument_spec(module.argument_spec, required_if=list(module.required_if))
        options = transmit(options, Direction.CONTROLLER_TO_MODULE)
        warnings: list[str] = []
        task = Task(options, self._task.check_mode, self._task.diff, run_command, warnings.append, show_progress)
        with mark_as_working():
            answer = module.execute(task)
        return transmit({**answer, **({"warnings": warnings} if warnings else {})}, Direction.MODULE_TO_CONTROLLER)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the packed answer of a node to a file of the controller, and gives Ansible only its path.

The option `error` is that of an earlier task: the task fails with it and does not contact the node.

Each link of this folder to this file does so for the module of its name, which packs its answer (`packed`) if the
option `file` is given (module_utils/fnn/node/answer/pack.py). Any other answer is passed on as it is.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import ansible.module_utils
from ansible.plugins.action import ActionBase

# Ansible builds `ansible.module_utils.fnn` for modules but not for plugins, whatever ansible.cfg says.
_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.files import WriteFailed, write_atomic


class ActionModule(ActionBase):
    """Runs the module of the same name on the node, and saves what it packed."""

    _supports_async = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        if error := self._task.args.get("error"):
            return {**result, "failed": True, "msg": error}
        result.update(self._execute_module(task_vars=task_vars, wrap_async=self._task.async_val))
        packed = result.pop("packed", None)
        if packed is None:
            return result
        file = Path(self._task.args["file"])
        try:
            write_atomic(file, base64.b64decode(packed), durable=False)
        except WriteFailed as error:
            return {"failed": True, "msg": str(error)}
        return {**result, "file": str(file)}

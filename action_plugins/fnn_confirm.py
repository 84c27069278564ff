# SPDX-License-Identifier: GPL-3.0-or-later
"""Controller side of fnn_confirm: opens a new connection for each try.

`meta: reset_connection` would do that for one host after another; this does it for as many hosts as there are forks.
"""

from __future__ import annotations

import time
from typing import Any

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase

PAUSE = 1.0  # seconds between two tries


class ActionModule(ActionBase):
    """Runs the module of the same name until it answers over a new connection."""

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(
            {
                "generation": {"type": "str", "required": True},
                "lease": {"type": "int", "default": 0},
                "timeout": {"type": "int", "default": 60},
                "root": {"type": "path", "default": "/"},
            }
        )
        until = time.monotonic() + options.pop("timeout")
        answer = self._try(options, task_vars)
        while answer.get("connection") and time.monotonic() < until:
            time.sleep(PAUSE)
            answer = self._try(options, task_vars)
        result.update(answer)
        result.pop("invocation", None)
        return result

    def _try(self, options: dict[str, Any], task_vars: dict[str, Any] | None) -> dict[str, Any]:
        """Return the module's result; `connection` is true when another connection is worth a try."""
        try:
            if hasattr(self._connection, "reset"):
                self._connection.reset()
            answer: dict[str, Any] = self._execute_module("fnn_confirm", module_args=options, task_vars=task_vars)
        except AnsibleConnectionFailure as error:
            reason = f"no new connection: {error}; the node rolls back by itself at the deadline"
            return {"failed": True, "connection": True, "msg": reason}
        return answer

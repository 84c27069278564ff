# SPDX-License-Identifier: GPL-3.0-or-later
"""Controller side of fnn_node: gets the message of ssh where Ansible does not wait for it.

Ansible writes the module to ssh. If ssh has closed its input, as it does before it reports a changed host key, the
write fails, and Ansible gives ssh one millisecond to end. On a busy controller that is too short: the error is "Data
could not be sent", which has no cause. A command without input has no such write, so its error is that of ssh.
"""

from __future__ import annotations

from typing import Any

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase

LOST = "Data could not be sent"  # _send_initial_data in ansible/plugins/connection/ssh.py


class ActionModule(ActionBase):
    """Runs the module of the same name; again if ssh failed without a message and then succeeds."""

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        answer = self._try(task_vars)
        if answer is None:
            self._low_level_execute_command("true", sudoable=False)
            answer = self._execute_module(task_vars=task_vars)
        result.update(answer)
        return result

    def _try(self, task_vars: dict[str, Any] | None) -> dict[str, Any] | None:
        """Return the module's result; None if Ansible has not waited for the message of ssh."""
        try:
            answer: dict[str, Any] = self._execute_module(task_vars=task_vars)
        except AnsibleConnectionFailure as error:
            if LOST in str(error):
                return None
            raise
        return answer

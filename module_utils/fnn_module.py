# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the modules of the controller. The only file of module_utils/ that imports Ansible; only library/ imports it."""

from __future__ import annotations

from collections.abc import Sequence

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.task import ControllerModule, Task


def run_module(controller_module: ControllerModule) -> None:
    """End this process with the result of the module, or with its failure."""
    module = AnsibleModule(
        argument_spec=controller_module.argument_spec,
        required_if=list(controller_module.required_if),
        supports_check_mode=True,
    )

    def run_command(command: Sequence[str]) -> tuple[int, str, str]:
        answer: tuple[int, str, str] = module.run_command(command, expand_user_and_vars=False)
        return answer

    task = Task(module.params, module.check_mode, module._diff, run_command, module.warn)
    result = controller_module.execute(task)
    if result.get("failed"):
        module.fail_json(**result)
    module.exit_json(**result)

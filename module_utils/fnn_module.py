# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the modules of the controller. The only file of module_utils/ that imports Ansible; only library/ imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.options import require_paths
from ansible.module_utils.fnn.controller.task import Result, Task
from ansible.module_utils.fnn.shared.errors import FnnError


def run_module(
    run: Callable[[Task], Result],
    arguments: Mapping[str, Mapping[str, Any]],
    required_if: Sequence[tuple[str, str, Sequence[str]]] = (),
) -> None:
    """End this process with the result of `run`, or with the failure that it raises as FnnError or OSError.

    A result fails too if it has `failed`, with its message in `msg`. Without `changed`, nothing has changed. Every
    module has the option `root` besides its arguments. In check mode `run` must make no lasting change.
    """
    spec = {**require_paths("root"), **arguments}
    module = AnsibleModule(argument_spec=spec, required_if=list(required_if), supports_check_mode=True)
    task = Task(module.params, module.check_mode, module._diff, module.run_command, module.warn)
    try:
        result = run(task)
    except (FnnError, OSError) as error:
        module.fail_json(msg=str(error))
    if result.get("failed"):
        module.fail_json(**result)
    module.exit_json(**{"changed": False, **result})

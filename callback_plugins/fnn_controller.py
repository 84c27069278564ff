# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps variables for nodes away from tasks of the controller.

A task of the controller is delegated to `localhost`. Ansible runs it with the variables of that host, of the group
`all` and of -e, which describe nodes: `ansible_become`, `ansible_shell_type`, another Python. For a host `localhost` in
the inventory, Ansible even chooses a Python without the packages of the toolkit. Facts are stronger than all variables
but those of -e (Ansible's documentation, "Understanding variable precedence"). So this plugin sets facts for localhost,
and turns variables of -e for connections into facts of the nodes.
"""

from __future__ import annotations

import sys
from typing import Any

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: fnn_controller
type: aggregate
short_description: Run tasks of the controller with the Python and the shell of the toolkit
description:
  - Sets the connection, the shell and the Python of localhost, whatever the variables of the inventory and of -e are.
"""

#: What a task on the controller uses. None stands for a variable that is not set: the task itself says whether it needs
#: root, and Ansible's defaults apply to the rest.
_CONTROLLER = {
    "ansible_connection": "local",
    "ansible_python_interpreter": sys.executable,
    "ansible_shell_type": "sh",
    "ansible_shell_executable": "/bin/sh",
    "ansible_become": None,
    "ansible_remote_tmp": None,
    "ansible_system_tmpdirs": None,
    "ansible_async_dir": None,
}


class CallbackModule(CallbackBase):
    """The callback plugin that Ansible loads."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "fnn_controller"

    def v2_playbook_on_play_start(self, play: Any) -> None:
        manager = play.get_variable_manager()
        given = {name: manager.extra_vars.pop(name) for name in _CONTROLLER if name in manager.extra_vars}
        if given:
            for host in manager._inventory.get_hosts("all", ignore_limits=True, ignore_restrictions=True):
                manager.set_nonpersistent_facts(host.name, dict(given))
        manager.set_nonpersistent_facts("localhost", dict(_CONTROLLER))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports file, line and column of variables that are not valid YAML, before a play reads them.

Ansible reads group_vars and host_vars when the first play begins. Its error names no file.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import ansible.module_utils

_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.spec.variables import find_unreadable_files
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: fnn_inventory
type: aggregate
short_description: Report variable files that are not valid YAML
description:
  - Ends a run before the first play if group_vars or host_vars are not valid YAML, with one line for each such file.
"""

_UNREADABLE = 4  # exit status of Ansible for the same error


class CallbackModule(CallbackBase):
    """The callback plugin that Ansible loads."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "fnn_inventory"

    def __init__(self) -> None:
        super().__init__()
        self._is_checked = False

    def v2_playbook_on_play_start(self, play: Any) -> None:
        if self._is_checked:
            return
        self._is_checked = True
        problems = find_unreadable_files(play.get_variable_manager()._inventory._sources)
        for each in problems:
            print(f"fnn: {each}", file=sys.stderr, flush=True)
        if problems:
            sys.exit(_UNREADABLE)

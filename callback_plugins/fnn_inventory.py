# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports an inventory that cannot be used before a play reads it.

Ansible reads group_vars and host_vars when the first play begins. Its error for a file that is not valid YAML names no
file. Generated files in the directory of the inventory would be a part of it in the next run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import ansible.module_utils

_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.spec.variables import find_unreadable_files, refuse_generated_inside
from ansible.plugins.callback import CallbackBase
from ansible.template import Templar

DOCUMENTATION = """
name: fnn_inventory
type: aggregate
short_description: Report inventories that cannot be used
description:
  - Ends a run before the first play if group_vars or host_vars are not valid YAML, with one line for each such file.
  - Does the same if C(fnn_build_dir) is in the directory of the inventory.
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
        sources = play.get_variable_manager()._inventory._sources
        problems = find_unreadable_files(sources)
        if not problems and (build := _find_build(play)):
            problems = refuse_generated_inside(sources, build)
        for each in problems:
            print(f"fnn: {each}", file=sys.stderr, flush=True)
        if problems:
            sys.exit(_UNREADABLE)


def _find_build(play: Any) -> Path | None:
    """Return the directory of generated files that the inventory or -e names; None for the default."""
    manager = play.get_variable_manager()
    hosts = manager._inventory.get_hosts("fnn_nodes", ignore_restrictions=True)[:1]
    try:
        variables = manager.get_vars(host=hosts[0] if hosts else None, play=play)
        given = Templar(loader=play.get_loader(), variables=variables).template(variables.get("fnn_build_dir"))
    except Exception:  # the play itself reports variables that are undefined or cannot be evaluated
        return None
    return Path(given).expanduser() if isinstance(given, str) else None

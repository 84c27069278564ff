# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends a run after the stage in which a node failed, with that node's reason as the last one.

Ansible goes on with the other nodes: minutes later, the proof fails on nodes that are right, because one of their peers
has no network. The plays of a playbook are one stage, and the stage ends first, so that it cleans up on the other nodes
and takes no new traffic to the failed one. A node that only does not answer stops no run: the other nodes reach it as
before (docs/how-to/changes.md). Nor does any node with fnn_proceed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import ansible.module_utils

_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.failed_tasks import is_rescued
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: fnn_stages
type: aggregate
short_description: End a run after the stage in which a node failed
description:
  - Ends a run before the next stage if a task failed on a node, unless C(fnn_proceed) is true.
"""

_PLAYBOOKS = _ROOT / "playbooks"
_FAILED = 2  # exit status of Ansible after a task failed


class CallbackModule(CallbackBase):
    """The callback plugin that Ansible loads."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "fnn_stages"

    def __init__(self) -> None:
        super().__init__()
        self._play: Any = None
        self._failed: dict[str, str] = {}  # host -> the task

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:
        is_ours = _find_file(self._play).is_relative_to(_PLAYBOOKS)
        if is_ours and not ignore_errors and not is_rescued(result.task):
            self._failed.setdefault(result.host.get_name(), result.task.get_name())

    def v2_playbook_on_play_start(self, play: Any) -> None:
        last, self._play = self._play, play
        if not self._failed or _find_file(last) == _find_file(play):
            return
        if _find_file(play).is_relative_to(_PLAYBOOKS) and not _proceeds(play):
            hosts, tasks = sorted(self._failed), dict.fromkeys(self._failed.values())
            names = f"{', '.join(hosts[:8])}{f' and {len(hosts) - 8} more' if len(hosts) > 8 else ''}"
            print(
                f"fnn: the run ends after the play {last.get_name()!r}, which failed on {names} ({', '.join(tasks)}); "
                "correct the cause above, and run again",
                file=sys.stderr,
                flush=True,
            )
            sys.exit(_FAILED)


def _find_file(play: Any) -> Path:
    return Path(str(play.get_path()).rpartition(":")[0]).resolve()


def _proceeds(play: Any) -> bool:
    manager = play.get_variable_manager()
    hosts = manager._inventory.get_hosts("fnn_nodes", ignore_restrictions=True)[:1]
    variables = manager.get_vars(host=hosts[0] if hosts else None, play=play)
    return bool(boolean(str(variables.get("fnn_proceed", False)), strict=False))

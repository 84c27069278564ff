# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports the progress of a run to ./fnn, which starts it: one JSON object per line, on the pipe FNN_EVENTS.

module_utils/fnn/controller/front/run/events.py reads them. Without FNN_EVENTS, as under ansible-playbook alone, this
plugin does nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ansible.module_utils
import yaml

_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.failed_tasks import is_rescued
from ansible.plugins.callback import CallbackBase
from ansible.template import Templar

DOCUMENTATION = """
name: fnn_events
type: aggregate
short_description: Report the progress of a run to ./fnn
description:
  - Writes plays, tasks, messages and failures as JSON lines to the file descriptor that FNN_EVENTS gives.
"""

_PLACES = ("fnn_site_dir", "fnn_build_dir", "fnn_redesign_output")
#: The first word in the name of a debug task -> the readers of its message: docs/contributor/modules.md.
_KINDS = {"Show": "result", "Report": "notice"}


class CallbackModule(CallbackBase):
    """The callback plugin that Ansible loads."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "fnn_events"

    def __init__(self) -> None:
        super().__init__()
        self._pipe = int(os.environ.get("FNN_EVENTS", "-1"))
        self._play: Any = None
        self._changed: set[str] = set()  # hosts; "" for the controller, to which tasks are delegated
        self._has_places = False
        if self._pipe < 0:
            self.disabled = True

    def v2_playbook_on_play_start(self, play: Any) -> None:
        # With `serial`, a play starts once more for each host that does not answer.
        last, self._play = self._play, play
        if last and (last.get_path(), last.get_name()) == (play.get_path(), play.get_name()):
            return
        self._write("play", name=play.get_name())

    def v2_playbook_on_task_start(self, task: Any, is_conditional: bool) -> None:
        self._write("task", name=task.get_name().rpartition(" : ")[2])
        if not self._has_places and (places := _find_places(self._play, task)):
            self._has_places = True
            self._write("places", **places)

    def v2_playbook_on_handler_task_start(self, task: Any) -> None:
        self.v2_playbook_on_task_start(task, False)

    def v2_runner_on_ok(self, result: Any) -> None:
        if result.result.get("changed"):
            self._changed.add("" if result.task.delegate_to else result.host.get_name())
        kind = _KINDS.get(result.task.get_name().rpartition(" : ")[2].partition(" ")[0])
        if result.task.resolved_action == "ansible.builtin.debug" and kind:
            shown = result.result.get("msg", result.result.get(str(result.task.args.get("var")), ""))
            self._write("message", kind=kind, text=_format_message(shown))

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:
        if not ignore_errors and not is_rescued(result.task):
            self._write_failure(result)

    def v2_runner_on_unreachable(self, result: Any) -> None:
        if not result.result.get("_ansible_ignore_unreachable") and not result.task.ignore_unreachable:
            self._write_failure(result, is_unreachable=True)

    def v2_playbook_on_stats(self, stats: Any) -> None:
        self._write("end", changed=sorted(self._changed - {""}), documents="" in self._changed)

    def _write_failure(self, result: Any, is_unreachable: bool = False) -> None:
        task = result.task.get_name().rpartition(" : ")[2]
        text = "\n".join(dict.fromkeys(_list_messages(result.result)))
        host = "" if result.task.run_once else result.host.get_name()
        self._write("failure", host=host, task=task, text=text, is_unreachable=is_unreachable)

    def _write(self, event: str, **facts: Any) -> None:
        line = json.dumps({"event": event, **facts}) + "\n"
        try:
            os.write(self._pipe, line.encode())
        except OSError:  # ./fnn was killed; the run goes on
            self.disabled = True


def _find_places(play: Any, task: Any) -> dict[str, str]:
    """Return the directories of the documents, by the defaults of the role of a task; empty if it has none."""
    manager = play.get_variable_manager()
    hosts = manager._inventory.get_hosts("fnn_nodes")[:1]
    if not (hosts and task._role):
        return {}
    variables = manager.get_vars(host=hosts[0], play=play, task=task)
    if "fnn_build_dir" not in variables:
        return {}
    templar = Templar(loader=play.get_loader(), variables=variables)
    try:
        return {name: str(templar.template(variables[name])) for name in _PLACES if name in variables}
    except Exception:  # the play itself reports variables that are undefined or cannot be evaluated
        return {}


def _format_message(shown: Any) -> str:
    """Return the text of a debug task: its msg, or the value of its var, as YAML if it is no text."""
    if isinstance(shown, list) and all(isinstance(each, str) for each in shown):
        return "\n".join(shown)
    return shown if isinstance(shown, str) else str(yaml.safe_dump(shown)).rstrip()


def _list_messages(result: dict[str, Any]) -> Iterator[str]:
    """Yield what failed: in a loop, the message of each item that failed; of a command, also its last line."""
    items = [each for each in result.get("results", ()) if each.get("failed")]
    for each in items or [result]:
        yield str(each.get("msg", "")).strip()
        if "cmd" in each and (lines := str(each.get("stderr") or each.get("stdout") or "").split("\n")):
            yield lines[-1].strip()

# SPDX-License-Identifier: GPL-3.0-or-later
"""action_plugins/save_answer.py: a packed answer becomes a file, and Ansible gets its path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.answers import read_answers
from ansible.module_utils.fnn.node.answer.pack import pack_answer
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play_context import PlayContext
from ansible.playbook.task import Task as AnsibleTask
from ansible.plugins.loader import connection_loader, init_plugin_loader
from ansible.template import Templar
from loading import load_file
from programs import ROOT

Act = Callable[[dict[str, Any], Path], dict[str, Any]]
ANSWER = {"heard": [{"device": "nic0", "hears": ["02:f0:00:00:01:00"]}]}


@pytest.fixture(scope="module")
def plugin() -> Any:
    init_plugin_loader()
    return load_file(ROOT / "action_plugins/fnn_links.py")


@pytest.fixture
def act(plugin: Any) -> Act:
    """The result of a task whose module gives this answer."""

    def execute(answer: dict[str, Any], file: Path) -> dict[str, Any]:
        task = AnsibleTask.load({"action": "fnn_links", "args": {"state": "collect", "file": str(file)}})
        connection = connection_loader.get("local", PlayContext(), "/dev/null")
        loader = DataLoader()
        action = plugin.ActionModule(task, connection, PlayContext(), loader, Templar(loader), None)
        action._execute_module = lambda task_vars, wrap_async: dict(answer)
        result: dict[str, Any] = action.run(task_vars={})
        return result

    return execute


def test_a_packed_answer_is_a_file_and_its_path(act: Act, tmp_path: Path) -> None:
    file = tmp_path / "observations/k00.json.gz"
    assert act({"changed": False, "packed": pack_answer(ANSWER)}, file) == {"changed": False, "file": str(file)}
    assert read_answers({"k00": str(file)}) == {"k00": ANSWER}


@pytest.mark.parametrize("answer", [{"failed": True, "msg": "no process"}, {"unreachable": True}, {"silent": []}])
def test_any_other_answer_is_passed_on_and_writes_no_file(answer: dict[str, Any], act: Act, tmp_path: Path) -> None:
    assert act(answer, tmp_path / "k00.json.gz") == answer
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_fails_in_one_line(act: Act, tmp_path: Path) -> None:
    (tmp_path / "observations").write_text("")
    result = act({"packed": pack_answer(ANSWER)}, tmp_path / "observations/k00.json.gz")
    assert result["failed"]
    assert result["msg"].startswith(f"{tmp_path}/observations/k00.json.gz: cannot be written: ")
    assert len(result["msg"].splitlines()) == 1

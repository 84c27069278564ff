# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn_module.py"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn_module import run_module
from ansible.module_utils.testing import patch_module_args

End = Callable[..., tuple[int, Result]]
OPTIONS = {"node": {"type": "str"}, "state": {"type": "str", "default": "bound"}}


@pytest.fixture
def end(root: Path, capsys: pytest.CaptureFixture[str]) -> End:
    """Runs a function as a module; returns exit status and result."""

    def end_module(run: Callable[[Task], Result], **given: Any) -> tuple[int, Result]:
        with patch_module_args({"root": str(root), **given}), pytest.raises(SystemExit) as ended:
            run_module(ControllerModule(run, OPTIONS, [("state", "replaced", ("node",))]))
        result: Result = json.loads(capsys.readouterr().out)
        result.pop("invocation", None)  # ansible-core 2.21 does not return it
        return int(ended.value.code or 0), result

    return end_module


def refuse(error: Exception) -> Callable[[Task], Result]:
    def run(_: Task) -> Result:
        raise error

    return run


def test_a_result_changes_nothing_by_default(end: End) -> None:
    assert end(lambda _: {"nodes": ["k00"]}) == (0, {"changed": False, "nodes": ["k00"]})
    assert end(lambda _: {"changed": True}) == (0, {"changed": True})


def test_a_task_has_the_options_with_their_defaults_and_the_root(end: End, root: Path) -> None:
    assert end(lambda task: dict(task.options), node="k01")[1] == {
        "changed": False,
        "node": "k01",
        "state": "bound",
        "root": str(root),
    }


@pytest.mark.parametrize("mode", [True, False])
def test_a_task_has_check_mode_and_diff_mode(end: End, mode: bool) -> None:
    modes = {"_ansible_check_mode": mode, "_ansible_diff": not mode}
    answer = end(lambda task: {"check": task.check_mode, "diffs": task.diff_mode}, **modes)[1]
    assert (answer["check"], answer["diffs"]) == (mode, not mode)


@pytest.mark.parametrize("error", [problem("fnn_mtu", "9 is too small"), OSError("fnn_mtu: 9 is too small")])
def test_an_error_ends_the_module_with_its_message(end: End, error: Exception) -> None:
    status, answer = end(refuse(error))
    assert (status, answer["failed"], answer["msg"]) == (1, True, "fnn_mtu: 9 is too small")
    assert "changed" not in answer


def test_a_result_that_failed_keeps_its_other_keys(end: End) -> None:
    status, answer = end(lambda _: {"failed": True, "msg": "not proved", "proof": {}})
    assert (status, answer["failed"], answer["msg"], answer["proof"]) == (1, True, "not proved", {})


def test_options_that_another_one_needs_are_required(end: End) -> None:
    status, answer = end(lambda _: {}, state="replaced")
    assert (status, answer["msg"]) == (1, "state is replaced but all of the following are missing: node")


def test_commands_run_as_given(end: End) -> None:
    assert end(lambda task: {"ended": task.run_command(["echo", "~/$HOME"])})[1]["ended"] == [0, "~/$HOME\n", ""]

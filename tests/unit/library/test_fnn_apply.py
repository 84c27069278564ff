# SPDX-License-Identifier: GPL-3.0-or-later
"""action_plugins/fnn_apply.py: the calls that one task makes, and their answers as one result."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.errors import AnsibleActionFail
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile, unpack
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play_context import PlayContext
from ansible.playbook.task import Task
from ansible.plugins.loader import connection_loader, init_plugin_loader
from ansible.template import Templar
from loading import load_file

NET = BundledFile("/usr/local/sbin/fnn-net", "file", 0o755, "#!/usr/bin/env python3\n")
LINKS = BundledFile("/etc/fnn/links", "file", 0o644, "red\n")
NODE = BundledFile("/etc/fnn/node", "file", 0o644, "# number of plans\ngeneration 8-3f2a9c1b0d2e\n")

Answers = list[dict[str, Any]]
Act = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def plugin(root: Path) -> Any:
    init_plugin_loader()
    return load_file(root / "action_plugins/fnn_apply.py")


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A build directory with one common file, and two of k00."""
    for name, files in (("common", [NET]), ("nodes/k00", [LINKS, NODE])):
        for file in files:
            place = tmp_path / name / file.path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(file.content)
        (tmp_path / name / "manifest.json").write_text(Bundle({}, files).manifest)
    return tmp_path


@pytest.fixture
def calls() -> list[dict[str, Any]]:
    return []


class Confirmations:
    """Takes the place of the loader of action plugins: fnn_confirm gives `answer`, or must not run."""

    def __init__(self) -> None:
        self.answer: dict[str, Any] | None = None
        self.arguments: list[dict[str, Any]] = []

    @property
    def action_loader(self) -> Confirmations:
        return self

    def get(self, name: str, task: Task, **_: object) -> Confirmations:
        assert name == task.action == "fnn_confirm"
        self.arguments.append(task.args)
        return self

    def run(self, task_vars: dict[str, Any]) -> dict[str, Any]:
        assert self.answer is not None
        return self.answer


@pytest.fixture
def confirmations() -> Confirmations:
    return Confirmations()


@pytest.fixture
def act(plugin: Any, build: Path, calls: list[dict[str, Any]], confirmations: Confirmations) -> Act:
    """Executes the task against a node that gives these answers."""

    def execute(*answers: dict[str, Any], check: bool = False, **options: Any) -> dict[str, Any]:
        given = {"bundle": str(build / "nodes/k00"), "delivered": str(build / "delivered/k00"), **options}
        task = Task.load({"action": "fnn_apply", "args": given, "check_mode": check})
        loader, context = DataLoader(), PlayContext()
        connection = connection_loader.get("local", context, "/dev/null")
        action = plugin.ActionModule(task, connection, context, loader, Templar(loader))
        action._shared_loader_obj = confirmations
        left = list(answers)

        def execute_module(name: str, module_args: dict[str, Any], task_vars: dict[str, Any]) -> dict[str, Any]:
            calls.append(module_args)
            return {"invocation": {}, **left.pop(0)}

        action._execute_module = execute_module
        result: dict[str, Any] = action.run(task_vars={})
        assert left == []
        return result

    return execute


def list_contents(call: dict[str, Any]) -> list[str]:
    return sorted(unpack(call["bundle"]).contents)


def test_a_second_call_brings_what_the_node_lacks(act: Act, build: Path, calls: list[dict[str, Any]]) -> None:
    common = str(build / "common")
    first = act({"changed": True}, common=common)
    assert list_contents(calls[0]) == [LINKS.path, NODE.path, NET.path]
    again = act({"missing": [NET.path]}, {"changed": True}, common=common, confirm=60, **{"pass": "prepare"})
    assert [list_contents(call) for call in calls[1:]] == [[], [NET.path]]
    assert all((call["confirm"], call["pass"], call["root"]) == (60, "prepare", "/") for call in calls[1:])
    assert again == {"changed": True, "sent": sum(len(call["bundle"]) for call in calls[1:])}
    assert first["sent"] == len(calls[0]["bundle"])


def test_a_satellite_gets_its_own_files_alone(act: Act, calls: list[dict[str, Any]]) -> None:
    act({"changed": True})
    assert [each.path for each in unpack(calls[0]["bundle"]).files] == [LINKS.path, NODE.path]


def test_a_failure_of_the_node_is_that_of_the_task(act: Act, build: Path) -> None:
    assert act({"failed": True, "msg": "no"})["msg"] == "no"
    assert not (build / "delivered").exists()


def test_check_mode_sends_the_list_and_writes_nothing(act: Act, build: Path, calls: list[dict[str, Any]]) -> None:
    before = sorted(build.rglob("*"))
    act({"changed": False}, check=True, common=str(build / "common"))
    assert list_contents(calls[0]) == []
    assert sorted(build.rglob("*")) == before


def test_files_that_are_not_rendered_are_an_error_of_the_task(act: Act, build: Path) -> None:
    (build / "nodes/k00/etc/fnn/links").unlink()
    message = f"{build}/nodes/k00/etc/fnn/links: No such file or directory, but the manifest lists it"
    with pytest.raises(AnsibleActionFail, match=re.escape(message)):
        act()


ARMED = {"changed": True, "armed": True}


@pytest.mark.parametrize(
    ("pass_name", "under_way"), [("prepare", False), ("all", False), ("clean", False), ("clean", True)]
)
def test_the_last_pass_of_a_node_confirms_its_change(
    act: Act, confirmations: Confirmations, pass_name: str, under_way: bool
) -> None:
    confirmations.answer = {"changed": False}
    result = act({**ARMED, "under_way": under_way}, confirm=60, **{"pass": pass_name})
    assert (result["changed"], result["armed"], result.get("failed")) == (True, False, None)
    assert confirmations.arguments == [{"generation": "8-3f2a9c1b0d2e", "lease": 0, "root": "/"}]


def test_a_change_with_a_lease_is_confirmed_and_still_waits(act: Act, confirmations: Confirmations) -> None:
    confirmations.answer = {"changed": True}
    result = act({**ARMED, "under_way": False}, confirm=60, lease=1800, **{"pass": "clean"})
    assert result["armed"] is True
    assert confirmations.arguments == [{"generation": "8-3f2a9c1b0d2e", "lease": 1800, "root": "/"}]


@pytest.mark.parametrize("confirm", [0, 121])
def test_a_lease_needs_a_timer_that_starts_before_its_end(act: Act, calls: list[dict[str, Any]], confirm: int) -> None:
    with pytest.raises(AnsibleActionFail, match="lease: needs confirm, which starts the timer of the rollback"):
        act(lease=120, confirm=confirm)
    assert calls == []


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        ({**ARMED, "under_way": True}, {"pass": "prepare"}),
        ({**ARMED, "under_way": True}, {"pass": "switch"}),
        ({"changed": True, "armed": False, "under_way": False}, {"pass": "prepare"}),
        ({"failed": True, "msg": "no"}, {"pass": "prepare"}),
        ({**ARMED, "under_way": False}, {"check": True}),
    ],
    ids=["prepare of several passes", "switch", "nothing waits", "failed", "check mode"],
)
def test_nothing_else_is_confirmed(
    act: Act, confirmations: Confirmations, answer: dict[str, Any], options: dict[str, Any]
) -> None:
    act(answer, **options)
    assert confirmations.arguments == []


def test_a_change_that_cannot_be_confirmed_fails(act: Act, confirmations: Confirmations) -> None:
    confirmations.answer = {"failed": True, "connection": True, "msg": "no new connection"}
    result = act({**ARMED, "under_way": False}, confirm=60, **{"pass": "prepare"})
    assert (result["failed"], result["msg"], result["armed"]) == (True, "no new connection", True)

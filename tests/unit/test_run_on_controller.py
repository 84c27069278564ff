# SPDX-License-Identifier: GPL-3.0-or-later
"""action_plugins/run_on_controller.py: which modules run in the process of Ansible, with which options and answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.errors import AnsibleActionFail
from ansible.module_utils.fnn.controller import site_workers
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play_context import PlayContext
from ansible.playbook.task import Task as AnsibleTask
from ansible.plugins.loader import become_loader, connection_loader, init_plugin_loader
from ansible.template import Templar, trust_as_template
from loading import load_file
from programs import ROOT

Act = Callable[..., Result]
PLUGIN = ROOT / "action_plugins/run_on_controller.py"
#: The search of the first ends on a signal; machines of the second outlive the run.
PROCESS_OF_ITS_OWN = {"fnn_design", "fnn_lab_machines"}
OPTIONS = {
    **{name: {"type": "str"} for name in ("node", "nic")},
    "files": {"type": "list", "elements": "path", "default": []},
}


@pytest.fixture(scope="module")
def plugin() -> Any:
    init_plugin_loader()
    return load_file(ROOT / "action_plugins/fnn_compare.py")


@pytest.fixture
def act(root: Path, monkeypatch: pytest.MonkeyPatch, plugin: Any) -> Act:
    """Executes a function as a task, through the plugin."""

    def execute(
        run: Callable[[Task], Result],
        transport: str = "local",
        become: bool = False,
        keywords: dict[str, Any] | None = None,
        **given: Any,
    ) -> Result:
        arguments = {"root": str(root), **given}
        task = AnsibleTask.load({"action": "fnn_compare", "args": arguments, **(keywords or {})})
        connection = connection_loader.get(transport, PlayContext(), "/dev/null")
        if become:
            connection.set_become_plugin(become_loader.get("sudo"))
        monkeypatch.setattr(plugin, "_MODULE", ControllerModule(run, OPTIONS, [("node", "k01", ("nic",))]))
        loader = DataLoader()
        action = plugin.ActionModule(task, connection, PlayContext(), loader, Templar(loader), None)
        action._execute_module = lambda task_vars, wrap_async: {"msg": "in a process of its own", "async": wrap_async}
        result: Result = action.run(task_vars={})
        return result

    return execute


def test_modules_of_the_controller_run_in_the_process_of_ansible() -> None:
    harnessed = {path.stem for path in (ROOT / "library").glob("*.py") if "def describe_module" in path.read_text()}
    links = {path.stem for path in PLUGIN.parent.iterdir() if path.is_symlink() and path.resolve() == PLUGIN}
    assert links == harnessed - PROCESS_OF_ITS_OWN


@pytest.mark.parametrize("name", ["fnn_compare", "fnn_lab_cable"])
def test_a_link_loads_the_module_of_its_name(root: Path, name: str) -> None:
    module = load_file(root / "action_plugins" / f"{name}.py")._MODULE
    assert Path(module.function.__code__.co_filename) == root / "library" / f"{name}.py"


def test_a_task_has_plain_options_with_defaults_and_expanded_paths(act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/op")
    seen: list[dict[str, Any]] = []

    def note(task: Task) -> Result:
        seen.append(dict(task.options))
        return {}

    act(note, node=trust_as_template("k02"), files=[trust_as_template("~/macs.json")])
    act(note)
    assert seen == [
        {"root": str(ROOT), "node": "k02", "nic": None, "files": ["/home/op/macs.json"]},
        {"root": str(ROOT), "node": None, "nic": None, "files": []},
    ]
    assert [type(each) for each in (seen[0]["node"], seen[0]["files"], seen[0]["files"][0])] == [str, list, str]


@pytest.mark.parametrize("mode", [True, False])
def test_a_task_has_check_mode_and_diff_mode(act: Act, mode: bool) -> None:
    keywords = {"check_mode": mode, "diff": not mode}
    answer = act(lambda task: {"check": task.check_mode, "diffs": task.diff_mode}, keywords=keywords)
    assert answer == {"changed": False, "check": mode, "diffs": not mode}


def test_a_worker_counts_as_working_while_the_module_runs(act: Act) -> None:
    assert act(lambda _: {"working": site_workers._working.is_set()})["working"]
    assert not site_workers._working.is_set()


def test_an_error_fails_the_task_with_its_message(act: Act) -> None:
    def refuse(_: Task) -> Result:
        raise OSError("fnn_mtu: 9 is too small")

    assert act(refuse) == {"failed": True, "msg": "fnn_mtu: 9 is too small"}


def test_wrong_options_fail_the_task(act: Act) -> None:
    with pytest.raises(AnsibleActionFail, match="node is k01 but all of the following are missing: nic"):
        act(lambda _: {}, node="k01")
    with pytest.raises(AnsibleActionFail, match=r"Unsupported parameters .*: nodes"):
        act(lambda _: {}, nodes="k01")


def test_warnings_are_part_of_the_answer(act: Act) -> None:
    def warn(task: Task) -> Result:
        task.warn("an engine of another version")
        return {}

    assert act(warn) == {"changed": False, "warnings": ["an engine of another version"]}


def test_commands_run_as_given_and_without_standard_input(act: Act) -> None:
    answer = act(lambda task: {"ended": task.run_command(["sh", "-c", "cat; echo $0 >&2; exit 3", "~/$HOME"])})
    assert answer["ended"] == [3, "", "~/$HOME\n"]


@pytest.mark.parametrize(
    "given",
    [
        {"become": True},
        {"transport": "ssh"},
        {"keywords": {"environment": {"LC_ALL": "C"}}},
        {"keywords": {"async": 9}},
    ],
)
def test_a_task_that_needs_a_process_of_its_own_gets_one(act: Act, given: dict[str, Any]) -> None:
    answer = act(lambda _: {"msg": "here"}, **given)
    assert answer == {"msg": "in a process of its own", "async": given.get("keywords", {}).get("async", 0)}


def test_an_empty_environment_needs_no_process(act: Act) -> None:
    assert act(lambda _: {"msg": "here"}, keywords={"environment": {}})["msg"] == "here"


def test_a_missing_package_fails_the_task_and_not_ansible(act: Act, root: Path, tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library/fnn_compare.py").write_text("import fnn_missing_package\n")
    (tmp_path / "action_plugins").mkdir()
    (tmp_path / "action_plugins/fnn_compare.py").symlink_to(PLUGIN)
    plugin = load_file(tmp_path / "action_plugins/fnn_compare.py")
    task = AnsibleTask.load({"action": "fnn_compare", "args": {"root": str(root)}})
    connection = connection_loader.get("local", PlayContext(), "/dev/null")
    answer = plugin.ActionModule(task, connection, PlayContext(), DataLoader(), None, None).run(task_vars={})
    assert answer["failed"]
    assert answer["msg"].startswith("No module named 'fnn_missing_package'; install the packages of requirements.txt")


def test_progress_is_shown_on_standard_error_while_the_module_runs(
    act: Act, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(task: Task) -> Result:
        task.report("half of it")
        return {"shown": capsys.readouterr().err}

    assert act(work) == {"changed": False, "shown": "half of it\n"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Roles and playbooks as a whole: what each must have besides its tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.module_utils.fnn.controller.switch_check.methods import METHODS
from ansible.module_utils.fnn.node.switch_check.measure import STEPS
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar, trust_as_template
from programs import ROOT

ROLES = sorted(path for path in (ROOT / "roles").iterdir() if path.is_dir())
PLAYBOOKS = [ROOT / "site.yml", *sorted((ROOT / "playbooks").rglob("*.yml")), *sorted(ROOT.glob("molecule/*/*.yml"))]
TASK_FILES = [
    path
    for pattern in ("site.yml", "playbooks/**/*.yml", "roles/*/tasks/**/*.yml", "roles/*/handlers/**/*.yml")
    for path in sorted(ROOT.glob(pattern))
]
#: Keys of plays and blocks under which tasks or blocks are listed.
TASK_LISTS = ("pre_tasks", "tasks", "post_tasks", "handlers", "block", "rescue", "always")
each_role = pytest.mark.parametrize("role", ROLES, ids=lambda path: path.name)


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def list_plays(path: Path) -> Iterator[dict[str, Any]]:
    content = read(path)
    if isinstance(content, list):  # molecule.yml is no playbook
        yield from (play for play in content if "hosts" in play)


@each_role
def test_a_role_documents_its_purpose_and_users(role: Path) -> None:
    info = read(role / "meta/main.yml")["galaxy_info"]
    assert info["license"] == "GPL-3.0-or-later"
    title, short, used, *_ = (role / "README.md").read_text().split("\n\n")
    assert title == f"# {role.name}"
    assert " ".join(short.split()).startswith(f"{info['description']}.")
    playbooks = [word.strip("`,.\n") for word in used.split() if "playbooks/" in word]
    assert all(list(ROOT.glob(name)) for name in playbooks), playbooks


@each_role
def test_a_role_describes_its_arguments(role: Path) -> None:
    entries = read(role / "meta/argument_specs.yml")["argument_specs"]
    # All variables of a cluster are checked once per run by the module fnn_variables, not for every host and role.
    assert ("variables" if role.name == "fnn" else "main") in entries
    assert all(entry["short_description"] for entry in entries.values())


@pytest.mark.parametrize("path", PLAYBOOKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_play_gathers_facts(path: Path) -> None:
    """A user's own configuration may gather facts by default, for seconds per run; no task needs them."""
    assert [play["name"] for play in list_plays(path) if play.get("gather_facts") is not False] == []


def list_set_variables(items: list[dict[str, Any]]) -> Iterator[str]:
    """Names of all variables that plays, blocks and tasks set, at any depth."""
    for item in items:
        facts = item.get("ansible.builtin.set_fact", {})
        yield from (name for name in (*item.get("vars", {}), *facts) if name != "cacheable")
        names = (item.get("loop_control", {}).get(key) for key in ("loop_var", "index_var"))
        yield from (name for name in (item.get("register"), *names) if name)
        yield from (name for key in TASK_LISTS for name in list_set_variables(item.get(key, [])))


@pytest.mark.parametrize("path", TASK_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_tasks_set_only_variables_with_the_prefix_of_the_toolkit(path: Path) -> None:
    """`-e` and the inventory override the variables of a task: a user's own `design` would replace ours."""
    content = read(path)
    names = list_set_variables(content) if isinstance(content, list) else ()
    assert [name for name in names if not name.startswith(("fnn_", "__fnn_", "ansible_"))] == []


def test_no_task_has_a_command_write_a_file_in_place() -> None:
    """`creates` accepts a partial file as complete."""
    assert len(TASK_FILES) > 20
    assert [str(path) for path in TASK_FILES if "'creates'" in repr(read(path))] == []


def list_tasks(items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All tasks of plays and blocks, at any depth."""
    for item in items:
        yield item
        yield from (task for key in TASK_LISTS for task in list_tasks(item.get(key, [])))


def expand(path: Path, items: list[dict[str, Any]], *keys: str) -> Iterator[dict[str, Any]]:
    """These tasks, with the tasks of files that they name under these keys in their place."""
    for item in items:
        named = [path.with_name(item[key]) for key in keys if key in item]
        if named and named[0].exists():
            yield from expand(named[0], read(named[0]), *keys)
        else:
            yield item


@pytest.mark.parametrize("path", TASK_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_section_always_for_all_hosts_runs_on_all_of_them(path: Path) -> None:
    """Where a task with `run_once` fails, Ansible 2.19 marks all hosts but one as failed twice. The second time ends
    the section `always` of the innermost block, so this block must be another one."""
    content, static = read(path), ("ansible.builtin.import_tasks",)
    for block in list_tasks(content) if isinstance(content, list) else ():
        last = expand(path, block.get("always", []), *static, "ansible.builtin.include_tasks")
        if any(not task.get("run_once") for task in last):
            own = expand(path, block["block"], *static)
            assert [task["name"] for task in own if task.get("run_once")] == [], block["name"]


@pytest.mark.parametrize("path", TASK_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_message_says_by_its_task_whether_it_is_a_result_or_concerns_every_operator(path: Path) -> None:
    """callback_plugins/fnn_events.py reads the first word; ./fnn shows the two kinds differently."""
    content = read(path)
    tasks = list_tasks(content) if isinstance(content, list) else ()
    names = [task["name"] for task in tasks if "ansible.builtin.debug" in task]
    assert [name for name in names if name.partition(" ")[0] not in ("Show", "Report")] == []


#: Modules that take the variables of routing.
WEIGHTED = [path.stem for path in sorted((ROOT / "library").glob("*.py")) if "fnn.weights" in path.read_text()]


def test_a_task_that_passes_the_routing_passes_the_weights() -> None:
    """The default of the module would hide that fnn_weights is false. Maintenance networks need neither."""
    tasks = [task for path in TASK_FILES if isinstance(read(path), list) for task in list_tasks(read(path))]
    found = {name: [task[name] for task in tasks if name in task] for name in WEIGHTED}
    assert len(found) == 3
    for name, arguments in found.items():
        assert {each.get("weights") for each in arguments if "routing" in each} == {"{{ fnn_weights }}"}, name


def ends_itself(play: dict[str, Any]) -> bool:
    """Whether the last task of a play ends it for all hosts."""
    return ends_play(play["tasks"][-1])


def ends_play(task: dict[str, Any]) -> bool:
    return bool(task.get("ansible.builtin.meta") == "end_play")


def test_no_role_ends_the_play_because_all_its_hosts_have_failed() -> None:
    """In a section `always`, ansible_play_hosts may be empty; then the rest of the section must still run."""
    files = [path for role in ROLES for path in sorted((role / "tasks").glob("*.yml"))]
    tasks = [
        task for path in files for task in list_tasks(read(path)) if task.get("ansible.builtin.meta") == "end_play"
    ]
    asked = [str(task["when"]) for task in tasks if "ansible_play_hosts |" in str(task.get("when"))]
    variables = {"ansible_play_hosts": [], "__fnn_network_unchanged": []}
    templar = Templar(loader=DataLoader(), variables=variables)
    assert [when for when in asked if templar.template(trust_as_template("{{ " + when + " }}"))] == []
    assert asked


def test_every_task_that_reads_nics_says_how_ansible_reaches_the_node() -> None:
    """Else the NIC over which Ansible arrives is protected, although it is one of the fabric."""
    files = [path for role in ROLES for path in sorted((role / "tasks").glob("*.yml"))]
    tasks = [task["fnn_links"] for path in files for task in list_tasks(read(path)) if "fnn_links" in task]
    reading = [task for task in tasks if task.get("state", "read") in ("read", "listen")]
    assert [task for task in reading if "access" not in task] == []
    assert len(reading) == 4


@pytest.mark.parametrize("path", PLAYBOOKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_play_of_the_controller_runs_for_one_host(path: Path) -> None:
    """`serial: 1` alone would run the play once for each host, `end_play` alone for all hosts at once."""
    plays = [play for play in list_plays(path) if play["hosts"] != "localhost" and "tasks" in play]
    assert [play["name"] for play in plays if (play.get("serial") == 1) != ends_itself(play)] == []


#: Roles whose tasks all run on the controller.
CONTROLLER_ROLES = ("design", "evaluate", "lab", "labels", "report", "scaling", "stand_in", "summary")


@pytest.mark.parametrize("path", PLAYBOOKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_roles_cost_nothing_per_node_that_they_need_not(path: Path) -> None:
    """For each host, Ansible takes about 20 ms for a skipped task and 40 ms to check the variables of a role."""
    for play in list_plays(path):
        for role in filter(None, (task.get("ansible.builtin.import_role") for task in play.get("tasks", ()))):
            whole = "tasks_from" not in role
            if role["name"].removeprefix("fnn_") in CONTROLLER_ROLES:
                assert play.get("serial") == 1 or play["hosts"] == "localhost", play["name"]
            elif whole and play.get("serial") != 1:
                assert role.get("rolespec_validate") is False, play["name"]


#: Internal default of a role -> the role.
INTERNAL = {name: path.parts[-4] for path in ROOT.glob("roles/*/defaults/main/internal.yml") for name in read(path)}


def test_a_play_with_a_condition_on_a_default_of_a_role_imports_it_publicly() -> None:
    """With `private_role_vars` in a user's own configuration, the play could not read it."""
    found = 0
    for play in (play for path in PLAYBOOKS for play in list_plays(path)):
        tasks = play.get("tasks", [])
        conditions = repr([task.get("when") for task in tasks])
        roles = {INTERNAL[name] for name in re.findall(r"__fnn_\w+", conditions) if name in INTERNAL}
        imports = [task.get("ansible.builtin.import_role", {}) for task in tasks]
        assert roles <= {role["name"] for role in imports if role.get("public")}, play["name"]
        found += len(roles)
    assert found > 0


def list_files(stage: str) -> list[str]:
    """The files of tasks of a role that the playbook of its stage imports."""
    imports = [
        task["ansible.builtin.import_role"]
        for play in read(ROOT / f"playbooks/{stage}.yml")
        for task in play.get("tasks", ())
        if "ansible.builtin.import_role" in task
    ]
    return [each.get("tasks_from", "main") for each in imports if each["name"] == f"fnn_{stage}"]


@pytest.mark.parametrize("stage", ["check", "verify", "mpi", "prove"])
def test_a_stage_spends_no_task_of_a_node_on_includes_or_on_variables_that_are_checked_already(stage: str) -> None:
    """Each costs 30 ms per node: half a minute of a thousand nodes."""
    plays = [play for play in read(ROOT / f"playbooks/{stage}.yml") if "tasks" in play]
    for task in (task for play in plays for task in play["tasks"] if "ansible.builtin.meta" not in task):
        assert task["ansible.builtin.import_role"]["rolespec_validate"] is False, task["name"]
    tasks = [task for file in list_files(stage) for task in list_role_tasks(f"fnn_{stage}", file)]
    tasks += list_tasks(read(ROOT / "playbooks/remove.yml"))
    assert tasks
    assert [task["name"] for task in tasks if "ansible.builtin.include" in str(task)] == []


#: Tasks of nodes with a condition. Each is in a play that ends before it if no node needs the play; only in the play of
#: MPI one of two may then be skipped by all nodes.
CONDITIONAL = {
    "Send by the new plan",
    "Remove entries that only the former plan needed",
    "Run the relearn probe on a satellite",
    "Record the result of the probe",
    "Install the MPIs",
    "Install the keys of all nodes and the wrapper library of MPICH",
}


def test_a_stage_has_no_task_that_every_node_skips() -> None:
    """A skipped task costs 18 ms per node."""
    tasks = [task for stage in STAGES for file in list_files(stage) for task in list_role_tasks(f"fnn_{stage}", file)]
    assert {task["name"] for task in tasks if contacts_nodes(task) and "when" in task} == CONDITIONAL


def list_role_tasks(role: str, file: str) -> Iterator[dict[str, Any]]:
    """Tasks of a file of a role, with those that it imports or includes from the same role, in order."""
    for task in list_tasks(read(ROOT / f"roles/{role}/tasks/{file}.yml")):
        other = task.get("ansible.builtin.import_tasks") or task.get("ansible.builtin.include_tasks")
        if isinstance(other, str) and "{{" not in other:
            yield from list_role_tasks(role, other.removesuffix(".yml"))
        else:
            yield task


def contacts_nodes(task: dict[str, Any]) -> bool:
    """Whether a task of a role runs a module on every node."""
    local = ("ansible.builtin.meta", "ansible.builtin.import_role", "ansible.builtin.include_role", "block")
    return not (task.get("run_once") or task.get("delegate_to") or any(name in task for name in local))


STAGES = ("check", "discover", "verify", "network", "mpi", "prove")


#: Playbooks whose plays also run on a dead node: all traces are to go, or one node is named by a variable.
ON_EVERY_NODE = {"adhoc/blink.yml", "adhoc/replace-nic.yml", "remove.yml"}
OF_NODES = [
    path
    for path in sorted((ROOT / "playbooks").rglob("*.yml"))
    if any(play["hosts"] != "localhost" and play.get("serial") != 1 for play in list_plays(path))
    and str(path.relative_to(ROOT / "playbooks")) not in ON_EVERY_NODE
]


@pytest.mark.parametrize("path", OF_NODES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_play_contacts_nodes_for_which_a_spare_stands_in(path: Path) -> None:
    """Such a node is dead: each contact would fail, and with it the run. A condition costs 5 ms per node and play."""
    imports = [play.get("import_playbook", "") for play in read(path)]
    grouped = next(number for number, name in enumerate(imports) if name.endswith("parts/replaced-nodes.yml"))
    assert all(name.startswith("parts/") for name in imports[:grouped])
    plays = [play for play in list_plays(path) if play["hosts"] != "localhost"]
    assert [play["name"] for play in plays if not play["hosts"].endswith(":!~^(fnn_replaced|ungrouped)$")] == []


def list_steps() -> list[str]:
    """The task files of fnn_network that playbooks/network.yml runs, in order."""
    tasks = [task for play in list_plays(ROOT / "playbooks/network.yml") for task in play["tasks"]]
    roles = (task.get("ansible.builtin.import_role") or task.get("ansible.builtin.include_role") for task in tasks)
    return [role["tasks_from"] for role in filter(None, roles) if role["name"] == "fnn_network"]


def test_only_the_stage_that_has_looked_for_unchanged_nodes_leaves_them_out() -> None:
    """A rewiring and a measurement over the tree change all nodes later in the same run."""
    selecting = [play for play in list_plays(ROOT / "playbooks/network.yml") if "__fnn_network_selects" in str(play)]
    roles = [task["ansible.builtin.import_role"] for play in selecting for task in play["tasks"][-1:]]
    assert [role["tasks_from"] for role in roles] == ["select", "prepare", "switch", "record"]
    assert all(play["vars"] == {"__fnn_network_selects": True} for play in selecting)
    setting = [path for path in TASK_FILES if "__fnn_network_selects" in path.read_text()]
    assert setting == [ROOT / "playbooks/network.yml"]
    assert read(ROOT / "roles/fnn_network/defaults/main/internal.yml")["__fnn_network_selects"] is False


def test_nodes_are_recorded_as_confirmed_after_the_last_pass() -> None:
    """fnn_only_changed would forget a node that is recorded and then fails."""
    assert list_steps() == ["select", "prepare", "switch", "record", "rotate_old"]
    passes = {task["fnn_apply"]["pass"] for task in read(ROOT / "roles/fnn_network/tasks/switch.yml")[1:]}
    assert passes == {"switch", "clean"}, "the pass clean confirms (action_plugins/fnn_apply.py)"


def test_the_check_of_a_switch_measures_every_step_in_the_order_that_they_need() -> None:
    """A step that the role leaves out would make its traits unknown."""
    plan = read(ROOT / "roles/fnn_switch_check/vars/main.yml")["__fnn_switch_check_plan"]
    assert [each["step"] for each in plan] == list(STEPS)
    assert {each.step for each in METHODS.values() if each.step} == {*STEPS}

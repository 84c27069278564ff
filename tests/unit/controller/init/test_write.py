# SPDX-License-Identifier: GPL-3.0-or-later
"""A new inventory: its text, which Ansible reads as the answers, and the directory, written whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.init.answers import Answers, Group, Nic, list_switches
from ansible.module_utils.fnn.controller.init.write import HOSTS, VARIABLES, format_inventory, write_inventory
from ansible.module_utils.fnn.controller.spec.spec import build_spec
from ansible.module_utils.fnn.shared.errors import FnnError

FIVE = (Group(5),)
SMALL = Answers("small", 6, (Nic(),) * 2, (FIVE,) * 3, user="admin")
SIXTEEN = Answers("sixteen", 16, (Nic(None, 2500),) * 3, ((Group(8, 2500),),) * 6, user="admin")
FAST = replace(
    SMALL, nics=(Nic("enp2s0", 2500, "sfp"), Nic("enp3s0", 2500, "sfp")), switches=((Group(5, 2500, "sfp"),),) * 3
)
#: Names that YAML would read as booleans, and an address that needs quotes.
ODD = Answers(
    "odd", 2, (Nic("y"), Nic("e@1")), ((Group(2),),), node_names=("no", "on"), user="null",
    addresses=("fd::1", "10.0.0.2"),
)  # fmt: skip
#: Eleven nodes, one of them older, on two kinds of switches, one with ports of two kinds.
MIXED = Answers(
    "mixed", 11, (Nic("eno1"), Nic("enp2s0", 2500), Nic("enp3s0", 2500)),
    ((Group(8, 2500), Group(2, 10000, "sfp")),) * 3 + (FIVE,) * 2, others={3: (Nic("eth0"),), 7: (Nic("eth0"),)},
)  # fmt: skip
ALL = {
    "small": SMALL,
    "fast": FAST,
    "odd": ODD,
    "many": Answers("many", 300, (Nic(None, 10000),) * 3, ((Group(24, 10000),),) * 40, become=False),
    "mixed": MIXED,
}


def read(answers: Answers) -> tuple[dict[str, Any], dict[str, Any]]:
    files = format_inventory(answers)
    return yaml.safe_load(files[HOSTS])["fnn_nodes"], yaml.safe_load(files[VARIABLES])


@pytest.mark.parametrize(("name", "answers"), [("example-small", SMALL), ("sixteen", SIXTEEN)])
def test_these_inventories_are_what_init_writes(name: str, answers: Answers, root: Path) -> None:
    """After a change here: ./fnn init with the name and the answers above, then `make designs`."""
    site = root / "inventory" / name
    assert format_inventory(answers) == {name: (site / name).read_text() for name in (HOSTS, VARIABLES)}


@pytest.mark.parametrize("name", ALL)
def test_the_files_pass_yamllint(name: str, root: Path, tmp_path: Path) -> None:
    paths = write_inventory(ALL[name], tmp_path / "new")
    lint = [Path(sys.executable).with_name("yamllint"), "--strict", "-c", root / ".yamllint", *paths]
    done = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert [path for path in paths if max(map(len, path.read_text().splitlines())) > 120] == []


@pytest.mark.parametrize("name", ALL)
def test_the_engine_reads_the_answers_from_the_files(name: str, engine: Designer, tmp_path: Path) -> None:
    answers, files = ALL[name], format_inventory(ALL[name])
    groups, variables = yaml.safe_load(files[HOSTS]), yaml.safe_load(files[VARIABLES])
    names = list(groups["fnn_nodes"]["hosts"])
    own = {
        node: group["vars"]["fnn_nics"]
        for kind, group in groups.items()
        if kind != "fnn_nodes"
        for node in group["hosts"]
    }
    of_spec = {name: variables[name] for name in ("fnn_cluster", "fnn_switches")}
    nics = {"fnn_nics": {node: own.get(node, variables["fnn_nics"]) for node in names}}
    spec = engine.normalize(build_spec(names, of_spec, nics), tmp_path)
    assert (spec["cluster"], len(spec["nodes"])) == (answers.name, answers.nodes)
    expected = [answers.others.get(rank, answers.nics) for rank in range(answers.nodes)]
    assert [[Nic(**nic) for nic in node["nics"]] for node in spec["nodes"]] == [list(each) for each in expected]
    assert [each["name"] for each in spec["switches"]] == list_switches(answers)
    assert tuple(tuple(Group(**group) for group in each["ports"]) for each in spec["switches"]) == answers.switches


def test_a_person_sees_the_kinds_of_nodes_and_switches() -> None:
    files = format_inventory(MIXED)
    hosts = """
# 2 nodes with other NICs than group_vars/all/fnn.yml says.
kind_2:
  hosts:
    k03:
    k07:
  vars:
    fnn_nics:
      - {name: eth0, speed_mbps: 1000, media: rj45}
"""
    assert files[HOSTS].endswith(hosts)
    lines = files[VARIABLES].splitlines()
    kinds = "9 nodes with 3 NICs each and 2 nodes with 1 NIC each on 3 switches with 10 ports each and"
    assert lines[1:3] == [f"# The hardware of the cluster: {kinds}", "# 2 switches with 5 ports each."]
    assert "# Nodes that differ are in groups of their own in hosts.yml." in files[VARIABLES]
    assert "  - {name: yellow, ports: 5}" in lines


def test_login_and_addresses_are_as_given() -> None:
    assert read(SMALL)[0]["vars"] == {"ansible_user": "admin", "ansible_become": True}
    assert set(read(SMALL)[0]["hosts"].values()) == {None}
    nodes = read(ODD)[0]
    assert nodes["hosts"] == {"no": {"ansible_host": "fd::1"}, "on": {"ansible_host": "10.0.0.2"}}
    assert nodes["vars"]["ansible_user"] == "null"
    assert read(ALL["many"])[0]["vars"] == {"ansible_become": False}


def test_an_existing_directory_is_refused_and_stays(tmp_path: Path) -> None:
    there = tmp_path / "mine"
    there.mkdir()
    for place in (there, tmp_path / "link"):
        (tmp_path / "link").is_symlink() or (tmp_path / "link").symlink_to("nowhere")
        with pytest.raises(FnnError) as error:
            write_inventory(SMALL, place)
        assert str(error.value) == f"{place}: exists and stays as it is; choose another name, or remove it first"
    assert list(there.iterdir()) == []


def test_wrong_answers_write_nothing(tmp_path: Path) -> None:
    with pytest.raises(FnnError, match="--nodes: 0 is out of range"):
        write_inventory(replace(SMALL, nodes=0), tmp_path / "mine")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path, *_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(FnnError) as error:
        write_inventory(SMALL, tmp_path / "mine")
    remedy = f"free some space in {tmp_path} (df -h {tmp_path}), then run this again"
    assert str(error.value) == f"{tmp_path / 'mine'}: cannot be written: No space left on device; {remedy}"
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_appears_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, rename = tmp_path / "mine", Path.rename

    def race(self: Path, target: Path) -> Path:
        (mine / "other").mkdir(parents=True)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", race)
    with pytest.raises(FnnError, match="exists and stays as it is"):
        write_inventory(SMALL, mine)
    assert [path.name for path in tmp_path.rglob("*")] == ["mine", "other"]

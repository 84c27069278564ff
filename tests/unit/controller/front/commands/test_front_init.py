# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn init: options, questions, the first node, and the inventory that it writes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from ansible.module_utils.fnn.controller.front.commands import cluster, init
from ansible.module_utils.fnn.controller.init.read_node import FoundNic
from ansible.module_utils.fnn.shared.errors import problem

Fnn = Callable[..., int]
NUMBERS = ("--nodes", "6", "--nics", "2", "--switches", "3", "--ports", "5")
NICS = (
    FoundNic("eno1", 1000, "copper", "e1000e", "carries the SSH connection from 192.168.1.2"),
    FoundNic("enp2s0", 2500, "copper", "igc"),
    FoundNic("enp3s0", 2500, "copper", "igc"),
    FoundNic("enp4s0", None),
)


@pytest.fixture(autouse=True)
def inventories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the inventories; the engine shows nothing."""
    monkeypatch.setattr(init, "INVENTORIES", tmp_path / "inventory")
    monkeypatch.setattr(cluster, "show_wiring", lambda path: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "inventory"


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A terminal, whose user gives these answers to questions; to the others the default."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)

    def prompt(
        question: str, default: Any = None, value_proc: Callable[[Any], Any] = lambda answer: answer, **_: Any
    ) -> Any:
        return value_proc(given.get(question.partition(",")[0], default))

    monkeypatch.setattr(click, "prompt", prompt)
    return given


def read_variables(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((directory / "group_vars/all/fnn.yml").read_text())
    return found


def test_options_alone_write_an_inventory_and_design_it(
    fnn: Fnn, ansible: Any, inventories: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fnn("init", "mine", *NUMBERS, "--node-prefix", "pc", "--user", "admin") == 0
    hosts = yaml.safe_load((inventories / "mine/hosts.yml").read_text())["fnn_nodes"]
    assert (list(hosts["hosts"])[::5], hosts["vars"]["ansible_user"]) == (["pc00", "pc05"], "admin")
    (command,) = ansible.commands
    assert command[2:4] == [str(inventories / "mine"), "playbooks/design.yml"]
    assert capsys.readouterr().out.splitlines() == [
        "written: inventory/mine/hosts.yml",
        "written: inventory/mine/group_vars/all/fnn.yml",
        "",
        "next: ./fnn -i mine labels, then ./fnn -i mine check",
    ]


def test_a_plug_of_two_devices_is_written_as_one_nic(
    fnn: Fnn, ansible: Any, inventories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nic = FoundNic("enp1s0f0np0", 200000, "module", "mlx5_core", twin="enP2p1s0f0np0")
    monkeypatch.setattr(init, "read_nodes", lambda hosts, user: [(nic,)])
    numbers = ("--nodes", "6", "--switches", "1", "--ports", "8", "--media", "qsfp56")
    assert fnn("init", "mine", *numbers, "--read", "k00") == 0
    assert read_variables(inventories / "mine")["fnn_nics"] == [
        {"name": "enp1s0f0np0", "twin": "enP2p1s0f0np0", "speed_mbps": 200000, "media": "qsfp56"}
    ]
    first = "k00: enp1s0f0np0 and enP2p1s0f0np0 of one plug, 200000 Mb/s, mlx5_core: for the fabric"
    assert capsys.readouterr().out.splitlines()[0] == first


def test_questions_fill_what_options_leave_out_and_the_designer_counts_switches(
    fnn: Fnn, answers: dict[str, Any], inventories: Path, designer: Path
) -> None:
    answers.update({"Number of nodes": "6", "Ports of each switch": "5"})
    assert fnn("init", "mine", "--nics", "2") == 0
    variables = read_variables(inventories / "mine")
    assert [each["name"] for each in variables["fnn_switches"]] == ["red", "blue", "green"]
    assert (variables["fnn_nics"], variables["fnn_switches"][0]["ports"]) == (2, 5)


def test_ports_that_no_number_of_switches_makes_enough_are_refused_before_anything_is_written(
    fnn: Fnn, answers: dict[str, Any], inventories: Path, designer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers.update({"Number of nodes": "6", "Ports of each switch": "3"})
    assert (fnn("init", "mine", "--nics", "2"), inventories.exists()) == (1, False)
    error = capsys.readouterr().err
    assert error.startswith(
        "fnn: no number of switches is enough: n000 with 2 NICs can share a switch with at most 4 nodes, but there"
    )
    assert "; it is feasible with 1 more port per switch" in error


def test_a_node_that_is_read_names_its_fabric_nics_and_their_speed(
    fnn: Fnn, inventories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(init, "read_nodes", lambda hosts, user: [NICS])
    assert fnn("init", "mine", *NUMBERS, "--read", "k00") == 0
    nics = read_variables(inventories / "mine")["fnn_nics"]
    assert [(nic["name"], nic["speed_mbps"]) for nic in nics] == [("enp2s0", 2500), ("enp3s0", 2500)]
    assert capsys.readouterr().out.splitlines()[:4] == [
        "k00: eno1, 1000 Mb/s, e1000e: carries the SSH connection from 192.168.1.2",
        "k00: enp2s0, 2500 Mb/s, igc: for the fabric",
        "k00: enp3s0, 2500 Mb/s, igc: for the fabric",
        "k00: enp4s0, speed unknown: for the fabric",
    ]


def test_every_node_with_an_address_is_read_and_equal_nodes_are_one_kind(
    fnn: Fnn, inventories: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = (FoundNic("eth0", 1000, "copper"), FoundNic("eth1", 10000, "module"))
    found = {"192.168.1.11": NICS, "192.168.1.12": old, "192.168.1.13": problem("192.168.1.13", "no route to host")}
    monkeypatch.setattr(init, "read_nodes", lambda hosts, user: [found.get(host, NICS) for host in hosts])
    addresses = ",".join(f"192.168.1.{number}" for number in range(11, 16))
    words = ("--addresses", addresses, "--switches", "2 of 5x2.5 + 2 SFP, 1 of 5")
    assert fnn("init", "mine", *words) == 0
    groups = yaml.safe_load((inventories / "mine/hosts.yml").read_text())
    assert list(groups["fnn_nodes"]["hosts"]) == ["k00", "k01", "k02", "k03", "k04"]
    assert groups["kind_2"] == {
        "hosts": {"k01": None},
        "vars": {
            "fnn_nics": [
                {"name": "eth0", "speed_mbps": 1000, "media": "rj45"},
                {"name": "eth1", "speed_mbps": 10000, "media": "sfp+"},
            ]
        },
    }
    variables = read_variables(inventories / "mine")
    assert [nic["name"] for nic in variables["fnn_nics"]] == ["enp2s0", "enp3s0", "enp4s0"]
    assert [each["ports"] for each in variables["fnn_switches"]] == [
        *[[{"count": 5, "speed_mbps": 2500, "media": "rj45"}, {"count": 2, "speed_mbps": 1000, "media": "sfp"}]] * 2,
        5,
    ]
    assert capsys.readouterr().err == "fnn: 192.168.1.13: no route to host; going on without it\n"


def test_words_for_nics_and_ports_that_cannot_be_read_are_named(
    fnn: Fnn, inventories: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fnn("init", "mine", "--nodes", "6", "--nics", "1x1 & 2x2.5", "--switches", "3", "--ports", "5") == 1
    assert capsys.readouterr().err.startswith("fnn: --nics: '1x1 & 2x2.5' is no group of sockets; expected a number,")
    assert not inventories.exists()


def test_without_a_terminal_all_missing_options_are_named(
    fnn: Fnn, ansible: Any, inventories: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (fnn("init", "mine", "--nics", "2"), inventories.exists()) == (2, False)
    message = "fnn: Missing --nodes, --ports, --switches; on a terminal, init asks for them. See ./fnn init --help\n"
    assert capsys.readouterr().err == message


def test_wrong_answers_are_named_at_once(fnn: Fnn, inventories: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--nodes", "1", "--nics", "0", "--switches", "3", "--ports", "5")
    assert (fnn("init", "mine", *words), inventories.exists()) == (1, False)
    assert [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()] == ["--nodes", "--nics"]


@pytest.mark.usefixtures("answers")
@pytest.mark.parametrize(("words", "named"), [(["Mine"], "NAME"), (["mine", "--nics", "99"], "--nics")])
def test_a_wrong_name_or_number_is_refused_before_the_first_question(
    fnn: Fnn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    monkeypatch.setattr(init, "read_nodes", lambda *_: [])
    monkeypatch.setattr(click, "prompt", lambda question, **_: pytest.fail(question))
    assert fnn("init", *words) == 1
    assert capsys.readouterr().err.startswith(f"fnn: {named}: ")


def test_an_inventory_that_exists_is_kept_and_no_question_is_asked(
    fnn: Fnn, ansible: Any, inventories: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (inventories / "mine").mkdir(parents=True)
    assert (fnn("init", "mine"), ansible.asked) == (1, [])
    assert capsys.readouterr().err == "fnn: inventory/mine: exists already; choose another name, or edit it\n"


def test_after_a_design_that_fails_the_inventory_stays_to_be_edited(
    fnn: Fnn, ansible: Any, inventories: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(2, None)]
    assert fnn("init", "mine", *NUMBERS) == 2
    assert (inventories / "mine/hosts.yml").exists()
    assert capsys.readouterr().err.endswith("fnn: edit inventory/mine, then run ./fnn -i mine design\n")

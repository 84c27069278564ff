# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_prove_node.py: releases, the compiled program, and pings; scripts replace launchers, ip and ping."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.reach import learn
from ansible.module_utils.fnn.shared.peers import Peers
from module_runner import RunModule

DIRECTORY = "/usr/local/libexec/fnn"
SOURCE = "int main(void) { return 7; }\n"
MPIS = [{"flavor": "Open MPI", "compiler": "gcc"}, {"flavor": "MPICH", "compiler": "c99"}]
PEERS = ["10.78.0.2", "10.78.0.3"]
ROUTES = [{"dst": peer, "protocol": "196"} for peer in PEERS]


def write(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs that come first on PATH; ping notes its last word in `pinged`."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    monkeypatch.setattr(learn, "read_avoided", lambda _: [])
    write(programs / "mpirun.openmpi", "echo 'mpirun (Open MPI) 4.1.4'")
    write(programs / "mpiexec.mpich", "echo 'Version: 4.0.2'")
    write(programs / "ip", f"case \"$*\" in *route*) echo '{json.dumps(ROUTES)}' ;; *) echo '[]' ;; esac")
    write(programs / "ping", f'for word; do :; done; echo "$word" >> {tmp_path}/pinged')
    return programs


@pytest.fixture
def options(programs: Path, tmp_path: Path) -> dict[str, Any]:
    """Options of the module, with the root of a node in which the directory is missing."""
    root = tmp_path / "root"
    (root / "usr/local").mkdir(parents=True)
    return {"root": root, "directory": DIRECTORY, "source": SOURCE, "mpi": MPIS}


def list_files(root: Path) -> list[str]:
    return sorted(each.name for each in (root / DIRECTORY[1:]).iterdir())


def test_each_compiler_makes_a_program_that_runs(run_module: RunModule, options: dict[str, Any]) -> None:
    answer = run_module("fnn_prove_node", **options)
    assert answer["files"][:2] == ["/usr/local/libexec", DIRECTORY]
    assert answer["versions"] == {"Open MPI": "4.1.4", "MPICH": "4.0.2"}
    assert "diff" not in answer
    assert list(answer["programs"]) == ["gcc", "c99"]
    for path in answer["programs"].values():
        assert subprocess.run([options["root"] / path[1:]], check=False).returncode == 7
    again = run_module("fnn_prove_node", **options)
    assert (again["changed"], again["files"], again["programs"]) == (False, [], answer["programs"])


def test_every_peer_of_the_plan_gets_a_packet(run_module: RunModule, options: dict[str, Any], tmp_path: Path) -> None:
    run_module("fnn_prove_node", **options)
    assert sorted((tmp_path / "pinged").read_text().split()) == PEERS


def test_the_answers_of_peers_are_returned_if_nothing_captures(
    run_module: RunModule, options: dict[str, Any], tmp_path: Path
) -> None:
    reach = run_module("fnn_prove_node", **options, reach=True)["reach"]
    assert (reach["asked"], reach["complete"], reach["avoided"]) == (2, False, []), "no NIC has a size of packets"
    assert {peer: seen["reached"] for peer, seen in Peers(reach["peers"]).items()} == dict.fromkeys(PEERS, True)
    assert sorted((tmp_path / "pinged").read_text().split()) == PEERS
    assert "reach" not in run_module("fnn_prove_node", **options)


def test_nics_that_stay_avoided_do_not_stop_the_preparation(
    run_module: RunModule, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(learn, "read_avoided", lambda _: asked.append(1) or [("k05", "red")])
    assert "failed" not in run_module("fnn_prove_node", **options, settle=0.7)
    assert len(asked) >= 2
    assert (tmp_path / "pinged").exists()


def test_programs_of_a_former_source_are_removed(run_module: RunModule, options: dict[str, Any]) -> None:
    run_module("fnn_prove_node", **options)
    former = list_files(options["root"])
    (options["root"] / DIRECTORY[1:] / "theirs").touch()
    run_module("fnn_prove_node", **options | {"source": SOURCE.replace("7", "8")})
    assert len(list_files(options["root"])) == len(former) + 1
    assert not set(former) & set(list_files(options["root"]))


def test_programs_of_mpis_that_are_not_tested_stay(run_module: RunModule, options: dict[str, Any]) -> None:
    run_module("fnn_prove_node", **options)
    before = list_files(options["root"])
    answer = run_module("fnn_prove_node", **options | {"mpi": []})
    assert (answer["changed"], answer["versions"], answer["programs"]) == (False, {}, {})
    assert list_files(options["root"]) == before


def test_check_mode_shows_the_source_writes_nothing_and_sends_nothing(
    run_module: RunModule, options: dict[str, Any], tmp_path: Path
) -> None:
    answer = run_module("fnn_prove_node", check=True, diff=True, **options)
    assert answer["changed"] is True
    assert [each["after"] for each in answer["diff"]] == [f"mode 0644\n{SOURCE}"]
    root = options["root"]
    assert sorted(str(each.relative_to(root)) for each in root.rglob("*")) == ["usr", "usr/local"]
    assert not (tmp_path / "pinged").exists()


def test_a_missing_mpi_is_reported_to_the_controller_which_compares_all_nodes(
    run_module: RunModule, options: dict[str, Any], programs: Path
) -> None:
    write(programs / "mpiexec.mpich", "exit 1")
    mpis = [MPIS[0], {"flavor": "MPICH", "compiler": "fnn-no-compiler"}]
    answer = run_module("fnn_prove_node", **options | {"mpi": mpis})
    assert (answer["versions"], list(answer["programs"])) == ({"Open MPI": "4.1.4", "MPICH": None}, ["gcc"])


def test_a_missing_compiler_is_named(run_module: RunModule, options: dict[str, Any]) -> None:
    mpi = [{"flavor": "Open MPI", "compiler": "fnn-no-compiler"}]
    answer = run_module("fnn_prove_node", **options | {"mpi": mpi})
    assert answer["msg"] == "fnn-no-compiler: No such file or directory"


def test_an_unreadable_network_state_is_named(run_module: RunModule, options: dict[str, Any], programs: Path) -> None:
    write(programs / "ip", "exit 2")
    answer = run_module("fnn_prove_node", **options)
    assert answer["msg"].startswith("cannot read the network state of this node: ")

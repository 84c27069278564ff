# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/engine.py, with the real engine where its answer matters."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import dumps, read_json
from ansible.module_utils.fnn.controller.engine import Designer, DesignFailed
from ansible.module_utils.fnn.shared.errors import FnnError

OPTIONS = {"seed": 1, "time_limit": 1.0, "steps": None, "threads": 1, "near": None}


def run(command: Sequence[str]) -> tuple[int, str, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def write_spec(path: Path, nics: int, ports: int) -> Path:
    nodes = [{"name": f"k0{index}", "nics": nics} for index in range(6)]
    switches = [{"name": name, "ports": ports} for name in ("red", "blue", "green")]
    spec = {"format": "fnn-spec", "version": 1, "cluster": "six", "topology": "fnn"}
    path.write_text(dumps({**spec, "nodes": nodes, "switches": switches}))
    return path


SPEC = {
    "format": "fnn-spec",
    "version": 1,
    "cluster": "six",
    "topology": "fnn",
    "nodes": [{"name": "k00", "nics": 1}, {"name": "k01", "nics": 1}],
    "switches": [{"name": "red", "ports": 2}],
    "patterns": [{"kind": "pairs", "file": "traffic.csv"}],
}


def test_files_that_a_spec_names_are_read_from_its_directory(designer: Path, tmp_path: Path) -> None:
    (tmp_path / "traffic.csv").write_text("k01,k00,2.5\n")
    normal = Designer(designer, run).normalize(SPEC, tmp_path)
    assert normal["patterns"] == [{"kind": "pairs", "weight": 1, "pairs": [["k00", "k01", 2.5]]}]
    with (tmp_path / "traffic.csv").open("wb") as hole:
        hole.truncate(257 << 20)
    with pytest.raises(FnnError) as caught:
        Designer(designer, run).normalize(SPEC, tmp_path)
    assert str(caught.value) == "/patterns/0/file: traffic.csv is larger than 256 MiB"


def test_an_engine_that_cannot_read_a_spec_is_named_with_its_output(tmp_path: Path) -> None:
    old = Designer(tmp_path / "old", lambda _: (2, "", "The following argument was not expected: --directory\n"))
    with pytest.raises(FnnError) as caught:
        old.normalize(SPEC, tmp_path)
    assert str(caught.value).splitlines() == [
        f"{tmp_path}/old cannot read a spec; build it with make bin/fnn-designer. It printed:",
        "The following argument was not expected: --directory",
    ]


def test_a_design_is_written_and_checks_out(designer: Path, tmp_path: Path) -> None:
    engine = Designer(designer, run)
    report = engine.design(write_spec(tmp_path / "spec.json", 2, 4), tmp_path / "design.json", OPTIONS)
    assert report["verdict"] == read_json(tmp_path / "design.json")["verdict"] == "found"
    engine.check(tmp_path / "design.json")


def test_an_infeasible_spec_fails_with_its_certificate(designer: Path, tmp_path: Path) -> None:
    with pytest.raises(DesignFailed) as caught:
        Designer(designer, run).design(write_spec(tmp_path / "spec.json", 1, 4), tmp_path / "design.json", OPTIONS)
    assert caught.value.verdict == "infeasible"
    assert caught.value.report["certificate"]["message"] in str(caught.value)
    assert not (tmp_path / "design.json").exists()


def test_bad_input_fails_with_pointers_into_the_file(designer: Path, tmp_path: Path) -> None:
    with pytest.raises(DesignFailed) as caught:
        Designer(designer, run).design(write_spec(tmp_path / "spec.json", 0, -4), tmp_path / "design.json", OPTIONS)
    assert caught.value.verdict == "bad-input"
    assert str(caught.value.problems[0]) == "spec.json#/nodes/0/nics: 0 is not a positive integer"


def test_a_violated_design_is_reported_with_pointers_into_the_file(designer: Path, tmp_path: Path) -> None:
    engine, path = Designer(designer, run), tmp_path / "design.json"
    engine.design(write_spec(tmp_path / "spec.json", 2, 4), path, OPTIONS)
    design = read_json(path)
    design["switches"][0]["nodes"].pop()
    path.write_text(dumps(design))
    with pytest.raises(FnnError, match=r"^design\.json#/switches/0/nodes: "):
        engine.check(path)


def test_options_that_are_not_given_are_not_passed_on() -> None:
    commands: list[Sequence[str]] = []

    def record(command: Sequence[str]) -> tuple[int, str, str]:
        commands.append(command)
        return 0, "{}", ""

    Designer(Path("fnn-designer"), record).design(Path("s"), Path("d"), {**OPTIONS, "near": Path("old")})
    expected = "fnn-designer design s -o d --seed 1 --time-limit 1.0 --threads 1 --near old"
    assert commands == [expected.split()]


def test_not_found_reports_the_uncovered_pairs_and_a_remedy() -> None:
    answer = json.dumps({"verdict": "not-found", "uncovered": 2})
    with pytest.raises(DesignFailed) as caught:
        Designer(Path("x"), lambda command: (3, answer, "")).design(Path("s"), Path("d"), OPTIONS)
    assert caught.value.verdict == "not-found"
    assert "2 pairs without a shared switch" in str(caught.value)
    assert "fnn_time_limit" in str(caught.value)


def read_message(report: dict[str, object], code: int = 3, redundancy: int = 1, **options: object) -> str:
    """The first line of the message about a failed search."""
    engine = Designer(Path("x"), lambda command: (code, json.dumps(report), ""))
    with pytest.raises(DesignFailed) as caught:
        engine.design(Path("s"), Path("d"), options, redundancy)
    return str(caught.value).splitlines()[0]


def test_with_redundancy_pairs_share_too_few_switches() -> None:
    report = {"verdict": "not-found", "uncovered": 3}
    assert (
        read_message(report, redundancy=2)
        == "no design found; the best leaves 3 pairs with fewer than 2 shared switches"
    )
    assert read_message({**report, "interrupted": True}, code=143, redundancy=3) == (
        "the search was interrupted; its best so far leaves 3 pairs with fewer than 3 shared switches"
    )


def test_missing_headroom_is_reported() -> None:
    report = {"verdict": "not-found", "uncovered": 0, "headroom": 1}
    assert (
        read_message(report, headroom=4)
        == "no design found; the best has room for 1 more node, not for 4 (fnn_headroom)"
    )


def test_an_interrupted_search_with_a_complete_design_is_reported() -> None:
    report = {"verdict": "found", "uncovered": 0, "interrupted": True}
    assert read_message(report, code=130) == "the search was interrupted; its best so far covers every pair"


def test_an_interrupted_search_is_detected_by_its_report_with_any_launcher() -> None:
    report = {"verdict": "not-found", "uncovered": 1, "interrupted": True}
    assert read_message(report, code=1).startswith("the search was interrupted")


def test_a_launcher_comes_first_and_progress_is_separated_from_warnings() -> None:
    commands: list[Sequence[str]] = []

    def record(command: Sequence[str]) -> tuple[int, str, str]:
        commands.append(command)
        return 0, '{"verdict": "found"}', '{"generation": 3}\nrun.ckpt: cannot be written: No space left\n'

    engine = Designer(Path("fnn-designer"), record, ["mpirun", "-np", "4"])
    assert engine.design(Path("s"), Path("d"), {"progress": "json"}) == {
        "verdict": "found",
        "progress": [{"generation": 3}],
        "warnings": ["run.ckpt: cannot be written: No space left"],
    }
    assert commands == [["mpirun", "-np", "4", "fnn-designer", "design", "s", "-o", "d", "--progress", "json"]]


def test_an_interrupted_search_is_reported_as_one() -> None:
    answer = json.dumps({"verdict": "not-found", "uncovered": 2, "interrupted": True})
    with pytest.raises(DesignFailed, match="interrupted; its best so far leaves 2 pairs") as caught:
        Designer(Path("x"), lambda command: (130, answer, "")).design(Path("s"), Path("d"), OPTIONS)
    assert caught.value.verdict == "interrupted"


def test_a_crash_is_reported_with_its_output() -> None:
    with pytest.raises(DesignFailed, match="out of memory") as caught:
        Designer(Path("x"), lambda command: (134, "", "out of memory\n")).design(Path("s"), Path("d"), OPTIONS)
    assert caught.value.verdict == "failed"


def test_proved_suggestions_come_before_possible_ones_with_prices(tmp_path: Path) -> None:
    report = {
        "verdict": "infeasible",
        "certificate": {"bound": "degree", "message": "too narrow", "needed": 5, "available": 4},
        "suggestions": [
            {"change": "nics", "add": 1, "message": "3 NICs instead of 2"},
            {
                "change": "ports",
                "add": 1,
                "message": "5 ports instead of 4",
                "designed": True,
                "price": 12.5,
                "currency": "EUR",
            },
        ],
    }
    with pytest.raises(DesignFailed) as caught:
        Designer(tmp_path, lambda _: (4, json.dumps(report), "")).design(tmp_path / "spec.json", tmp_path, {})
    assert str(caught.value).splitlines() == [
        "spec.json: no design can exist (degree bound): too narrow",
        "any one of these changes makes it feasible:",
        "  5 ports instead of 4, for 12.5 EUR",
        "any one of these changes would satisfy every bound:",
        "  3 NICs instead of 2",
    ]


def test_a_flag_is_given_without_a_value_or_not_at_all(tmp_path: Path) -> None:
    commands: list[Sequence[str]] = []

    def record(command: Sequence[str]) -> tuple[int, str, str]:
        commands.append(command)
        return 0, "{}", ""

    Designer(tmp_path, record).design(tmp_path, tmp_path, {"advice": True, "grow": False, "headroom": 0})
    assert commands[0][-3:] == ["--advice", "--headroom", "0"]


def test_a_cable_that_does_not_fit_is_named_by_its_node(engine: Designer, root: Path) -> None:
    spec = json.loads((root / "inventory/lab/spec.json").read_text())
    with pytest.raises(FnnError) as caught:
        engine.measure(spec, [(f"k0{rank}", 0, "red") for rank in range(6)])
    assert str(caught.value).splitlines() == [
        "k04 NIC 0: red has no port left for a node",
        "k05 NIC 0: red has no port left for a node",
    ]


def run_on_terminal(*command: str) -> tuple[int, str]:
    """Exit code and standard output of a command whose standard output is a terminal."""
    leader, follower = os.openpty()
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL) as process:
        os.close(follower)
        parts = []
        # At the end of the other side, reading fails with EIO.
        with contextlib.suppress(OSError):
            while part := os.read(leader, 1 << 16):
                parts.append(part)
        os.close(leader)
    return process.returncode, b"".join(parts).decode().replace("\r\n", "\n")


def test_answers_are_text_on_a_terminal_unless_json_is_requested(designer: Path, root: Path, tmp_path: Path) -> None:
    lab, made = root / "inventory/lab", str(tmp_path / "d.json")
    shown = run([str(designer), "show", str(lab / "design.json")])[1]
    code, text = run_on_terminal(str(designer), "design", str(lab / "spec.json"), "-o", made)
    assert (code, text.startswith(f"{shown}\n{made}: found by stage ")) == (0, True)
    for words in (
        ["check", str(lab / "design.json")],
        ["spec", str(lab / "spec.json")],
        ["routes", str(lab / "design.json"), "-o", made],
        ["evaluate", str(lab / "design.json"), "-o", made, "--patterns", "10", "--alternatives", "none"],
        ["capacity", "--witness", "4,2", "-o", made],
    ):
        code, text = run_on_terminal(str(designer), *words)
        assert (code, text[:1] not in ("", "{"), "\x1b" in text) == (0, True, False), text
        code, text = run_on_terminal(str(designer), *words, "--json")
        assert (code, text) == run([str(designer), *words])[:2]


def test_problems_are_on_standard_error_alone_on_a_terminal(designer: Path, tmp_path: Path) -> None:
    assert run_on_terminal(str(designer), "spec", str(tmp_path / "none.json")) == (2, "")

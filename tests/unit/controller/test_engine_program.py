# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the engine may be, and how it is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.engine import open_designer, provide_designer
from ansible.module_utils.fnn.controller.engine_program import Runner, find_program
from ansible.module_utils.fnn.shared.errors import FnnError

REMEDY = "build it with make bin/fnn-designer"


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return write_version(tmp_path / "checkout")


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return write_version(tmp_path / "ansible_collections" / "flatnet" / "fnn")


def write_version(root: Path) -> Path:
    (root / "designer").mkdir(parents=True)
    (root / "designer" / "CMakeLists.txt").write_text("project(fnn-designer VERSION 1.2.3 LANGUAGES CXX)\n")
    return root


def install(directory: Path) -> Path:
    program = directory / "fnn-designer"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    return program


def answer(version: str) -> Runner:
    return lambda command: (0, f"fnn-designer {version}\n", "")


def fail(command: Sequence[str]) -> tuple[int, str, str]:
    pytest.fail(f"started {command}")


def test_a_checkout_prefers_its_own_engine_whatever_its_version(checkout: Path, tmp_path: Path) -> None:
    own = install(checkout / "bin")
    install(tmp_path / "state/fnn/bin")
    assert find_program(checkout, fail) == own


def test_the_engine_of_the_state_directory_comes_before_that_on_the_path(collection: Path, tmp_path: Path) -> None:
    on_path = install(tmp_path / "path")
    assert find_program(collection, answer("1.2.3")) == on_path
    in_state = install(tmp_path / "state/fnn/bin")
    assert find_program(collection, answer("1.2.3")) == in_state


def test_a_missing_engine_is_named_with_all_places(checkout: Path, tmp_path: Path) -> None:
    with pytest.raises(FnnError) as caught:
        open_designer(checkout, fail)
    assert str(caught.value).splitlines() == [
        f"{checkout}/bin/fnn-designer: missing; {REMEDY}",
        f"{tmp_path}/state/fnn/bin/fnn-designer: missing; {REMEDY}",
        "fnn-designer: not on PATH",
    ]


def test_engines_of_other_versions_are_refused(collection: Path, tmp_path: Path) -> None:
    in_state, on_path = install(tmp_path / "state/fnn/bin"), install(tmp_path / "path")
    with pytest.raises(FnnError) as caught:
        open_designer(collection, answer("1.2.2"))
    assert str(caught.value).splitlines() == [
        f"{in_state}: has version 1.2.2 instead of 1.2.3; the design stage compiles it",
        f"{on_path}: has version 1.2.2 instead of 1.2.3; the design stage compiles it",
    ]


def test_a_program_without_a_version_is_refused(collection: Path, tmp_path: Path) -> None:
    install(tmp_path / "path")
    with pytest.raises(FnnError, match=r"has version unknown instead of 1\.2\.3"):
        open_designer(collection, lambda command: (1, "", "Segmentation fault"))


def test_a_collection_compiles_the_engine_into_the_state_directory(collection: Path, tmp_path: Path) -> None:
    commands: list[list[str]] = []

    def run(command: Sequence[str]) -> tuple[int, str, str]:
        commands.append([*command])
        return 0, "", ""

    provide_designer(collection, run, None, True)
    state = f"{tmp_path}/state/fnn"
    assert [command[:5] for command in commands] == [
        ["cmake", "-S", f"{collection}/designer", "-B", f"{state}/designer"],
        ["cmake", "--build", f"{state}/designer", "--parallel", "2"],
        ["cmake", "--install", f"{state}/designer", "--prefix", state],
    ]


def test_an_engine_that_is_there_is_not_compiled(checkout: Path) -> None:
    install(checkout / "bin")
    provide_designer(checkout, fail, None, True)


def test_a_missing_engine_is_not_compiled_unless_allowed(checkout: Path) -> None:
    with pytest.raises(FnnError, match="bin/fnn-designer: missing"):
        provide_designer(checkout, fail, None, False)


def test_a_failed_build_shows_its_last_lines(checkout: Path) -> None:
    with pytest.raises(FnnError, match=r"cmake -S .*\n.*no compiler"):
        provide_designer(checkout, lambda command: (1, "", "no compiler"), None, True)

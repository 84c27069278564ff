# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/waiting.py: limits are strict on a quiet machine, and on a busy one only end a hang."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import waiting


class Machine:
    """A machine with a clock of its own; `share` of the time some process waits for a processor."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.now, self.delayed, self.share = directory, 100.0, 0.0, 0.0
        self.sleep(0)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.delayed += seconds * self.share
        line = f"some avg10={self.share * 100:.2f} avg60=0.00 avg300=0.00 total={self.delayed * 1e6:.0f}\n"
        (self.directory / "cpu").write_text(line)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setattr(waiting, "PRESSURE", tmp_path)
    monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=made.monotonic, sleep=made.sleep))
    monkeypatch.setattr(waiting, "_read_stolen", lambda: 0.0)
    return made


def test_on_a_quiet_machine_the_limit_is_strict(machine: Machine) -> None:
    assert waiting.wait_until(lambda: machine.now > 101.9, 2) == pytest.approx(1.9, abs=0.1)
    began = machine.now
    with pytest.raises(AssertionError, match="not within 2 s"):
        waiting.wait_until(lambda: machine.now > began + 2.5, 2)
    assert machine.now - began < 2.2


def test_on_a_busy_machine_only_a_hang_ends_a_wait(machine: Machine) -> None:
    machine.share = 0.5
    assert waiting.wait_until(lambda: machine.now > 160, 2, every=1) == pytest.approx(60, abs=1)
    with pytest.raises(AssertionError, match="not within 2 s"):
        waiting.wait_until(lambda: False, 2, every=1)
    assert machine.now == pytest.approx(160 + 2 + waiting.HANG, abs=5)


def test_a_slow_check_that_finds_the_condition_at_last_is_no_failure(machine: Machine) -> None:
    def check_slowly() -> bool:
        machine.sleep(30)
        return True

    assert waiting.wait_until(check_slowly, 2) == 30


def test_load_that_has_just_ended_excuses_as_well(machine: Machine) -> None:
    (machine.directory / "cpu").write_text("some avg10=10.00 avg60=0.00 avg300=0.00 total=0\n")
    assert waiting.wait_until(lambda: machine.now > 105, 2) == pytest.approx(5, abs=0.1)


def test_a_duration_is_excused_by_the_delays_meanwhile_alone(machine: Machine) -> None:
    machine.share = 0.1
    with waiting.excusing() as excused:
        machine.sleep(2)
    machine.sleep(5)
    assert excused() == pytest.approx(2 * 0.1 * waiting.EXCUSED)

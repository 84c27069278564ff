# SPDX-License-Identifier: GPL-3.0-or-later
"""The systemctl commands for fnn-linkd when a node gets a bundle."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.node.apply import linkd, system
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile

WITH = Bundle({}, [BundledFile(linkd.UNIT_FILE, "file", 0o644, "")])
WITHOUT = Bundle({}, [])


@pytest.fixture
def run_commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    commands: list[tuple[str, ...]] = []
    monkeypatch.setattr(system, "run", lambda *command: commands.append(command))
    return commands


def set_state(monkeypatch: pytest.MonkeyPatch, enabled: bool, active: bool) -> None:
    monkeypatch.setattr(system, "is_enabled", lambda unit: enabled)
    monkeypatch.setattr(system, "is_active", lambda unit: active)


@pytest.mark.parametrize(
    ("path", "step"),
    [
        ("/etc/fnn/links", "reload"),
        ("/etc/fnn/linkd", "reload"),
        ("/etc/fnn/linkd.key", "reload"),
        ("/usr/local/lib/fnn/fnn/node/linkd/machine.py", "restart"),
        (linkd.UNIT_FILE, "restart"),
        ("/etc/hosts", ""),
    ],
)
def test_a_running_daemon_is_reloaded_or_restarted_by_what_changed(
    monkeypatch: pytest.MonkeyPatch, path: str, step: str
) -> None:
    set_state(monkeypatch, enabled=True, active=True)
    assert linkd.choose_step(WITH, [path]) == step
    assert linkd.choose_step(WITH, []) == ""
    assert linkd.choose_step(WITHOUT, [path]) == ""


@pytest.mark.parametrize(("enabled", "active"), [(False, False), (False, True), (True, False)])
def test_a_daemon_that_does_not_run_is_started(
    monkeypatch: pytest.MonkeyPatch, run_commands: list[tuple[str, ...]], enabled: bool, active: bool
) -> None:
    set_state(monkeypatch, enabled, active)
    assert linkd.take_step(linkd.choose_step(WITH, [])) == ["enabled and started fnn-linkd.service"]
    assert run_commands == [
        ("systemctl", "--quiet", "enable", "fnn-linkd.service"),
        ("systemctl", "start", "fnn-linkd.service"),
    ]


def test_the_daemon_is_stopped_before_its_files_are_removed(run_commands: list[tuple[str, ...]]) -> None:
    assert linkd.stop_if_leaving(["/etc/fnn/routes"]) == []
    assert linkd.stop_if_leaving([linkd.UNIT_FILE]) == ["stopped and disabled fnn-linkd.service"]
    assert run_commands == [("systemctl", "--quiet", "disable", "--now", "fnn-linkd.service")]

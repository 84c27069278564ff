# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn check: what it shows, and the exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

SYSTEM = {"name": "Debian 12", "kernel": "6.1.0", "python": "3.11.2", "systemd": True, "iproute2": "6.1.0"}
FINDING = {"check": "root", "level": "problem", "text": "sudo needs a password", "remedy": "give it with -K"}


def make_check(verdict: str) -> dict[str, Any]:
    """check.json of one node."""
    findings = [FINDING] if verdict == "refused" else []
    node = {"name": "k00", "verdict": verdict, "system": SYSTEM, "generation": "", "nics": ["eth1"]}
    return {
        "format": "fnn-check",
        "version": 1,
        "cluster": "six",
        "verdict": verdict,
        "nodes": [{**node, "findings": findings}],
    }


@pytest.mark.parametrize(("verdict", "status"), [("ready", 0), ("refused", 4)])
def test_the_verdict_is_the_exit_status(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], verdict: str, status: int
) -> None:
    ansible.replies = [(2, make_check(verdict))]
    assert fnn("check") == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"k00  {verdict:<7}  Debian 12, Python 3.11.2, NICs eth1"
    assert lines[1:-1] == (["     problem  sudo needs a password; give it with -K"] if status else [])
    assert ansible.asked == [("check", {})]


def test_the_document_can_be_shown(fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]) -> None:
    ansible.replies = [(0, make_check("ready"))]
    assert fnn("check", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == make_check("ready")


def test_a_playbook_that_stops_early_is_no_check(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.write("check", make_check("ready"))
    ansible.replies = [(2, None)]
    assert fnn("check") == 3
    shown = capsys.readouterr()
    lines = ["fnn: check stopped before it compared the nodes", "  the reason", "  log: the.log"]
    assert (shown.out, shown.err.splitlines()) == ("", lines)

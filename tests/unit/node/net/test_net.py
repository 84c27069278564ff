# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/command.py: applying while fnn-linkd changes the plan."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net import command as net
from ansible.module_utils.fnn.node.net.difference import Difference

OPTIONS = argparse.Namespace(protect=[])


def apply_while(monkeypatch: pytest.MonkeyPatch, plans: list[str], stays: str) -> tuple[Difference, list[str]]:
    """plans: the standing plan at each read, the last one from then on; the kernel keeps none but `stays`."""

    def apply(plan: str, _: Iterable[Path]) -> tuple[Difference, list[str]]:
        return Difference(lines_before=[plan]), [] if plan == stays else [f"did not take effect: {plan}"]

    monkeypatch.setattr(net, "apply", apply)
    monkeypatch.setattr(net, "read_effective_plan", lambda _: plans.pop(0) if len(plans) > 1 else plans[0])
    return net.apply_effective_plan(OPTIONS)


def test_a_plan_that_changes_meanwhile_is_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    done, messages = apply_while(monkeypatch, ["red and blue", "blue"], stays="blue")
    assert (done.lines, messages) == (["red and blue", "blue"], [])


def test_lines_without_effect_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    done, messages = apply_while(monkeypatch, ["red"], stays="blue")
    assert (done.lines, messages) == (["red"], ["did not take effect: red"])


def test_apply_follows_a_limited_number_of_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    done, messages = apply_while(monkeypatch, [str(number) for number in range(99)], stays="never")
    assert len(done.lines) == net.MAX_APPLIES
    assert messages


def test_a_plan_that_changes_while_another_is_applied_without_resistance_is_applied_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(net, "apply", lambda plan, _: (Difference(lines_before=[plan]), []))
    plans = ["red and blue", "blue"]
    monkeypatch.setattr(net, "read_effective_plan", lambda _: plans.pop(0) if len(plans) > 1 else plans[0])
    assert net.apply_effective_plan(OPTIONS)[0].lines == ["red and blue", "blue"]

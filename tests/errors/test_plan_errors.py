# SPDX-License-Identifier: GPL-3.0-or-later
"""Refused plans: each .json (nodes and switches, as names or numbers, variables and facts) beside its .log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.plan.addresses import plan_addresses
from ansible.module_utils.fnn.controller.plan.names import name_hosts
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import make_settings

CASES = sorted((Path(__file__).parent / "plan").glob("*.json"))


def test_there_are_cases() -> None:
    assert len(CASES) > 10


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_bad_plan_gives_the_expected_messages(case: Path) -> None:
    given = json.loads(case.read_text())
    nodes, switches = name_all("k", given["nodes"]), name_all("s", given["switches"])
    with pytest.raises(FnnError) as caught:
        plan = plan_addresses(nodes, len(switches), make_settings(given.get("facts"), **given["variables"]))
        everywhere = [{"switch": switch} for switch in switches]
        name_hosts([{"name": name, "links": everywhere} for name in nodes], switches, plan)
    assert f"{caught.value}\n" == case.with_suffix(".log").read_text()


def name_all(letter: str, given: int | list[str]) -> list[str]:
    return [f"{letter}{index:02d}" for index in range(given)] if isinstance(given, int) else given

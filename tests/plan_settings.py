# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of plans in tests: variables under their own names, facts of nodes, and inputs of the plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.plan.settings import PlanInputs, PlanSettings, parse_settings
from ansible.module_utils.fnn.controller.plan.views import Plan, make_plan
from ansible.module_utils.fnn.controller.spec.variable_source import Variable, read_source

Document = dict[str, Any]
#: Given to every plan; a test may replace them. The default of fnn_uplink_backup is a template.
BASE: Document = {"fnn_linkd": False, "fnn_uplink_backup": False}


@cache
def read_variables() -> dict[str, Variable]:
    """All variables, read once."""
    return read_source(Path(__file__).resolve().parents[1]).variables


def make_settings(facts: Mapping[str, Any] | None = None, **variables: Any) -> PlanSettings:
    return parse_settings({**BASE, **variables}, facts or {}, read_variables())


def plan_with(
    design: Document,
    macs: Document,
    facts: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    **variables: Any,
) -> Plan:
    """The plan with these variables, facts, and fields of PlanInputs."""
    return make_plan(design, macs, make_settings(facts, **variables), PlanInputs(**(inputs or {})))


def read_case(case: Path) -> Document:
    """ "variables", "facts" and "inputs" of a golden case."""
    found: Document = json.loads((case / "settings.json").read_text())
    return found

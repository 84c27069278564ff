# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/settings.py"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
import yaml
from ansible.module_utils.fnn.controller.plan.settings import PlanSettings, parse_settings
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import BASE, make_settings, read_variables
from programs import ROOT


def test_every_variable_of_the_plan_is_a_field_and_roles_pass_it() -> None:
    planned = [name for name, variable in read_variables().items() if variable.plan]
    assert planned == [
        each.name for each in fields(PlanSettings) if each.name not in ("facts", "defaults", "maintenance")
    ]
    defaults = yaml.safe_load((ROOT / "roles/fnn/defaults/main/variables.yml").read_text())
    passed = [*defaults["__fnn_plan_variables_shared"], *defaults["__fnn_plan_variables_paths"]]
    assert sorted(passed) == sorted(planned)


def test_variables_that_are_not_given_have_the_default_of_the_schema() -> None:
    settings = make_settings(fnn_outside_dns=None)
    assert (settings.fnn_prefix, settings.fnn_linkd_hold_most, settings.fnn_slots) == ("10.77.0.0/16", 60, {})
    assert settings.fnn_outside_dns == []


def test_a_variable_whose_default_is_a_template_must_be_given() -> None:
    with pytest.raises(FnnError, match=r"^fnn_uplink_backup: missing$"):
        parse_settings({}, {}, read_variables())


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("fnn_mptcp", "yes", True),
        ("fnn_mptcp", "off", False),
        ("fnn_linkd_misses", "4", 4),
        ("fnn_linkd_hold", "2.5", 2.5),
        ("fnn_linkd_hold", 3.0, 3),
        ("fnn_outside_dns", "192.0.2.1, 192.0.2.2", ["192.0.2.1", "192.0.2.2"]),
        ("fnn_outside_nic", {"k00": "1", "k01": None}, {"k00": 1}),
    ],
)
def test_values_are_converted_as_ansible_does(name: str, given: Any, value: Any) -> None:
    found = getattr(make_settings(**{name: given}), name)
    assert (found, type(found)) == (value, type(value))


def test_all_wrong_values_are_reported_at_once_with_their_variables() -> None:
    wrong: dict[str, Any] = {
        "fnn_prefixes": "10.0.0.0/8",
        "fnn_outside_nic": {"k02": -1},
        "fnn_addressing": "dhcp",
        "fnn_linkd_interval_ms": 10,
        "fnn_linkd_misses": 101,
        "fnn_linkd_hold": 0,
        "fnn_slots": 4,
        "fnn_mpi_rails": "perhaps",
    }
    with pytest.raises(FnnError) as caught:
        parse_settings({**BASE, **wrong}, {"speed": {}, "manager": "networkd"}, read_variables())
    assert str(caught.value).splitlines() == [
        "fnn_prefixes: not a variable of the plan",
        "fnn_outside_nic of k02: -1 is not a non-negative integer",
        'fnn_addressing: "dhcp" is not "subnets" or "unnumbered"',
        "fnn_linkd_interval_ms: 10 is not an integer from 20 to 60000",
        "fnn_linkd_misses: 101 is not an integer from 2 to 100",
        "fnn_linkd_hold: 0 is not a positive number",
        "fnn_slots: 4 is not a value for each node",
        'fnn_mpi_rails: "perhaps" is not true or false',
        "facts/speed: not a fact of a node",
        'facts/manager: "networkd" is not a value for each node',
    ]


def test_a_management_address_replaces_the_address_in_ansible() -> None:
    hosts = {"k00": "192.0.2.1", "k01": "192.0.2.2", "k02": "k02.lan"}
    settings = make_settings({"ansible_host": hosts}, fnn_management_address={"k01": "192.0.2.7"})
    assert settings.management == {"k00": "192.0.2.1", "k01": "192.0.2.7"}


def test_what_nodes_report_is_no_change_of_the_plan() -> None:
    before, after = make_settings(), make_settings({"manager": {"k00": "networkd"}, "generations": {"k00": "2-0"}})
    assert before.describe() == after.describe()
    assert before.describe() != make_settings({"ansible_host": {"k00": "192.0.2.1"}}).describe()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Which MTU a NIC gets."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.plan.mtu import is_proved, keep_mtus

Document = dict[str, Any]
ONE, OTHER = "02:f0:00:00:00:00", "02:f0:00:00:01:00"


@pytest.fixture
def design() -> Document:
    return {"nodes": [{"name": node, "links": [{"nic": 0, "switch": "red"}]} for node in ("k00", "k01")]}


@pytest.fixture
def macs() -> Document:
    return {
        "nodes": [
            {"name": "k00", "nics": [{"nic": 0, "mac": ONE}]},
            {"name": "k01", "nics": [{"nic": 0, "mac": OTHER}]},
        ]
    }


@pytest.fixture
def findings() -> Document:
    links = [{"node": "k00", "mac": ONE, "expected": "red"}, {"node": "k01", "mac": OTHER, "expected": "red"}]
    return {"mtu": {"wanted": 9000, "proved": True}, "links": links}


def test_an_mtu_of_which_verify_has_evidence_is_proved(findings: Document, design: Document, macs: Document) -> None:
    assert is_proved(findings, design, macs, 9000)


def test_another_mtu_is_not_proved(findings: Document, design: Document, macs: Document) -> None:
    assert not is_proved(findings, design, macs, 9216)


def test_an_mtu_that_failed_in_verify_is_not_proved(findings: Document, design: Document, macs: Document) -> None:
    findings["mtu"]["proved"] = False
    assert not is_proved(findings, design, macs, 9000)


def test_without_findings_no_mtu_is_proved(design: Document, macs: Document) -> None:
    assert not is_proved(None, design, macs, 9000)


def test_with_a_replaced_nic_no_mtu_is_proved(findings: Document, design: Document, macs: Document) -> None:
    macs["nodes"][1]["nics"][0]["mac"] = "02:f0:00:00:09:00"
    assert not is_proved(findings, design, macs, 9000)


def test_for_another_design_no_mtu_is_proved(findings: Document, design: Document, macs: Document) -> None:
    design["nodes"][0]["links"][0]["switch"] = "blue"
    assert not is_proved(findings, design, macs, 9000)


@pytest.mark.parametrize(
    ("wanted", "standing", "kept"),
    [
        (9000, {ONE: 1500, OTHER: 9000}, {ONE: 1500}),
        (9000, {OTHER: 4000}, {ONE: 1500, OTHER: 4000}),
        (4000, {ONE: 9000, OTHER: 9000}, {}),
        (1500, {ONE: 1400}, {}),
        (1400, {}, {}),
    ],
)
def test_without_a_proof_nics_keep_a_smaller_mtu(
    macs: Document, wanted: int, standing: dict[str, int], kept: dict[str, int]
) -> None:
    assert keep_mtus(wanted, standing, macs) == kept

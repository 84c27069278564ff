# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.verify.keep import are_sound, identify_findings, list_interrupted

MACS: dict[str, Any] = {"nodes": [{"name": "k0", "nics": [{"nic": 0, "mac": "02:f0:00:00:00:00"}]}]}
FINDINGS: dict[str, Any] = {
    "verdict": "match", "findings": [], "unreachable": [],
    "links": [{"node": "k0", "nic": 0, "mac": "02:f0:00:00:00:00"}],
}  # fmt: skip


def test_findings_without_fault_are_sound() -> None:
    assert are_sound(FINDINGS, MACS, [])


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "miswired"},
        {"findings": [{"kind": "lossy"}]},
        {"unreachable": ["k1"]},
        {"links": [{"node": "k0", "nic": 0, "mac": "02:f0:00:00:00:07"}]},
        {"links": [{"node": "k0", "nic": 1, "mac": None}, {"node": "k0", "nic": 2, "mac": "02:f0:00:00:00:02"}]},
    ],
    ids=["miswired", "a finding", "a node unasked", "another card", "an unknown NIC"],
)
def test_other_findings_are_not(change: dict[str, Any]) -> None:
    assert not are_sound({**FINDINGS, **change}, MACS, [])


def test_a_node_for_which_a_spare_stands_in_need_not_answer() -> None:
    links = [*FINDINGS["links"], {"node": "k1", "nic": 0, "mac": "02:f0:00:00:00:07"}]
    findings = {**FINDINGS, "unreachable": ["k1"], "links": links}
    assert are_sound(findings, MACS, ["k1"])
    assert not are_sound(findings, MACS, [])


def test_the_digest_of_two_networks_is_that_of_both() -> None:
    one, other = identify_findings([FINDINGS]), identify_findings([{**FINDINGS, "verdict": "miswired"}])
    assert one != other
    assert identify_findings([FINDINGS, {**FINDINGS, "verdict": "miswired"}]) == f"{one}+{other}"


@pytest.mark.parametrize(
    ("verified", "hosts", "interrupted"),
    [
        ({"k0": "1", "k1": "1"}, ["k0", "k1"], []),
        ({"k0": "1", "k1": "1", "head": "1"}, ["k0", "k1", "head"], []),
        ({"k0": "1", "k1": ""}, ["k0", "k1"], ["k1"]),
        ({"k0": "1", "k1": "2"}, ["k0", "k1"], ["k1"]),
        ({"k0": "1"}, ["k0", "k1"], ["k1"]),
        ({"k0": "1"}, ["k0"], ["k1"]),
        ({"k0": "1", "k1": "1"}, ["k0", "k1", "head"], ["head"]),
    ],
    ids=["all", "a satellite", "interrupted", "another run", "no answer", "limited", "a satellite without a record"],
)
def test_hosts_with_other_links_are_named(verified: dict[str, str], hosts: list[str], interrupted: list[str]) -> None:
    assert list_interrupted("1", verified, hosts, ["k0", "k1"]) == interrupted

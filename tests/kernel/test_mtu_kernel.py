# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of full size on the six-node example; one port carries 1500 bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification
from namespaces import Cables
from six_pcs import SIX, words
from sixes import collect, listen, make_design, make_macs, make_six

NICS = {node: [f"nic{nic}" for nic in range(len(wires))] for node, wires in SIX.items()}


@pytest.fixture
def six(cables: Cables) -> Cables:
    """NICs with the default MTU, ports that carry jumbo frames."""
    make_six(cables)
    for node, nics in NICS.items():
        for nic in range(len(nics)):
            cables.ip("sw", "link", "set", f"{node}.{nic}", "mtu", "9216")
    return cables


def verify(cables: Cables, directory: Path, mtu: int = 9000) -> Verification:
    listen(cables, directory, list(SIX), mtu=mtu)
    seen = collect(cables, directory, list(SIX), timeout=3)
    return compare_with_design(make_design(mtu), make_macs(), seen)


def read_mtus(cables: Cables) -> set[int]:
    return {cables.ip_json(node, "link", "show", nic)[0]["mtu"] for node, nics in NICS.items() for nic in nics}


def test_every_leg_carries_jumbo_frames_and_the_mtu_is_as_before_afterwards(six: Cables, tmp_path: Path) -> None:
    verification = verify(six, tmp_path)
    assert verification.mtu_proved
    assert {finding.kind for finding in verification.findings} == {"mtu"}  # the network stage will set it
    assert "the network stage sets 9000" in words(verification.findings[0])
    assert read_mtus(six) == {1500}


def test_port_that_takes_less_is_found_and_named(six: Cables, tmp_path: Path) -> None:
    six.ip("sw", "link", "set", "k02.0", "mtu", "1500")
    verification = verify(six, tmp_path)
    assert (verification.verdict, verification.mtu_proved) == ("match", False)
    (finding,) = verification.findings
    assert words(finding).startswith("k02: nic0 carries no frames of 9000 bytes to and from RED")
    assert read_mtus(six) == {1500}


@pytest.mark.long
def test_switch_that_takes_less_is_found_and_named(six: Cables, tmp_path: Path) -> None:
    for node in ("k02", "k03", "k04", "k05"):
        six.ip("sw", "link", "set", f"{node}.{SIX[node].index('green')}", "mtu", "1500")
    verification = verify(six, tmp_path)
    (finding,) = verification.findings
    assert words(finding).startswith("GREEN carries no frames of 9000 bytes")
    assert len(finding.cables) == 4


def test_nic_that_refuses_is_named_and_no_other_is_left_raised(six: Cables, tmp_path: Path) -> None:
    """Asks for an MTU beyond the kernel's largest packet, which every NIC refuses."""
    verification = verify(six, tmp_path, mtu=65536)
    assert len(verification.findings) == sum(map(len, NICS.values()))
    assert all("takes no frames of 65536 bytes" in words(finding) for finding in verification.findings)
    assert read_mtus(six) == {1500}

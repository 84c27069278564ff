# SPDX-License-Identifier: GPL-3.0-or-later
"""A bond over two NICs of a node, on a kernel with bonding; tests/full/test_distribution_kernel.py boots one."""

from __future__ import annotations

from pathlib import Path

import pytest
from namespaces import Cables, run
from six_pcs import SIX, words
from sixes import collect, judge_six, listen, mac, make_six

NICS = ("nic0", "nic1")


@pytest.fixture
def six(cables: Cables) -> Cables:
    make_six(cables)
    tried = run(*cables.command("k03", "ip", "link", "add", "bond0", "type", "bond"), check=False)
    if tried.returncode:
        pytest.skip("this kernel has no bonds")
    cables.ip("k03", "link", "delete", "bond0")
    return cables


@pytest.mark.parametrize("mode", ["balance-rr", "active-backup", "802.3ad"])
def test_a_bond_over_two_nics_is_reported_and_all_cables_are_right(six: Cables, tmp_path: Path, mode: str) -> None:
    six.ip("k03", "link", "add", "bond0", "type", "bond", "mode", mode, "miimon", "100")
    for device in NICS:
        six.ip("k03", "link", "set", device, "down")
        six.ip("k03", "link", "set", device, "master", "bond0")
    six.ip("k03", "link", "set", "bond0", "up")
    links = six.run_module("k03", "fnn_links", match=["nic*"])["links"]
    assert [(each["device"], each["mac"]) for each in links] == [(nic, mac("k03", int(nic[-1]))) for nic in NICS]
    assert [(each["master"]["name"], each["master"]["kind"]) for each in links] == [("bond0", "bond")] * 2

    listen(six, tmp_path, list(SIX))
    verification = judge_six(collect(six, tmp_path, list(SIX)))
    (finding,) = verification.findings
    assert (finding.kind, verification.verdict, verification.moves) == ("bridged", "miswired", ())
    assert words(finding) == (
        "k03: nic0 and nic1 are members of the bond bond0 on the node, which makes one link of RED and GREEN: take "
        "them out of it"
    )
    assert {cable.state for cable in verification.cables} == {"ok"}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Faulty cables on the six-node example: lossy, flapping, with a small MTU.

nftables drops frames at a port of the switch, on ingress (sent by the NIC) or egress (received by it).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification
from namespaces import PREFIX, Cables
from six_pcs import SIX, words
from sixes import collect, listen, make_design, make_macs, make_six, wait


@pytest.fixture
def six(cables: Cables) -> Cables:
    make_six(cables)
    return cables


def verify(cables: Cables, directory: Path) -> Verification:
    """Verifies as the role does: all nodes send until each has enough beacons."""
    listen(cables, directory, list(SIX))
    wait(cables, directory, list(SIX), settle=2)
    seen = collect(cables, directory, list(SIX), settle=2, timeout=5)
    return compare_with_design(make_design(), make_macs(), seen)


def drop(cables: Cables, port: str, percent: int, hook: str) -> None:
    rules = (
        f"table netdev {port.replace('.', '-')}-{hook} {{ chain drops {{ type filter hook {hook} device {port} "
        f"priority 0; numgen random mod 100 < {percent} drop; }}; }}"
    )
    cables.inside("sw", "nft", rules)


@pytest.mark.parametrize("percent", [30, pytest.param(90, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "hooks",
    [
        pytest.param(["ingress"], marks=pytest.mark.long),
        pytest.param(["egress"], marks=pytest.mark.long),
        ["ingress", "egress"],
    ],
)
def test_a_real_lossy_cable_is_named_and_no_other(six: Cables, tmp_path: Path, percent: int, hooks: list[str]) -> None:
    for hook in hooks:
        drop(six, "k02.0", percent, hook)
    verification = verify(six, tmp_path)
    (finding,) = verification.findings
    assert (verification.verdict, finding.kind) == ("miswired", "lossy"), finding
    assert words(finding).startswith("k02: the cable in nic0 loses "), words(finding)
    assert ("sends to RED" in words(finding), "receives from RED" in words(finding)) == (
        "ingress" in hooks,
        "egress" in hooks,
    )


def test_a_real_flapping_cable_is_named(six: Cables, tmp_path: Path) -> None:
    flap = "while :; do ip link set k02.0 down; sleep 0.2; ip link set k02.0 up; sleep 0.8; done"
    with subprocess.Popen(["ip", "netns", "exec", PREFIX + "sw", "sh", "-c", flap]) as flapping:
        verification = verify(six, tmp_path)
        flapping.kill()
    assert [(each.kind, each.cables[0].name) for each in verification.findings] == [("flapping", "k02 nic0")]


@pytest.mark.long
def test_a_real_port_of_a_small_mtu_is_named_without_fnn_mtu(six: Cables, tmp_path: Path) -> None:
    six.ip("sw", "link", "set", "k02.0", "mtu", "1400")
    verification = verify(six, tmp_path)
    (finding,) = verification.findings
    assert (verification.verdict, finding.kind) == ("miswired", "mtu")
    assert words(finding).startswith("k02: nic0 carries no frames of 1500 bytes to and from RED")


@pytest.fixture
def load() -> Iterator[None]:
    """Ten busy processes, on as many processors as there are."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(10)]
    yield
    for each in busy:
        each.kill()
        each.wait()


@pytest.mark.long
def test_under_load_right_cables_match(six: Cables, tmp_path: Path, load: None) -> None:
    time.sleep(1)
    for attempt in range(int(os.environ.get("FNN_TEST_ROUNDS", "1"))):
        verification = verify(six, tmp_path)
        assert (verification.verdict, verification.findings) == ("match", ()), attempt

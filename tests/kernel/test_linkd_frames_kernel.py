# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of fnn-linkd, of other senders and of forgers on the six nodes. None of them changes anything, so all tests
share one lab."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from linkd_lab import KEY, SWITCHES, Lab, run_lab, watch
from namespaces import PREFIX, Cables
from six_pcs import SIX
from sixes import mac


@pytest.fixture(scope="module")
def lab(shared_cables: Cables, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with run_lab(shared_cables, tmp_path_factory.mktemp("linkd")) as made:
        yield made


def count_frames(lab: Lab, kind: str) -> dict[str, int]:
    return {node: lab.ask(node)["frames"][kind] for node in SIX}


def test_no_frame_crosses_an_uplink_while_all_is_well(lab: Lab) -> None:
    before = count_frames(lab, "foreign")
    with watch(lab, [f"{switch}.up" for switch in SWITCHES]) as seen:
        time.sleep(2)
    assert seen == []
    assert count_frames(lab, "foreign") == before


@pytest.mark.long
def test_random_octets_with_our_ethertype_are_refused_and_change_nothing(lab: Lab) -> None:
    inside = ["ip", "netns", "exec", PREFIX + "k03", sys.executable, "-IS", "-c"]
    program = (
        "import socket, os\n"
        "wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)\n"
        "wire.bind(('nic0', 0))\n"
        f"head = bytes.fromhex('{mac('k00', 0).replace(':', '')}{mac('k03', 0).replace(':', '')}88b5')\n"
        "for _ in range(200):\n"
        "    wire.send(head + b'FNNl' + os.urandom(80))\n"
        "    wire.send(head + b'FNNb' + os.urandom(80))\n"
    )
    before = count_frames(lab, "refused")
    subprocess.run([*inside, program], check=True)
    time.sleep(0.5)
    assert count_frames(lab, "refused")["k00"] >= before["k00"] + 150
    assert all(not lab.unusable(node) for node in SIX)


FORGE = """
import socket, struct, sys
sys.path.insert(0, sys.argv[1])
from fnn.shared.mac import to_octets
from fnn.node.linkd.frame import Frame, identify_cluster, pack
source, targets, named = sys.argv[2], sys.argv[3].split(","), sys.argv[4].split(",")
cluster, key = identify_cluster(sys.argv[5]), bytes.fromhex(sys.argv[6])
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
wire.bind(("nic0", 0))
for sequence in (1, 2**32, 2**64 - 1):
    for state in (0, 1, 2):
        news = tuple((to_octets(each), 0xFFFFFFFF, state) for each in named)
        frame = Frame(to_octets(source), cluster, 1, 0, 0xFFFFFFFF, sequence, news=news)
        for target in targets:
            wire.send(to_octets(target) + pack(frame, key))
"""
FORGED = 9  # frames that each target gets
ON_RED = [node for node, wires in SIX.items() if "red" in wires]


def forge(lab: Lab, source: str, targets: list[str], cluster: str, key: str) -> None:
    """k03 sends well-formed frames on red to these nodes, with news about all NICs. source: their MAC; key: or ""."""
    addresses = ",".join(mac(node, SIX[node].index("red")) for node in targets)
    named = ",".join(mac(node, nic) for node, wires in SIX.items() for nic in range(len(wires)))
    arguments = [str(lab.directory / "usr/local/lib/fnn"), source, addresses, named, cluster, key]
    inside = ["ip", "netns", "exec", PREFIX + "k03", sys.executable, "-IS", "-c", FORGE, *arguments]
    subprocess.run(inside, check=True)
    time.sleep(1)


@pytest.mark.parametrize(
    ("key", "count"),
    [
        pytest.param("5e" * 32, "refused", id="its own key", marks=pytest.mark.long),
        pytest.param(KEY, "foreign", id="our key"),
    ],
)
def test_valid_frames_of_another_cluster_are_counted_and_change_nothing(lab: Lab, key: str, count: str) -> None:
    """Two clusters on the same switches: with keys of their own, and with the same one."""
    others = [node for node in ON_RED if node != "k03"]
    before = count_frames(lab, count)
    forge(lab, mac("k03", SIX["k03"].index("red")), others, "seven", key)
    after = count_frames(lab, count)
    assert all(after[node] >= before[node] + FORGED for node in others), (before, after)
    for node in SIX:
        assert not lab.unusable(node)
        assert lab.ask(node)["frames"]["errors"] == 0


def test_frames_without_the_key_that_name_all_nics_end_no_daemon_and_move_no_route(lab: Lab) -> None:
    """k03 sends them on red, with the MAC of k00, to all others there."""
    before, refused = {node: lab.ask(node)["running_s"] for node in SIX}, count_frames(lab, "refused")
    forge(lab, mac("k00", 0), ON_RED, "six", "")
    assert sum(count_frames(lab, "refused").values()) >= sum(refused.values()) + FORGED
    for node in SIX:
        assert lab.daemons[node].poll() is None
        assert lab.ask(node)["running_s"] > before[node]
        assert not lab.unusable(node)
        assert lab.ask(node)["frames"]["errors"] == 0

# SPDX-License-Identifier: GPL-3.0-or-later
"""Power-on order identifies nodes that are switched on one after another: real machines that boot, real leases."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from testinfra.host import Host

from .cabling import read_plugged
from .conftest import BUILD, FULL, LAB, NODES, ask_all, look, read_json, wait_until_all_is_as
from .live import LiveCommand

MACS = BUILD / "site" / "macs.json"
STATE = BUILD / "power-on.json"
#: A fresh installation requests a lease on every NIC. KeepConfiguration preserves the settings of the plan, so that the
#: file leaves no trace when it is removed. Its name must not identify the node, or the order would not matter.
FRESH = """
[Match]
Name=nic*

[Network]
DHCP=ipv4
LinkLocalAddressing=no
IPv6AcceptRA=no
KeepConfiguration=yes

[DHCPv4]
SendHostname=no
UseDNS=no
UseNTP=no
UseRoutes=no
"""
#: Node whose turn it is -> the machine powered on. The first two are swapped, so that only the order identifies them.
TURNS = {**{name: name for name in NODES}, "k00": "k01", "k01": "k00"}
#: Ctrl-C ends it after two nodes. In the full test another run continues.
PARTS = [NODES[:2], NODES[2:]] if FULL else [NODES[:2]]
MACHINES = [TURNS[name] for part in PARTS for name in part]
FILE = "/etc/systemd/network/00-fresh.network"
LEASES = "10.90.0.0/16"


def podman(*words: str) -> None:
    subprocess.run(["podman", *words], check=True, capture_output=True, timeout=300)


#: A fresh installation has no network plan, whose egress filter drops DHCP requests. The namespace of a node outlives
#: its containers, so the filter is removed as by a reboot.
AS_FRESH = f"""printf '%s' '{FRESH}' > {FILE} && systemctl disable --quiet fnn-net &&
systemctl disable --quiet --now fnn-linkd && tc qdisc del dev nic0 clsact && tc qdisc del dev nic1 clsact"""
#: Undoes the fresh installation, once the node is up.
UNDO_FRESH = f"""until systemctl is-system-running --wait 2>&1 | grep -qE 'running|degraded'; do sleep 0.2; done
rm -f {FILE} && networkctl reload && ip address flush dev nic0 to {LEASES} && ip address flush dev nic1 to {LEASES} &&
systemctl enable --quiet fnn-net fnn-linkd && systemctl start fnn-net fnn-linkd"""


@pytest.fixture
def machines(nodes: dict[str, Host]) -> Iterator[list[str]]:
    """Machines that are off, without known addresses and bindings; afterwards all is as before."""
    fresh = {name: nodes[name] for name in MACHINES}
    before, macs = look(nodes), MACS.read_bytes()
    ask_all(fresh, AS_FRESH)
    containers = [f"{LAB}-{name}" for name in MACHINES]
    podman("stop", "--time", "0", *containers)
    MACS.unlink()
    yield containers
    MACS.write_bytes(macs)
    STATE.unlink(missing_ok=True)
    podman("start", *containers)
    ask_all(fresh, UNDO_FRESH)
    wait_until_all_is_as(before, nodes)


def list_bound() -> dict[str, list[str]]:
    return {node["name"]: [nic["mac"] for nic in node["nics"]] for node in read_json(MACS)["nodes"]}


def list_expected_lines(turn: str) -> list[str]:
    """The lines printed while the machine whose turn it is reports."""
    then = f"power on {NODES[NODES.index(turn) + 1]}" if turn != NODES[-1] else f"all {len(NODES)} nodes seen"
    return [f"{turn}: 1 of 2 NICs seen", f"{turn}: 2 NICs seen, {then}"]


def wait_for_lines(live: LiveCommand, expected: list[str]) -> None:
    """Waits for these lines; no others may be printed before the last of them."""
    live.wait_for(lambda lines: lines[: len(expected)] == expected or None)


def power_on_in_order(live: LiveCommand, part: list[str]) -> list[str]:
    """Switches on each machine in turn, and restarts the first; returns the expected lines."""
    expected = [f"power on {part[0]}"]
    for turn in part:
        wait_for_lines(live, expected)
        podman("start", f"{LAB}-{TURNS[turn]}")
        expected += list_expected_lines(turn)
        if turn == part[0]:
            wait_for_lines(live, expected)
            podman("restart", "--time", "0", f"{LAB}-{TURNS[turn]}")
    wait_for_lines(live, expected)
    return expected


def test_power_on_order_assigns_machines_to_nodes(inventory: Path, machines: list[str], tmp_path: Path) -> None:
    macs = {name: [f"02:f0:00:00:{name[1:]}:{nic:02d}" for nic in (0, 1)] for name in NODES}
    plugged = read_plugged()
    for part in PARTS:
        with LiveCommand(inventory, "discover", "--power-on", "--log", str(tmp_path / "log")) as live:
            expected = power_on_in_order(live, part)
            if part[-1] == NODES[-1]:
                assert live.end() == 0
            else:
                assert live.interrupt() == 130
        seen = NODES[: NODES.index(part[-1]) + 1]
        assert live.lines == [*expected, f"macs.json: has the MACs of {len(seen)} of 6 nodes"]
        assert list_bound() == {turn: macs[TURNS[turn]] for turn in seen}
        assert "head" not in list_switch_devices()
    events = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(each["event"], each["node"], each["count"]) for each in events] == [
        ("nic", name, number) for name in seen for number in (1, 2)
    ]
    assert read_plugged() == plugged
    assert not list((BUILD.parent).glob("head-*"))


def list_switch_devices() -> list[str]:
    shown = subprocess.run(["ip", "-n", f"{LAB}-sw", "-json", "link"], check=True, capture_output=True).stdout
    return [link["ifname"] for link in json.loads(shown)]

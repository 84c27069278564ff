# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that are powered on one after another are known by that order: real machines that boot, real leases."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from testinfra.host import Host

from .cabling import read_plugged
from .conftest import BUILD, LAB, NODES, look, read_json
from .live import Live

MACS = BUILD / "site" / "macs.json"
STATE = BUILD / "power-on.json"
#: A fresh installation asks for a lease on every NIC. What the plan has set there is kept, so that it can be taken away
#: again without a trace. Its name must not tell which node it is, or the order would not matter.
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
FILE = "/etc/systemd/network/00-fresh.network"
LEASES = "10.90.0.0/16"


def podman(*words: str) -> None:
    subprocess.run(["podman", *words], check=True, capture_output=True, timeout=60)


#: As if it had never been a fresh installation, once it is up.
PUT_BACK = f"""systemctl is-system-running --wait > /dev/null; rm -f {FILE} && networkctl reload &&
ip address flush dev nic0 to {LEASES} && ip address flush dev nic1 to {LEASES}"""


@pytest.fixture
def machines(nodes: dict[str, Host]) -> Iterator[list[str]]:
    """Six machines that are off, know no addresses, and are known to nobody; afterwards everything is as before."""
    before, macs = look(nodes), MACS.read_bytes()
    for host in nodes.values():
        host.check_output(f"printf '%s' '{FRESH}' > {FILE}")
    containers = [f"{LAB}-{name}" for name in NODES]
    podman("stop", "--time", "0", *containers)
    MACS.unlink()
    yield containers
    MACS.write_bytes(macs)
    STATE.unlink(missing_ok=True)
    podman("start", *containers)
    for host in nodes.values():
        host.check_output(PUT_BACK)
    assert look(nodes) == before


def list_bound() -> dict[str, list[str]]:
    return {node["name"]: [nic["mac"] for nic in node["nics"]] for node in read_json(MACS)["nodes"]}


def wait_for(live: Live, line: str) -> None:
    live.wait_for(lambda lines: line in lines or None)


def test_machines_are_the_nodes_in_whose_turn_they_are_powered_on(
    inventory: Path, machines: list[str], tmp_path: Path
) -> None:
    macs = {name: [f"02:f0:00:00:{name[1:]}:{nic:02d}" for nic in (0, 1)] for name in NODES}
    plugged = read_plugged()
    words = ["discover", "--power-on", "--log", str(tmp_path / "log")]
    with Live(inventory, *words) as first:
        wait_for(first, "power on k00")
        podman("start", machines[0])
        wait_for(first, "k00: 2 NICs seen, power on k01")
        # A machine that restarts is no news, and Ctrl-C is no end.
        podman("restart", "--time", "0", machines[0])
        podman("start", machines[1])
        wait_for(first, "k01: 2 NICs seen, power on k02")
        assert first.interrupt() == 130
    assert first.lines == [
        "power on k00",
        "k00: 1 of 2 NICs seen",
        "k00: 2 NICs seen, power on k01",
        "k01: 1 of 2 NICs seen",
        "k01: 2 NICs seen, power on k02",
        "macs.json: has the MACs of 2 of 6 nodes",
    ]
    assert list_bound() == {"k00": macs["k00"], "k01": macs["k01"]}

    # The last two in the other order, so that nothing but the order can have told.
    turns = {"k02": "k02", "k03": "k03", "k04": "k05", "k05": "k04"}
    with Live(inventory, *words) as second:
        wait_for(second, "power on k02")
        for turn, name in turns.items():
            podman("start", f"{LAB}-{name}")
            then = f"power on k0{int(turn[1:]) + 1}" if turn != "k05" else "all 6 nodes seen"
            wait_for(second, f"{turn}: 2 NICs seen, {then}")
        assert second.end() == 0
    assert second.lines[-1] == "macs.json: has the MACs of 6 of 6 nodes"
    assert list_bound() == {**macs, "k04": macs["k05"], "k05": macs["k04"]}
    told = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(each["event"], each["node"], each["count"]) for each in told] == [
        ("nic", name, number) for name in NODES for number in (1, 2)
    ]
    assert read_plugged() == plugged
    assert "head" not in list_switch_devices()
    assert not list((BUILD.parent).glob("head-*"))


def list_switch_devices() -> list[str]:
    shown = subprocess.run(["ip", "-n", f"{LAB}-sw", "-json", "link"], check=True, capture_output=True).stdout
    return [link["ifname"] for link in json.loads(shown)]

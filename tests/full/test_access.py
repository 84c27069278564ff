# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes without a management NIC: all traffic of people and Ansible goes over one fabric NIC of each node, through the
uplink switch and a router outside the plan.

The tests share one lab and run in order: each leaves the nodes as the next one needs them.
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from access_site import ADDRESSES, LAB, NODES, OURS, ROUTER, SECONDS, AccessSite, end_work
from ansible.module_utils.fnn.shared.mac import derive_mac
from waiting import wait_until

Look = dict[str, dict[str, Any]]
QUICK = 10.0  # seconds that a session may stall while its node changes, on a busy machine


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[AccessSite]:
    """Booted; systemd-networkd has set the addresses on plain NICs."""
    site = AccessSite(root)
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"):
        yield site


@pytest.fixture(scope="module")
def before(site: AccessSite) -> Look:
    return {node: site.read_state(node) for node in NODES}


@pytest.fixture(scope="module")
def configured(site: AccessSite, before: Look) -> Look:
    """Runs all stages while a session is open on a node."""
    assert all(each["addresses"]["nic0"] == [ADDRESSES[node]] for node, each in before.items())
    assert all("mg0" not in each["addresses"] for each in before.values())
    site.play("playbooks/discover.yml")
    session = site.start_work("k00", 60)
    site.play("playbooks/network.yml")
    assert end_work(session) < QUICK
    site.play("site.yml")
    return {node: site.read_state(node) for node in NODES}


def test_a_second_run_of_all_playbooks_changes_nothing(site: AccessSite, configured: Look) -> None:
    assert all(each["addresses"]["fnn-access"] == [ADDRESSES[node]] for node, each in configured.items())
    output = site.play("site.yml")
    assert set(re.findall(r"changed=(\d+)", output)) == {"0"}, output
    assert site.read(site.build / "proof.json")["verdict"] == "proved"
    assert site.read(site.build / "findings.json")["verdict"] == "match"


def test_on_every_port_arp_is_only_about_addresses_outside(site: AccessSite, configured: Look) -> None:
    over = threading.Event()
    forgetful = threading.Thread(target=forget_addresses, args=(over,))
    forgetful.start()
    try:
        site.play("playbooks/prove.yml")
    finally:
        over.set()
        forgetful.join()
    capture = site.read(site.root / "build/lab" / LAB / "capture.json")
    outside = {*ADDRESSES.values(), ROUTER}
    assert {each for frame in capture["arps"] for each in (frame["sender"], frame["target"])} <= outside
    macs = site.read("macs.json")["nodes"]
    nics = {nic["mac"] for node in macs for nic in node["nics"]}
    assert not nics & {frame["mac"] for frame in capture["arps"]}
    ours = {derive_mac(mac) for mac in nics}
    assert any(frame["mac"] in ours for frame in capture["arps"]), "the nodes answered the router meanwhile"
    assert {flow["src"] for flow in capture["flows"]} & set(ADDRESSES.values()), "and to us"


def test_updates_and_names_come_from_behind_the_router(site: AccessSite, configured: Look) -> None:
    serve = [sys.executable, "-m", "http.server", "--bind", OURS, "8123", "--directory", str(site.inventory)]
    server = subprocess.Popen(["ip", "netns", "exec", f"{LAB}-mg", *serve], stderr=subprocess.DEVNULL)
    fetch = f"python3 -c 'import urllib.request as r; print(r.urlopen(\"http://{OURS}:8123/spec.json\").status)'"
    try:
        wait_until(lambda: all(site.shell(node, f"{fetch} || true").strip() == "200" for node in NODES), 20, every=0.5)
    finally:
        server.kill()
        server.wait()
    for node in NODES:
        first = site.shell(node, "grep nameserver /etc/resolv.conf").splitlines()[0]
        assert first == f"nameserver {ROUTER}"


def test_access_device_survives_network_managers_and_reboots(site: AccessSite, configured: Look) -> None:
    for command in ("networkctl reload", "networkctl reconfigure nic0 || true", "systemctl restart systemd-networkd"):
        site.run_ssh("k00", command)
        assert site.read_state("k00") == configured["k00"]
    subprocess.run(["podman", "stop", "--time=5", f"{LAB}-k05"], check=True, capture_output=True)
    subprocess.run(["ip", "-n", f"{LAB}-k05", "link", "del", "fnn-access"], check=True)  # as after a power failure
    subprocess.run(["podman", "start", f"{LAB}-k05"], check=True, capture_output=True)
    wait_until(lambda: site.is_within_reach("k05"), 60, every=0.5)
    assert site.read_state("k05")["addresses"] == configured["k05"]["addresses"]


def test_a_change_that_makes_a_node_unreachable_is_rolled_back(site: AccessSite, configured: Look) -> None:
    """The gateway does not exist: nodes keep their addresses, and hosts behind the router get no answer from them."""
    done = site.try_to_run(*site.write_play("playbooks/network.yml", "-e", "fnn_outside_gateway=192.168.7.99"))
    assert done.returncode != 0
    assert "UNREACHABLE" in done.stdout or "no new connection" in done.stdout, done.stdout
    wait_until(lambda: all(site.is_within_reach(node) for node in NODES), SECONDS + 60, every=0.5)
    assert {node: site.read_state(node) for node in NODES} == configured
    assert "the change was not confirmed" in site.run_ssh("k03", "cat /var/lib/fnn/refused/why")
    site.play("playbooks/network.yml")


def test_impossible_settings_are_reported_before_a_node_changes(site: AccessSite, configured: Look) -> None:
    bad = {"fnn_outside_gateway": "192.168.8.1", "fnn_outside_address": "192.168.7.300"}
    words = [f"{name}={value}" for name, value in bad.items()]
    output = site.try_to_run(*site.write_play("playbooks/network.yml", "-e", " ".join(words))).stdout
    assert "fnn_outside_gateway: " in output and "fnn_outside_address of k03: " in output, output
    output = site.try_to_run(*site.write_play("playbooks/verify.yml", "-e", "fnn_verify_evidence=beacons")).stdout
    assert "Ansible reaches the nodes over the uplinks" in output
    output = site.try_to_run(*site.write_play("playbooks/wire.yml")).stdout
    assert "live cabling needs these unplugged" in output
    assert {node: site.read_state(node) for node in NODES} == configured


def test_access_device_moves_to_another_nic_during_a_batch(site: AccessSite, configured: Look, tmp_path: Path) -> None:
    """k02 and k05 exchange their first cables, which carry their access."""
    assert site.read_access("k02")[0] == "nic0"
    site.play("playbooks/rewire.yml", "-e", f"fnn_rewire_step=plan fnn_rewire_to={make_goal(site, tmp_path)}")
    moves = site.read("rewire.json")["batches"][0]["moves"]
    assert {move["node"] for move in moves} == {"k02", "k05"}
    session = site.start_work("k02", 45)
    site.play("playbooks/rewire.yml", "-e", "fnn_rewire_step=begin")
    assert site.read_access("k02") == ("nic1", ADDRESSES["k02"])
    for move in moves:
        site.fnn("lab", "unplug", f"{move['node']}:{move['nic']}")
    assert all(site.is_within_reach(node) for node in NODES)
    for move in moves:
        site.fnn("lab", "move", f"{move['node']}:{move['nic']}", move["to"])
    site.play("playbooks/rewire.yml", "-e", "fnn_rewire_step=finish")
    assert end_work(session) < QUICK
    assert site.read_access("k02") == ("nic0", ADDRESSES["k02"])
    site.play("playbooks/prove.yml")


def make_goal(site: AccessSite, directory: Path) -> Path:
    """The design in which k02 and k05 have exchanged their places."""
    designer, roles = site.root / "bin/fnn-designer", {"k02": "k05", "k05": "k02"}
    site.run(designer, "export", "--format", "cables", site.inventory / "design.json", "-o", directory / "old.csv")
    cables = list(csv.DictReader(io.StringIO((directory / "old.csv").read_text())))
    lines = [f"{roles.get(each['node'], each['node'])},{each['nic']},{each['switch']}\n" for each in cables]
    (directory / "new.csv").write_text("".join(lines))
    words = ["--format", "cables", "--spec", site.inventory / "spec.json", directory / "new.csv"]
    site.run(designer, "import", *words, "-o", directory / "new.json")
    return directory / "new.json"


def test_after_removal_the_nics_have_their_addresses_again(site: AccessSite, before: Look, configured: Look) -> None:
    session = site.start_work("k01", 30)
    site.play("playbooks/remove.yml")
    assert end_work(session) < 60
    wait_until(lambda: all(site.is_within_reach(node) for node in NODES), 60, every=0.5)
    wait_until(lambda: {node: site.read_state(node) for node in NODES} == before, 20, every=0.5)


def forget_addresses(over: threading.Event) -> None:
    """Flushes the router's neighbors repeatedly."""
    while not over.wait(0.5):
        subprocess.run(["ip", "-n", f"{LAB}-router", "neigh", "flush", "all"], capture_output=True, check=False)

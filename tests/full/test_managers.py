# SPDX-License-Identifier: GPL-3.0-or-later
"""Restarts and reloads of network managers do not affect the fabric while programs talk over it. Then unconfirmed
changes, and the removal of the toolkit.

The tests share one lab and run in order: each leaves the two nodes as the next one needs them.
"""

from __future__ import annotations

import functools
import json
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from managers_site import (
    FOR_NETWORKD,
    LAB,
    NODES,
    TO_NETWORKMANAGER,
    ManagersSite,
    compare,
    wait_for_nothing,
)
from waiting import wait_until

Look = dict[str, dict[str, Any]]
REFUSED = ["/var/lib/fnn/refused"]
#: Lists the units of a rollback. fnn-hosts.service names one that need not exist.
LOADED = "systemctl list-units --all --state=loaded --plain --no-legend 'fnn-rollback*'"
#: The user's home, the account files with their backups, and the loader's cache, which is rebuilt.
OF_A_USER = ["/home/fnn", *(f"/etc/{name}" for name in ("passwd", "group", "shadow", "gshadow", "subuid", "subgid"))]
OF_A_USER += ["/etc/ld.so.cache"]
#: Seconds that a change waits here. Longer than a pass takes on a busy machine.
SECONDS = 25
#: Seconds after a rollback at boot within which fnn-linkd is active.
RETURN = 5
MANAGERS = {
    "k00": [
        "networkctl reload",
        "networkctl reconfigure nic0 nic1 fnn0 || true",  # it reports that they are unmanaged
        "systemctl restart systemd-networkd",
        "systemctl stop systemd-networkd.socket systemd-networkd; sleep 1; systemctl start systemd-networkd",
    ],
    "k01": [
        "systemctl reload NetworkManager",
        "nmcli connection reload",
        "systemctl restart NetworkManager",
        "systemctl stop NetworkManager; sleep 1; systemctl start NetworkManager",
    ],
}


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[ManagersSite]:
    """Booted and discovered; no plan is applied."""
    site = ManagersSite(root)
    site.make(fnn_confirm_seconds=SECONDS)
    site.play("playbooks/lab-down.yml")
    site.play("playbooks/design.yml", "playbooks/lab.yml")
    site.shell("k00", FOR_NETWORKD)
    site.shell("k01", TO_NETWORKMANAGER)
    site.play("playbooks/discover.yml")
    yield site
    site.play("playbooks/lab-down.yml")


@pytest.fixture(scope="module")
def directories(site: ManagersSite) -> dict[str, list[str]]:
    """The directories of each node before the toolkit changed anything."""
    return {node: site.list_directories(node) for node in NODES}


@pytest.fixture(scope="module")
def before(site: ManagersSite, directories: dict[str, list[str]]) -> Look:
    """Every file and all network settings in the kernel, before the toolkit changed anything."""
    assert all("/usr/local/sbin" in names for names in directories.values())
    return site.inspect_all()


@pytest.fixture(scope="module")
def configured(site: ManagersSite, before: Look) -> Look:
    assert before
    site.play("playbooks/network.yml")
    return site.inspect_all()


def test_a_confirmed_change_stays_and_leaves_nothing_waiting(site: ManagersSite, configured: Look) -> None:
    assert configured
    for node in NODES:
        assert site.shell(node, "ls /var/lib/fnn").split() == ["linkd.prom", "original.json"]
        assert site.shell(node, LOADED) == ""
        assert site.shell(node, "find /etc/systemd -name 'fnn-rollback*'") == ""
    output = site.play("playbooks/network.yml")
    assert output.count("changed=0") == len(NODES) and "Confirm over a new connection" not in output


@pytest.mark.parametrize(("node", "action"), [(node, each) for node in NODES for each in MANAGERS[node]])
def test_a_manager_touches_no_route_and_no_neighbor(
    site: ManagersSite, configured: Look, node: str, action: str
) -> None:
    with site.watch(node) as deleted, site.conversation() as lost:
        time.sleep(1)
        site.shell(node, action)
        time.sleep(3)
    assert (deleted, lost) == ([], dict.fromkeys(NODES, 0))
    assert compare({node: configured[node]}, {node: site.read_state(node)}) == []


def test_without_the_unmanaged_devices_file_managers_set_addresses(site: ManagersSite, configured: Look) -> None:
    """Control for the test before: both managers have their own settings for nic0. fnn-linkd would restore the plan."""
    spoil = {
        "k00": "rm /etc/systemd/network/05-fnn-hands-off.network; networkctl reload",
        "k01": "rm /etc/NetworkManager/conf.d/90-fnn-hands-off.conf; systemctl reload NetworkManager; "
        "nmcli device set nic0 managed yes",
    }
    for node in NODES:
        site.shell(node, f"systemctl stop fnn-linkd; {spoil[node]}")
    for node in NODES:
        taken = "ip -4 address show dev nic0 | grep 192.0.2"
        wait_until(functools.partial(site.prints, node, taken), 20, every=0.2)
    site.play("playbooks/network.yml")
    wait_for_nothing(lambda: compare(configured, site.inspect_all()), 20)


def test_a_change_of_a_killed_controller_is_rolled_back(site: ManagersSite, configured: Look) -> None:
    site.kill_controller_during("playbooks/network.yml", "-e", "fnn_addressing=unnumbered")
    assert site.inspect_all() != configured
    wait_until(lambda: not any(site.is_waiting(node) for node in NODES), SECONDS + 20, every=0.2)
    wait_for_nothing(lambda: compare(configured, site.inspect_all(), REFUSED), 20)
    for node in NODES:
        assert "the change was not confirmed in time" in site.shell(node, "cat /var/lib/fnn/refused/why")
        assert site.shell(node, LOADED) == ""


def test_a_reboot_before_the_confirmation(site: ManagersSite, configured: Look) -> None:
    site.kill_controller_during(
        "playbooks/network.yml", "-e", json.dumps({"fnn_addressing": "unnumbered", "fnn_confirm_seconds": 600})
    )
    for node in NODES:
        assert "fnn-rollback.timer" in site.shell(node, "systemctl list-timers --no-legend")
        since = time.time()
        site.reboot(node)
        assert "booted before the change was confirmed" in site.shell(node, "cat /var/lib/fnn/refused/why")
        assert site.measure_return(node, since) <= RETURN
        assert site.prints(node, "systemctl is-active fnn-linkd | grep -x active")
    wait_for_nothing(lambda: compare(configured, site.inspect_all(), REFUSED), 30)


def test_a_setting_that_makes_a_node_unreachable_is_rolled_back(
    site: ManagersSite, configured: Look, tmp_path: Path
) -> None:
    """arp_ignore=8: the node answers no ARP request for its address. The test flushes the controller's neighbors, which
    still have it."""
    own, common = (Path(shutil.copytree(site.build / each, tmp_path / each)) for each in ("nodes/k00", "common"))
    with (common / "etc/sysctl.d/90-fnn.conf").open("a") as sysctl:
        sysctl.write("net.ipv4.conf.mg0.arp_ignore = 8\n")
    confirmed = {"fnn_confirm": {"generation": "any"}, "name": "Confirm"}
    keys = str(site.inventory / ".secrets/linkd.keys")
    options = {"bundle": str(own), "common": str(common), "linkd_keys": keys, "confirm": 10}
    applied = {"fnn_apply": options, "name": "Apply"}
    playbook = tmp_path / "cut.yml"
    playbook.write_text(json.dumps([{"name": "Cut", "hosts": "k00", "tasks": [applied, confirmed]}]))
    over = threading.Event()
    forgetting = threading.Thread(target=forget_addresses, args=(over,))
    forgetting.start()
    try:
        done = site.try_to_run(*site.write_play(str(playbook)))
    finally:
        over.set()
        forgetting.join()
    assert done.returncode != 0 and "the change was not confirmed in time" in done.stdout
    wait_for_nothing(lambda: compare(configured, site.inspect_all(), REFUSED), 20)
    assert "arp_ignore" in site.shell("k00", "cat /var/lib/fnn/refused/etc/sysctl.d/90-fnn.conf")
    site.play("playbooks/network.yml")


def test_a_management_network_that_fails_meanwhile(site: ManagersSite, configured: Look) -> None:
    """One of two nodes is out of reach during confirmation: it rolls back, the other keeps the change."""
    variables = ["-e", "fnn_mptcp=true"]
    playing = site.start_play("playbooks/network.yml", *variables)
    cable = ["ip", "-n", f"{LAB}-mg", "link", "set", "k00.mg"]
    waits_by_the_end = "grep -q 'mptcp on' /etc/fnn/node && ! ls /etc/fnn/cutover && echo yes"
    wait_until(lambda: site.prints("k00", waits_by_the_end), 120, every=0.2)
    subprocess.run([*cable, "down"], check=True)
    try:
        assert playing.wait(1200) != 0
        wait_until(lambda: not site.is_waiting("k00"), SECONDS + 20, every=0.2)
    finally:
        subprocess.run([*cable, "up"], check=True)
    assert "mptcp off" in site.shell("k00", "cat /etc/fnn/node")
    assert "mptcp on" in site.shell("k01", "cat /etc/fnn/node")
    site.play("playbooks/network.yml", *variables)
    site.play("playbooks/network.yml")
    wait_for_nothing(lambda: compare(configured, site.inspect_all(), [*REFUSED, "/etc/fnn/"]), 20)


def test_a_rotated_key_is_in_use_on_all_nodes_and_no_nic_was_missed(site: ManagersSite, configured: Look) -> None:
    assert configured
    ids = "fnn-linkd status | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"keys\"])'"
    former, since = site.shell("k00", ids), site.shell("k00", "date +%s").strip()
    output = site.play("playbooks/adhoc/rotate-linkd-keys.yml")
    (key,) = {site.shell(node, "grep -o 'sign .*' /etc/fnn/linkd.key").split()[1] for node in NODES}
    assert key in (site.inventory / ".secrets/linkd.keys").read_text() and key not in output
    for node in NODES:
        assert site.shell(node, "stat -c %a /etc/fnn/linkd.key").strip() == "600"
        assert former != site.shell(node, ids) and site.shell(node, ids).count(",") == 0
        assert "is not used" not in site.shell(node, f"journalctl -q -u fnn-linkd --since=@{since}")
    assert site.play("playbooks/network.yml").count("changed=0") == len(NODES)


def test_a_key_that_is_too_old_is_renewed_with_the_network(site: ManagersSite, configured: Look) -> None:
    assert configured
    file, days = site.inventory / ".secrets/linkd.keys", ("-e", "fnn_linkd_key_days=30")
    former = file.read_text()
    file.write_text(re.sub(r"since \S+", "since 2001-01-01", former))
    there, missing = NODES
    output = site.play("playbooks/network.yml", "--limit", there, *days)
    text = " ".join(output.split())
    assert f"since 2001-01-01 and is due for renewal. It is not renewed, as {missing} did not take part" in text
    assert "Write the keys of the step" not in output
    dated = file.read_text()
    site.play("playbooks/network.yml", "--check", *days)
    assert file.read_text() == dated
    assert "Write the keys of the step" in site.play("playbooks/network.yml", *days)
    (key,) = {site.shell(node, "grep -o 'sign .*' /etc/fnn/linkd.key").split()[1] for node in NODES}
    assert key in file.read_text() and key not in former
    assert site.play("playbooks/network.yml", *days).count("changed=0") == len(NODES)


def test_after_removal_both_nodes_are_in_their_original_state(
    site: ManagersSite, before: Look, configured: Look, directories: dict[str, list[str]]
) -> None:
    assert configured
    output = site.play("playbooks/remove.yml", "--check", "--diff")
    assert "etc/fnn/links" in output and "-red" in output
    site.play("playbooks/remove.yml")
    wait_for_nothing(lambda: compare(before, site.inspect_all()), 20)
    for node in NODES:
        assert site.shell(node, "find / -xdev -name '*fnn*' ! -path '/proc/*' ! -path '/sys/*'") == ""
        assert site.shell(node, "find /run -name '*fnn*'") == ""
        assert site.list_directories(node) == directories[node]
    assert site.play("playbooks/remove.yml").count("changed=0") == len(NODES)


def test_a_reboot_before_confirmation_rolls_a_removal_back(site: ManagersSite, before: Look) -> None:
    """systemd selects the units of that boot without the toolkit's."""
    site.play("playbooks/network.yml")
    configured = site.inspect_all()
    variables = ["-e", json.dumps({"fnn_confirm_seconds": 600})]
    site.kill_controller_during("playbooks/remove.yml", "--tags", "network", *variables)
    for node in NODES:
        since = time.time()
        site.reboot(node)
        assert site.measure_return(node, since) <= RETURN
        for unit in ("fnn-net", "fnn-linkd"):
            assert site.prints(node, f"systemctl is-active {unit} | grep -x active")
    wait_for_nothing(lambda: compare(configured, site.inspect_all(), REFUSED), 30)
    site.play("playbooks/remove.yml")
    wait_for_nothing(lambda: compare(before, site.inspect_all()), 20)


def test_an_unconfirmed_removal_is_rolled_back(site: ManagersSite, before: Look) -> None:
    site.play("playbooks/network.yml")
    configured = site.inspect_all()
    site.kill_controller_during("playbooks/remove.yml", "--tags", "network")
    wait_until(lambda: not any(site.is_waiting(node) for node in NODES), SECONDS + 20, every=0.2)
    wait_for_nothing(lambda: compare(configured, site.inspect_all(), REFUSED), 20)
    site.play("playbooks/remove.yml")
    wait_for_nothing(lambda: compare(before, site.inspect_all()), 20)


def test_after_mpi_and_the_proof_only_the_cluster_user_stays(
    site: ManagersSite, before: Look, directories: dict[str, list[str]]
) -> None:
    site.play("playbooks/network.yml", "playbooks/mpi.yml", "playbooks/prove.yml")
    site.play("playbooks/remove.yml")
    wait_for_nothing(lambda: compare(before, site.inspect_all(), OF_A_USER), 20)
    for node in NODES:
        assert site.list_directories(node) == directories[node]
    assert site.play("playbooks/remove.yml").count("changed=0") == len(NODES)


def forget_addresses(over: threading.Event) -> None:
    """Flushes the controller's neighbors repeatedly."""
    while not over.wait(0.5):
        subprocess.run(["ip", "-n", f"{LAB}-mg", "neigh", "flush", "all"], capture_output=True, check=False)

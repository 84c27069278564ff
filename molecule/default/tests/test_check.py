# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn check names what each node lacks, all at once, and site.yml stops there before anything changes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from testinfra.host import Host

from .conftest import BUILD, LAB, PROJECT, Outcome, ask_all, read_json

#: Node -> the commands that make the fault and repair it. k00 has none.
FAULTS = {
    "k01": ("mount --bind /etc /etc && mount -o remount,bind,ro /etc", "umount /etc"),
    "k02": (
        "mkdir -p /etc/network; printf 'auto nic1\\niface nic1 inet dhcp\\n' > /etc/network/interfaces",
        "rm -r /etc/network",
    ),
    "k03": (
        "mv /usr/bin/python3 /usr/bin/py; for p in /usr/bin/python3.*; do mv $p /usr/bin/py${p##*/}; done",
        "mv /usr/bin/py /usr/bin/python3; for p in /usr/bin/pypython3.*; do mv $p /usr/bin/${p#/usr/bin/py}; done",
    ),
    "k04": ("systemctl stop ssh; pkill sshd; true", "systemctl start ssh"),
    "k05": (
        "ip link add other type veth peer name other1 && ip address add 10.77.9.1/24 dev other && ip link set other up;"
        "mount --bind /usr/local /usr/local && mount -o remount,bind,noexec /usr/local",
        "ip link delete other; umount /usr/local",
    ),
}
FOUND = {
    "k01": [("disk", "/etc is read-only")],
    "k02": [("configuration", "/etc/network/interfaces:2: ifupdown configures nic1, a NIC of the cluster")],
    "k03": [("python", "Python 3 is not installed")],
    "k04": [("connection", f"{LAB}-k04 closed the connection")],
    "k05": [
        ("addresses", "other has the address 10.77.9.1/24, which fnn_prefix 10.77.0.0/16 covers"),
        ("disk", "/usr/local is mounted noexec, so that no program there can run"),
    ],
}  # fmt: skip


@pytest.fixture
def faulty(nodes: dict[str, Host]) -> Iterator[None]:
    """Each node but the first has a fault of its own."""
    for name, (break_it, _) in FAULTS.items():
        nodes[name].check_output(break_it)
    yield
    for name, (_, repair) in FAULTS.items():
        nodes[name].check_output(repair)


def run_check(inventory: Path) -> tuple[int, str]:
    """Exit status and output of ./fnn check."""
    command = [sys.executable, "fnn", "-i", str(inventory), "check"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=600, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout


def list_found() -> dict[str, list[tuple[str, str]]]:
    """Node -> its findings in check.json, without nodes that have none."""
    document: Any = read_json(BUILD / "check.json")
    found = {node["name"]: [(each["check"], each["text"]) for each in node["findings"]] for node in document["nodes"]}
    return {name: findings for name, findings in found.items() if findings}


def test_all_faults_are_named_at_once_and_stop_the_play(
    nodes: dict[str, Host], faulty: None, play: Callable[..., Outcome]
) -> None:
    assert list_found() == {}, "the run before has found the nodes ready"
    design, before = (
        (BUILD / "site" / "design.json").read_bytes(),
        ask_all(nodes, "find /etc /usr/local -type f ! -name '*.pyc' | sort"),
    )
    outcome = play("site.yml", "--extra-vars", json.dumps({"fnn_redesign": True}))
    assert (outcome.status, list_found()) == (2, FOUND)
    assert f"k04: problem: {LAB}-k04 closed" in " ".join(outcome.output.split())
    assert "Design the wiring" not in outcome.output
    assert (BUILD / "site" / "design.json").read_bytes() == design
    assert ask_all(nodes, "find /etc /usr/local -type f ! -name '*.pyc' | sort") == before


@pytest.mark.long
def test_a_node_that_is_left_out_does_not_count(
    inventory: Path, nodes: dict[str, Host], faulty: None, play: Callable[..., Outcome]
) -> None:
    assert play("playbooks/check.yml", "--limit=k00").status == 0
    outcome = play("playbooks/check.yml", "--limit=k00,k02", "--extra-vars", json.dumps({"fnn_proceed": True}))
    assert outcome.status == 0
    assert "k02: problem: /etc/network/interfaces:2" in " ".join(outcome.output.split())


#: Node -> settings of sshd that keep MPI out, and words of the finding.
SSHD = {
    "k01": ("AllowUsers root", "AllowUsers of sshd refuses the cluster user fnn from 10.78.0.1: root"),
    "k02": ("Match User fnn\\n  ForceCommand /bin/false", "sshd runs /bin/false instead of the programs of MPI"),
    "k03": ("Match Address 10.78.0.0/16\\n  PubkeyAuthentication no", "PubkeyAuthentication is no"),
    "k04": ("AuthorizedKeysFile /etc/ssh/keys/%%u", "sshd reads keys from /etc/ssh/keys/%u"),
}


def test_what_keeps_mpi_out_of_a_node_is_named(inventory: Path, nodes: dict[str, Host]) -> None:
    """The settings are not in force, as sshd is not reloaded: `sshd -T` reads them."""
    for name, (lines, _) in SSHD.items():
        nodes[name].check_output(f"printf '{lines}\\n' > /etc/ssh/sshd_config.d/00-test.conf")
    nodes["k05"].check_output("hostname box0")
    status, output = run_check(inventory)
    found = list_found()
    for name in SSHD:
        nodes[name].check_output("rm /etc/ssh/sshd_config.d/00-test.conf")
    nodes["k05"].check_output("hostname k05")
    assert (status, output.splitlines()[-1]) == (4, "6 of 6 nodes refused: k00, k01, k02, k03, k04, k05")
    for name, (_, words) in SSHD.items():
        assert [words in text for _, text in found[name]] == [True], found[name]
    assert [check for check, _ in found["k00"]] == [check for check, _ in found["k05"]] == ["names"]
    assert "its host name box0 is that of k00 too" in found["k05"][0][1]


# --- The way to a node ---

OPS = "useradd --create-home --shell /bin/bash ops && echo ops:secret | chpasswd && install -d -o ops -m 700 ~ops/.ssh"
KEY = "install -o ops -m 600 /lab/authorized_keys ~ops/.ssh/authorized_keys"
ADMIN = "echo 'ops ALL=(ALL) ALL' > /etc/sudoers.d/ops"
#: Each connection is a new one, so that options count.
NEW = "-o ControlPath=none -o ControlMaster=no"


@pytest.fixture
def ops(nodes: dict[str, Host]) -> Iterator[None]:
    """A user on k03, k04 and k05 that logs in by key. On k03 and k04 it may use sudo with its password, `secret`."""
    for name, commands in (("k03", [OPS, KEY, ADMIN]), ("k04", [OPS, KEY, ADMIN]), ("k05", [OPS, KEY])):
        nodes[name].check_output(" && ".join(commands))
    yield
    for name in ("k03", "k04", "k05"):
        nodes[name].check_output("userdel --remove ops 2> /dev/null; rm -f /etc/sudoers.d/ops")


def set_ways(inventory: Path, place: Path, ways: dict[str, dict[str, Any]]) -> Path:
    """A copy of the inventory in which these nodes are reached in another way. args: further options of SSH."""
    copy = Path(shutil.copytree(inventory, place / "inventory"))
    (copy / "host_vars").mkdir()
    for name, way in ways.items():
        args = f"-F {PROJECT}/build/lab/{LAB}/ssh/config {NEW} {way.pop('args', '')}"
        (copy / "host_vars" / f"{name}.yml").write_text(json.dumps({"ansible_ssh_common_args": args, **way}))
    return copy


def test_each_obstacle_on_the_way_has_its_remedy(inventory: Path, tmp_path: Path, ops: None) -> None:
    known, wrong = PROJECT / "build/lab" / LAB / "ssh/known_hosts", tmp_path / "known_hosts"
    wrong.write_text(known.read_text().replace(f"{LAB}-k01 ", "another ").replace(f"{LAB}-k02 ", f"{LAB}-k01 "))
    ways: dict[str, dict[str, Any]] = {
        "k00": {"args": "-o UserKnownHostsFile=/dev/null"},
        "k01": {"args": f"-o UserKnownHostsFile={wrong}"},
        "k02": {"args": "-o PubkeyAuthentication=no"},
        "k03": {"ansible_user": "ops"},
        "k04": {"ansible_host": "no-such-name.invalid", "args": "-o ProxyCommand=none"},
        "k05": {"ansible_host": "127.0.0.1", "ansible_port": 1, "args": "-o ProxyCommand=none"},
    }
    status, _ = run_check(set_ways(inventory, tmp_path, ways))
    assert status == 4
    assert list_found() == {
        "k00": [("host-key", "its host key is not known")],
        "k01": [("host-key", "its host key is not the one in known_hosts")],
        "k02": [("login", "the login was refused")],
        "k03": [("root", "sudo needs a password")],
        "k04": [("connection", "the name no-such-name.invalid has no address")],
        "k05": [("connection", "127.0.0.1 answers, but no SSH server listens")],
    }


@pytest.mark.long
def test_a_password_for_sudo_may_be_right_wrong_or_of_no_use(inventory: Path, tmp_path: Path, ops: None) -> None:
    ways: dict[str, dict[str, Any]] = {
        "k03": {"ansible_user": "ops", "ansible_become_password": "secret"},
        "k04": {"ansible_user": "ops", "ansible_become_password": "wrong"},
        "k05": {"ansible_user": "ops", "ansible_become_password": "secret"},
    }
    status, _ = run_check(set_ways(inventory, tmp_path, ways))
    assert status == 4
    assert list_found() == {
        "k04": [("root", "sudo refused the password")],
        "k05": [("root", "ops may not use sudo")],
    }

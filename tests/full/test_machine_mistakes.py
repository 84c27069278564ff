# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes of an evening, on real systems: each ends in one line of `./fnn check`, and no node changes.

The tests share the four machines, before the first configuration of their fabric. Each undoes its mistake.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from machine_mistakes import HARMLESS, MISTAKES, PLAIN, Mistake
from machines_site import NODES, PASSING, MachinesSite, needs_programs, report

pytestmark = needs_programs

LAB = os.environ.get("FNN_TEST_MISTAKES", "mistakes")  # another name allows a second clone to run at the same time
#: Files in which a check could leave something.
CHANGED = (
    f"find /etc /usr /var/lib /root /home -xdev -regextype posix-extended -regex '{PASSING}' -prune "
    "-o -newer /run/mistake -type f -print"
)
STATE = "ip -4 address; ip -4 route; tc qdisc show; nft list ruleset"


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[MachinesSite]:
    site = MachinesSite(root, LAB)
    with site.running():
        yield site


@pytest.fixture(autouse=True)
def progress(request: pytest.FixtureRequest) -> None:
    report(request.node.name)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each.name.replace(" ", "-"))
def test_a_mistake_ends_in_one_line_before_a_node_changes(mistake: Mistake, site: MachinesSite) -> None:
    done = check_with(mistake, site)
    host = f"{site.lab}-{mistake.node}"
    lines = done.stdout.splitlines()
    assert lines[1:-1] == [f"     problem  {line.format(host=host)}" for line in mistake.finds], (
        done.stdout + done.stderr
    )
    assert lines[0].startswith(f"{mistake.node}  refused  ")
    assert (lines[-1], done.returncode) == (f"1 of 1 node refused: {mistake.node}", 4)


@pytest.mark.parametrize("mistake", HARMLESS, ids=lambda each: each.name.replace(" ", "-"))
def test_what_the_toolkit_takes_over_is_no_mistake(mistake: Mistake, site: MachinesSite) -> None:
    done = check_with(mistake, site)
    # The clock of a machine whose processor is emulated drifts while this one is busy.
    lines = [line for line in done.stdout.splitlines()[1:] if "warning  the clock is" not in line]
    assert (lines, done.returncode) == (["1 node ready"], 0), done.stdout + done.stderr


def check_with(mistake: Mistake, site: MachinesSite) -> subprocess.CompletedProcess[str]:
    """The check of one node with a mistake, which is undone; the node is as it was before the check."""
    try:
        site.shell(mistake.node, f"{mistake.cause}\nsync; touch /run/mistake; sleep 1")
        before, documents = site.shell(mistake.node, STATE), read_documents(site)
        variables = ["-e", json.dumps(mistake.variables)] if mistake.variables else []
        done = site.try_to_run(*site.write_fnn("check", "--limit", mistake.node, *variables))
        assert site.shell(mistake.node, CHANGED) == ""
        assert site.shell(mistake.node, STATE) == before
        assert read_documents(site) == documents
    finally:
        site.shell(mistake.node, mistake.undo or "true")
    return done


def read_documents(site: MachinesSite) -> dict[str, bytes]:
    """The documents beside the inventory, and all other files there."""
    return {str(path): path.read_bytes() for path in site.inventory.rglob("*") if path.is_file()}


def test_the_password_of_sudo_may_be_given(site: MachinesSite) -> None:
    site.shell("k00", "echo 'ops ALL=(ALL) ALL' > /etc/sudoers.d/ops")
    try:
        words = ("check", "--limit", "k00", "-e", "ansible_become_password=ops")
        assert site.fnn(*words).splitlines()[-1] == "1 node ready"
    finally:
        site.shell("k00", "echo 'ops ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ops")


def test_a_node_behind_a_jump_host_is_checked(site: MachinesSite) -> None:
    jump = f'ssh -F "{site.ssh_config}" -l ops -W %h:%p {site.lab}-k01'
    extra = f"-o ControlPath=none -o ProxyCommand='{jump}'"
    # The option on the command line is stronger than the file that ssh reads.
    out = site.fnn("check", "--limit", "k03", "-e", json.dumps({"ansible_ssh_extra_args": extra}))
    assert out.splitlines()[-1] == "1 node ready"
    assert "Accepted publickey for ops from 10.79.0.2" in site.shell("k03", "journalctl -u ssh -u sshd --since -5min")


@pytest.mark.parametrize("form", ["ini", "dynamic"])
def test_other_forms_of_inventories_are_checked(form: str, site: MachinesSite) -> None:
    """The same hosts and variables, as a file of INI and as a program that prints JSON."""
    hosts = site.inventory / "hosts.yml"
    text = hosts.read_text()
    variables = yaml.safe_load(text)["fnn_nodes"]["hosts"]
    other = site.inventory / ("hosts.ini" if form == "ini" else "hosts.sh")
    if form == "ini":
        lines = [" ".join([name, *(f"{key}={value}" for key, value in variables[name].items())]) for name in NODES]
        other.write_text("[fnn_nodes]\n" + "\n".join(lines) + "\n")
    else:
        document = {"fnn_nodes": {"hosts": list(NODES)}, "_meta": {"hostvars": variables}}
        other.write_text(f"#!/bin/sh\ncat << 'END'\n{json.dumps(document)}\nEND\n")
        other.chmod(0o755)
    hosts.unlink()
    try:
        assert site.fnn("check").splitlines()[-1] == "4 nodes ready"
    finally:
        hosts.write_text(text)
        other.unlink()


def test_a_locale_that_the_controller_lacks_changes_nothing(site: MachinesSite) -> None:
    """As ssh forwards it from the machine of the operator."""
    environment = {**site.environment, "LC_ALL": "xx_XX.UTF-8", "LANG": "xx_XX.UTF-8"}
    command = site.write_fnn("check", "--limit", "k00")
    done = subprocess.run(
        command, cwd=site.root, env=environment, capture_output=True, text=True, timeout=site.seconds, check=False
    )
    assert done.stdout.splitlines()[-1:] == ["1 node ready"], done.stdout + done.stderr


def test_a_management_network_of_ipv6_alone_is_checked(site: MachinesSite) -> None:
    """The node keeps its IPv4 address for the other tests; Ansible connects to the other one."""
    site.shell("k00", "ip -6 address add fd00:79::1/64 dev eth0 nodad")
    bridge = ["ip", "netns", "exec", f"{site.lab}-mg"]
    site.run(*bridge, "sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/mg/disable_ipv6")
    site.run(*bridge, "ip", "-6", "address", "add", "fd00:79::ff/64", "dev", "mg", "nodad")
    extra = f"-o ControlPath=none -o HostName=fd00:79::1 -o HostKeyAlias={site.lab}-k00"
    out = site.fnn("check", "--limit", "k00", "-e", json.dumps({"ansible_ssh_extra_args": extra}))
    assert out.splitlines()[-1] == "1 node ready"


def test_the_nic_below_a_tunnel_is_protected(site: MachinesSite) -> None:
    """WireGuard between k01 and k03, as Tailscale makes it: Ansible reaches k03 over the tunnel from k01."""
    with tunnel(site):
        jump = f'ssh -F "{site.ssh_config}" -l ops -W 10.99.0.3:22 {site.lab}-k01'
        way = {"ansible_ssh_extra_args": f"-o ControlPath=none -o ProxyCommand='{jump}'"}
        out = site.fnn("check", "--limit", "k03", "-e", json.dumps(way))
        assert out.splitlines()[-1] == "1 node ready"
        nics = {"fnn_nics": [{"name": name, **PLAIN} for name in ("admin", "lan0")]}
        done = site.try_to_run(*site.write_fnn("check", "--limit", "k03", "-e", json.dumps({**way, **nics})))
        assert done.returncode == 4, done.stdout + done.stderr
        assert "     problem  admin is below wg0, which carries the SSH connection from 10.99.0.1" in done.stdout
        assert "Accepted publickey for ops from 10.99.0.1" in site.shell(
            "k03", "journalctl -u ssh -u sshd --since -5min"
        )


@contextmanager
def tunnel(site: MachinesSite) -> Iterator[None]:
    """A tunnel over the management network: 10.99.0.1 is k01, 10.99.0.3 is k03."""
    ends = {"k01": ("10.99.0.1", "10.79.0.2"), "k03": ("10.99.0.3", "10.79.0.4")}
    try:
        make = (
            "umask 077; wg genkey > /run/wg.key; ip link add wg0 type wireguard; "
            "wg set wg0 listen-port 51820 private-key /run/wg.key; wg pubkey < /run/wg.key"
        )
        keys = {node: site.shell(node, make).strip() for node in ends}
        for (node, (own, _)), (peer, (address, outer)) in zip(ends.items(), reversed(ends.items())):
            site.shell(
                node,
                f"wg set wg0 peer {keys[peer]} allowed-ips {address}/32 endpoint {outer}:51820\n"
                f"ip address add {own}/24 dev wg0; ip link set wg0 up",
            )
        yield
    finally:
        for node in ends:
            site.shell(node, "ip link delete wg0; rm -f /run/wg.key")


def test_machines_keep_host_names_of_their_own(site: MachinesSite) -> None:
    with host_names(site, k00="box0", k01="box1"):
        assert site.fnn("check", "--limit", "k00,k01").splitlines()[-1] == "2 nodes ready"


def test_two_nodes_with_one_host_name_are_refused(site: MachinesSite) -> None:
    with host_names(site, k00="raspberrypi", k01="raspberrypi"):
        done = site.try_to_run(*site.write_fnn("check", "--limit", "k00,k01"))
        assert done.returncode == 4, done.stdout + done.stderr
        problems = [line for line in done.stdout.splitlines() if line.startswith("     problem")]
        assert len(problems) == 2 and all("raspberrypi" in line for line in problems), done.stdout


@contextmanager
def host_names(site: MachinesSite, **names: str) -> Iterator[None]:
    try:
        for node, name in names.items():
            site.shell(node, f"hostnamectl set-hostname {name}")
        yield
    finally:
        for node in names:
            site.shell(node, f"hostnamectl set-hostname {node}")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes of an evening, on real systems: each ends in one line of `./fnn check`, and no node changes.

The tests share the four machines, before the first configuration of their fabric. Each undoes its mistake.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from machine_mistakes import HARMLESS, MISTAKES, Mistake
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
    assert (done.stdout.splitlines()[1:], done.returncode) == (["1 node ready"], 0), done.stdout + done.stderr


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

# SPDX-License-Identifier: GPL-3.0-or-later
"""The NICs of nodes: read by the code for nodes, and every failure on the way with its remedy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.init.read_node import FoundNic, read_node, read_nodes
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.nic_facts import read_links


class Recorded:
    """A runner in place of subprocess.run, with a recorded result; keeps the command."""

    def __init__(self, stdout: str = "", stderr: str = "", returncode: int = 0) -> None:
        self.result = (returncode, stdout, stderr)
        self.command: list[str] = []

    def __call__(self, command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        self.command = command
        return subprocess.CompletedProcess(command, *self.result)


ROUTE = "has a default route (IPv4, table main)"


def describe(
    device: str, speed: int | None = 1000, driver: str | None = "igc", reserved: str | None = None, **ability: Any
) -> dict[str, Any]:
    link = {"device": device, "speed_mbps": speed, "driver": driver, "reserved": reserved}
    return {**link, "fastest_mbps": None, "plug": None, **ability}


def refuse(run: Any, user: str = "admin") -> str:
    with pytest.raises(FnnError) as error:
        read_node("k00", user, run)
    return str(error.value)


def test_nics_come_in_natural_order_with_the_reason_why_one_is_not_for_the_fabric() -> None:
    links = [
        describe("enp10s0", None),
        describe("enp2s0"),
        describe("eno1", 100, "e1000e", ROUTE),
        describe("enx1", None, None),
        describe("enp1s0f0", None, "mlx5_core", fastest_mbps=25000, plug="module"),
    ]
    run = Recorded("Welcome to k00\n" + json.dumps({"links": links}) + "\n")
    assert read_node("k00", run=run) == (
        FoundNic("eno1", 100, None, "e1000e", ROUTE),
        FoundNic("enp1s0f0", 25000, "module", "mlx5_core"),
        FoundNic("enp2s0", 1000, None, "igc"),
        FoundNic("enp10s0", None, None, "igc"),
        FoundNic("enx1", None),
    )
    assert run.command == ["ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "--", "k00", "python3 -"]


def test_two_devices_of_one_plug_are_one_nic() -> None:
    devices = {"enP2p1s0f0np0": "0002:01:00.0", "enp1s0f0np0": "0000:01:00.0", "enp1s0f1np1": "0000:01:00.1"}
    links = [
        {**describe(device, 200000, "mlx5_core"), "pci": pci, "port": f"4e5f {device[-2:]}"}
        for device, pci in devices.items()
    ]
    found = read_node("k00", run=Recorded(json.dumps({"links": links}) + "\n"))
    assert found == (
        FoundNic("enp1s0f0np0", 200000, None, "mlx5_core", twin="enP2p1s0f0np0"),
        FoundNic("enp1s0f1np1", 200000, None, "mlx5_core"),
    )


def test_the_user_is_that_of_the_login() -> None:
    run = Recorded('{"links": []}')
    assert read_node("k00", "admin", run) == ()
    assert run.command[-5:] == ["-l", "admin", "--", "k00", "python3 -"]


def test_the_program_runs_with_nothing_but_python(tmp_path: Path) -> None:
    def run_here(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-I", "-"], cwd=tmp_path, **options)  # noqa: PLW1510 (in options)

    expected = {(link["device"], link["driver"]) for link in read_links(None, [])}
    assert {(nic.name, nic.driver) for nic in read_node("here", run=run_here)} == expected
    assert list(tmp_path.iterdir()) == []


def test_of_several_nodes_one_that_refuses_keeps_its_place() -> None:
    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        host = command[-2]
        if host == "k01":
            return subprocess.CompletedProcess(command, 255, "", "Connection refused\n")
        return subprocess.CompletedProcess(command, 0, json.dumps({"links": [describe(f"nic-of-{host}")]}), "")

    first, second, third = read_nodes(["k00", "k01", "k02"], run=run)
    assert (first, third) == (
        (FoundNic("nic-of-k00", 1000, None, "igc"),),
        (FoundNic("nic-of-k02", 1000, None, "igc"),),
    )
    assert isinstance(second, FnnError)
    assert str(second).startswith("k01: ")


@pytest.mark.parametrize(
    ("stderr", "message"),
    [
        (
            "admin@k00: Permission denied (publickey).\n",
            "the login was refused; run `ssh-copy-id admin@k00`",
        ),
        (
            "No ED25519 host key is known for k00 and you have requested strict checking.\r\n"
            "Host key verification failed.\r\n",
            "its host key is not known; run `ssh admin@k00` once and confirm the fingerprint, or `ssh-keyscan k00 >>"
            " ~/.ssh/known_hosts`",
        ),
        ("Bad configuration option: nonsense\n", "Bad configuration option: nonsense; run `ssh -v admin@k00`"),
    ],
)
def test_a_failure_of_ssh_is_named_with_its_remedy(stderr: str, message: str) -> None:
    assert refuse(Recorded(stderr=stderr, returncode=255)) == f"k00: {message}"


def test_a_missing_or_old_python_is_named() -> None:
    missing = Recorded(stderr="bash: line 1: python3: command not found\n", returncode=127)
    assert refuse(missing) == "k00: Python 3 is not installed; run `apt-get install python3` on the node"
    assert refuse(Recorded('{"python": [3, 7]}\n')).startswith("k00: Python 3.7 is older than 3.9; install a newer")


def test_a_failure_of_the_program_shows_its_last_line() -> None:
    run = Recorded(
        stderr="Traceback (most recent call last):\nfnn.errors: ip: not found; install iproute2\n", returncode=1
    )
    assert refuse(run).endswith("install iproute2; name them with --nic-names instead")
    assert refuse(Recorded()) == "k00: its NICs cannot be read: no message; name them with --nic-names instead"


def test_a_node_that_stops_answering_is_named() -> None:
    def wait(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired(command, options["timeout"])

    assert refuse(wait) == "k00: no answer within 60 seconds; run `ssh admin@k00` to find out why"


def test_a_machine_without_ssh_is_told_what_to_install() -> None:
    def find_nothing(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        raise FileNotFoundError(2, "No such file or directory", command[0])

    assert refuse(find_nothing) == "ssh: not found on this machine; run `apt-get install openssh-client`"

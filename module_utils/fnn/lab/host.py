# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's access to this machine: `ip`, `podman`, sockets; machines/ has that to qemu. The rest only computes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..shared.errors import problem
from .layout import Layout, management_namespace, mark, router_namespace, switches_namespace
from .programs import DISABLE_IPV6, run_program
from .speeds import Limit, parse_limits
from .state import COMMENT, LOSSY, LabState
from .wiring import Device, Work, is_marked, read_devices

_NAMESPACES = Path("/run/netns")
#: The label of the lab's containers; its value is the lab's name.
LABEL = "fnn-lab"
#: Time limit for the sniffer to write its document.
_STOP_SECONDS = 20.0
#: Run inside the management namespace with a time limit and addresses: prints those where an sshd answers.
_SSH_PROBE = """
import socket, sys, time
left, deadline = sys.argv[2:], time.monotonic() + float(sys.argv[1])
while left:
    for address in list(left):
        try:
            with socket.create_connection((address, 22), timeout=1) as door:
                if door.recv(4) == b"SSH-":
                    print(address)
                    left.remove(address)
        except OSError:
            pass
    if time.monotonic() > deadline:
        break
    time.sleep(0.1)
"""


def read_namespaces(lab: str) -> dict[str, dict[str, Device]]:
    """Every namespace whose name begins with that of the lab, with its devices."""
    names = sorted(path.name for path in _NAMESPACES.glob(f"{lab}-*"))
    return {name: read_devices(_run(["ip", "-n", name, "-details", "-json", "address"])) for name in names}


def read_marked_namespaces(lab: str) -> list[str]:
    """The namespaces that the lab made, including those that are no longer in the design."""
    return [name for name, devices in read_namespaces(lab).items() if is_marked(devices, lab)]


def execute(work: Work, lab: str) -> None:
    """Executes the work. Raises FnnError for a command that fails."""
    for namespace in work.namespaces:
        if not (_NAMESPACES / namespace).exists():
            _run(["ip", "netns", "add", namespace])
        if namespace in (switches_namespace(lab), management_namespace(lab), router_namespace(lab)):
            # Switches send no frames of their own.
            _run(["ip", "netns", "exec", namespace, "sh", "-c", DISABLE_IPV6])
        _batch(namespace, ["link set dev lo up", f"link set dev lo alias {mark(lab)}"])
    for namespace, lines in work.lines.items():
        _batch(namespace, lines)
    for namespace, lines in work.queues.items():
        _run(["tc", "-n", namespace, "-batch", "-"], "\n".join(lines) + "\n")
    for command in work.programs:
        _run(command)
    if work.hosts:
        for container, file in _find_hosts(lab).items():
            if container in work.hosts:
                file.write_text(work.hosts[container], encoding="utf-8")
    remove_namespaces(work.removed)


def read_state(layout: Layout, house: Path) -> LabState:
    """Reads all of a lab that a fault may have changed."""
    found = read_namespaces(layout.lab)
    hosts = {container: file.read_text(encoding="utf-8") for container, file in _find_hosts(layout.lab).items()}
    rules = {name: rules for name in found if (rules := _read_rules(name))}
    tables, limits = (_read_tables(layout.lab), _read_table_limits(layout.lab)) if found else ([], {})
    return LabState(layout, found, rules, hosts, house, tables, limits)


def read_limits(layout: Layout) -> dict[tuple[str, str], Limit]:
    """(namespace, device) -> the limit of a cable end, where one exists."""
    limits: dict[tuple[str, str], Limit] = {}
    for namespace in (name for name in layout.namespaces() if (_NAMESPACES / name).exists()):
        for name, limit in parse_limits(_run(["tc", "-n", namespace, "-json", "qdisc", "show"])).items():
            limits[namespace, name] = limit
    return limits


def _read_rules(namespace: str) -> list[str]:
    """The firewall rules with our comment. Without iptables there are none."""
    if shutil.which("iptables") is None:
        return []
    rules = _run(["ip", "netns", "exec", namespace, "iptables", "-S"]).splitlines()
    return [rule for rule in rules if COMMENT in rule]


def _read_tables(lab: str) -> list[str]:
    """The nftables tables with our name prefix. Without nft there are none."""
    switches = switches_namespace(lab)
    if shutil.which("nft") is None or not (_NAMESPACES / switches).exists():
        return []
    lines = _run(["ip", "netns", "exec", switches, "nft", "list", "tables", "netdev"]).splitlines()
    return [name for name in (line.split()[-1] for line in lines if line) if name.startswith(LOSSY)]


def _read_table_limits(lab: str) -> dict[str, int]:
    """How many addresses bridges learn at most."""
    switches, program = switches_namespace(lab), Path(__file__).with_name("table_limit.py")
    if not (_NAMESPACES / switches).exists():
        return {}
    limits: dict[str, int] = json.loads(_run(["ip", "netns", "exec", switches, sys.executable, str(program)]))
    return limits


def _find_hosts(lab: str) -> dict[str, Path]:
    """Running container -> the path of its hosts file on this machine."""
    running = [container for container in list_containers(lab) if container.get("Pid")]
    return {container["Names"][0]: Path(f"/proc/{container['Pid']}/root/etc/hosts") for container in running}


def remove_namespaces(names: Iterable[str]) -> None:
    """Removes namespaces with all their devices, and kills the processes left there: sniffers, and the proxies of ssh
    connections, which would otherwise stay."""
    for name in names:
        processes = _run(["ip", "netns", "pids", name]).split()
        if processes:
            subprocess.run(["kill", "-9", *processes], check=False, stderr=subprocess.DEVNULL)
        _run(["ip", "netns", "delete", name])


def list_containers(lab: str) -> list[dict[str, Any]]:
    """The lab's containers as podman describes them: Names, State, Pid, Image, ..."""
    text = _run(["podman", "ps", "--all", "--filter", f"label={LABEL}={lab}", "--format", "json"])
    containers: list[dict[str, Any]] = json.loads(text or "[]") or []
    return containers


def remove_containers(names: Sequence[str]) -> None:
    """Stops and removes containers at once."""
    if names:
        _run(["podman", "rm", "--force", "--time", "0", *names])


def make_key(path: Path, comment: str) -> None:
    """Makes an ed25519 key pair without a passphrase; replaces an incomplete pair."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    _run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", str(path)])


def list_answering(lab: str, addresses: Mapping[str, str], seconds: float) -> list[str]:
    """The names of the nodes whose sshd answers; waits up to `seconds` for all of them."""
    namespace = management_namespace(lab)
    if not (_NAMESPACES / namespace).exists():
        return []
    command = ["ip", "netns", "exec", namespace, sys.executable, "-c", _SSH_PROBE, str(seconds), *addresses.values()]
    answers = set(_run(command).split())
    return [name for name, address in addresses.items() if address in answers]


def start_sniffer(lab: str, program: Path, output: Path, seconds: int) -> None:
    """Starts the capture program in the switches' namespace and waits until it listens."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    command = ["ip", "netns", "exec", switches_namespace(lab), sys.executable, str(program), str(output), str(seconds)]
    with output.with_suffix(".log").open("w+") as log:
        sniffer = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True, text=True
        )
        assert sniffer.stdout is not None
        if sniffer.stdout.readline().strip() != "ready":
            log.seek(0)
            raise problem("capture", f"could not start: {log.read().strip()}")
    output.with_suffix(".pid").write_text(f"{sniffer.pid}\n")


def stop_sniffer(output: Path) -> dict[str, Any] | None:
    """Stops the capture program if it runs; returns its document, or None."""
    record = output.with_suffix(".pid")
    if not record.exists():
        return None
    process = Path("/proc") / record.read_text().strip()
    deadline = time.monotonic() + _STOP_SECONDS
    if _runs(process, output):
        os.kill(int(process.name), signal.SIGTERM)
    while _runs(process, output):
        if time.monotonic() > deadline:
            raise problem("capture", f"process {process.name} does not end")
        time.sleep(0.05)
    record.unlink()
    if not output.exists():
        return None
    capture: dict[str, Any] = json.loads(output.read_text())
    return capture


def _runs(process: Path, output: Path) -> bool:
    """Whether a process (a directory of /proc) is the sniffer that writes `output`, and not another that has its number
    now. A zombie has an empty command line."""
    try:
        return os.fsencode(output) in (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def _batch(namespace: str, lines: Sequence[str]) -> None:
    _run(["ip", "-n", namespace, "-batch", "-"], "\n".join(lines) + "\n")


def _run(command: list[str], text: str = "") -> str:
    return run_program(command, text).stdout

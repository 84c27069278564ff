# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent of a benchmark: runs iperf3 on one node, and reads its NICs.

agents.py sends this file to each node over ssh, as input of `python3`, and then commands: one JSON object per line,
each with one line in answer. So it needs no file on the node and no port besides those of sshd and iperf3, and it ends
with its connection.

    {"do": "read", "devices": ["nic0"]}    the node: its kernel, release of iperf3, NICs and their counters
    {"do": "serve", "tests": [{"device": "nic0"}]}
                                           an iperf3 server for one test at each NIC: its address and port
    {"do": "send", "seconds": 1, "tests": [{"device": "nic0", "address": "10.77.0.2", "port": 40001, "options": []}]}
                                           an iperf3 client for each, all at once: their output
    {"do": "stop"}                         ends the servers that still wait

A NIC that has an address of its own is used by this address. Any other NIC is used by its device and the identity
address of the node, for which the kernel would choose one of several NICs.

Standard library only, Python 3.9, and nothing else of this toolkit: the file runs alone.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

SYSFS = Path("/sys/class/net")
LINKS, NODE = Path("/etc/fnn/links"), Path("/etc/fnn/node")
#: The first release of iperf3 with the option --bind-dev.
BINDS_DEVICE = (3, 10)
#: Seconds that servers may take to listen, and a client to end after its test.
LISTEN, REST = 5.0, 10.0
#: iperf3 reads the round trip time once in an interval, in seconds.
_REPORT = ["--json", "--interval", "0.25"]
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/bin", "/usr/bin", "/usr/sbin", "/sbin"])
#: Counters that are read: of frames, and, by their names, of errors and lost frames.
_FRAMES = ("rx_packets", "tx_packets")
_ERRORS = re.compile(r"err|drop|discard|crc|fcs|miss|fifo|overrun|underrun|no_buf|jabber|fragment|collision|symbol")
_PR_SET_PDEATHSIG = 1

Command = dict[str, Any]
Answer = dict[str, Any]

servers: list[subprocess.Popen[str]] = []


class Refused(Exception):
    """A test that cannot run on this node, with the reason."""


# --- the node ---


def read_node(command: Command) -> Answer:
    nics = {device: read_nic(device) for device in command["devices"] if (SYSFS / device).is_dir()}
    return {
        "kernel": os.uname().release,
        "iperf3": read_iperf_version(),
        "hpcc": find_program("hpcc") is not None,
        "nics": nics,
    }


def read_nic(device: str) -> Answer:
    speed, driver = read_file(SYSFS / device / "speed"), SYSFS / device / "device" / "driver"
    return {
        "driver": driver.resolve().name if driver.exists() else None,
        # "-1" without carrier, and of some virtual devices
        "speed_mbps": int(speed) if speed.isdecimal() and int(speed) else None,
        "counters": {**read_statistics(SYSFS / device), **read_driver_counters(device)},
    }


def read_statistics(nic: Path) -> dict[str, int]:
    """The counters of frames, errors and drops of the kernel, and how often the carrier was lost."""
    names = [each.name for each in sorted((nic / "statistics").iterdir()) if _ERRORS.search(each.name)]
    paths = [nic / "statistics" / name for name in (*names, *_FRAMES)]
    texts = {path.name: read_file(path) for path in (*paths, nic / "carrier_down_count")}
    return {name: int(text) for name, text in texts.items() if text.isdecimal()}


def read_driver_counters(device: str) -> dict[str, int]:
    """The counters of `ethtool -S`; none where the program or the counters are missing."""
    program = find_program("ethtool")
    return parse_driver_counters(read_output([program, "-S", device])) if program else {}


def parse_driver_counters(text: str) -> dict[str, int]:
    found = re.findall(r"^\s+(\S.*?): (\d+)$", text, re.MULTILINE)
    return {name: int(value) for name, value in found if _ERRORS.search(name.lower())}


def read_iperf_version() -> str | None:
    """The release, such as "3.12"; None without iperf3."""
    program = find_program("iperf3")
    found = re.search(r"\d+(\.\d+)+", read_output([program, "--version"])) if program else None
    return found.group() if found else None


def find_program(name: str) -> str | None:
    return shutil.which(name, path=_PATH)


def read_file(path: Path) -> str:
    """The content, "" where the file is missing or the driver has no answer."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def read_output(command: list[str]) -> str:
    """Standard output, whatever the exit status."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


# --- tests ---


def serve(command: Command) -> Answer:
    """Starts a server for one client at each NIC, and waits until all listen. Servers of the round before it end."""
    stop_servers(command)
    started = [try_to(start_server, test["device"]) for test in command["tests"]]
    waiting = [each for each in started if "error" not in each]
    end = time.monotonic() + LISTEN
    while waiting and time.monotonic() < end:
        ports = list_listening()
        waiting = [each for each in waiting if each["port"] not in ports and each["process"].poll() is None]
        time.sleep(0.01)
    return {"tests": [describe_server(each) for each in started]}


def start_server(device: str) -> Answer:
    """Raises Refused."""
    binding = find_binding(device)
    address = binding[1]
    port = find_free_port(address)
    process = start_iperf(["--server", "--one-off", "--port", str(port), *_REPORT, *binding])
    servers.append(process)
    return {"address": address, "port": port, "process": process}


def describe_server(server: Answer) -> Answer:
    """The address and port of a server that listens, else the reason."""
    process = server.pop("process", None)
    if process is None or server["port"] in list_listening():
        return server
    servers.remove(process)
    process.kill()
    return {"error": f"iperf3 does not listen: {find_error(process.communicate()[0])}"}


def send(command: Command) -> Answer:
    """Runs all clients at once; `output` is what each printed."""
    clients = [try_to(start_client, test, command["seconds"]) for test in command["tests"]]
    end = time.monotonic() + command["seconds"] + REST
    return {"tests": [finish_client(client, end) for client in clients]}


def start_client(test: Command, seconds: int) -> Answer:
    """Raises Refused."""
    target = ["--client", test["address"], "--port", str(test["port"]), "--connect-timeout", "3000"]
    how = ["--get-server-output", "--time", str(seconds), *_REPORT, *test["options"]]
    return {"process": start_iperf([*target, *how, *find_binding(test["device"])])}


def finish_client(client: Answer, end: float) -> Answer:
    process = client.get("process")
    if process is None:
        return client
    try:
        return {"output": leave_out_intervals(process.communicate(timeout=max(0.1, end - time.monotonic()))[0])}
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return {"error": f"iperf3 did not end within {REST:.0f} s after the test"}


def leave_out_intervals(output: str) -> str:
    """Of a document of iperf3, most is what it measured in each interval."""
    try:
        document = json.loads(output)
    except ValueError:
        return output
    for part in (document, document.get("server_output_json", {})):
        part.pop("intervals", None)
    return json.dumps(document)


def stop_servers(command: Command) -> Answer:
    """Kills also a server that has done its test: it may wait for a reader of its output."""
    while servers:
        server = servers.pop()
        server.kill()
        server.communicate()
    return {}


def try_to(start: Callable[..., Answer], *arguments: Any) -> Answer:
    """What `start` returns, or the reason of its refusal."""
    try:
        return start(*arguments)
    except Refused as refused:
        return {"error": str(refused)}


def find_binding(device: str) -> list[str]:
    """The options of iperf3 that bind a test to a NIC; the second word is the address. Raises Refused."""
    if not (SYSFS / device).is_dir():
        raise Refused(f"there is no device {device}; ./fnn discover reads the present names")
    mac = read_file(SYSFS / device / "address")
    for words in map(str.split, read_file(LINKS).splitlines()):
        if len(words) >= 3 and words[1] == mac and words[2] != "-":
            return ["--bind", words[2].split("/")[0]]
    identity = re.search(r"^identity \S+ \S+ ([0-9.]+)", read_file(NODE), re.MULTILINE)
    if not identity:
        raise Refused(f"{NODE} has no identity address; run ./fnn site")
    version = read_iperf_version() or "0"
    if tuple(map(int, version.split(".")[:2])) < BINDS_DEVICE:
        raise Refused(f"iperf3 {version} cannot bind to a NIC without an address; 3.10 can")
    return ["--bind", identity.group(1), "--bind-dev", device]


def start_iperf(options: list[str]) -> subprocess.Popen[str]:
    """Raises Refused without iperf3."""
    program = find_program("iperf3")
    if not program:
        raise Refused("iperf3 is not installed")
    return subprocess.Popen(
        [program, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, preexec_fn=end_with_parent,  # noqa: PLW1509 (unsafe with threads; the agent has one, and prctl no other hook)
    )  # fmt: skip


def end_with_parent() -> None:
    """No iperf3 outlives this process, even if that is killed (prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def find_free_port(address: str) -> int:
    """Raises Refused for an address that this node does not have."""
    try:
        with socket.socket() as probe:
            probe.bind((address, 0))
            return int(probe.getsockname()[1])
    except OSError as error:
        raise Refused(f"{address}: {error.strerror}") from None


def list_listening() -> set[int]:
    """The TCP ports at which this node listens (proc_net_tcp.txt: state 0A)."""
    tables = (read_file(Path(f"/proc/net/{name}")) for name in ("tcp", "tcp6"))
    rows = (line.split() for table in tables for line in table.splitlines()[1:])
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A"}


def find_error(text: str) -> str:
    """What iperf3 gives as the reason, in its document or in its last line."""
    found = re.search(r'"error":\s*"(.*)"', text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return found.group(1) if found else lines[-1] if lines else "no message"


# --- commands ---

COMMANDS: dict[str, Callable[[Command], Answer]] = {
    "read": read_node, "serve": serve, "send": send, "stop": stop_servers,
}  # fmt: skip


def execute(line: str) -> Answer:
    command = json.loads(line)
    try:
        return COMMANDS[command["do"]](command)
    except Exception as error:  # one node does not end the tests of all others
        return {"error": f"{type(error).__name__}: {error}"}


def end(*_: Any) -> None:
    stop_servers({})
    os._exit(0)


def run_commands(lines: Iterable[str], seconds: int) -> None:
    """Ends with the connection, and after so many seconds if that hangs."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, end)
    signal.alarm(seconds)
    for line in lines:
        print(json.dumps(execute(line)), flush=True)
    end()


if __name__ == "__main__":
    run_commands(sys.stdin, int(sys.argv[1]))

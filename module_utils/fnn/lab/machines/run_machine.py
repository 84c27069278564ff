# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that runs qemu and unplugs its NICs when their cables lose carrier.

    run_machine.py SETTINGS        {"command": ["qemu-system-x86_64", ...], "devices": ["nic0", ...]}

It runs in the network namespace of the machine, and its working directory is that of the machine. A tap device has
carrier as long as qemu runs, so the state of the cable goes to the machine over the monitor (QMP, set_link). A cable
that is plugged elsewhere at once leaves the NIC without carrier for one period, so that the machine counts it too.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_MONITOR = "monitor"
_EVERY = 0.2  # seconds


class Monitor:
    """The QEMU Machine Protocol: one JSON object per line."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self._lines.readline()  # the greeting
        self.execute("qmp_capabilities")

    def execute(self, command: str, **arguments: Any) -> Any:
        """The result of a command; events are skipped. Raises OSError, and RuntimeError with qemu's message."""
        text = json.dumps({"execute": command, "arguments": arguments})
        self._socket.sendall(f"{text}\n".encode())
        for line in self._lines:
            answer = json.loads(line)
            if "error" in answer:
                raise RuntimeError(answer["error"]["desc"])
            if "return" in answer:
                return answer["return"]
        raise OSError("qemu has ended")

    def close(self) -> None:
        """Frees the monitor for another program: it serves one at a time."""
        self._lines.close()
        self._socket.close()


def open_monitor(process: subprocess.Popen[bytes], path: str) -> Monitor | None:
    """The monitor once qemu listens; None if qemu ends first."""
    while process.poll() is None:
        try:
            return Monitor(path)
        except OSError:
            time.sleep(_EVERY)
    return None


def has_carrier(device: str) -> bool:
    """Whether a cable is plugged in at both ends."""
    return read_attribute(device, "carrier") == "1"


def read_attribute(device: str, name: str) -> str:
    """The content of a file below /sys/class/net/DEVICE; empty where the device has none."""
    try:
        return Path(f"/sys/class/net/{device}/{name}").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def follow_carriers(process: subprocess.Popen[bytes], devices: Sequence[str]) -> None:
    """Passes each change of carrier to the machine until qemu ends."""
    known = dict.fromkeys(devices, True)
    counts = {each: read_attribute(each, "carrier_changes") for each in devices}
    while process.poll() is None:
        before, counts = counts, {each: read_attribute(each, "carrier_changes") for each in devices}
        links = {each: has_carrier(each) and counts[each] == before[each] for each in devices}
        changed = {each: carrier for each, carrier in links.items() if carrier != known[each]}
        monitor = open_monitor(process, _MONITOR) if changed else None
        if monitor:
            for device, carrier in changed.items():
                monitor.execute("set_link", name=device, up=carrier)
                known[device] = carrier
            monitor.close()
        time.sleep(_EVERY)


def main() -> int:
    settings = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Path(_MONITOR).unlink(missing_ok=True)
    with subprocess.Popen(settings["command"], stdin=subprocess.DEVNULL) as process:
        follow_carriers(process, settings["devices"])
        return process.wait()


if __name__ == "__main__":
    sys.exit(main())

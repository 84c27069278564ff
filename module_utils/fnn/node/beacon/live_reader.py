# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports the links of a node during live cabling. It is sent as text over ssh (controller/wire/ssh.py).

It prints JSON lines:

    {"listening": true, "links": [...], "heard": [...], "foreign": 0}    after every change, and every second
    {"listening": false}                                                 no beacon process runs, as after a reboot

It reads the results of the beacon process and the state of the NICs ten times a second, and keeps that process running
by touching its lease. It ends with its ssh connection. Imports nothing of this package.

Standard library only and Python 3.9, because nodes run this file.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from pathlib import Path
from typing import Any

DIRECTORY = Path("/run/fnn")
SYSFS = Path("/sys/class/net")
POLL_SECONDS = 0.1
REPEAT_SECONDS = 1.0


def main() -> None:
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else DIRECTORY
    printed, last = None, 0.0
    while not has_ended():
        state = describe(directory)
        now = time.monotonic()
        if state != printed or now - last >= REPEAT_SECONDS:
            printed, last = state, now
            print(json.dumps(state, separators=(",", ":")), flush=True)


def has_ended() -> bool:
    """Waits LOOK seconds at most; whether the other side closed our input."""
    ready, _, _ = select.select([sys.stdin], [], [], POLL_SECONDS)
    return bool(ready) and not os.read(sys.stdin.fileno(), 4096)


def describe(directory: Path) -> dict[str, Any]:
    try:
        record = json.loads((directory / "session.json").read_text(encoding="ascii"))
        heard = json.loads((directory / "heard.json").read_text(encoding="ascii"))
        Path(f"/proc/{record['process'] or 'none'}").stat()
        (directory / "lease").touch()
    except (OSError, ValueError):
        return {"listening": False}
    links = [describe_link(nic["device"], nic["mac"]) for nic in heard["nics"]]
    return {
        "listening": True,
        "links": [link for link in links if link],
        "heard": heard["nics"],
        "foreign": heard["foreign"],
    }


def describe_link(device: str, mac: str) -> dict[str, Any] | None:
    """The facts that change during cabling; None for a NIC that is gone."""
    if not (SYSFS / device).exists():
        return None
    speed = read(device, "speed")
    return {
        "device": device,
        "mac": mac,
        "carrier": read(device, "carrier") == "1",
        "speed_mbps": int(speed) if speed and speed.isdecimal() else None,
        "duplex": read(device, "duplex"),
        "mtu": int(read(device, "mtu") or 0),
    }


def read(device: str, attribute: str) -> str | None:
    try:
        return (SYSFS / device / attribute).read_text(encoding="ascii").strip()
    except OSError:
        return None


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)

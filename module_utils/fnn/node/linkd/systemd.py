# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications of fnn-linkd to systemd, and whether systemd restarts it.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess

UNIT = "fnn-linkd.service"


def notify(state: str) -> None:
    """sd_notify(3), if there is a notify socket."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify_socket:
        notify_socket.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)


def is_restarting() -> bool:
    """Whether systemd stops the daemon only to restart it; then its records are kept."""
    if "INVOCATION_ID" not in os.environ:
        return False
    command = ["systemctl", "list-jobs", "--no-legend", "--plain", UNIT]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=1, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return any("restart" in line.split() for line in done.stdout.splitlines())

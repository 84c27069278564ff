# SPDX-License-Identifier: GPL-3.0-or-later
"""The SSH connection that runs this program."""

from __future__ import annotations

import os
from pathlib import Path


def find_ssh_ends() -> tuple[str, ...]:
    """The addresses of the SSH connection: the client's and ours."""
    fields = find_ssh_connection().split()
    return (fields[0], fields[2]) if len(fields) == 4 else ()


def find_ssh_connection() -> str:
    """SSH_CONNECTION (ssh(1)), unique per connection; from an ancestor process where sudo has dropped it."""
    process = os.getpid()
    value = os.environ.get("SSH_CONNECTION", "")
    while not value and process > 1:
        try:
            environment = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        for entry in environment:
            if entry.startswith(b"SSH_CONNECTION="):
                value = entry.partition(b"=")[2].decode(errors="replace")
        process = int(stat.rpartition(")")[2].split()[1])
    return value

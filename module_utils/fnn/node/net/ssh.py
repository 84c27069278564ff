# SPDX-License-Identifier: GPL-3.0-or-later
"""The SSH connection that runs this program."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import NamedTuple


class End(NamedTuple):
    """One end of the connection. scope: device of an IPv6 link-local address ("eno1" in fe80::10%eno1), else ""."""

    address: str
    scope: str = ""


def find_ssh_ends() -> tuple[End, ...]:
    """The ends of the SSH connection: the client's and ours; () without a connection over a network."""
    fields = find_ssh_connection().split()
    try:
        return (parse_end(fields[0]), parse_end(fields[2])) if len(fields) == 4 else ()
    except ValueError:  # sshd writes "UNKNOWN" for a connection that is no socket
        return ()


def parse_end(text: str) -> End:
    """An address as getnameinfo(3) writes it. Raises ValueError."""
    address, _, scope = text.partition("%")
    parsed = ipaddress.ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return End(str(mapped or parsed), scope)


def find_ssh_connection() -> str:
    """SSH_CONNECTION (ssh(1)), unique per connection; from an ancestor process where sudo has dropped it."""
    return _search_ancestors()[0]


def was_entered() -> bool:
    """Whether a program outside of this container started this one (podman exec), so that no NIC carries it.

    The parent of its first process is in another PID namespace, and has the number 0 here (pid_namespaces(7)).
    """
    connection, process = _search_ancestors()
    return not connection and process == 0


def _search_ancestors() -> tuple[str, int]:
    """SSH_CONNECTION of this process or the nearest ancestor that has it, and the process where the search ended."""
    process = os.getpid()
    value = os.environ.get("SSH_CONNECTION", "")
    while not value and process > 1:
        try:
            environment = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return "", process
        for entry in environment:
            if entry.startswith(b"SSH_CONNECTION="):
                value = entry.partition(b"=")[2].decode(errors="replace")
        process = int(stat.rpartition(")")[2].split()[1])
    return value, process

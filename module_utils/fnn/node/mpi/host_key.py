# SPDX-License-Identifier: GPL-3.0-or-later
"""The host key that this node presents to its peers.

It is read from sshd, as the path of its keys varies, under the name that the other nodes use.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from ...shared.errors import problem
from .command import describe_end, run


def scan_host_key(name: str, check: bool) -> str:
    """Kind and key. Raises FnnError when sshd presents none, and OSError.

    check: "" instead, as the name and its address may not exist yet.
    """
    done = run("ssh-keyscan", "-t", "ed25519", name)
    key = "" if done.returncode else find_scanned_key(done.stdout)
    if not key and not check:
        cause = f"ssh-keyscan {describe_end(done)}" if done.returncode else "ssh-keyscan found none"
        remedy = "check that sshd runs, listens on this address and has an ed25519 key (ssh-keygen -A)"
        raise problem(name, f"no host key under the name that its peers use: {cause}; {remedy}")
    return key


def find_scanned_key(output: str) -> str:
    """Kind and key of the first key in the standard output of ssh-keyscan(1); "" without one.

    Since OpenSSH 9.8 its comments (`# host:port banner`) are on standard output; before, they were on standard error.
    """
    lines = (line.split() for line in output.splitlines() if not line.startswith("#"))
    return next((" ".join(fields[1:3]) for fields in lines if len(fields) >= 3), "")

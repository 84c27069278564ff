# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the programs of a lab: ip, podman, debugfs and so on."""

from __future__ import annotations

import subprocess

from ..shared.errors import problem

#: A command for a shell in a namespace: without this, its devices would send IPv6 announcements.
DISABLE_IPV6 = "for scope in all default; do echo 1 > /proc/sys/net/ipv6/conf/$scope/disable_ipv6; done"


def run_program(command: list[str], text: str = "", purpose: str = "lab") -> subprocess.CompletedProcess[str]:
    """Runs a program to its end. text: its standard input. purpose: of scripts/bootstrap.sh, which installs it.

    Raises FnnError if it is missing or fails.
    """
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise problem(command[0], f"not installed; scripts/bootstrap.sh {purpose} installs it") from None
    if done.returncode:
        raise problem(" ".join(command), done.stderr.strip() or f"exit status {done.returncode}")
    return done

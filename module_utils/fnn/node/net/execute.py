# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies the plan to the kernel: runs the lines and compares again, until nothing differs."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

from .access import list_settings
from .announce import announce
from .compare import find_difference
from .difference import Difference
from .egress import run_lines
from .kernel import Kernel, ip_program, ipv6_key, read_kernel, read_sysctl
from .plan import Plan
from .protect import refuse_protected

MAX_ROUNDS = 3


def run_batch(lines: list[str]) -> list[str]:
    """Runs `ip -batch`; one message per line that failed. -force: continue after a line that fails."""
    if not lines:
        return []
    text = "\n".join(lines) + "\n"
    command = [ip_program(), "-force", "-batch", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    messages: list[str] = []
    reason: list[str] = []
    for line in done.stderr.splitlines():
        place = re.fullmatch(r"Command failed -:(\d+)", line)
        if place:
            messages.append(f"ip {lines[int(place[1]) - 1]}: {' '.join(reason)}")
            reason = []
        else:
            reason.append(line)
    return messages or [f"ip -batch: {done.stderr.strip()}"]


def write_sysctls(settings: list[tuple[str, str]]) -> list[str]:
    """Writes below /proc/sys; one message per setting that the kernel refuses or lacks."""
    messages = []
    for key, value in settings:
        if key.endswith("/disable_ipv6") and read_sysctl(key) is None:
            continue  # the kernel has no IPv6
        try:
            (Path("/proc/sys") / key).write_text(f"{value}\n", encoding="ascii")
        except OSError as error:
            messages.append(f"sysctl {key}={value}: {error.strerror}")
    return messages


def execute(todo: Difference) -> list[str]:
    """Runs releases and new devices, then settings and filters (before a NIC comes up), then all else."""
    messages = (
        run_batch(todo.lines_before)
        + write_sysctls(todo.sysctls)
        + run_lines(todo.filters)
        + run_batch(todo.lines_after)
    )
    announce(todo.moved_addresses)
    return messages


def compare_with_kernel(plan: Plan) -> tuple[Difference, Kernel]:
    identity = [each for each in (plan.identity.device, plan.identity.peer) if each]
    settings = [*plan.sysctls, *(ipv6_key(each) for each in identity)]
    settings += [*list_settings(plan.access), ipv6_key(plan.access.device)] if plan.access else []
    kernel = read_kernel(plan.protocol, settings)
    return find_difference(plan, kernel), kernel


def apply(plan: Plan, protect: Iterable[str]) -> tuple[Difference, list[str]]:
    """Applies the plan to the kernel. Returns all executed lines and settings, and one message per failure."""
    done = Difference()
    messages: list[str] = []
    for _ in range(MAX_ROUNDS):
        todo, kernel = compare_with_kernel(plan)
        done.missing = todo.missing
        if not todo:
            return done, []
        refuse_protected(plan, todo, kernel, protect)
        messages = execute(todo)
        done.lines_before += todo.lines_before
        done.filters += todo.filters
        done.lines_after += todo.lines_after
        done.sysctls += todo.sysctls
    rest, _ = compare_with_kernel(plan)
    return done, messages or [f"did not take effect: {line}" for line in [*rest.lines, *map("=".join, rest.sysctls)]]


def wait_for_nics(plan: Plan, seconds: float) -> None:
    """Waits for drivers that are still probing at boot. The apply that follows reports NICs that stay missing."""
    until = time.monotonic() + seconds
    while compare_with_kernel(plan)[0].missing and time.monotonic() < until:
        time.sleep(0.2)

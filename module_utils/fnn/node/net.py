# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `fnn-net apply|diff|status`."""

from __future__ import annotations

import argparse
import fcntl
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .avoid import avoid
from .carry_out import apply, look, wait_for_nics
from .cutover import Cutover, read_cutover, read_standing
from .difference import Difference
from .failed import Failed
from .legs_down import RUN, read_unusable
from .plan import Plan
from .protect import refuse_protected
from .roster import read_roster


def answer(todo: Difference) -> dict[str, Any]:
    return {
        "changed": bool(todo),
        "commands": todo.lines,
        "sysctls": [f"{key}={value}" for key, value in todo.sysctls],
        "missing": todo.missing,
    }


def describe(plan: Plan, cutover: Cutover | None, unusable: frozenset[str]) -> dict[str, Any]:
    """For people and monitoring: the plan's links as the kernel has them, and whether anything differs."""
    todo, kernel = look(plan)
    by_mac = {device.permanent or device.mac: device for device in kernel.devices.values() if device.mac}
    links = []
    for link in plan.links:
        device = by_mac.get(link.mac)
        links.append(
            {
                "switch": link.switch,
                "mac": link.mac,
                "address": link.address or None,
                "device": device.name if device else None,
                "up": bool(device and device.up),
                "carrier": bool(device and device.carrier),
            }
        )
    return {
        "cluster": plan.cluster,
        "node": plan.node,
        "generation": plan.generation,
        "cutover": {"pass": cutover.at, "held": sorted(cutover.held)} if cutover else None,
        "identity": plan.identity.address,
        "links": links,
        "neighbors": len(plan.neighbors),
        "routes": len(plan.routes),
        "differences": len(todo.lines) + len(todo.sysctls),
        "missing": todo.missing,
        "avoided": describe_avoided(plan, unusable),
    }


def describe_avoided(plan: Plan, unusable: frozenset[str]) -> list[dict[str, str]]:
    """The NICs, ours and those of our neighbors, that routes keep away from because fnn-linkd says so."""
    ours = [(each.switch, each.mac, plan.node) for each in plan.links]
    theirs = [(each.switch, each.mac, each.node) for each in plan.neighbors]
    known = sorted(each for each in {*ours, *theirs} if each[1] in unusable)
    return [{"switch": switch, "mac": mac, "node": node} for switch, mac, node in known]


def read_standing_plan(options: argparse.Namespace) -> Plan:
    """The plan as it stands now: without what fnn-linkd found dead."""
    plan = read_standing(options.etc, options.sysctl)
    unusable = read_unusable(options.run)
    return avoid(plan, unusable, read_roster(options.etc)) if unusable else plan


def run_apply(options: argparse.Namespace) -> int:
    with Path("/run/lock/fnn-net").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the boot unit and a person may come at the same time
        plan = read_standing_plan(options)
        wait_for_nics(plan, options.wait)
        done, messages = apply(plan, options.protect)
    print(json.dumps(answer(done)))
    return tell(messages + done.missing)


def run_diff(options: argparse.Namespace) -> int:
    plan = read_standing_plan(options)
    todo, kernel = look(plan)
    refuse_protected(plan, todo, kernel, options.protect)
    print(json.dumps(answer(todo)))
    return tell(todo.missing)


def run_status(options: argparse.Namespace) -> int:
    plan = read_standing_plan(options)
    print(json.dumps(describe(plan, read_cutover(options.etc), read_unusable(options.run)), indent=2))
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "apply": run_apply,
    "diff": run_diff,
    "status": run_status,
}


def tell(messages: list[str]) -> int:
    for message in messages:
        print(f"fnn-net: {message}", file=sys.stderr)
    return 1 if messages else 0


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fnn-net", description="Make the kernel's network what /etc/fnn says.")
    parser.add_argument("command", choices=sorted(COMMANDS), help="apply the difference, only show it, or describe")
    parser.add_argument("--etc", type=Path, default=Path("/etc/fnn"), metavar="DIR", help="the plan's files")
    parser.add_argument("--sysctl", type=Path, default=Path("/etc/sysctl.d/90-fnn.conf"), metavar="FILE")
    parser.add_argument("--run", type=Path, default=RUN, metavar="DIR", help="where fnn-linkd keeps what it knows")
    parser.add_argument("--protect", action="append", default=[], metavar="DEVICE", help="never touch it")
    parser.add_argument("--wait", type=float, default=0, metavar="SECONDS", help="apply: wait for missing NICs")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        return COMMANDS[options.command](options)
    except Failed as failure:
        tell(failure.messages)
        return failure.code
    except OSError as error:
        return tell([str(error)])

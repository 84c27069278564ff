# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `fnn-net`: `apply|diff|status` of the plan, `release`, `names`, and `confirm|rollback` of a change."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...shared.failed import Failed, explain
from ..owners.find import find_present_claims
from .avoid import avoid
from .cutover import Cutover, read_cutover, read_plan_in_force
from .difference import Difference
from .execute import apply, compare_with_kernel, wait_for_nics
from .kernel import Kernel
from .legs_down import RUN, read_dead, read_hints, read_unusable
from .locks import CHANGE_LOCK, KERNEL_LOCK, TIMEOUT, locked
from .membership import read_membership
from .names import find_name_faults, restore_names
from .pending import read_pending
from .place import Place
from .plan import Plan
from .protect import refuse_protected
from .release import release
from .rollback import confirm, describe_pending, roll_back_pending
from .ssh import find_ssh_connection

MAX_APPLIES = 5  # rounds of one apply at most; each further one follows a change by fnn-linkd


def describe_difference(todo: Difference) -> dict[str, Any]:
    return {
        "changed": bool(todo),
        "commands": todo.lines,
        "sysctls": [f"{key}={value}" for key, value in todo.sysctls],
        "missing": todo.missing,
    }


def describe(plan: Plan, cutover: Cutover | None, unusable: frozenset[str]) -> dict[str, Any]:
    """The output of `status`: the plan's links as the kernel has them, and whether anything differs."""
    todo, kernel = compare_with_kernel(plan)
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
        "cutover": {"pass": cutover.pass_name, "held": sorted(cutover.held_nodes)} if cutover else None,
        "identity": plan.identity.address,
        "links": links,
        "neighbors": len(plan.neighbors),
        "routes": len(plan.routes),
        "differences": len(todo.lines) + len(todo.sysctls),
        "missing": todo.missing,
        "tree": plan.tree or None,
        "egress": describe_egress(plan, kernel),
        "avoided": describe_avoided(plan, unusable),
    }


def describe_egress(plan: Plan, kernel: Kernel) -> str:
    """Whether the filter drops broadcast and multicast frames that the plan does not send."""
    if plan.egress is None:
        return "off"
    return "unsupported" if kernel.filters is None else "on"


def describe_avoided(plan: Plan, unusable: frozenset[str]) -> list[dict[str, str]]:
    """The NICs of this node and of its neighbors that routes avoid because fnn-linkd reports them unusable."""
    ours = [(each.switch, each.mac, plan.node) for each in plan.links]
    theirs = [(each.switch, each.mac, each.node) for each in plan.neighbors]
    known = sorted(each for each in {*ours, *theirs} if each[1] in unusable)
    return [{"switch": switch, "mac": mac, "node": node} for switch, mac, node in known]


def read_effective_plan(options: argparse.Namespace) -> Plan:
    """The plan in force now, without the NICs and nodes that fnn-linkd found dead."""
    plan = read_plan_in_force(options.etc, options.sysctl)
    unusable, hints = read_unusable(options.run), read_hints(options.run)
    membership = read_membership(options.etc) if unusable or hints.lossy else None
    return avoid(plan, unusable, membership, read_dead(options.run), hints)


def run_apply(options: argparse.Namespace) -> int:
    with locked(options.place, KERNEL_LOCK, options.lock_timeout):
        wait_for_nics(read_effective_plan(options), options.wait)
        done, messages = apply_effective_plan(options)
    print(json.dumps(describe_difference(done)))
    return report(messages + done.missing)


def apply_effective_plan(options: argparse.Namespace) -> tuple[Difference, list[str]]:
    """Applies the plan in force, and again if fnn-linkd changed it meanwhile. Returns the same as `apply`.

    fnn-linkd may find a NIC dead or alive again during an apply; it writes that to its file before it moves routes.
    """
    total = Difference()
    plan = read_effective_plan(options)
    for _ in range(MAX_APPLIES):
        done, messages = apply(plan, options.protect)
        total.lines_before += done.lines_before
        total.filters += done.filters
        total.lines_after += done.lines_after
        total.sysctls += done.sysctls
        total.missing = done.missing
        latest = read_effective_plan(options)
        if latest == plan:
            break
        plan = latest
    return total, messages


def run_diff(options: argparse.Namespace) -> int:
    plan = read_effective_plan(options)
    todo, kernel = compare_with_kernel(plan)
    refuse_protected(plan, todo, kernel, options.protect, preview=True)
    print(json.dumps(describe_difference(todo)))
    return report(todo.missing)


def run_status(options: argparse.Namespace) -> int:
    plan = read_effective_plan(options)
    avoided = read_unusable(options.run) | read_hints(options.run).lossy
    state = describe(plan, read_cutover(options.etc), avoided)
    state["owners"] = [each.describe() for each in find_present_claims(options.etc, options.place.root)]
    state["names"] = find_name_faults(options.place)
    print(json.dumps({**state, "unconfirmed": describe_pending(read_pending(options.place))}, indent=2))
    return 0


def run_release(options: argparse.Namespace) -> int:
    done, messages = release(options.place, options.protect)
    print(json.dumps(describe_difference(done)))
    return report(messages)


def run_names(options: argparse.Namespace) -> int:
    with locked(options.place, CHANGE_LOCK, options.lock_timeout):
        print(json.dumps({"changed": restore_names(options.place)}))
    return 0


def run_rollback(options: argparse.Namespace) -> int:
    return report(roll_back_pending(options.place, options.boot, options.at_deadline))


def run_confirm(options: argparse.Namespace) -> int:
    print(json.dumps({"changed": confirm(options.place, None, find_ssh_connection())}))
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "apply": run_apply,
    "diff": run_diff,
    "status": run_status,
    "confirm": run_confirm,
    "names": run_names,
    "release": run_release,
    "rollback": run_rollback,
}


def report(messages: list[str]) -> int:
    for message in messages:
        print(f"fnn-net: {message}", file=sys.stderr)
    return 1 if messages else 0


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="fnn-net",
        description="Make the network of the kernel match the plan in /etc/fnn.",
        epilog="apply, diff, status: apply, print or count the differences. release: release all NICs. "
        "names: restore the names in /etc/hosts. confirm: keep the pending change. rollback: undo it.",
    )
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument(
        "--root", type=Path, default=Path("/"), metavar="DIR", help="root directory of the node's files"
    )
    parser.add_argument("--etc", type=Path, metavar="DIR", help="directory of the plan, if not /etc/fnn")
    parser.add_argument(
        "--sysctl", type=Path, metavar="FILE", help="sysctl file of the plan, if not /etc/sysctl.d/90-fnn.conf"
    )
    parser.add_argument("--run", type=Path, default=RUN, metavar="DIR", help="state directory of fnn-linkd")
    parser.add_argument("--protect", action="append", default=[], metavar="DEVICE", help="device that must not change")
    parser.add_argument("--wait", type=float, default=0, metavar="SECONDS", help="apply: wait for missing NICs")
    parser.add_argument(
        "--lock-timeout", type=float, default=TIMEOUT, metavar="SECONDS", help="apply: how long to wait for the lock"
    )
    parser.add_argument("--boot", action="store_true", help="rollback: at boot, before fnn-net.service")
    parser.add_argument(
        "--at-deadline",
        action="store_true",
        help="rollback: wait for the deadline; do nothing if the change is confirmed",
    )
    options = parser.parse_args(arguments)
    options.place = Place(options.root)
    options.etc, options.sysctl = options.etc or options.place.plan, options.sysctl or options.place.sysctl
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        return COMMANDS[options.command](options)
    except Failed as failure:
        report(failure.messages)
        return failure.code
    except OSError as error:
        return report([explain(error)])

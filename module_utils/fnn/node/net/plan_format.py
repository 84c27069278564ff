# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats a plan as the files that plan_files.py reads, for a node that keeps its former plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .plan import Access, Broadcast, Leg, Plan, Upper


def format_plan(plan: Plan) -> dict[str, str]:
    """File name -> text. Sysctl settings are left out; those of the new plan apply."""
    identity = plan.identity
    return {
        "node": _format(
            [
                f"cluster {plan.cluster}",
                f"node {plan.node}",
                f"rank {plan.rank}",
                *([f"generation {plan.generation}"] if plan.generation else []),
                f"identity {identity.device} {identity.kind} {identity.address}",
                f"protocol {plan.protocol}",
                f"mptcp {'on' if plan.mptcp else 'off'}",
                *(["forwards on"] if plan.forwards else []),
                *([f"gateway {plan.gateway}"] if plan.gateway else []),
                *([format_access(plan.access)] if plan.access else []),
                *([format_upper(plan.upper)] if plan.upper else []),
                *([f"maintenance {plan.maintenance.mac} {plan.maintenance.address}"] if plan.maintenance else []),
                *([format_broadcast(plan.broadcast)] if plan.broadcast else []),
                *([format_egress(plan.egress)] if plan.egress is not None else []),
                *([f"tree {plan.tree}"] if plan.tree else []),
            ]
        ),
        "links": _format(f"{each.switch} {each.mac} {each.address or '-'} {each.mtu}" for each in plan.links),
        "neighbors": _format(f"{each.switch} {each.address} {each.mac} {each.node}" for each in plan.neighbors),
        "routes": _format(" ".join([each.address, each.node, *map(format_leg, each.legs)]) for each in plan.routes),
    }


def format_leg(leg: Leg) -> str:
    """Its part of a line in the file `routes`."""
    hop = f"{leg.switch}={leg.via}" if leg.via else leg.switch
    return hop if leg.weight == 1 else f"{hop}*{leg.weight}"


def format_broadcast(broadcast: Broadcast) -> str:
    """Its line in the file `node`."""
    return " ".join(["broadcast", broadcast.switch, *(f"{switch}={address}" for switch, address in broadcast.subnets)])


def format_egress(egress: Mapping[str, Iterable[str]]) -> str:
    """Its line in the file `node`."""
    return " ".join(["egress", *(f"{switch}={'+'.join(words)}" for switch, words in egress.items())])


def format_access(access: Access) -> str:
    """Its line in the file `node`."""
    return f"access {access.device} {access.nic} {access.address} {access.mtu} {access.gateway or '-'}"


def format_upper(upper: Upper) -> str:
    """Its line in the file `node`."""
    priority = "-" if upper.priority is None else str(upper.priority)
    return " ".join(["upper", upper.device, upper.kind, upper.mac, priority, *upper.nics])


def _format(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The reports of fnn-linkd: `fnn-linkd status` as JSON, and a textfile for node_exporter.


Standard library only and Python 3.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...shared.mac import format_mac
from .machine import Machine
from .tables import Tables

_COUNTS = ("sent", "received", "foreign", "misplaced", "old", "unproven", "refused", "suspected")


def describe(machine: Machine, tables: Tables, now: float, began: float, errors: int = 0) -> dict[str, Any]:
    """format and version as for all documents; times in seconds. errors: exceptions that cost one frame or timer."""
    names = {mac: each.name for each in tables.membership.members.values() for mac in each.nics.values()}
    switches = {mac: switch for each in tables.membership.members.values() for switch, mac in each.nics.items()}

    def list_nics(macs: Iterable[str]) -> list[dict[str, str]]:
        known = [mac for mac in sorted(macs) if mac in names]
        return [{"switch": switches[mac], "mac": mac, "node": names[mac]} for mac in known]

    return {
        "format": "fnn-linkd-status",
        "version": 1,
        "cluster": tables.plan.cluster,
        "node": tables.plan.node,
        "running_s": round(now - began, 1),
        "nics": [_describe_nic(machine, tables.devices, names, switch, now) for switch in machine.nics],
        "unusable": list_nics(machine.unusable),
        "lossy": list_nics(machine.lossy),
        "tested": [
            {"node": node, "switch": switch, "mac": mac, "over": names.get(mac)}
            for node, (switch, mac) in sorted(machine.detours.items())
        ],
        "dead": sorted(tables.dead),
        "detours": tables.count_detours(),
        "frames": {**{name: machine.counts[name] for name in _COUNTS}, "errors": errors},
    }


def _describe_nic(
    machine: Machine, devices: Mapping[str, str], names: Mapping[str, str], switch: str, now: float
) -> dict[str, Any]:
    nic = machine.nics[switch]
    return {
        "switch": switch,
        "device": devices.get(switch),
        "mac": format_mac(nic.mac),
        "carrier": nic.carrier,
        "used": not nic.unused,
        "why": nic.why or None,
        "hold_s": nic.hold,
        "hears": sorted(names.get(format_mac(peer), format_mac(peer)) for peer in nic.list_fresh(now)),
        "strained": sorted(
            names.get(format_mac(peer), format_mac(peer)) for peer in nic.strained.keys() - machine.records.unused
        ),
        "loses": nic.lossy,
    }


def format_metrics(status: Mapping[str, Any]) -> str:
    """The text format of Prometheus."""
    return "".join(f"{line}\n" for line in _list_metrics(status))


def _list_metrics(status: Mapping[str, Any]) -> Iterator[str]:
    labels = [(nic, f'switch="{nic["switch"]}",device="{nic["device"]}"') for nic in status["nics"]]
    yield from _head("fnn_linkd_nic_used", "gauge", "Whether routes may use this NIC (1) or it is found dead (0).")
    yield from (f"fnn_linkd_nic_used{{{label}}} {int(nic['used'])}" for nic, label in labels)
    yield from _head("fnn_linkd_nic_carrier", "gauge", "Whether the NIC has a carrier.")
    yield from (f"fnn_linkd_nic_carrier{{{label}}} {int(nic['carrier'])}" for nic, label in labels)
    yield from _head("fnn_linkd_peers_heard", "gauge", "Peers whose frames arrive at this NIC.")
    yield from (f"fnn_linkd_peers_heard{{{label}}} {len(nic['hears'])}" for nic, label in labels)
    yield from _head("fnn_linkd_unusable_nics", "gauge", "NICs of the cluster that routes of this node avoid.")
    yield f"fnn_linkd_unusable_nics {len(status['unusable'])}"
    yield from _head(
        "fnn_linkd_strained_pairs",
        "gauge",
        "Peers on the switch with which this NIC exchanges no frames in one direction or both.",
    )
    yield from (f"fnn_linkd_strained_pairs{{{label}}} {len(nic['strained'])}" for nic, label in labels)
    yield from _head("fnn_linkd_nic_loses_frames", "gauge", "Whether the NIC loses 8 % of its frames or more.")
    yield from (f"fnn_linkd_nic_loses_frames{{{label}}} {int(nic['loses'])}" for nic, label in labels)
    yield from _head("fnn_linkd_detours", "gauge", "Routes that are not as planned.")
    yield f"fnn_linkd_detours {status['detours']}"
    yield from _head("fnn_linkd_frames_total", "counter", "Frames by outcome.")
    yield from (f'fnn_linkd_frames_total{{kind="{kind}"}} {count}' for kind, count in status["frames"].items())


def _head(name: str, kind: str, words: str) -> tuple[str, str]:
    return f"# HELP {name} {words}", f"# TYPE {name} {kind}"

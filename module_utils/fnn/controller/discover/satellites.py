# SPDX-License-Identifier: GPL-3.0-or-later
"""Binds the one NIC of each satellite on the uplink switch: observations + earlier macs.json -> macs.json.

A satellite may have other NICs; unlike those of a node, they do not belong to the fabric. Therefore `fnn_nic_match` of
its host must match exactly one NIC, besides those that its node reserves. A NIC that was bound before stays bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import FnnError, Problem
from ..plan.satellites import list_named
from .bind import Nic, Observation, make_entry, natural_key

GROUP = "fnn_satellites"


def bind_satellites(
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    observations: Mapping[str, Observation | None],
    group: Sequence[str],
) -> dict[str, Any]:
    """The document `macs`, which has the nodes already, with the satellites.

    group: the hosts of the inventory's group; observations: what fnn_links returned, by host. A satellite that did not
    answer keeps its entry. Raises FnnError.
    """
    named = list_named(design)
    problems = list(_find_unnamed(group, named, bool(design["spec"]["uplink"])))
    former = {each["name"]: each["nics"][0] for each in macs.get("satellites", ())}
    owners = {nic["mac"]: node["name"] for node in macs["nodes"] for nic in node["nics"]}
    bound: dict[str, Nic] = {}
    for name in (each for each in named if each in group):
        seen = observations.get(name)
        if not seen or "links" not in seen:
            bound.update({name: former[name]} if name in former else {})
            continue
        nic = choose_nic(former.get(name), seen["links"])
        if nic is None:
            problems.append(_report_unclear(name, seen["links"]))
        elif nic["mac"] in owners:
            problems.append(Problem(name, f"{nic['mac']} of {nic['name']} is the MAC of {owners[nic['mac']]} as well"))
        else:
            bound[name] = nic
            owners[nic["mac"]] = name
    if problems:
        raise FnnError(problems)
    rest = {key: value for key, value in macs.items() if key != "satellites"}
    satellites = [{"name": name, "nics": [nic]} for name, nic in bound.items()]
    return {**rest, **({"satellites": satellites} if satellites else {})}


def choose_nic(former: Nic | None, links: Sequence[Mapping[str, Any]]) -> Nic | None:
    """The NIC that was bound before, or else the only one; None when there is neither."""
    stayed = [link for link in links if former is not None and link["mac"] == former["mac"]]
    fitting = stayed or [link for link in links if not link.get("reserved")] or links
    return make_entry(0, fitting[0]) if len(fitting) == 1 else None


def _find_unnamed(group: Sequence[str], named: Sequence[str], has_uplink: bool) -> Iterator[Problem]:
    for name in group:
        if not has_uplink:
            yield Problem(GROUP, f"{name} is a host of this group, but there is no fnn_uplink to plug it into")
        elif name not in named:
            yield Problem(GROUP, f"{name} is a host of this group, but neither in hosts nor in spares of fnn_uplink")


def _report_unclear(name: str, links: Sequence[Mapping[str, Any]]) -> Problem:
    found = ", ".join(sorted((link["device"] for link in links), key=natural_key)) or "none"
    return Problem(f"fnn_nic_match of {name}", f"expected the one NIC on the uplink switch, found: {found}")

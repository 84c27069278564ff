# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of all nodes: what each answered -> check.json.

    {"name": "k02", "verdict": "refused", "system": null, "nics": [], "findings": [{"check": "login", ...}]}

A node on which a module ran has findings of everything that a stage of site.yml would refuse later, and of what no
stage would notice, such as a packet filter. Any other node has one: the step that failed on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...shared.errors import FnnError
from ..discover.bind import Binding, bind_macs
from ..discover.maintenance import refuse_fabric_nic
from ..plan.settings import PlanSettings
from . import offers
from .connection import Target, find_obstacle
from .model import CHECKS, PROBLEM, READY, REFUSED, Answers, Finding
from .mpi import find_host_names, find_mpi_faults
from .needs import Needs

Document = dict[str, Any]


@dataclass(frozen=True)
class Cluster:
    """spec: in its normal form. macs: macs.json, if there is one. satellites: names of further hosts."""

    spec: Mapping[str, Any]
    macs: Mapping[str, Any] | None
    needs: Needs
    settings: PlanSettings
    satellites: Sequence[str] = ()

    @cached_property
    def ranks(self) -> dict[str, int]:
        """Node -> its rank."""
        return {node["name"]: rank for rank, node in enumerate(self.spec["nodes"])}


def check_nodes(cluster: Cluster, answers: Mapping[str, Answers], targets: Mapping[str, Target]) -> Document:
    """check.json. answers: of the nodes of this run; targets: how Ansible reaches each of them."""
    obstacles = {name: find_obstacle(each, targets[name]) for name, each in answers.items()}
    facts = {name: each.facts for name, each in answers.items() if obstacles[name] is None}
    binding = bind_nics(cluster, facts)
    named = find_host_names([*cluster.ranks, *cluster.satellites], cluster.macs, facts)
    nodes = []
    for name in answers:
        obstacle = obstacles[name]
        found = [obstacle] if obstacle else list(compare_node(name, cluster, facts[name], binding, named))
        nodes.append(describe_node(name, facts.get(name), found, binding))
    refused = any(node["verdict"] == REFUSED for node in nodes)
    return {
        "format": "fnn-check",
        "version": 1,
        "cluster": cluster.spec["cluster"],
        "verdict": REFUSED if refused else READY,
        "nodes": nodes,
    }


def bind_nics(cluster: Cluster, facts: Mapping[str, offers.Facts]) -> Binding | FnnError:
    """The NICs of all nodes as `discover` would bind them; the error where the documents do not fit together."""
    spec = cluster.spec
    observations = {name: each for name, each in facts.items() if name in cluster.ranks}
    try:
        if spec.get("maintenance"):
            refuse_fabric_nic(spec["maintenance"]["nic"], spec["nodes"], cluster.macs, observations)
        return bind_macs({"cluster": spec["cluster"], "spec": spec}, cluster.macs, observations)
    except FnnError as error:
        return error


def compare_node(
    name: str,
    cluster: Cluster,
    facts: offers.Facts,
    binding: Binding | FnnError,
    named: Mapping[str, Finding],
) -> Iterator[Finding]:
    """All findings of a node on which a module ran, in the order of CHECKS. named: those about host names."""
    found = [*find_faults(name, cluster, facts, binding), *find_mpi_faults(facts)]
    found += [named[name]] if name in named else []
    yield from sorted(found, key=lambda each: (each.level != PROBLEM, CHECKS.index(each.check)))


def find_faults(name: str, cluster: Cluster, facts: offers.Facts, binding: Binding | FnnError) -> Iterator[Finding]:
    yield from offers.compare_system(facts)
    yield from offers.compare_plan(facts, cluster.spec["cluster"])
    if "links" in facts:
        yield from find_network_faults(name, cluster, facts, binding)
    yield from offers.compare_storage(facts)
    yield from offers.compare_packages(facts, cluster.settings.fnn_gateway not in ("", name))
    yield from offers.compare_clock(facts)


def find_network_faults(
    name: str, cluster: Cluster, facts: offers.Facts, binding: Binding | FnnError
) -> Iterator[Finding]:
    """Faults of what only the program ip shows."""
    maintenance = (cluster.spec.get("maintenance") or {}).get("nic", "")
    if name in cluster.satellites:
        yield from offers.compare_satellite(name, facts)
    elif isinstance(binding, FnnError):
        for each in binding.problems:
            yield Finding("nics", str(each), "correct the inventory")
    else:
        rank = cluster.ranks[name]
        yield from offers.compare_nics(rank, cluster.spec, facts, binding)
        yield from offers.compare_configuration(facts, [*list_devices(name, binding), maintenance])
    yield from offers.compare_maintenance(facts, maintenance)
    yield from offers.compare_addresses(facts, cluster.needs, cluster.settings, maintenance)
    yield from offers.compare_filters(facts, cluster.needs)
    yield from offers.compare_kernel(facts)


def list_devices(name: str, binding: Binding | FnnError) -> list[str]:
    """The devices of the NICs that the fabric gets on a node, and the second ones of plugs with two."""
    if isinstance(binding, FnnError):
        return []
    places = binding.places.get(name, ())
    return [link["device"] for place in places for link in (place.link, place.second) if link]


def describe_node(
    name: str, facts: offers.Facts | None, findings: Sequence[Finding], binding: Binding | FnnError
) -> Document:
    """The entry of a node in check.json."""
    refused = any(each.level == PROBLEM for each in findings)
    return {
        "name": name,
        "verdict": REFUSED if refused else READY,
        "system": facts["system"] if facts else None,
        "generation": facts["generation"] if facts else "",
        "nics": list_devices(name, binding),
        "findings": [each.describe() for each in findings],
    }


def find_known(answers: Iterable[Answers]) -> dict[str, bool]:
    """What later stages of this run need not read again: `complete`, the NICs of all nodes; `mpi`, what MPI needs, as
    fnn_mpi_node would change none of them. `states`: whether a node has the files of its plan and needs no change."""
    facts = [each.facts for each in answers]
    complete = all("links" in each for each in facts)
    mpi = [each.get("mpi") for each in facts]
    return {
        "complete": complete,
        "states": complete and any(each.get("state") for each in facts),
        "mpi": all(each is not None and not each["differs"] for each in mpi),
    }

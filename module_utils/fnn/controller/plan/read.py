# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the plan from the documents, variables and facts of a task: of the module fnn_render, or of `./fnn view`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from ..rewire.wiring import describe_traffic, list_resting
from ..segments import is_neighborhood_network
from ..task import Task
from .generation import find_generation
from .maintenance import find_maintenance_nics
from .mtu import choose_mtu, is_proved, keep_mtus
from .recall import Recalled, read_facts, recall_mtus, recall_nodes
from .routing import read_routes
from .satellites import list_named, read_stand_ins
from .settings import BASIC, PlanInputs, PlanSettings, read_settings
from .views import Plan, make_plan
from .weights import select_weights

Document = dict[str, Any]


@dataclass(frozen=True)
class PlannedTask:
    """generation: its document. settings: with recalled facts. warnings: for every run with this plan."""

    plan: Plan
    generation: Document
    settings: PlanSettings
    warnings: list[str]


def read_plan(task: Task) -> PlannedTask:
    """Return the plan for the documents, variables and facts of the task. Raises FnnError."""
    options, documents = task.options, task.documents
    settings = read_settings(task.root, options["variables"], options["facts"])
    design, macs = task.read("design"), task.read("macs")
    if design["cluster"] != macs["cluster"]:
        name = task.path("macs").name
        raise problem(f"{name}#/cluster", f"{macs['cluster']} is not the cluster of the design, {design['cluster']}")
    names = [*(node["name"] for node in design["nodes"]), *list_named(design)]
    recalled = read_facts(documents, task.path("build"), names, task.warn)
    maintenance = find_maintenance_nics(task.read_existing("maintenance", "fnn-macs"), settings, recalled)
    settings = recall_nodes(recalled, settings)
    inputs = PlanInputs(
        **read_choices(task, settings, design),
        **read_rewiring(task, design),
        kept_mtus=find_kept_mtus(task, design, macs, settings, recalled),
        stand_ins=read_stand_ins(documents, options["stand_ins"]),
        maintenance=maintenance,
    )
    planned = {"design": design, "macs": macs, "variables": settings.describe(), "inputs": inputs.describe()}
    generation = count_plan(task, planned, settings.facts.generations.values())
    plan = make_plan(design, macs, settings, replace(inputs, generation=generation["generation"]))
    return PlannedTask(plan, generation, settings, list(describe_kept_mtus(inputs, design)))


def read_choices(task: Task, settings: PlanSettings, design: Document) -> dict[str, Any]:
    """Return what the plan takes from C(routes.json): its routes with basic routing, else its weights.

    Raises FnnError.
    """
    given = task.options["routes"] is not None and is_neighborhood_network(design["spec"])
    if not given or not (settings.fnn_routing == BASIC or settings.weighted):
        return {}
    routes = read_routes(task.documents, task.options["routes"], design)
    return {"routes": routes} if settings.fnn_routing == BASIC else {"weights": select_weights(routes)}


def count_plan(task: Task, planned: Mapping[str, Any], reported: Collection[str]) -> Document:
    """Return the generation document for a plan. planned: all that changes it. reported: generations of the nodes.
    Raises FnnError."""
    return find_generation(read_generation(task), planned["design"]["cluster"], planned, reported)


def read_generation(task: Task) -> Document | None:
    """Return the generation document in the build directory, None if it is missing. Raises FnnError."""
    path = task.path("build") / "generation.json"
    try:
        return task.documents.read(path, "fnn-generation") if path.exists() else None
    except FnnError as error:
        first = error.problems[0]
        text = f"{first.message}; delete {path}, and all nodes are prepared again"
        raise FnnError([Problem(first.at, text)]) from None


def find_kept_mtus(
    task: Task, design: Document, macs: Document, settings: PlanSettings, recalled: Recalled
) -> dict[str, int]:
    """Return MAC -> present MTU of NICs that do not get the wanted MTU yet."""
    wanted = choose_mtu(design)
    if is_proved(task.read_usable("findings"), design, macs, wanted):
        return {}
    current: dict[str, int] = {link["mac"]: link["mtu"] for links in settings.facts.links.values() for link in links}
    return keep_mtus(wanted, {**recall_mtus(recalled), **current}, macs)


def describe_kept_mtus(inputs: PlanInputs, design: Document) -> Iterator[str]:
    """Return a warning if NICs do not get the wanted MTU yet."""
    if inputs.kept_mtus:
        text = f"{len(inputs.kept_mtus)} NICs keep an MTU below {choose_mtu(design)}"
        yield f"{text}: verify has not proved this MTU on every link yet"


def read_rewiring(task: Task, design: Document) -> dict[str, Any]:
    """Return the plan's inputs during a rewiring: resting cables, and the paths of pairs without a common switch."""
    job = task.read_existing("rewiring", "fnn-rewire")
    if job is None:
        return {}
    return {"resting": list_resting(job), **describe_traffic(job, design)}

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_render
short_description: Plan the network and render the files of all nodes
description:
  - Computes every node's addresses, neighbors, routes, names and MPI hosts from the design and the MACs. Renders its
    files below C(build/nodes/), laid out as on the node. Files identical on all nodes are rendered once, below
    C(build/common/). Runs once, on the controller, for all nodes.
  - Writes only files that differ and removes those of nodes and files that are no longer part of the plan.
  - A node whose MACs are not known yet gets no files; the other nodes list it as unreached.
  - A node that this run did not reach (it is down, or C(--limit) left it out) keeps its facts of an earlier run.
options:
  build:
    description: Directory for the result, usually C(build/) and the name of the cluster. The module owns C(nodes/) and
      C(common/) in it.
  rewiring:
    description:
      - C(rewire.json), if it exists. All files omit the cables of its current batch. Until the rewiring is complete,
        pairs without a common switch reach each other over the uplink switch.
    type: path
  routes:
    description:
      - C(routes.json), which basic routing (C(fnn_routing)) needs. There each pair of nodes uses one of its shared
        switches.
    type: path
  findings:
    description:
      - C(findings.json) of M(fnn_verify). Unless it reports that every link carries the wanted MTU, NICs with a smaller
        one keep it, and the task warns.
      - Without it, no MTU is raised above 1500.
    type: path
  maintenance:
    description:
      - C(maintenance-macs.json), with the NIC of each node in the maintenance network. It gets an address, unless
        Ansible arrives over it.
    type: path
  preview:
    description: Directory that gets all files in check mode, when O(build) gets none.
    type: path
  facts:
    description:
      - Facts of the nodes, each a dictionary from node to value.
      - C(arrived_on), C(default_route), C(generations), C(identity_kind), C(links), C(manager), C(networks) and
        C(resolver) are as M(fnn_links) returns them. C(ansible_host) is the variable of Ansible.
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs, fnn.build, fnn.stand_ins, fnn.plan]
attributes:
  diff_mode:
    description: Shows the first files that change, each cut after 40 lines.
"""

EXAMPLES = r"""
- name: Render the files of all nodes
  fnn_render:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
    variables: "{{ __fnn_plan_variables }}"
    facts: "{{ __fnn_plan_facts }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
generation:
  description: Number of plans so far, and the beginning of the digest of this plan's inputs.
  returned: success
  type: str
  sample: 8-3f2a9c1b0d2e
nodes:
  description: Nodes that have files, in rank order.
  returned: success
  type: list
  elements: str
changed_nodes:
  description: Nodes with changed, added or removed files, in rank order; nodes that left the plan come last.
  returned: success
  type: list
  elements: str
changed_files:
  description: Number of files that were changed, added or removed.
  returned: success
  type: int
unreached:
  description: For each node that cannot reach all others, those it cannot reach; empty in a complete plan.
  returned: success
  type: dict
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.options import PATH, PLAN, require_paths
from ansible.module_utils.fnn.controller.plan.gateway import DEFAULT
from ansible.module_utils.fnn.controller.plan.generation import find_generation
from ansible.module_utils.fnn.controller.plan.maintenance import find_maintenance_nics
from ansible.module_utils.fnn.controller.plan.mtu import choose_mtu, is_proved, keep_mtus
from ansible.module_utils.fnn.controller.plan.render import (
    RenderedFile,
    Renderer,
    check_views,
    find_changes,
    make_change,
    remove_empty_directories,
    show_change,
)
from ansible.module_utils.fnn.controller.plan.routing import read_routes
from ansible.module_utils.fnn.controller.plan.satellites import list_named, read_stand_ins
from ansible.module_utils.fnn.controller.plan.settings import BASIC, PlanInputs, PlanSettings, read_settings
from ansible.module_utils.fnn.controller.plan.views import Plan, make_plan
from ansible.module_utils.fnn.controller.rewire.wiring import describe_traffic, list_resting
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import FnnError, Problem, problem
from ansible.module_utils.fnn_module import run_module

Document = dict[str, Any]

SHOWN_FILES = 10
SHOWN_LINES = 40


def read_plan(task: Task) -> tuple[Plan, Document]:
    """Return the plan for the documents, variables and facts of the task, and its generation. Raises FnnError."""
    options, documents = task.options, task.documents
    settings = read_settings(task.root, options["variables"], options["facts"])
    design, macs = task.read("design"), task.read("macs")
    if design["cluster"] != macs["cluster"]:
        name = task.path("macs").name
        raise problem(f"{name}#/cluster", f"{macs['cluster']} is not the cluster of the design, {design['cluster']}")
    views = read_views(task, design)
    maintenance = find_maintenance_nics(task.read_existing("maintenance", "fnn-macs"), settings, views)
    settings = recall_nodes(design, views, settings)
    inputs = PlanInputs(
        routes=read_routes(documents, options["routes"], design) if is_basic(task, settings, design) else None,
        **read_rewiring(task, design),
        kept_mtus=find_kept_mtus(task, design, macs, settings),
        stand_ins=read_stand_ins(documents, options["stand_ins"]),
        maintenance=maintenance,
    )
    planned = {"design": design, "macs": macs, "variables": settings.describe(), "inputs": inputs.describe()}
    generation = count_plan(task, planned, settings.facts.generations.values())
    plan = make_plan(design, macs, settings, replace(inputs, generation=generation["generation"]))
    check_views(plan, documents)
    return plan, generation


def is_basic(task: Task, settings: PlanSettings, design: Document) -> bool:
    """Return whether each pair uses one switch, that of C(routes.json)."""
    given = settings.fnn_routing == BASIC and task.options["routes"] is not None
    return given and is_neighborhood_network(design["spec"])


def count_plan(task: Task, planned: Mapping[str, Any], reported: Collection[str]) -> Document:
    """Return the generation document for a plan. planned: all that changes it. reported: generations of the nodes.
    Raises FnnError."""
    path = task.path("build") / "generation.json"
    try:
        kept = task.documents.read(path, "fnn-generation") if path.exists() else None
    except FnnError as error:
        first = error.problems[0]
        text = f"{first.message}; delete {path}, and all nodes are prepared again"
        raise FnnError([Problem(first.at, text)]) from None
    generation: Document = find_generation(kept, planned["design"]["cluster"], planned, reported)
    return generation


def find_kept_mtus(task: Task, design: Document, macs: Document, settings: PlanSettings) -> dict[str, int]:
    """Return MAC -> present MTU of NICs that do not get the wanted MTU yet, and warn about them."""
    wanted = choose_mtu(design)
    if is_proved(read_findings(task), design, macs, wanted):
        return {}
    current: dict[str, int] = {link["mac"]: link["mtu"] for links in settings.facts.links.values() for link in links}
    kept: dict[str, int] = keep_mtus(wanted, {**recall_mtus(read_views(task, design)), **current}, macs)
    if kept:
        task.warn(f"{len(kept)} NICs keep an MTU below {wanted}: verify has not proved this MTU on every link yet")
    return kept


def read_findings(task: Task) -> Document | None:
    """Return the latest findings of verify; a missing document or one of another version proves nothing."""
    try:
        return task.read("findings") if task.options["findings"] else None
    except FnnError:
        return None


def read_views(task: Task, design: Document) -> dict[str, Document]:
    """Return the last view of each node that has one. Warns about damaged views and those of another version, and omits
    them: they are written again from facts of the nodes."""
    views = {}
    for name in [*(node["name"] for node in design["nodes"]), *list_named(design)]:
        path = task.path("build") / "nodes" / f"{name}.json"
        try:
            if path.exists():
                views[name] = task.documents.read(path, "fnn-view")
        except FnnError as error:
            task.warn(f"nodes/{error.problems[0]}; ignored and written again")
    return views


def recall_mtus(views: Mapping[str, Document]) -> dict[str, int]:
    """Return MAC -> MTU from the last views."""
    joined = [view for view in views.values() if "upper" in view]
    nics = {nic["mac"]: link["mtu"] for view in joined for link in view["links"][:1] for nic in view["upper"]["nics"]}
    return {link["mac"]: link["mtu"] for view in views.values() for link in view["links"]} | nics


def read_rewiring(task: Task, design: Document) -> dict[str, Any]:
    """Return the plan's inputs during a rewiring: resting cables, and the paths of pairs without a common switch."""
    job = task.read_existing("rewiring", "fnn-rewire")
    if job is None:
        return {}
    return {"resting": list_resting(job), **describe_traffic(job, design)}


def recall_nodes(design: Mapping[str, Any], views: Mapping[str, Document], settings: PlanSettings) -> PlanSettings:
    """Return the settings, with the facts of nodes that this run did not reach taken from their last views."""
    recalled = {fact: dict(getattr(settings.facts, fact)) for fact in ("identity_kind", "manager", "resolver")}
    for name in [*(node["name"] for node in design["nodes"]), *list_named(design)]:
        view = views.get(name)
        if view and not all(name in nodes for nodes in recalled.values()):
            recalled["identity_kind"].setdefault(name, view["identity"]["kind"])
            recalled["manager"].setdefault(name, view["manager"])
            recalled["resolver"].setdefault(name, view.get("resolver", "file"))
    behind = [name for name, view in views.items() if any(route["to"] == DEFAULT for route in view["routes"])]
    recalled["default_route"] = {**dict.fromkeys(behind, ""), **settings.facts.default_route}
    return replace(settings, facts=replace(settings.facts, **recalled))


def render_files(task: Task, plan: Plan, generation: Document) -> Iterator[RenderedFile]:
    """Return the files of the plan, and write each into the preview. Raises FnnError."""
    counted = RenderedFile(Path("generation.json"), dumps(generation).encode())
    for file in chain(Renderer(task.root).render(plan), [counted]):
        task.write_preview(file.path, file.content, file.mode)
        yield file


def render(task: Task) -> Result:
    """Render the files and write those that differ. Raises FnnError."""
    build = task.path("build")
    plan, generation = read_plan(task)
    changed: dict[str, None] = {}
    shown: list[dict[str, str]] = []
    count = 0
    for change in find_changes(render_files(task, plan, generation), build):
        count += 1
        changed.update(dict.fromkeys(change.nodes))
        if task.diff_mode and len(shown) < SHOWN_FILES:
            shown.append({"prepared": show_change(change, build, SHOWN_LINES)})
        if not task.check_mode:
            make_change(change)
    if not task.check_mode:
        remove_empty_directories(build)
    if task.diff_mode and count > len(shown):
        shown.append({"prepared": f"… and {count - len(shown)} more files\n"})
    return {
        "changed": count > 0,
        "changed_files": count,
        "generation": generation["generation"],
        "changed_nodes": [*(name for name in plan.views if name in changed), *(changed.keys() - plan.views.keys())],
        "nodes": list(plan.views),
        "unreached": {name: view["unreached"] for name, view in plan.views.items() if view["unreached"]},
        **({"diff": shown} if task.diff_mode else {}),
    }


def describe_module() -> ControllerModule:
    paths = dict.fromkeys(("rewiring", "stand_ins", "routes", "findings", "maintenance", "preview"), PATH)
    return ControllerModule(render, {**require_paths("design", "macs", "build"), **paths, **PLAN})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

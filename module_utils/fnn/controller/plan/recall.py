# SPDX-License-Identifier: GPL-3.0-or-later
"""Recalls facts of nodes that a run does not reach: they are down, or --limit left them out (controller only).

build/<cluster>/facts.json has the facts of each planned node that its plan used last. A node that is reached overrides
them. Former versions kept a view of each node below nodes/ instead; the facts are read from these if facts.json is
missing, so an upgrade changes no file of a node that is not reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError
from ..documents import Documents
from .gateway import DEFAULT
from .mtu import USUAL_MTU
from .settings import PlanSettings
from .views import Plan

FACTS = "facts.json"

Document = dict[str, Any]
#: Node -> its entry in facts.json.
Recalled = Mapping[str, Document]


def make_facts(plan: Plan) -> Document:
    """The document (format "fnn-facts") for the next plan."""
    nodes = [_describe_node(name, view) for name, view in plan.views.items()]
    return {"format": "fnn-facts", "version": 1, "cluster": plan.cluster["cluster"], "nodes": nodes}


def _describe_node(name: str, view: Mapping[str, Any]) -> Document:
    """behind: whether the node is behind the gateway; its default route is the last (views.py). kept: the address that
    its maintenance NIC keeps."""
    maintenance = view.get("maintenance")
    return {
        "name": name,
        "identity_kind": view["identity"]["kind"],
        "manager": view["manager"],
        "resolver": view["resolver"],
        "behind": any(route["to"] == DEFAULT for route in view["routes"][-1:]),
        "kept": maintenance["address"] if maintenance and maintenance["length"] is None else None,
        "mtus": [{"mac": mac, "mtu": mtu} for mac, mtu in _list_mtus(view) if mtu != USUAL_MTU],
    }


def _list_mtus(view: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
    """(MAC, MTU) of links, and of the NICs that an upper device joins."""
    nics = view["upper"]["nics"] if "upper" in view else []
    yield from ((link["mac"], link["mtu"]) for link in view["links"])
    yield from ((nic["mac"], link["mtu"]) for link in view["links"][:1] for nic in nics)


def read_facts(documents: Documents, build: Path, names: Iterable[str], warn: Callable[[str], None]) -> Recalled:
    """The recalled facts of these nodes. Warns about damaged documents and those of another version, and omits them:
    they are written again from facts of the nodes."""
    path = build / FACTS
    if not path.exists():
        return _read_views(documents, build, names, warn)
    try:
        known = {each["name"]: each for each in documents.read(path, "fnn-facts")["nodes"]}
    except FnnError as error:
        warn(f"{error.problems[0]}; ignored and written again")
        return {}
    return {name: known[name] for name in names if name in known}


def _read_views(documents: Documents, build: Path, names: Iterable[str], warn: Callable[[str], None]) -> Recalled:
    """The same from the views of a former version."""
    facts = {}
    for name in names:
        path = build / "nodes" / f"{name}.json"
        try:
            if path.exists():
                facts[name] = _describe_node(name, documents.read(path, "fnn-view"))
        except FnnError as error:
            warn(f"nodes/{error.problems[0]}; ignored")
    return facts


def recall_mtus(recalled: Recalled) -> dict[str, int]:
    """MAC -> MTU, of NICs that had another than the usual one."""
    return {nic["mac"]: nic["mtu"] for node in recalled.values() for nic in node["mtus"]}


def recall_nodes(recalled: Recalled, settings: PlanSettings) -> PlanSettings:
    """The settings, with recalled facts of the nodes that this run did not reach."""
    facts = settings.facts
    given = {fact: getattr(facts, fact) for fact in ("identity_kind", "manager", "resolver")}
    merged = {fact: {name: each[fact] for name, each in recalled.items()} | {**now} for fact, now in given.items()}
    behind = dict.fromkeys((name for name, each in recalled.items() if each["behind"]), "")
    return replace(settings, facts=replace(facts, **merged, default_route={**behind, **facts.default_route}))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the input documents of a report, and finds the other files made for the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..documents import Documents
from ..evaluate.evaluations import read_evaluation
from ..plan.routing import read_routes
from ..segments import is_neighborhood_network
from .divisions import choose_division

#: Files that may exist beside the report, with their descriptions.
_FILES = (
    ("labels/wiring.svg", "the wiring as a picture, for the wall"),
    ("labels/{paper}/node-labels.pdf", "labels of all nodes"),
    ("labels/{paper}/flags.pdf", "flags for both ends of every cable"),
    ("labels/{paper}/nodes.pdf", "checklists of the nodes"),
    ("labels/{paper}/switches.pdf", "checklists of the switches"),
    ("labels/{paper}/bill.pdf", "the number of cables of each color"),
    ("labels/cables.csv", "every cable with both its ends"),
    ("rewire/rewire-{paper}.pdf", "the sheets of a rewiring"),
    ("routes.txt", "the whole routing table"),
    ("routes.json", "the routing table for programs"),
    ("evaluation.json", "every number of the evaluation"),
    ("network.json", "every number of the evaluation"),
    ("report.json", "every number of this page"),
    ("findings.json", "the findings of verify"),
    ("proof.json", "the proof of the configured network"),
    ("bench/bench.json", "every number of the benchmark"),
    ("bench/tree.json", "every number of the benchmark over the tree"),
    ("bench/comparison.json", "the benchmark beside an earlier one"),
)
_PAPERS = {"a4": "A4", "letter": "letter"}
_OF_NEIGHBORHOODS = ("evaluation.json", "routes.json", "routes.txt")
_OF_TOPOLOGIES = ("network.json",)
#: Written together with the page, so it is listed before it exists.
_ALWAYS = "report.json"


@dataclass(frozen=True)
class Sources:
    """The input documents of a report; findings and proof are None until the cluster is verified and proved.

    bench, tree: the benchmark of the network, and that over the tree on the same wiring; None until they are run.
    comparison: of the benchmark with an earlier one.

    evaluation: format "fnn-evaluation" for a flat neighborhood network, else "fnn-network", without routes and scaling.
    routing: the kind that the nodes use, "basic" or "advanced". stock: the stock of jackets, as for labels.
    weights: whether advanced routing divides flows by weights. links: (words, path from the page) of the other files.
    """

    design: Mapping[str, Any]
    evaluation: Mapping[str, Any]
    routes: Any
    scaling: Any
    findings: Mapping[str, Any] | None = None
    proof: Mapping[str, Any] | None = None
    routing: str = "advanced"
    stock: Any = None
    links: list[tuple[str, str]] = field(default_factory=list)
    bench: Mapping[str, Any] | None = None
    tree: Mapping[str, Any] | None = None
    comparison: Mapping[str, Any] | None = None
    weights: bool = True

    @property
    def division(self) -> str:
        """How the flows of a pair divide (divisions.py)."""
        return choose_division(self.routing, self.weights)


def read_sources(documents: Documents, options: Mapping[str, Any]) -> Sources:
    """options: "design", "build", "scaling" (paths), "routing", "weights", "stock".

    Raises FnnError, also for an evaluation or routes of another design.
    """
    build = Path(options["build"])
    design = documents.read(options["design"], "fnn-design")
    chosen = is_neighborhood_network(design["spec"])
    findings, proof = (
        documents.read_of(design, build / f"{name}.json", f"fnn-{name}") for name in ("findings", "proof")
    )
    bench, tree = (documents.read_of(design, build / f"bench/{name}.json", "fnn-bench") for name in ("bench", "tree"))
    return Sources(
        design,
        read_evaluation(documents, build, design),
        read_routes(documents, build / "routes.json", design) if chosen else None,
        documents.read(options["scaling"], "fnn-scaling") if chosen else None,
        findings,
        proof,
        options["routing"],
        options["stock"],
        list(find_files(build, chosen)),
        bench,
        tree,
        _read_comparison(documents, build, bench),
        options["weights"],
    )


def _read_comparison(documents: Documents, build: Path, bench: Mapping[str, Any] | None) -> Any:
    """The comparison of this benchmark with an earlier one; None if there is none, or it is of another run."""
    path = build / "bench/comparison.json"
    comparison = documents.read(path, "fnn-bench-comparison") if bench and path.exists() else None
    return comparison if bench and comparison and comparison["now"]["date"] == bench["run"]["date"] else None


def find_files(build: Path, chosen: bool = True) -> Iterator[tuple[str, str]]:
    """(words, path) of the existing files, in the order in which an operator needs them.

    chosen: whether the engine chose the routes, as for a flat neighborhood network. Files of another topology may be
    left from before.
    """
    for name, words in _FILES:
        if name in (_OF_TOPOLOGIES if chosen else _OF_NEIGHBORHOODS):
            continue
        if "{paper}" not in name:
            if name == _ALWAYS or (build / name).exists():
                yield words, name
            continue
        for paper, paper_name in _PAPERS.items():
            path = name.format(paper=paper)
            if (build / path).exists():
                yield f"{words}, {paper_name}", path

# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the input documents of a report, and finds the other files made for the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from ..documents import Documents, identify_design
from ..plan.routing import read_routes

#: Files that may exist beside the report, with their descriptions.
_FILES = (
    ("labels/wiring.svg", "the wiring as a picture, for the wall"),
    ("labels/{paper}/node-labels.pdf", "labels of all nodes"),
    ("labels/{paper}/flags.pdf", "flags for both ends of every cable"),
    ("labels/{paper}/nodes.pdf", "a page per node to tick off"),
    ("labels/{paper}/switches.pdf", "a page per switch to tick off"),
    ("labels/{paper}/bill.pdf", "the number of cables of each color"),
    ("labels/cables.csv", "every cable with both its ends"),
    ("rewire/rewire-{paper}.pdf", "the sheets of a rewiring"),
    ("routes.txt", "the whole routing table"),
    ("routes.json", "the routing table for programs"),
    ("evaluation.json", "every number of the evaluation"),
    ("report.json", "every number of this page"),
    ("findings.json", "the findings of verify"),
    ("proof.json", "the proof of the configured network"),
)
_PAPERS = {"a4": "A4", "letter": "letter"}
#: Written together with the page, so it is listed before it exists.
_ALWAYS = "report.json"


@dataclass(frozen=True)
class Sources:
    """The input documents of a report; findings and proof are None until the cluster is verified and proved.

    routing: the kind that the nodes use, "basic" or "advanced". stock: the stock of jackets, as for labels.
    links: (words, path from the page) of the other files.
    """

    design: Mapping[str, Any]
    evaluation: Mapping[str, Any]
    routes: Mapping[str, Any]
    scaling: Mapping[str, Any]
    findings: Mapping[str, Any] | None = None
    proof: Mapping[str, Any] | None = None
    routing: str = "advanced"
    stock: Any = None
    links: list[tuple[str, str]] = field(default_factory=list)


def read_sources(documents: Documents, options: Mapping[str, Any]) -> Sources:
    """options: "design", "build", "scaling" (paths), "routing", "stock".

    Raises FnnError, also for an evaluation or routes of another design.
    """
    build = Path(options["build"])
    design = documents.read(options["design"], "fnn-design")
    findings, proof = (
        documents.read_of(design, build / f"{name}.json", f"fnn-{name}") for name in ("findings", "proof")
    )
    return Sources(
        design,
        read_evaluation(documents, build / "evaluation.json", design),
        read_routes(documents, build / "routes.json", design),
        documents.read(options["scaling"], "fnn-scaling"),
        findings,
        proof,
        options["routing"],
        options["stock"],
        list(find_files(build)),
    )


def read_evaluation(documents: Documents, path: Path, design: Mapping[str, Any]) -> dict[str, Any]:
    """The evaluation of a design. Raises FnnError, also for that of another one."""
    evaluation = documents.read(path, "fnn-evaluation")
    if evaluation["design_digest"] != identify_design(design):
        at = f"{path.name}#/design_digest"
        raise problem(at, "another design was evaluated; playbooks/evaluate.yml evaluates this one")
    return evaluation


def find_files(build: Path) -> Iterator[tuple[str, str]]:
    """(words, path) of the existing files, in the order in which an operator needs them."""
    for name, words in _FILES:
        if "{paper}" not in name:
            if name == _ALWAYS or (build / name).exists():
                yield words, name
            continue
        for paper, paper_name in _PAPERS.items():
            path = name.format(paper=paper)
            if (build / path).exists():
                yield f"{words}, {paper_name}", path

# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a report from documents: sections of figures, and the document (format "fnn-report") of all their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..evaluate.comparison import describe_worth
from ..labels.cabling import Cabling, make_cabling
from .alternatives import show_alternatives
from .bandwidth import show_bandwidth
from .cost import show_cost
from .failures import show_failures
from .figure import Section
from .growth import show_growth
from .headlines import Headline, Verdict, list_headlines, make_verdict
from .routing import show_routing
from .sources import Sources
from .summary import describe_network
from .wiring import show_wiring

VERSION = 1


@dataclass(frozen=True)
class Report:
    """Everything that the page shows."""

    cluster: str
    subtitle: str
    verdict: Verdict
    headlines: list[Headline]
    cabling: Cabling
    sections: list[Section]
    links: list[tuple[str, str]]
    origin: Mapping[str, Any]

    def to_document(self) -> dict[str, Any]:
        return {
            "format": "fnn-report",
            "version": VERSION,
            "cluster": self.cluster,
            **self.origin,
            "verdict": {"design": self.verdict.word, "title": self.verdict.title, "words": self.verdict.words},
            "headlines": [{"value": each.value, "words": each.words, "note": each.note} for each in self.headlines],
            "sections": [
                {
                    "name": section.name,
                    "title": section.title,
                    "words": list(section.words),
                    "figures": [
                        {"name": each.name, "title": each.title, "words": each.words, "drawn": each.svg is not None}
                        | each.table.to_json()
                        for each in section.figures
                    ],
                }
                for section in self.sections
            ],
        }


def make_report(sources: Sources) -> Report:
    """Draw all sections. Raises FnnError if the stock of jackets does not suffice."""
    design, evaluation = sources.design, sources.evaluation
    cabling = make_cabling(design, sources.stock)
    sections = [
        show_wiring(design, cabling),
        show_bandwidth(evaluation, sources.routes),
        *([show_alternatives(evaluation, sources.routing)] if len(evaluation["alternatives"]) > 1 else []),
        show_routing(design, sources.routes, cabling),
        show_failures(evaluation, design),
        show_cost(evaluation["cost"]),
        show_growth(sources.scaling, design),
    ]
    verdict = make_verdict(design, sources.findings, sources.proof)
    if len(evaluation["alternatives"]) > 1:
        verdict.words.extend(describe_worth(evaluation, sources.routing)[:2])
    origin = {"design_digest": evaluation["design_digest"], "engine": evaluation["engine"], "seed": evaluation["seed"]}
    return Report(
        design["cluster"],
        describe_network(design),
        verdict,
        list_headlines(evaluation, sources.routing),
        cabling,
        sections,
        sources.links,
        origin,
    )

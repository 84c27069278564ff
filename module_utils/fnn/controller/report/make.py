# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a report from documents: sections of figures, and the document (format "fnn-report") of all their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..labels.cabling import Cabling, make_cabling
from ..segments import is_neighborhood_network
from .alternatives import show_alternatives
from .answers import answer
from .as_built import show_as_built
from .bandwidth import show_bandwidth
from .cost import show_cost
from .descriptions import describe_kind, describe_network
from .detours import show_detours
from .direct_wiring import show_direct_wiring
from .failures import show_failures
from .figure import Figure, Section
from .growth import show_growth
from .headlines import Headline, list_headlines
from .measured import show_measured
from .network_bandwidth import show_network_bandwidth
from .network_headlines import list_network_headlines
from .paths import show_paths
from .routing import show_routing
from .sources import Sources
from .switch_losses import show_switch_losses
from .verdict import Verdict, add_bench, make_verdict
from .wiring import show_wiring

VERSION = 1
#: Columns of a table that fit into half the width of the page.
_MOST_COLUMNS = 5


@dataclass(frozen=True)
class Report:
    """Everything that the page shows. kind: of network, with its article."""

    cluster: str
    kind: str
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
            "verdict": self.verdict.to_json(),
            "headlines": [asdict(each) for each in self.headlines],
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
    chosen = is_neighborhood_network(design["spec"])
    sections = list(show_as_built(cabling, sources.findings, sources.proof))
    sections += show_measured(sources.bench, sources.tree, sources.comparison)
    sections += _show_neighborhoods(sources, cabling) if chosen else _show_topology(sources, cabling)
    answers = answer(evaluation, design, sources.routing, sources.division)
    verdict = make_verdict(design, sources.findings, sources.proof, answers)
    if sources.bench:
        verdict = add_bench(verdict, sources.bench)
    origin = {"design_digest": evaluation["design_digest"], "engine": evaluation["engine"], "seed": evaluation["seed"]}
    return Report(
        design["cluster"],
        describe_kind(design),
        describe_network(design),
        verdict,
        list_headlines(evaluation, sources.division) if chosen else list(list_network_headlines(evaluation)),
        cabling,
        sections,
        sources.links,
        origin,
    )


def _show_neighborhoods(sources: Sources, cabling: Cabling) -> Iterator[Section]:
    """The sections of a flat neighborhood network, or of one switch."""
    design, evaluation = sources.design, sources.evaluation
    yield show_wiring(design, cabling)
    yield show_bandwidth(evaluation, sources.routes)
    yield from _show_others(sources)
    yield show_routing(design, sources.routes, cabling)
    yield _show_failures(evaluation, design)
    yield show_cost(evaluation, sources.routing)
    yield show_growth(sources.scaling, design)


def _show_topology(sources: Sources, cabling: Cabling) -> Iterator[Section]:
    """The sections of a tree, or of nodes that are joined by cables."""
    design, network = sources.design, sources.evaluation
    yield show_direct_wiring(cabling) if cabling.direct else show_wiring(design, cabling)
    yield show_paths(design, network, cabling)
    yield show_network_bandwidth(network)
    yield from _show_others(sources)
    yield show_detours(design, network)
    yield show_cost(network, sources.routing)


def _show_failures(evaluation: Mapping[str, Any], design: Mapping[str, Any]) -> Section:
    section = show_failures(evaluation, design)
    return replace(section, figures=[*section.figures, show_switch_losses(design)])


def _show_others(sources: Sources) -> Iterator[Section]:
    """Tables of many columns get the whole width, and come last, so that the others fill both columns of the page."""
    if len(sources.evaluation["alternatives"]) > 1:
        section = show_alternatives(sources.evaluation, sources.design, sources.routing)
        figures = [replace(each, wide=_is_broad(each)) for each in section.figures]
        yield replace(section, figures=sorted(figures, key=lambda each: each.wide))


def _is_broad(figure: Figure) -> bool:
    return not figure.svg and len(figure.table.columns) > _MOST_COLUMNS

# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the plans of a cluster, and lists the nodes that are prepared for the last one (controller only).

    8-3f2a9c1b0d2e   the eighth plan, and the beginning of the digest of its inputs

The count is in build/<cluster>/generation.json, and every node keeps the generation of its files in /etc/fnn/node. If
build/ is lost, the nodes report the current generation, and an unchanged plan keeps it.

`prepared` names the nodes that are ready to receive the traffic of this plan. All others are held in the later passes
(node/net/cutover.py): the nodes that change keep reaching them as before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from ..documents import dumps

#: The generation of a plan that is not counted.
FIRST = f"1-{0:012x}"


def find_generation(
    kept: Mapping[str, Any] | None, cluster: str, inputs: Mapping[str, Any], reported: Iterable[str]
) -> dict[str, Any]:
    """The document (format "fnn-generation") for a plan.

    kept: the document so far. inputs: all that changes the plan. reported: generations that nodes reported.
    """
    digest = hashlib.sha256(dumps(inputs).encode()).hexdigest()[:12]
    counts = dict(split(each) for each in reported if each)
    if kept is not None:
        counts.update([split(kept["generation"])])
    last = max(counts, default=0)
    if counts.get(last) != digest:
        return make_document(cluster, f"{last + 1}-{digest}", [])
    same = kept is not None and kept["generation"] == f"{last}-{digest}"
    return make_document(cluster, f"{last}-{digest}", kept["prepared"] if same and kept else [])


def make_document(cluster: str, generation: str, prepared: Iterable[str]) -> dict[str, Any]:
    return {
        "format": "fnn-generation",
        "version": 1,
        "cluster": cluster,
        "generation": generation,
        "prepared": sorted(prepared),
    }


def note_prepared(document: Mapping[str, Any], nodes: Iterable[str]) -> dict[str, Any]:
    """The document with these nodes added to `prepared`."""
    return {**document, "prepared": sorted({*document["prepared"], *nodes})}


def split(generation: str) -> tuple[int, str]:
    count, _, digest = generation.partition("-")
    return int(count), digest

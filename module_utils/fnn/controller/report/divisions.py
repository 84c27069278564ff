# SPDX-License-Identifier: GPL-3.0-or-later
"""How the flows of a pair divide over the switches that it shares, as keys of an evaluation and for readers."""

from __future__ import annotations

WEIGHTED = "weighted"
#: Key of the worst case in an evaluation -> for readers.
DIVISIONS = {"basic": "basic", "advanced": "advanced, equal parts", WEIGHTED: "advanced, weights"}


def choose_division(routing: str, weights: bool) -> str:
    """The key for a cluster. routing: "basic" or "advanced", as for a report. weights: fnn_weights."""
    return WEIGHTED if routing == "advanced" and weights else routing

# SPDX-License-Identifier: GPL-3.0-or-later
"""A trait of a switch: a value or bounds, how it was measured, and a sentence for people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .methods import METHODS

UNKNOWN = "unknown"
#: What a step measured; all steps, by name.
Result = Mapping[str, Any]
Results = Mapping[str, Result]


@dataclass(frozen=True)
class Trait:
    """value: a number, a word or whether it is so; None if only bounds are known; UNKNOWN with a reason.

    at_least, at_most: bounds of a number. None: no bound.
    """

    value: Any
    sentence: str
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    reason: str = ""

    def describe(self, name: str) -> dict[str, Any]:
        """As in the document. name: in METHODS."""
        return {
            "value": self.value,
            "unit": self.unit,
            "at_least": self.at_least,
            "at_most": self.at_most,
            "reason": self.reason,
            "sentence": self.sentence,
            "method": METHODS[name].method,
            "source": METHODS[name].source,
        }


def make_unknown_trait(name: str, reason: str) -> Trait:
    """name: in METHODS."""
    what = METHODS[name].what
    return Trait(UNKNOWN, f"{what[0].upper()}{what[1:]} is not known: {reason}.", reason=reason)


def number_above(value: float) -> str:
    """An upper bound in a sentence, rounded up to three digits."""
    if value <= 0:
        return number(value)
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return number(math.ceil(value / unit) * unit)


def number(value: float) -> str:
    """A number in a sentence: "0.004", "12.5", "1500"."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"

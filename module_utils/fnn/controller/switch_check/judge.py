# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes traits of what fnn_switch_probe measured.

What was not measured is unknown, with its reason, and never a guess. A number is a value where it was measured, and a
pair of bounds where only these are known: "the ageing time is more than 330 s".
"""

from __future__ import annotations

from collections.abc import Sequence

from .addresses import ADDRESSES
from .frames import FRAMES, count_isolated
from .load import LOAD
from .methods import METHODS
from .trait import Results, Trait, make_unknown_trait

_JUDGES = {**FRAMES, **ADDRESSES, **LOAD}


def judge(results: Results, isolated: Sequence[Sequence[str]] = ()) -> dict[str, Trait]:
    """Every trait of METHODS. results: by step; {"error": why} for a step without a result."""
    traits = {}
    for name, method in METHODS.items():
        result = results.get(method.step, {"error": "this was not measured"})
        if not method.step:
            traits[name] = count_isolated(isolated)
        elif "error" in result:
            traits[name] = make_unknown_trait(name, result["error"])
        else:
            traits[name] = _JUDGES[name](result, results)
    return traits

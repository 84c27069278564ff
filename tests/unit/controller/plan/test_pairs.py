# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/pairs.py"""

from __future__ import annotations

from ansible.module_utils.fnn.controller.plan.pairs import find_pairs_apart


def test_pairs_without_a_common_switch_are_found_both_ways() -> None:
    design = {
        "nodes": [{"name": name} for name in ("a", "b", "c", "d")],
        "switches": [{"name": "red", "nodes": ["a", "b"]}, {"name": "blue", "nodes": ["b", "c"]}],
    }
    apart = [("a", "c"), ("a", "d"), ("b", "d"), ("c", "a"), ("c", "d"), ("d", "a"), ("d", "b"), ("d", "c")]
    assert list(find_pairs_apart(design)) == apart

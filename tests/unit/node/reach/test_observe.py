# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/reach/observe.py"""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.node.reach import observe


@pytest.mark.parametrize(
    ("before", "after"),
    [([("k00", "red")], []), ([], [("k00", "red")]), ([("k00", "red")], [("k00", "red")])],
    ids=["recovers", "fails", "stays"],
)
def test_a_nic_that_is_avoided_at_any_time_of_the_test_is_reported(
    monkeypatch: pytest.MonkeyPatch, before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    """Else the proof would name a pair with two switches and no reason."""
    answers = iter([before, after])
    monkeypatch.setattr(observe, "read_avoided", lambda _: next(answers))
    monkeypatch.setattr(observe, "read_fabric_devices", dict)
    monkeypatch.setattr(observe, "read_peer_addresses", dict)
    monkeypatch.setattr(observe, "count_dropped", lambda _: {})
    monkeypatch.setattr(observe, "reach_peers", lambda *_: {"peers": {}})
    assert observe.observe_peers(1)["avoided"] == [["k00", "red"]]

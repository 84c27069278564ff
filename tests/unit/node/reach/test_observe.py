# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/reach/observe.py"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.linkd.tables import Tables
from ansible.module_utils.fnn.node.net.legs_down import take_daemon_lock
from ansible.module_utils.fnn.node.net.membership import Member, Membership
from ansible.module_utils.fnn.node.net.plan import Identity, Plan
from ansible.module_utils.fnn.node.reach import observe


@pytest.mark.parametrize(
    ("during", "after"), [(True, False), (False, True), (True, True)], ids=["recovers", "fails", "stays"]
)
def test_a_nic_that_is_avoided_at_any_time_of_the_test_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, during: bool, after: bool
) -> None:
    """Else the proof would name a pair with two switches and no reason."""
    mac = "02:f0:00:00:00:00"
    plan = Plan("six", "k00", 196, Identity("fnn0", "dummy", "10.78.0.1"), (), (), (), {})
    tables = Tables(tmp_path, plan, Membership(members={"k00": Member("k00", 0, {"red": mac})}), {})
    macs = frozenset({mac})
    tables.note(frozenset())

    def reach_peers(*_: object) -> dict[str, Any]:
        for fails in (during, after):
            tables.note(macs if fails else frozenset())
        return {"peers": {}}

    monkeypatch.setattr(observe, "RUN", tmp_path)
    monkeypatch.setattr(observe, "read_fabric_devices", dict)
    monkeypatch.setattr(observe, "read_peer_addresses", dict)
    monkeypatch.setattr(observe, "count_dropped", lambda _: {})
    monkeypatch.setattr(observe, "reach_peers", reach_peers)
    lock = take_daemon_lock(tmp_path)
    assert lock is not None
    assert [list(each) for each in observe.observe_peers(1)["avoided"]] == [["k00", "red"]]
    os.close(lock)

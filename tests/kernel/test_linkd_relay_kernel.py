# SPDX-License-Identifier: GPL-3.0-or-later
"""With `fnn_relay: true`, two nodes without a working switch in common and without an uplink use a third node."""

from __future__ import annotations

from pathlib import Path

from linkd_lab import HOLD, run_lab
from namespaces import Cables
from six_pcs import SIX
from test_linkd_pairs_kernel import LIMIT, find_outage, list_losses, talk_during
from waiting import excusing, wait_until


def test_a_third_node_forwards_while_no_switch_joins_a_pair(cables: Cables, tmp_path: Path) -> None:
    """k02 shares red alone with k00 and k01, and green with the others."""
    cut = {(one, two) for pair in (("k00", "k02"), ("k01", "k02")) for one, two in (pair, pair[::-1])}
    harmed = cut | {pair for other in ("k03",) for pair in (("k02", other), (other, "k02"))}
    with run_lab(cables, tmp_path, "relay") as lab:
        with excusing() as excused:
            lost = talk_during(lab, lambda: lab.block("k02", 0, "in", "out"), 3)
        assert list_losses(lost).keys() <= harmed, "k03 shares red and green with k02"
        outages = {pair: find_outage(lost[pair]) for pair in harmed}
        assert max(outages.values()) <= LIMIT + excused(), outages
        assert any(outages[pair] for pair in cut), "the fault cut no pair"
        wait_until(lambda: list_losses(talk_during(lab, lambda: None, 0)) == {}, 10)
        over = {each["node"]: each["over"] for each in lab.ask("k02")["tested"]}
        assert over.keys() == {"k00", "k01"}
        assert {*over.values()} <= {"k03", "k04", "k05"}
        lab.unblock("k02", 0)
        wait_until(lambda: not any(lab.ask(node)["tested"] for node in SIX), 30 * HOLD)
        wait_until(lambda: lab.legs("k00", "k02") == {("nic0", "10.77.0.3")}, 10)
        wait_until(lambda: all(map(lab.is_settled, SIX)), 10)
        wait_until(lambda: list_losses(talk_during(lab, lambda: None, 0)) == {}, 10)

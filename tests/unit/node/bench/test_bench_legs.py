# SPDX-License-Identifier: GPL-3.0-or-later
"""Rounds of pair tests between real agents on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.bench.agents import Agents
from ansible.module_utils.fnn.node.bench.legs import measure_legs
from ansible.module_utils.fnn.node.bench.watch import Watch

TEST = {"from": "k00", "from_nic": "lo", "to": "k01", "to_nic": "lo", "switch": "red", "expected_mbps": 1000.0}


def measure(node: str, watch: Watch, *tests: dict[str, Any], version: str = "3.12") -> list[Any]:
    """All agents are on this machine, which is both nodes."""
    with Agents(["k00"], "k00", node, 60, watch) as here, Agents(["k01"], "k01", node, 60, watch) as there:
        here._agents.update(there._agents)
        legs = measure_legs(here, [list(tests)], [version], 1)
        here._agents.pop("k01")
    return legs


def test_a_test_has_an_entry_for_each_direction(node: str, watch: Watch) -> None:
    out, back = measure(node, watch, TEST)
    assert out == {
        "round": 0, "from": "k00", "from_nic": "lo", "to": "k01", "to_nic": "lo", "switch": "red", "mbps": 3907.847,
        "rtt_us": 1458, "retransmits": 2, "seconds": 1.0, "error": None,
    }  # fmt: skip
    assert (back["from"], back["to"], back["mbps"]) == ("k01", "k00", 4323.629)


def test_tests_of_a_round_run_at_once_and_one_that_cannot_has_its_reason(node: str, watch: Watch) -> None:
    legs = measure(node, watch, TEST, {**TEST, "to_nic": "nic9", "switch": "blue"})
    assert [(leg["switch"], leg["error"] is None) for leg in legs] == [("red", True)] * 2 + [("blue", False)] * 2
    reasons = {leg["error"] for leg in legs[2:]}
    assert reasons == {"there is no device nic9; ./fnn discover reads the present names"}
    assert {leg["mbps"] for leg in legs[2:]} == {None}


def test_each_node_is_the_client_in_half_of_its_tests(node: str, watch: Watch) -> None:
    """The client's direction comes first; where processors limit the rate, it is the faster one."""
    legs = measure(node, watch, TEST, {**TEST, "switch": "blue"})
    assert [(leg["switch"], leg["from"]) for leg in legs] == [
        ("red", "k00"), ("red", "k01"), ("blue", "k01"), ("blue", "k00"),
    ]  # fmt: skip


def test_a_client_that_fails_leaves_no_server(node: str, watch: Watch) -> None:
    with Agents(["k00"], "k00", node, 60, watch) as agents:
        legs = measure_legs(agents, [[{**TEST, "to": "k00"}]], ["3.12"], 7)  # of which the program makes an error
        assert {leg["error"] for leg in legs} == {"unable to connect to server: Connection refused"}
        pid = agents._agents["k00"].process.pid
        assert Path(f"/proc/{pid}/task/{pid}/children").read_text() == ""


def test_an_old_release_measures_one_direction_after_the_other(node: str, watch: Watch) -> None:
    legs = measure(node, watch, TEST, version="3.5")
    assert [(leg["from"], leg["to"]) for leg in legs] == [("k00", "k01"), ("k01", "k00")]


@pytest.mark.parametrize("rounds", [[], [[]]])
def test_nothing_to_test_is_no_error(rounds: list[Any], node: str, watch: Watch) -> None:
    with Agents(["k00"], "k00", node, 60, watch) as agents:
        assert measure_legs(agents, rounds, ["3.12"], 1) == []

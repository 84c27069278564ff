# SPDX-License-Identifier: GPL-3.0-or-later
"""Several agents at once. Those of the own node run without ssh; a script replaces ssh for all others."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.bench.agents import Agents
from ansible.module_utils.fnn.node.bench.watch import Interrupted, Watch
from waiting import read_clock

READ = {"do": "read", "devices": []}


@pytest.fixture
def ssh(write_program: Callable[[str, str], Path]) -> None:
    """It reaches every node but k09, on this machine."""
    body = """
for last; do before=$node node=$last; done
node=$before
if [ "$node" = k09 ]; then echo "connect to host k09 port 22: No route to host" >&2; exit 255; fi
exec sh -c "$last"
"""
    write_program("ssh", body)


@pytest.mark.usefixtures("ssh")
def test_all_agents_answer_and_one_that_cannot_is_named(node: str, watch: Watch) -> None:
    with Agents(["k00", "k01", "k09"], "k00", node, 600, watch) as agents:
        answers = agents.ask_all(READ, 300)
        assert [answers[name].get("iperf3") for name in ("k00", "k01")] == ["3.12", "3.12"]
        lost = {"error": "the agent of k09 does not answer: connect to host k09 port 22: No route to host"}
        assert answers["k09"] == lost
        assert agents.ask({"k09": READ, "k01": READ}, 30)["k09"] == lost


def test_an_agent_without_an_answer_in_time_fails_and_the_others_go_on(node: str, watch: Watch) -> None:
    slow = node.replace(
        "def read_node(command: Command) -> Answer:\n", "def read_node(command):\n    time.sleep(600)\n"
    )
    with Agents(["k00"], "k00", slow, 600, watch) as agents:
        assert agents.ask_all(READ, 1) == {"k00": {"error": "the agent of k00 does not answer: no answer within 1 s"}}


def test_an_agent_that_prints_something_else_fails_for_all_commands(watch: Watch) -> None:
    source = "print('Welcome\\n{}', flush=True)\nimport time; time.sleep(600)\n"
    with Agents(["k00"], "k00", source, 600, watch) as agents:
        answers = [agents.ask_all(READ, 300)["k00"] for _ in range(2)]
    assert answers == [{"error": "the agent of k00 does not answer: unexpected output: Welcome"}] * 2


def test_a_removed_directory_ends_the_benchmark_at_once(node: str, watch: Watch) -> None:
    slow = node.replace(
        "def read_node(command: Command) -> Answer:\n", "def read_node(command):\n    time.sleep(600)\n"
    )
    began = read_clock()
    with pytest.raises(Interrupted, match="was removed"), Agents(["k00"], "k00", slow, 600, watch) as agents:
        shutil.rmtree(watch.directory)
        agents.ask_all(READ, 500)
    assert read_clock() - began < 20

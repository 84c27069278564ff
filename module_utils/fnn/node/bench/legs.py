# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the pair tests of a plan with iperf3, round by round (runs on one node).

A pair test loads two legs, NICs of two nodes on one switch. The tests of a round have no NIC in common and run at once;
each round begins when all servers of the round listen. Standard library only, Python 3.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .agents import Agents
from .iperf import Direction, choose_passes, read_directions

#: Seconds that all servers of a round may take to listen, and all clients to answer after their tests.
_LISTEN, _REST = 15.0, 20.0

Test = Mapping[str, Any]
Leg = dict[str, Any]
#: Index of a test in its round -> where its server listens, or why not, or what its client printed.
Answers = dict[int, dict[str, Any]]


def measure_legs(
    agents: Agents, rounds: Sequence[Sequence[Test]], versions: Iterable[str | None], seconds: int
) -> list[Leg]:
    """An entry for each direction of each test, as in fnn-bench-raw. versions: of iperf3, by node. seconds: of a test.

    Raises Interrupted.
    """
    passes = choose_passes(versions)
    return [
        leg
        for index, tests in enumerate(rounds)
        for options in passes
        for leg in _Pass(agents, index, tests, options, seconds).measure()
    ]


@dataclass(frozen=True)
class _Pass:
    """One pass of a round. index: of the round. options: of iperf3, which determine the directions."""

    agents: Agents
    index: int
    tests: Sequence[Test]
    options: Sequence[str]
    seconds: int

    def measure(self) -> list[Leg]:
        asked = {place: {"device": test["to_nic"]} for place, test in enumerate(self.tests)}
        answers = self.ask("to", {"do": "serve"}, asked, _LISTEN)
        asked = {
            place: {"device": self.tests[place]["from_nic"], "options": self.options, **server}
            for place, server in answers.items()
            if "error" not in server
        }
        answers.update(self.ask("from", {"do": "send", "seconds": self.seconds}, asked, self.seconds + _REST))
        self.stop_servers(self.tests[place]["to"] for place, answer in answers.items() if "error" in answer)
        return [leg for place in range(len(self.tests)) for leg in self.list_legs(place, answers[place])]

    def ask(self, side: str, command: Mapping[str, Any], asked: Answers, seconds: float) -> Answers:
        """Sends the tests to the nodes on this side of them, to each node all of its tests in one command."""
        places: dict[str, list[int]] = {}
        for place in asked:
            places.setdefault(self.tests[place][side], []).append(place)
        commands = {node: {**command, "tests": [asked[place] for place in own]} for node, own in places.items()}
        answers = self.agents.ask(commands, seconds)
        found: Answers = {}
        for node, own in places.items():
            lost = [{"error": answers[node].get("error", "no answer")}] * len(own)
            found.update(zip(own, answers[node].get("tests", lost)))
        return found

    def stop_servers(self, nodes: Iterable[str]) -> None:
        """Those whose client has failed would wait for ever."""
        self.agents.ask({node: {"do": "stop"} for node in nodes}, _LISTEN)

    def list_legs(self, place: int, answer: Mapping[str, Any]) -> Iterator[Leg]:
        """Of a test both directions, or the one of this pass."""
        test = self.tests[place]
        results = read_directions(answer.get("output", ""), self.options)
        if "error" in answer:
            results = dict.fromkeys(results, Direction(error=answer["error"]))
        here, there = (test["from"], test["from_nic"]), (test["to"], test["to_nic"])
        for is_forward, result in results.items():
            sender, receiver = (here, there) if is_forward else (there, here)
            names = dict(zip(("from", "from_nic", "to", "to_nic"), (*sender, *receiver)))
            yield {"round": self.index, **names, "switch": test["switch"], **asdict(result)}

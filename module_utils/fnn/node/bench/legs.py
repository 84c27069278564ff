# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the pair tests of a plan with iperf3, round by round (runs on one node).

A pair test loads two legs, NICs of two nodes on one switch. The tests of a round have no NIC in common and run at once;
each round begins when all servers of the round listen. Where processors limit the rate, the client of iperf3 sends more
than the server (in the lab, twice as much). So each node is the client in half of its tests.

Standard library only, Python 3.9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .agents import Agents
from .iperf import Direction, choose_passes, read_directions

#: Seconds that all servers of a round may take to listen, and all clients to answer after their tests.
_LISTEN, _REST = 15.0, 20.0

Test = Mapping[str, Any]
Leg = dict[str, Any]
#: Node and device.
End = tuple[str, str]
#: Index of a test in its round -> where its server listens, or why not, or what its client printed.
Answers = dict[int, dict[str, Any]]


def measure_legs(
    agents: Agents, rounds: Sequence[Sequence[Test]], versions: Iterable[str | None], seconds: int
) -> list[Leg]:
    """An entry for each direction of each test, as in fnn-bench-raw. versions: of iperf3, by node. seconds: of a test.

    Raises Interrupted.
    """
    passes = choose_passes(versions)
    legs = [
        leg
        for index, tests in enumerate(rounds)
        for options in passes
        for leg in _Pass(agents, index, tests, options, seconds).measure()
    ]
    # A server whose client has failed waits for ever. Servers of earlier rounds were ended by the next round.
    agents.ask_all({"do": "stop"}, _LISTEN)
    return legs


@dataclass(frozen=True)
class _Pass:
    """One pass of a round. index: of the round. options: of iperf3, which determine the directions."""

    agents: Agents
    index: int
    tests: Sequence[Test]
    options: Sequence[str]
    seconds: int

    def measure(self) -> list[Leg]:
        places = range(len(self.tests))
        asked: Answers = {place: {"device": self.find_server(place)[1]} for place in places}
        answers = self.ask(self.find_server, {"do": "serve"}, asked, _LISTEN)
        asked = {
            place: {**server, "device": self.find_client(place)[1], "options": self.options}
            for place, server in answers.items()
            if "error" not in server
        }
        send = {"do": "send", "seconds": self.seconds}
        answers.update(self.ask(self.find_client, send, asked, self.seconds + _REST))
        return [leg for place in places for leg in self.list_legs(place, answers[place])]

    def find_client(self, place: int) -> End:
        """Node and device."""
        side = ("from", "to")[self.is_turned(place)]
        return self.tests[place][side], self.tests[place][f"{side}_nic"]

    def find_server(self, place: int) -> End:
        """Node and device."""
        side = ("to", "from")[self.is_turned(place)]
        return self.tests[place][side], self.tests[place][f"{side}_nic"]

    def is_turned(self, place: int) -> bool:
        """Whether the server is at the lower rank: in every other test of a pair, and of the tests of a round."""
        return (self.index + place) % 2 == 1

    def ask(self, find: Callable[[int], End], command: Mapping[str, Any], asked: Answers, seconds: float) -> Answers:
        """Sends the tests to the nodes that `find` gives, to each node all of its tests in one command."""
        places: dict[str, list[int]] = {}
        for place in asked:
            places.setdefault(find(place)[0], []).append(place)
        commands = {node: {**command, "tests": [asked[place] for place in own]} for node, own in places.items()}
        answers = self.agents.ask(commands, seconds)
        found: Answers = {}
        for node, own in places.items():
            lost = [{"error": answers[node].get("error", "no answer")}] * len(own)
            found.update(zip(own, answers[node].get("tests", lost)))
        return found

    def list_legs(self, place: int, answer: Mapping[str, Any]) -> Iterator[Leg]:
        """Of a test both directions, or the one of this pass."""
        results = read_directions(answer.get("output", ""), self.options)
        if "error" in answer:
            results = dict.fromkeys(results, Direction(error=answer["error"]))
        client, server = self.find_client(place), self.find_server(place)
        for is_from_client, result in results.items():
            sender, receiver = (client, server) if is_from_client else (server, client)
            names = dict(zip(("from", "from_nic", "to", "to_nic"), (*sender, *receiver)))
            yield {"round": self.index, **names, "switch": self.tests[place]["switch"], **asdict(result)}

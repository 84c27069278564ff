# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts an agent on each node, and sends commands to all of them at once (runs on one node, as the cluster user).

The connections are those of ssh, over the fabric as every program of the cluster user: no further port is open, and no
MPI is needed, so that links are measured also where MPI hangs because of one of them. A command is a barrier: it ends
when all agents have answered.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from typing import IO, Any, cast

from .watch import Watch

#: The ssh command of the node that starts the agents: it fails instead of asking, and detects a dead connection.
SSH = [
    "ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o",
    "ServerAliveCountMax=4", "-o", "LogLevel=ERROR",
]  # fmt: skip
#: The program of each node: reads the source of the agent, so many characters, from standard input and runs it.
_START = "import sys; exec(compile(sys.stdin.read({size}), 'agent.py', 'exec'))"
_POLL = 0.5  # seconds

Answer = dict[str, Any]


class Agent:
    """The process of the agent of one node. A failure is recorded, and is the answer to all later commands."""

    def __init__(self, node: str, command: list[str], source: str) -> None:
        self.node = node
        self.failure: str | None = None
        with contextlib.ExitStack() as files:
            self._errors = files.enter_context(tempfile.TemporaryFile("w+"))
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True
            )
            self._input, self.output = cast("IO[str]", self.process.stdin), cast("IO[str]", self.process.stdout)
            files.enter_context(self.output)
            self._files = files.pop_all()
        self.write(source)

    def write(self, text: str) -> None:
        try:
            self._input.write(text)
            self._input.flush()
        except OSError:
            self.fail("its input is closed")

    def read(self) -> Answer:
        """The next answer, once the selector has seen output."""
        line = self.output.readline()
        try:
            answer: Answer = json.loads(line)
        except ValueError:
            return self.fail(f"unexpected output: {line.strip()}" if line else "it ended")
        return answer

    def fail(self, reason: str) -> Answer:
        """Records why there will be no more answers: the last line of standard error, if there is any."""
        if self.failure is None:
            self.process.kill()
            self.process.wait()
            self._errors.seek(0)
            lines = [line.strip() for line in self._errors if line.strip()]
            self.failure = f"the agent of {self.node} does not answer: {lines[-1] if lines else reason}"
        return {"error": self.failure}

    def close(self) -> None:
        """Ends the agent, which ends its children."""
        with contextlib.suppress(OSError):
            self._input.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._files.close()


class Agents:
    """The agents of all nodes. own: the node on which this runs, which needs no ssh. seconds: until they end anyway."""

    def __init__(self, nodes: Iterable[str], own: str, source: str, seconds: int, watch: Watch) -> None:
        self._watch = watch
        self._agents: dict[str, Agent] = {}
        for node in nodes:
            self._agents[node] = Agent(node, write_command(node, own, source, seconds), source)

    def __enter__(self) -> Agents:
        return self

    def __exit__(self, *_: object) -> None:
        for agent in self._agents.values():
            agent.close()

    def ask_all(self, command: Mapping[str, Any], seconds: float) -> dict[str, Answer]:
        """The same command for all nodes."""
        return self.ask(dict.fromkeys(self._agents, command), seconds)

    def ask(self, commands: Mapping[str, Mapping[str, Any]], seconds: float) -> dict[str, Answer]:
        """Node -> its answer, {"error": reason} of a node without one after so many seconds. Raises Interrupted."""
        answers = {node: {"error": failure} for node in commands if (failure := self._agents[node].failure)}
        with selectors.DefaultSelector() as selector:
            for node in commands.keys() - answers.keys():
                agent = self._agents[node]
                selector.register(agent.output, selectors.EVENT_READ, agent)
                agent.write(json.dumps(commands[node]) + "\n")
            end = time.monotonic() + seconds
            while selector.get_map() and time.monotonic() < end:
                self._watch.check()
                for key, _ in selector.select(_POLL):
                    answers[key.data.node] = key.data.read()
                    selector.unregister(key.fileobj)
            for key in selector.get_map().values():
                answers[key.data.node] = key.data.fail(f"no answer within {seconds:.0f} s")
        return answers


def write_command(node: str, own: str, source: str, seconds: int) -> list[str]:
    """The command that runs the agent on a node."""
    start = ["python3", "-u", "-c", _START.format(size=len(source)), str(seconds)]
    return start if node == own else [*SSH, node, shlex.join(start)]

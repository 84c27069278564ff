# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs live cabling: keeps a reader on every node, passes its lines to the board, and shows the events.

The reader of a lost node is started again after a few seconds, and the last line that ssh or sudo printed is the
reason. A reader that was stopped before its first line gets twice the time in the next attempt, as a slow node needs
longer to log in and to start Python. A node that returns without its beacon process, as after a reboot, is passed to
`revive`, which starts one. The watch ends when every cable has been right for a while, or at Ctrl-C.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .board import Board, Event

AGAIN = 3.0  # seconds until the reader of a node is started again
SILENCE = 8.0  # seconds without a line after which a reader is stopped
LONGEST = 64.0  # seconds, the same for the first line of a slow node
REVIEW = 0.2  # seconds between reviews
DONE = 3.0  # seconds for which all cables must be right
REVIVE = 20.0  # seconds between attempts to start missing beacon processes


@dataclass
class NodeReader:
    """The reader of one node, while it runs."""

    node: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    due: float = 0.0
    heard: float = 0.0
    rest: bytes = b""
    timeout: float = field(default_factory=lambda: SILENCE)

    def start(self, now: float) -> None:
        pipe = subprocess.PIPE
        # A session of its own: Ctrl-C reaches only this process, which then ends the reader.
        self.process = subprocess.Popen(
            self.command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, bufsize=0
        )
        for output in (self.process.stdout, self.process.stderr):
            assert output
            os.set_blocking(output.fileno(), False)
        self.rest, self.heard = b"", now

    def read(self) -> tuple[list[str], bool]:
        """The lines received, and whether the reader has ended."""
        assert self.process and self.process.stdout
        octets = self.process.stdout.read(1 << 20)
        if octets is None:
            return [], False
        *lines, self.rest = (self.rest + octets).split(b"\n")
        return [line.decode("ascii", "replace") for line in lines], not octets

    def read_message(self) -> str:
        """The last line on standard error; "" without one."""
        assert self.process and self.process.stderr
        octets = self.process.stderr.read(1 << 16) or b""
        lines = [line.strip() for line in octets.decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1] if lines else ""

    def end(self, now: float) -> None:
        if self.process:
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                if pipe:
                    pipe.close()
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
        self.process, self.due = None, now + AGAIN


@dataclass
class Watch:
    """commands: node -> the command of its reader. show: receives the new events after every review.

    revive: receives the names of nodes whose beacon process is missing. explain: makes the reason from the name of a
    node and the last line of its standard error.
    """

    board: Board
    commands: Mapping[str, Sequence[str]]
    show: Callable[[Board, list[Event]], None]
    revive: Callable[[Iterable[str]], None]
    explain: Callable[[str, str], str] = lambda _, text: text
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def run(self) -> bool:
        """True when all cables are right, False at Ctrl-C. No reader is left when it returns."""
        readers = [NodeReader(node, command) for node, command in self.commands.items()]
        try:
            return self._loop(readers)
        except KeyboardInterrupt:
            return False
        finally:
            for reader in readers:
                reader.end(0.0)
            self.selector.close()

    def _loop(self, readers: list[NodeReader]) -> bool:
        due, complete_since, revived = 0.0, None, 0.0
        while True:
            self._start_readers(readers)
            for key, _ in self.selector.select(REVIEW):
                self._take(key.data)
            now = time.monotonic()
            if now >= due:
                self.show(self.board, self.board.review(time.time()))
                # The review of a large cluster takes a while; the readers' lines must be read in between.
                due = now + max(REVIEW, 2 * (time.monotonic() - now))
            if self.board.without_beacons and now - revived >= REVIVE:
                revived = now
                self.revive(self.board.without_beacons)
            complete_since = (complete_since or now) if self.board.complete else None
            if complete_since is not None and now - complete_since >= DONE:
                return True

    def _start_readers(self, readers: list[NodeReader]) -> None:
        now = time.monotonic()
        for reader in readers:
            if reader.process is None and now >= reader.due:
                reader.start(now)
                assert reader.process and reader.process.stdout
                self.selector.register(reader.process.stdout, selectors.EVENT_READ, reader)
            elif reader.process is not None and now - reader.heard > reader.timeout:
                reader.timeout = min(2 * reader.timeout, LONGEST)
                self._drop(reader)

    def _take(self, reader: NodeReader) -> None:
        lines, ended = reader.read()
        for line in lines:
            reader.heard, reader.timeout = time.monotonic(), SILENCE
            with contextlib.suppress(ValueError, RecursionError):  # output of the node's shell at the login
                state = json.loads(line)
                if isinstance(state, dict):
                    self.board.update(reader.node, state)
        if ended:
            self._drop(reader)

    def _drop(self, reader: NodeReader) -> None:
        assert reader.process and reader.process.stdout
        self.selector.unregister(reader.process.stdout)
        message = reader.read_message()
        reader.end(time.monotonic())
        self.board.lose(reader.node, self.explain(reader.node, message) if message else "")

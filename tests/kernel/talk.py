# SPDX-License-Identifier: GPL-3.0-or-later
"""One node of an all-pairs conversation: sends a numbered datagram to each peer 50 times a second and echoes theirs.

    talk.py OWN_ADDRESS PEER...

It prints a line when it can answer. The first line of input starts its requests. The next line ends them, and it prints
{"peer": datagrams without an answer} once all are answered or are late. It answers until its input ends, so that no
peer asks a node that has left.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import sys
import time

PORT, INTERVAL = 7007, 0.02
GRACE = 10.0  # seconds until a datagram counts as lost: peers may be late on a busy machine
BUFFER = 1 << 23  # octets that wait for a process that is late


class Talk:
    def __init__(self, own: str, peers: list[str]) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((own, PORT))
        self.socket.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_RCVBUFFORCE", 33), BUFFER)
        self.unanswered: dict[str, set[bytes]] = {peer: set() for peer in peers}
        self.number = 0
        self.due = self.report_at = float("inf")

    def run(self) -> None:
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([self.socket, sys.stdin], [], [], INTERVAL / 4)
            if sys.stdin in ready and not self.read_command():
                return
            if self.socket in ready:
                self.answer()
            if time.monotonic() >= self.due:
                self.ask()
            answered = not any(self.unanswered.values())
            if self.report_at < float("inf") and (answered or time.monotonic() >= self.report_at):
                self.report_at = float("inf")
                print(json.dumps({peer: len(asked) for peer, asked in self.unanswered.items()}), flush=True)

    def read_command(self) -> bool:
        """Starts or ends the requests; false at the end of input."""
        line = sys.stdin.readline()
        if self.number == 0:
            self.due = time.monotonic()
        else:
            self.due, self.report_at = float("inf"), time.monotonic() + GRACE
        return bool(line)

    def answer(self) -> None:
        data, sender = self.socket.recvfrom(100)
        if data.startswith(b"ask"):
            self.send(data.replace(b"ask", b"hear"), sender)
        else:
            self.unanswered[sender[0]].discard(data.replace(b"hear", b"ask"))

    def ask(self) -> None:
        self.due += INTERVAL
        self.number += 1
        for peer, asked in self.unanswered.items():
            data = b"ask %d" % self.number
            asked.add(data)
            self.send(data, (peer, PORT))

    def send(self, data: bytes, to: tuple[str, int]) -> None:
        with contextlib.suppress(OSError):  # without a route no answer comes, and that is counted
            self.socket.sendto(data, to)


if __name__ == "__main__":
    Talk(sys.argv[1], sys.argv[2:]).run()

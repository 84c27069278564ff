# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers of a NIC to the head of a relearn probe (head/relearn/relearn.py).

A NIC serves only the head that sent the last hello for its cluster. It sends one small frame for each received one at
most, at a limited rate. Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...shared.frames.control import FAKE, Control, Message, pack_control
from ...shared.frames.envelope import Seal

_REMEMBERED = 256  # trials for which a NIC remembers whether a call arrived


@dataclass
class Answerer:
    """One NIC. mac: as in macs.json. source: the MAC it sends from. number: its index on the node.
    seal: of the NIC, for the run. head: number and MAC of the head."""

    cluster: str
    sender: int
    mac: str
    source: str
    seal: Seal
    number: int = 0
    head: tuple[int, str] | None = None
    called: OrderedDict[int, bool] = field(default_factory=OrderedDict)

    def respond(self, message: Message) -> Iterator[bytes]:
        """The frames to send."""
        control = message.control
        if control.kind == "hello":
            self.head = (control.sender, message.source)
            yield self.report("here", self.number)
        elif self.head is None:
            return
        elif control.kind == "tell":
            if message.destination == self.source:
                yield self.report("heard", control.tag)
        elif control.sender == self.head[0]:
            yield from self.process_request(message)

    def process_request(self, message: Message) -> Iterator[bytes]:
        control = message.control
        if control.kind == "order" and message.source.startswith(FAKE):
            if message.destination != self.source:
                return  # a switch that has not learned the MAC of another NIC floods the order for it
            self.called[control.tag] = False
            if len(self.called) > _REMEMBERED:
                self.called.popitem(last=False)
            tell = Control("tell", self.sender, self.mac, self.cluster, control.tag)
            yield pack_control(tell, message.source, control.other, self.seal)
        elif control.kind == "call":
            if control.tag in self.called:
                self.called[control.tag] = True
            else:
                yield self.report("stray", control.tag)
        elif control.kind == "ask" and control.tag in self.called:
            yield self.report("answer", control.tag, self.called[control.tag])

    def report(self, kind: str, tag: int = 0, yes: bool = False) -> bytes:
        """A frame for the head."""
        assert self.head is not None
        control = Control(kind, self.sender, self.mac, self.cluster, tag, yes=yes)
        return pack_control(control, self.source, self.head[1], self.seal)

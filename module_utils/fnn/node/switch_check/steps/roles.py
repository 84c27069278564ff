# SPDX-License-Identifier: GPL-3.0-or-later
"""Who teaches the switch an invented address, who asks for it, and who listens whether the frame is flooded.

A switch sends a frame for a learned address to the port of the address only, and one for an unknown address to all
other ports (RFC 2889, 5.7: learning, test and monitoring port). With three stations, the teacher must receive the frame
in both cases, which shows that it was not lost. With two, the teacher itself asks: the switch returns no frame to the
port that it came from, so the listener receives the frame only if it is flooded.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..coordinator import Coordinator


@dataclass(frozen=True)
class Roles:
    """MACs of stations. listener: the coordinator."""

    teacher: str
    asker: str
    listener: str

    @property
    def has_control(self) -> bool:
        """Whether the teacher shows that no frame was lost."""
        return self.asker != self.teacher


def choose_roles(coordinator: Coordinator) -> Roles:
    listener, teacher, *others = coordinator.macs
    return Roles(teacher, others[0] if others else teacher, listener)


def is_flooded(coordinator: Coordinator, roles: Roles, base: int, index: int = 0) -> bool | None:
    """Whether the switch floods a frame for an invented address; None if the frame was lost."""
    received = coordinator.try_frames(roles.asker, {"base": base, "first": index})
    if received[roles.listener]:
        return True
    return None if roles.has_control and not received[roles.teacher] else False

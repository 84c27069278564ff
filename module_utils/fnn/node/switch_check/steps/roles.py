# SPDX-License-Identifier: GPL-3.0-or-later
"""Who teaches the switch an invented address, who asks for it, and who listens whether the frame is flooded.

A switch sends a frame for an address that it knows to the port of the address only, and one for an unknown address to
all other ports (RFC 2889, 5.7: learning, test and monitoring port). With three stations, the teacher must receive the
frame in both cases, which shows that it was not lost. With two, the teacher itself asks: the switch returns no frame to
the port that it came from, so the listener receives the frame only if it is flooded.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..conductor import Conductor


@dataclass(frozen=True)
class Roles:
    """MACs of stations. listener: the conductor."""

    teacher: str
    asker: str
    listener: str

    @property
    def has_control(self) -> bool:
        """Whether the teacher shows that no frame was lost."""
        return self.asker != self.teacher


def choose_roles(conductor: Conductor) -> Roles:
    listener, teacher, *others = conductor.macs
    return Roles(teacher, others[0] if others else teacher, listener)


def is_flooded(conductor: Conductor, roles: Roles, base: int, index: int = 0) -> bool | None:
    """Whether the switch floods a frame for an invented address; None if the frame was lost."""
    heard = conductor.try_frames(roles.asker, {"base": base, "first": index})
    if heard[roles.listener]:
        return True
    return None if roles.has_control and not heard[roles.teacher] else False

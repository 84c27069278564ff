# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person has to do about a finding: data, which `describe` alone puts into words.

`Action(Instruction.PLUG, (cable,))` reads "k02: plug a cable from nic0 into RED; if there is one, try another".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from .cables import JudgedCable
from .instructions import Instruction
from .words import name_some

Colors = Mapping[str, str]  # switch -> its name in messages


@dataclass(frozen=True)
class Action:
    """instruction: what to do. cables, switches: with what; the instruction defines which is first.

    targets: switches into which a cable must be plugged. values: other arguments, by placeholder. choices: the actions
    of explanations of which one is true. is_between: whether its cables join two nodes.
    """

    instruction: Instruction
    cables: Sequence[JudgedCable] = ()
    switches: Sequence[str | None] = ()
    targets: Sequence[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    choices: tuple[tuple[Action, ...], ...] = ()
    is_between: bool = False


def describe(action: Action, colors: Colors) -> str:
    """The action in words."""
    text = action.instruction.between if action.is_between else action.instruction.text
    return text.format_map(list_placeholders(action, colors))


def list_placeholders(action: Action, colors: Colors) -> dict[str, Any]:
    switches = [name_switch(switch, colors) for switch in action.switches]
    named = {
        "switches": Switches(switches),
        "targets": Switches(name_switch(switch, colors) for switch in action.targets),
        "labels": ", ".join(f"{label} is on {switch}" for label, switch in zip(switches[::2], switches[1::2])),
    }
    values = {name: name_some(each) if isinstance(each, tuple) else each for name, each in action.values.items()}
    values["choices"] = "; or: ".join("; ".join(describe(each, colors) for each in one) for one in action.choices)
    values["claims"] = f" in the name of {values['claimed']}" if values.get("claimed") else ""
    return {**named, **list_placeholders_of_cables(action.cables, colors), **values}


def list_placeholders_of_cables(cables: Sequence[JudgedCable], colors: Colors) -> dict[str, Any]:
    if not cables:
        return {}
    cable, nodes = cables[0], list(dict.fromkeys(cable.node for cable in cables))
    return {
        "cable": cable,
        "nic": f"{cable.node}: {cable.device}",
        "the_cable": f"{cable.node}: the cable in {cable.device}",
        "other": cables[-1],
        "expected": name_switch(cable.expected, colors),
        "seen": name_switch(cable.seen, colors),
        "place": name_switch(cable.seen or cable.expected, colors),
        "where": f"on {name_switch(cable.seen, colors)}" if cable.seen else f"where {cable.name} leads",
        "cables": name_some([each.name for each in cables]),
        "devices": name_some([each.device for each in cables]),
        "moves": describe_moves(cables, colors),
        "nodes": name_some(nodes),
        "places": ", ".join(f"{one} has the place of {other}" for one, other in zip(nodes, [*nodes[1:], nodes[0]])),
    }


class Switches(list[str]):
    """Names of switches; `{switches:or}` joins them by "or", `{switches}` by commas."""

    def __format__(self, word: str) -> str:
        return (f" {word} " if word else ", ").join(self)


def name_switch(switch: str | None, colors: Colors) -> str:
    """The uplink switch has no color."""
    return colors.get(switch, switch) if switch else "no planned switch"


def describe_moves(cables: Sequence[JudgedCable], colors: Colors) -> str:
    """ "k00: move the cable in nic0 from BLUE to RED; k05: move nic1 from RED to BLUE" """
    lines: list[str] = []
    for node, own in groupby(cables, key=lambda cable: cable.node):
        moves = ", ".join(describe_move(cable, colors) for cable in own)
        lines.append(f"{node}: move {'' if lines else 'the cable in '}{moves}")
    return "; ".join(lines)


def describe_move(cable: JudgedCable, colors: Colors) -> str:
    source = Switches(name_switch(switch, colors) for switch in cable.among or (None,))
    return f"{cable.device} from {source:or} to {name_switch(cable.expected, colors)}"

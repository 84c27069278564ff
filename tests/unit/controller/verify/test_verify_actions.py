# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/actions.py: the words of actions."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.verify.actions import Action, describe
from ansible.module_utils.fnn.controller.verify.cables import JudgedCable
from ansible.module_utils.fnn.controller.verify.instructions import Instruction
from ansible.module_utils.fnn.controller.verify.model import add_findings
from wirings import six

COLORS = {"red": "RED", "blue": "BLUE", "green": "rear (GREEN)"}
ONE = JudgedCable("k00", 0, "nic0", "02:f0:00:00:00:00", seen="red", among=("red", "blue"), expected="green")
OTHER = JudgedCable("k05", 1, "nic1", "02:f0:00:00:05:01", seen="green", among=("green",), expected="red")
#: Every value that an action of some kind has.
VALUES = {
    **{
        name: name
        for name in (
            *("after", "between", "color", "kind", "name", "mac", "node", "device"),
            *("silent", "before", "line", "half", "heard"),
        )
    },
    **dict.fromkeys(("speed", "designed", "cause", "mtu", "planned", "own", "sent", "received", "lost"), 1),
    **dict.fromkeys(("directions", "owners", "others", "claimed"), ("to", "from")),
}


@pytest.mark.parametrize("is_between", [False, True])
@pytest.mark.parametrize("instruction", Instruction)
def test_every_instruction_can_be_put_into_words(instruction: Instruction, is_between: bool) -> None:
    action = Action(instruction, (ONE, OTHER), ("red", "blue"), ("green",), VALUES, is_between=is_between)
    assert "{" not in describe(action, COLORS)


def test_no_two_instructions_have_the_same_words() -> None:
    assert len({each.text for each in Instruction}) == len(Instruction.__members__)


def test_a_switch_has_its_color_and_joined_switches_are_alternatives() -> None:
    text = describe(Action(Instruction.MOVE, (ONE, OTHER)), COLORS)
    assert text == (
        "k00: move the cable in nic0 from RED or BLUE to rear (GREEN); k05: move nic1 from rear (GREEN) to RED"
    )


def test_the_uplink_switch_has_its_name() -> None:
    satellite = JudgedCable("hot1", 0, "eth0", "02:aa:00:00:00:07", expected="up")
    text = describe(Action(Instruction.PLUG, (satellite,)), COLORS)
    assert text == "hot1: plug a cable from eth0 into up; if there is one, try another"


def test_findings_are_added_to_a_new_verification() -> None:
    cluster = six()
    before = cluster.verify()
    cluster.plugs["k00", 0] = None
    findings = cluster.verify().findings
    after = add_findings(before, findings)
    assert (before.verdict, before.findings) == ("match", ())
    assert (after.verdict, after.findings) == ("miswired", findings)

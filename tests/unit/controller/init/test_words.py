# SPDX-License-Identifier: GPL-3.0-or-later
"""NICs and switches in the words of a data sheet."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.init.answers import Group
from ansible.module_utils.fnn.controller.init.words import find_socket, has_kinds, read_groups, read_switches
from ansible.module_utils.fnn.shared.errors import FnnError

USUAL = Group(0, 1000, "rj45")
GROUPS = "expected a number, perhaps with the speed in Gb/s and the socket, such as 8x2.5 + 2x10 SFP+"
KINDS = "expected a number, or kinds such as 3 of 8x2.5, 2 of 5x1"


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("8", [Group(8)]),
        ("8x2.5", [Group(8, 2500)]),
        ("8 x 2.5 Gb/s", [Group(8, 2500)]),
        ("8x2.5G+2x10 sfp+", [Group(8, 2500), Group(2, 10000, "sfp+")]),
        ("2 SFP+ + 8x2.5", [Group(2, 10000, "sfp+"), Group(8, 2500)]),
        ("4x0.1 + 32 QSFP28", [Group(4, 100), Group(32, 100000, "qsfp28")]),
        ("2x200 QSFP-DD", [Group(2, 200000, "qsfp-dd")]),
    ],
)
def test_groups_have_number_speed_and_socket(text: str, groups: list[Group]) -> None:
    assert list(read_groups("--ports", text, USUAL)) == groups


@pytest.mark.parametrize("text", ["", "x2.5", "8x", "8x2.5 fiber", "8 + ", "eight", "8x0.0001", "-8", "8x2.5 SFP++"])
def test_other_words_are_named_with_an_example(text: str) -> None:
    with pytest.raises(FnnError) as error:
        read_groups("--ports", text, USUAL)
    assert str(error.value) == f"--ports: {text.strip()!r} is no group of sockets; {GROUPS}"


def test_kinds_of_switches_have_their_own_ports_and_numbers_those_of_all() -> None:
    fast, slow = (Group(8, 2500),), (Group(5, 1000),)
    assert read_switches("3 of 8x2.5, 2 of 5x1", (), USUAL) == (fast,) * 3 + (slow,) * 2
    assert read_switches("2, 1 of 5x1", fast, USUAL) == (*(fast,) * 2, slow)
    assert (has_kinds("3 of 8x2.5"), has_kinds("3")) == (True, False)


@pytest.mark.parametrize("text", ["3", "", "three", "3 of 8,"])
def test_switches_without_ports_are_named(text: str) -> None:
    with pytest.raises(FnnError) as error:
        read_switches(text, (), USUAL)
    assert str(error.value) == f"--switches: {text.rsplit(',', maxsplit=1)[-1]!r} is no kind of switches; {KINDS}"


def test_a_plug_and_a_speed_tell_the_socket() -> None:
    assert find_socket("copper", 10000) == "rj45"
    assert [find_socket("module", mbps) for mbps in (1000, 10000, 25000, 40000, 100000, 200000, 400000, 800000)] == [
        "sfp", "sfp+", "sfp28", "qsfp+", "qsfp28", "qsfp56", "qsfp-dd", "osfp",
    ]  # fmt: skip
    assert find_socket(None, 1000) is None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of `./fnn init`: the names that follow from them, and every wrong answer with its option."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ansible.module_utils.fnn.controller.init.answers import (
    COLORS,
    MEDIA,
    PREFIXES,
    Answers,
    Group,
    Nic,
    check_answers,
    list_nodes,
    list_switches,
)
from ansible.module_utils.fnn.controller.labels.jackets import COMMON, read_color
from ansible.module_utils.fnn.controller.spec.variable_source import read_source
from ansible.module_utils.fnn.shared.errors import FnnError
from programs import ROOT

FIVE = (Group(5),)
SIX = Answers("small", nodes=6, nics=(Nic(), Nic()), switches=(FIVE, FIVE, FIVE))


def find_problems(**wrong: object) -> list[str]:
    with pytest.raises(FnnError) as error:
        check_answers(replace(SIX, **wrong))  # type: ignore[arg-type]
    return str(error.value).splitlines()


def test_good_answers_raise_nothing() -> None:
    check_answers(SIX)
    check_answers(replace(SIX, node_names=("a", "b", "c", "d", "e", "f"), nics=(Nic("enp2s0"), Nic("enp3s0"))))
    check_answers(replace(SIX, addresses=tuple(f"192.168.1.{20 + rank}" for rank in range(6))))
    check_answers(replace(SIX, nodes=2, addresses=("fd00::1", "fd00::2"), user="admin@example.com"))


def test_names_of_nodes_have_as_many_digits_as_the_last_needs() -> None:
    assert list_nodes(SIX) == ["k00", "k01", "k02", "k03", "k04", "k05"]
    assert list_nodes(replace(SIX, nodes=100))[-1] == "k99"
    assert list_nodes(replace(SIX, nodes=101, node_prefix="pc"))[::100] == ["pc000", "pc100"]
    assert list_nodes(replace(SIX, nodes=2, node_names=("ada", "bob"))) == ["ada", "bob"]


def test_switches_have_the_names_of_colors_that_cables_have() -> None:
    assert list_switches(replace(SIX, switches=(FIVE,) * 8)) == [
        "red", "blue", "green", "yellow", "orange", "purple", "white", "black",
    ]  # fmt: skip
    assert sorted(COLORS) == sorted(each.name for each in COMMON)
    most = list_switches(replace(SIX, switches=(FIVE,) * 21))
    assert most[-1] == "pink-white"
    assert len({read_color(name) for name in most} - {None}) == 21


def test_more_switches_than_colors_have_numbers() -> None:
    assert list_switches(replace(SIX, switches=(FIVE,) * 22))[::21] == ["s000", "s021"]


def test_all_wrong_numbers_are_named_at_once() -> None:
    assert find_problems(
        name="My cluster", nodes=1, nics=(), others={1: (Nic(speed_mbps=0),) * 17}, switches=((Group(1, 0),),) * 257
    ) == [
        "NAME: 'My cluster' is not a name: lower case letters, digits and hyphens, first a letter, at most 32 "
        "characters, such as rack-1",
        "--nodes: 1 is out of range, expected 2 to 2048 nodes",
        "--nics: 0 is out of range, expected 1 to 16 NICs of each node",
        "--nics: 17 is out of range, expected 1 to 16 NICs of each node",
        "--switches: 257 is out of range, expected 1 to 256 switches",
        "--ports: 1 is out of range, expected 2 to 1024 ports of each switch",
        "--speed: 0 is out of range, expected 1 to 1000000 Mb/s",
    ]


@pytest.mark.parametrize("name", ["", "-x", "../up", "a/b", "a" * 33, "mine\n"])
def test_a_name_that_is_no_directory_of_its_own_is_refused(name: str) -> None:
    assert find_problems(name=name)[0].startswith("NAME: ")


def test_wrong_names_are_shown() -> None:
    assert find_problems(node_prefix="-")[0].startswith("--node-prefix: the name '-05' is not a host name: letters")
    assert find_problems(node_prefix="n" * 63)[0].startswith("--node-prefix: ")
    assert find_problems(nodes=2, node_names=("K_0.lan", "101"))[0].startswith("--node-names: '101' is not a host name")
    assert find_problems(nodes=3, node_names=("k0", "k0")) == [
        "--node-names: has 2, expected 3, as --nodes says",
        "--node-names: k0 is given twice",
    ]
    assert find_problems(nics=(Nic("eth0"), Nic("eth/1"))) == [
        "--nic-names: 'eth/1' is no name of a network device, expected one such as enp2s0",
    ]
    assert find_problems(nics=(Nic("eth0"), Nic("eth0"))) == ["--nic-names: eth0 is given twice"]
    assert find_problems(user="a b") == ["--user: 'a b' is no name of a user"]
    assert find_problems(nics=(Nic(media="fiber"),)) == [
        "--media: 'fiber' is no kind of socket, expected one of rj45, sfp, sfp+, sfp28, sfp56, "
        "qsfp, qsfp+, qsfp28, qsfp56, qsfp-dd, osfp, usb4"
    ]


def test_management_addresses_are_addresses_outside_the_fabric() -> None:
    assert find_problems(nodes=4, addresses=("10.0.0.1", "10.77.3.4", "nas", "10.78.0.1")) == [
        "--addresses: 10.77.3.4 is in 10.77.0.0/16 (fnn_prefix), which the fabric uses; expected an address of the"
        " management network",
        "--addresses: 'nas' is no IP address, expected one such as 192.168.1.20",
        "--addresses: 10.78.0.1 is in 10.78.0.0/16 (fnn_identity_prefix), which the fabric uses; expected an address of"
        " the management network",
    ]
    assert find_problems(nodes=2, addresses=("10.0.0.1", "10.0.0.1")) == ["--addresses: 10.0.0.1 is given twice"]


def test_prefixes_and_media_are_those_of_the_schemas() -> None:
    variables = read_source(ROOT).variables
    assert {name: variables[name].default for name in PREFIXES} == PREFIXES
    assert all(f'"{each}"' in (ROOT / "schemas/fnn-spec.schema.json").read_text() for each in MEDIA)

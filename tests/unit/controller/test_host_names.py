# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/host_names.py"""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.host_names import (
    find_name_problems,
    keep_host_names,
    list_aliases,
    read_host_names,
    shorten_names,
)

MACS: dict[str, Any] = {"nodes": [{"name": "k00", "nics": []}, {"name": "k01", "nics": []}]}


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["k00", "compute-0-0"], ["k00", "compute-0-0"]),
        (["K_02.example.org", "k01.example.org"], ["k-02", "k01"]),
        (["n1.east", "n1.west", "n2.east"], ["n1-east", "n1-west", "n2"]),
    ],
)
def test_short_names_have_no_dot_and_are_distinct(names: list[str], short: list[str]) -> None:
    assert list(shorten_names(names).values()) == short


@pytest.mark.parametrize(
    ("name", "short", "host_name", "aliases"),
    [
        ("k00", "k00", "", ["k00"]),
        ("k00", "k00", "box0.lan", ["k00", "box0.lan", "box0"]),
        ("K_02.lan", "k-02", "k_02", ["K_02.lan", "k-02", "k_02"]),
        ("k00.lan", "k00", "k00", ["k00.lan", "k00"]),
        ("K00", "k00", "", ["K00"]),
    ],
)
def test_each_name_of_a_machine_is_listed_once(name: str, short: str, host_name: str, aliases: list[str]) -> None:
    assert list_aliases(name, short, host_name) == aliases


def test_macs_have_the_host_names_that_differ_and_keep_those_of_silent_machines() -> None:
    first = keep_host_names(MACS, None, {"k00": {"host_name": "box0"}, "k01": {"host_name": "K01"}})
    assert first["host_names"] == [{"node": "k00", "name": "box0"}]
    assert keep_host_names(MACS, first, {"k01": {"host_name": "k01"}}) == first
    assert keep_host_names(MACS, first, {"k00": {"links": []}}) == first, "a node of an older release"
    renamed = keep_host_names(first, first, {"k00": {"host_name": "box7"}})
    assert read_host_names(renamed) == {"k00": "box7"}
    assert keep_host_names(first, first, {"k00": {"host_name": "k00"}}) == MACS


def test_host_names_that_other_nodes_have_for_themselves_are_not_kept() -> None:
    assert keep_host_names(MACS, None, {"k00": {"host_name": "localhost"}, "k01": {"host_name": "(none)"}}) == MACS


@pytest.mark.parametrize(
    ("host_names", "faults"),
    [
        ({"k00": "box0", "k01": "box1.lan"}, {}),
        ({"k00": "raspberrypi", "k01": "raspberrypi", "k02": "k02"}, {"k00": "that of k01", "k01": "that of k00"}),
        ({"k00": "n1.east", "k01": "n1.west"}, {"k00": "that of k01", "k01": "that of k00"}),
        ({"k00": "k01", "k01": "k00"}, {"k00": "the name of k01", "k01": "the name of k00"}),
        ({"k00": "localhost.localdomain", "k01": "k01"}, {"k00": "which other nodes have for themselves"}),
        ({"k00": "(none)", "k01": "k01"}, {"k00": "which is none"}),
    ],
)
def test_only_host_names_that_cannot_work_are_refused(host_names: dict[str, str], faults: dict[str, str]) -> None:
    found = {name: (text, remedy) for name, text, remedy in find_name_problems(host_names)}
    assert found.keys() == faults.keys()
    for name, words in faults.items():
        assert words in found[name][0]
        assert f"`hostnamectl set-hostname {name}` on {name}" in found[name][1]

# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/egress.py: which lines for tc(8) bring a NIC from its state to the plan.

tests/kernel/test_egress_kernel.py shows with real frames what the programs let through.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.compare import find_difference
from ansible.module_utils.fnn.node.net.egress import WORDS, Filter, make_bytecode
from ansible.module_utils.fnn.node.net.kernel import Kernel
from ansible.module_utils.fnn.node.net.originals import Originals
from ansible.module_utils.fnn.node.net.plan import Plan
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.plan_format import format_plan
from ansible.module_utils.fnn.node.net.release import find_release
from good_node import GOOD, settled

SET = "filter replace dev nic0 egress protocol all pref 1960 handle 1 bpf da bytecode"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    for name, text in GOOD.items():
        (tmp_path / name).write_text(text)
    with (tmp_path / "node").open("a") as node:
        node.write("egress red=broadcast+multicast\n")
    return read_plan(tmp_path, tmp_path / "sysctl")


def filtered(red: Filter | None, blue: Filter | None) -> Kernel:
    kernel = settled()
    kernel.filters = {device: each for device, each in (("nic0", red), ("nic1", blue)) if each}
    return kernel


RED, BLUE = Filter(make_bytecode(["broadcast", "multicast"])), Filter(make_bytecode([]))


def test_where_all_is_as_planned_nothing_is_done(plan: Plan) -> None:
    assert not find_difference(plan, filtered(RED, BLUE))


def test_a_missing_filter_is_set_and_a_missing_qdisc_before_it(plan: Plan) -> None:
    todo = find_difference(plan, filtered(None, BLUE))
    assert todo.filters == ["qdisc add dev nic0 clsact", f'{SET} "{RED.bytecode}"']
    assert todo.lines == [f"tc {line}" for line in todo.filters]
    assert find_difference(plan, filtered(BLUE, BLUE)).filters == [f'{SET} "{RED.bytecode}"']
    assert not todo.touched, "frames to one station pass, so no connection is in danger"


def test_a_kernel_without_such_filters_is_left_alone(plan: Plan) -> None:
    kernel = settled()
    kernel.filters = None
    assert not find_difference(plan, kernel)


def test_without_the_line_our_filter_goes_and_others_stay(plan: Plan) -> None:
    todo = find_difference(replace(plan, egress=None), filtered(RED, replace(BLUE, others=True)))
    assert todo.filters == ["qdisc del dev nic0 clsact", "filter del dev nic1 egress pref 1960"]


def test_a_released_nic_has_no_filter(plan: Plan) -> None:
    assert plan.egress
    assert find_release(filtered(RED, Filter()), Originals()).filters == ["qdisc del dev nic0 clsact"]


def test_a_former_plan_keeps_its_words(plan: Plan, tmp_path: Path) -> None:
    for name, text in format_plan(plan).items():
        (tmp_path / name).write_text(text)
    assert read_plan(tmp_path, tmp_path / "sysctl").egress == {"red": ("broadcast", "multicast")}


@pytest.mark.parametrize("words", [[], *([each] for each in WORDS), list(WORDS)])
def test_every_jump_of_a_program_ends_within_it(words: list[str]) -> None:
    length, *rows = make_bytecode(words).split(",")
    assert int(length) == len(rows)
    for at, row in enumerate(rows):
        _, yes, no, _ = map(int, row.split())
        assert at + 1 + max(yes, no) < len(rows) or row.startswith("6 ")

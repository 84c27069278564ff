# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick form finds designs with as few switches as are known, within its time limit.

Some are those of a family (designer/src/oracle/small_families.cc) or of a built-in design
(designer/src/oracle/found_designs.cc), the others are entries of designer/src/program/best_known.cc.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from engine import ENGINE, FOUND, run

FEWEST = (
    (46, 6, 11, 23),
    (24, 6, 6, 22),
    (35, 5, 10, 17),
    (93, 5, 27, 17),
    (126, 5, 36, 17),
    (57, 5, 16, 18),
    (59, 6, 13, 28),
)
#: Where the quick form may end at a greater number, and a search with this one finds a design.
GIVEN = ((76, 6, 17, 27), (87, 6, 20, 25), (119, 6, 26, 28))


@pytest.mark.parametrize(("nodes", "nics", "ports", "switches"), FEWEST)
def test_as_few_switches_as_are_known(nodes: int, nics: int, ports: int, switches: int, tmp_path: Path) -> None:
    design = tmp_path / "design.json"
    size = ("--nodes", str(nodes), "--nics", str(nics), "--ports", str(ports))
    status, answer = run(ENGINE, "design", *size, "-o", design, "--time-limit", "20")
    settled = answer["settled"]["switches"]
    assert status == FOUND and settled["value"] <= switches
    assert settled["at_least"] <= settled["value"] and settled["how"] in ("proved", "best-known", "found")
    assert len(json.loads(design.read_text())["spec"]["switches"]) == settled["value"]
    assert run(ENGINE, "check", design)[0] == 0


@pytest.mark.parametrize(("nodes", "nics", "ports", "switches"), GIVEN)
def test_a_search_finds_the_number_of_switches_that_is_given(
    nodes: int, nics: int, ports: int, switches: int, tmp_path: Path
) -> None:
    """With one thread and a seed, the search is the same on every machine."""
    design = tmp_path / "design.json"
    size = ("--nodes", str(nodes), "--nics", str(nics), "--ports", str(ports), "--switches", str(switches))
    same = ("--seed", "1", "--threads", "1", "--time-limit", "60")
    assert run(ENGINE, "design", *size, *same, "-o", design)[0] == FOUND
    assert run(ENGINE, "check", design)[0] == 0

# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes docs/reference/faults.md of the rows that test_fault_table.py left in build/fault-table.json:

python tests/full/faults_page.py build/fault-table.json > docs/reference/faults.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fault_cases import HEALTHY, UPLINKS_IN, Case
from fault_table import CASES, COMBINED

HEAD = """# Faults and what verify reports

Made by `tests/full/test_fault_table.py`: each fault is caused by commands on a lab of eight nodes, three NICs each,
on six switches of six to eight ports with an uplink switch. *Exact* means that the findings name the cables at fault,
each once, and no other. *Moves* are those that the findings ask for; *fewest* are the least that restore the design
under any naming of the switches, counted from the kernel's own port tables. A cable that is in the wrong place, but
whose evidence is that of a right one in a faulty port, is not counted: no move is asked for it. *Seconds* are one run
of the modules of `playbooks/verify.yml` without Ansible, on two cores beside other work. It waits 15 s for NICs that
hear nothing (`fnn_verify_blocked`). The test runs the whole play for some of the cases, and requires the same findings.
*Run* is the day of a row, which holds for the toolkit of that day.

Bonds in a node are not among them, as the kernel of the lab had none: `tests/kernel/test_bond_kernel.py` makes them on
the kernel that Debian ships.

The traits of a [nasty switch](../how-to/lab.md#a-nasty-switch), as an ageing time or a guard against moving addresses,
are no faults of cables: `tests/kernel/test_switch_check_kernel.py` gives each to a bridge, and
[the check of a switch](../how-to/switch-check.md) finds it.
"""


def write_page(rows: Sequence[Mapping[str, Any]], cases: Sequence[Case] = CASES) -> str:
    """Raises ValueError where a case has no row, or a row no case."""
    by_name = {row["fault"]: row for row in rows}
    names = [case.name for case in cases]
    if missing := [name for name in names if name not in by_name]:
        raise ValueError(f"never run: {', '.join(missing)}")
    if unknown := [name for name in by_name if name not in names]:
        raise ValueError(f"no such case: {', '.join(unknown)}")
    return "\n".join(_list_lines([by_name[name] for name in names])) + "\n"


def count_faults(names: Collection[str]) -> str:
    """The number of kinds of faults. Repeats with the uplinks in and the healthy lab do not count."""
    healthy, combined = ({case.name for case in each} for each in (HEALTHY, COMBINED))
    faults = {name for name in names if name not in healthy}
    again = {name for name in faults if name.endswith(UPLINKS_IN) and name.removesuffix(UPLINKS_IN) in faults}
    kinds = faults - again
    pairs = kinds & combined
    return (
        f"{len(kinds)} kinds of faults, {len(kinds - pairs)} single and {len(pairs)} in pairs; {len(again)} of them "
        f"once more with the uplinks in, and {len(healthy & {*names})} controls without a fault."
    )


def _list_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    exact = sum(row["exact"] for row in rows)
    yield HEAD
    yield f"{count_faults([row['fault'] for row in rows])} {exact} of {len(rows)} rows are exact.\n"
    yield "| fault | observed by | what verify reports | exact | moves | fewest | seconds | run |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        actions = "<br>".join(row["said"]) or f"nothing ({row['verdict']})"
        exact_word = "yes" if row["exact"] else "no"
        numbers = (row[each] for each in ("moves", "fewest", "seconds", "run"))
        cells = (row["fault"], row["evidence"], actions, exact_word, *numbers)
        yield f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def main(file: str) -> int:
    try:
        page = write_page(json.loads(Path(file).read_text(encoding="utf-8")))
    except ValueError as error:
        print(f"{file}: {error}", file=sys.stderr)
        return 1
    print(page, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

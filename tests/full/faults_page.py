# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes docs/reference/faults.md of the rows that test_fault_table.py left in build/ft08-faults.json:

python tests/full/faults_page.py build/ft08-faults.json > docs/reference/faults.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

HEAD = """# Faults and what verify reports

Made by `tests/full/test_fault_table.py`: each fault is caused by commands on a lab of eight nodes, three NICs each,
on six switches of six ports with an uplink switch. *Exact* means that the findings name the cables at fault, each once,
and no other. *Moves* are those that the findings ask for; *fewest* are the least that restore the design under any
naming of the switches, counted from the kernel's own port tables. *Seconds* are one run of `playbooks/verify.yml` on
two cores, for some of the rows beside a second lab.
"""


def write_page(rows: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(_list_lines(rows)) + "\n"


def _list_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    exact = sum(row["exact"] for row in rows)
    yield HEAD
    yield f"{len(rows)} faults, {exact} exact.\n"
    yield "| fault | observed by | what verify reports | exact | moves | fewest | seconds |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        said = "<br>".join(row["said"]) or f"nothing ({row['verdict']})"
        exact_word = "yes" if row["exact"] else "no"
        cells = (row["fault"], row["evidence"], said, exact_word, row["moves"], row["fewest"], row["seconds"])
        yield f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    print(write_page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), end="")

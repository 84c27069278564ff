# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the comparisons: `python -m bench [WORD ...]`, all of them or those whose name contains a word.

Prints as it goes and leaves build/bench/report.md and report.json. With --record, also replaces the tables in docs/.
Exits 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import (
    cases_alarms,
    cases_ansible,
    cases_capacity,
    cases_coverage,
    cases_delivery,
    cases_evaluate,
    cases_goals,
    cases_lab,
    cases_linkd,
    cases_mixed,
    cases_naive,
    cases_rates,
    cases_rivals,
    cases_scale,
    cases_site,
    cases_verdicts,
    cases_verify,
    measure,
)
from bench.report import Table, record

CASES = {
    "rates": cases_rates.rates,
    "universal": cases_coverage.universal,
    "rivals": cases_rivals.rivals,
    "frontier": cases_rivals.frontier,
    "scale": cases_scale.scale,
    "infeasible": cases_verdicts.infeasible,
    "capacity": cases_capacity.capacity,
    "sparse": cases_coverage.patterns,
    "shared": cases_goals.shared,
    "redesign": cases_goals.redesign,
    "mixed": cases_mixed.mixed,
    "verify": cases_verify.verify,
    "linkd": cases_linkd.linkd,
    "lab": cases_lab.lab,
    "alarms": cases_alarms.alarms,
    "evaluate": cases_evaluate.evaluate,
    "ansible-stages": cases_ansible.stages,
    "ansible-naive": cases_naive.naive,
    "ansible-delivery": cases_delivery.delivery,
    "ansible-site": cases_site.site_runs,
}
REPORTS = measure.ROOT / "build" / "bench"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", help=f"some of: {', '.join(CASES)}")
    parser.add_argument("--record", action="store_true", help="replace the tables in docs/ that these comparisons fill")
    arguments = parser.parse_args()
    words = arguments.words
    print(measure.machine(), flush=True)
    tables = []
    for name, case in CASES.items():
        if words and not any(word in name for word in words):
            continue
        print(f"\n==> {name}", flush=True)
        with TemporaryDirectory() as place:
            tables.append(case(Path(place)))
    _write(tables)
    if arguments.record:
        for name in record(sorted((measure.ROOT / "docs").rglob("*.md")), tables, measure.machine()):
            print(f"{name}: no page of docs/ has its table")
    missed = [target.words for table in tables for target in table.targets if not target.met]
    met = sum(len(table.targets) for table in tables) - len(missed)
    print(f"\n{met} targets met, {len(missed)} missed; build/bench/report.md")
    return 1 if missed or not tables else 0


def _write(tables: list[Table]) -> None:
    REPORTS.mkdir(parents=True, exist_ok=True)
    text = f"Measured on {measure.machine()}.\n\n" + "\n".join(
        f"## {table.question}\n\n{table.markdown()}" for table in tables
    )
    (REPORTS / "report.md").write_text(text)
    for table in tables:
        table.write_figures(REPORTS)
    document = {"machine": measure.machine(), "tables": [table.document() for table in tables]}
    (REPORTS / "report.json").write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    sys.exit(main())

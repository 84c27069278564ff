# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn bench: what the network delivers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ...bench.show import show_bench, show_left_out
from ...documents import dumps
from ..places import show_path
from ..run.measure import UNMEASURED, Measured, Measurement, measure
from ..run.site import MACS, Site, read_document
from ..settings import Settings, command

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
#: Exit status by verdict.
STATUS = {"delivers": 0, "unknown": UNMEASURED, "slow": 4, "faults": 4}
BENCH, TREE = "bench", "tree"
#: The playbook of each run. Its document is bench.json or tree.json.
PLAYBOOKS = {BENCH: "bench", TREE: "adhoc/bench-tree"}


@command("bench", short_help="measure what the network delivers")
@click.option("--legs", is_flag=True, help="Only the links, with iperf3.")
@click.option("--mpi", is_flag=True, help="Only both MPIs.")
@click.option("--tree", is_flag=True, help="Only both MPIs, over the uplink tree on the same wiring; then return.")
@click.option("--short", is_flag=True, help="Only two sizes of messages, a few seconds for each MPI.")
@click.option("--hpcc", is_flag=True, help="Also hpcc (HPL, PTRANS, random ring), which takes minutes.")
@click.option("--compare", type=_FILE, metavar="FILE", help="Compare with an earlier bench.json.")
@click.option(
    "--output", "outputs", type=_FILE, multiple=True, metavar="FILE",
    help="Add what hpcc, the Intel MPI Benchmarks or OSU's wrote.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the document instead of the summary.")
def bench(settings: Settings, **options: Any) -> int:
    """Measure what the network delivers, beside what the design promises: build/<cluster>/bench/bench.json.

    Exit status: 0 delivers, 4 does not, 3 not measured.
    """
    if options["legs"] and options["mpi"]:
        raise click.UsageError("--legs and --mpi exclude each other.")
    if options["legs"] and options["tree"]:
        raise click.UsageError("--legs and --tree exclude each other.")
    results = run_bench(settings, TREE if options["tree"] else BENCH, choose_variables(options))
    if isinstance(results, int):
        return results
    if options["as_json"]:
        sys.stdout.write(dumps(results.document))
    else:
        print(*show_results(results, bool(options["compare"])), sep="\n")
    return STATUS[results.document["verdict"]]


def choose_variables(options: dict[str, Any]) -> dict[str, Any]:
    """The variables of the role that the options set."""
    earlier, outputs = options["compare"], options["outputs"]
    return {
        **({"fnn_bench_mpi": []} if options["legs"] else {}),
        **({"fnn_bench_legs": False} if options["mpi"] else {}),
        **({"fnn_bench_short": True} if options["short"] else {}),
        **({"fnn_bench_hpcc": True} if options["hpcc"] else {}),
        **({"fnn_bench_compare": str(earlier.absolute())} if earlier else {}),
        **({"fnn_bench_outputs": [str(each.absolute()) for each in outputs]} if outputs else {}),
    }


def run_bench(settings: Settings, name: str, variables: dict[str, Any]) -> Measured | int:
    """The results, or the exit status without any. After an interrupt, the nodes end as well, and leave the tree."""

    def list_paths(site: Site) -> dict[str, Path]:
        return {name: site.build / "bench" / f"{name}.json"}

    work = "it compared the measurements with the design"
    ends = ("adhoc/bench-end", *(("network",) if name == TREE else ()))
    measured = measure(
        settings, Measurement(PLAYBOOKS[name], "fnn-bench", list_paths, work, MACS, variables, ends=ends)
    )
    return measured if isinstance(measured, int) else measured[name]


def show_results(results: Measured, compares: bool) -> Iterator[str]:
    """The answer first, then the comparison, the cells that were left out, and where the rest is."""
    yield from show_bench(results.document)
    if compares:
        yield from read_document(results.path.with_name("comparison.json"), "fnn-bench-comparison")["lines"]
    if results.document["cells"]:
        yield from show_left_out(read_document(results.path.with_name("plan.json"), "fnn-bench-plan"))
    yield f"\nall results: {show_path(results.path)}; ./fnn report draws them"


COMMANDS = (bench,)

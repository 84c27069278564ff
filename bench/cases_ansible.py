# SPDX-License-Identifier: GPL-3.0-or-later
"""What do the stages cost that contact no node? Whole runs of ansible-playbook, against the floor of bench/floor.py.

FNN_BENCH_ANSIBLE_NODES="64" measures one size only.
"""

from __future__ import annotations

import filecmp
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from ansible.module_utils.fnn.controller.report.charts import Curve, Panel, draw_panels

from bench import measure
from bench.exponents import fit_exponent, format_exponent
from bench.process_tree import Usage, measure_tree
from bench.report import Table
from bench.sites import Site, make_site, read_sizes, rewire, write_macs

PLAYBOOKS = measure.ROOT / "playbooks"
RENDER = PLAYBOOKS / "render.yml"
LARGEST = 1024
FLOOR, REDESIGN, UNCHANGED = "floor: one process", "render after a redesign", "render, nothing changed"
DESIGN, PACKING, LABELS, REPORT = "design, first", "packing all bundles", "labels", "report"
EVALUATE = "evaluate with alternatives"
KIBI, MEBI = 1 << 10, 1 << 20
#: Row -> most processor seconds and most memory in MB at 1024 nodes.
LIMITS: dict[str, tuple[float, float | None]] = {
    DESIGN: (12.0, 300.0),
    REDESIGN: (6.0, None),
    UNCHANGED: (4.0, None),
    PACKING: (5.0, None),
    LABELS: (15.0, 250.0),
    EVALUATE: (20.0, None),
    REPORT: (20.0, None),
}
MOST_RATIO, MOST_BUILD = 2.5, 110.0  # of the render to the floor; MB of the build directory
MOST_SENT = 30.0  # KB, if only the files of the node itself changed
MOST_EXPONENT = 2.0  # that of the number of pairs
#: Curves of the figure, by panel.
PANELS = {
    "Render": (REDESIGN, UNCHANGED, FLOOR),
    "Other stages": (DESIGN, LABELS, REPORT),
}

Usages = dict[str, dict[int, Usage]]


def stages(place: Path) -> Table:
    sizes = read_sizes()
    columns = ["stage", *(f"{size} nodes" for size in sizes), "exponent"]
    table = Table("ansible-stages", "Processor seconds of the stages on the controller", columns)
    usages: Usages = {}
    octets, sent = {}, {}
    for size in sizes:
        site = make_site(place, size)
        for name, usage in measure_stages(site):
            usages.setdefault(name, {})[size] = usage
            print(f"  {size} nodes, {name}: {usage.cpu:.1f} s, {usage.peak / MEBI:.0f} MB", flush=True)
        octets[size] = measure_directory(site.build)
        sent[size] = json.loads((site.place / "packing.log").read_text().splitlines()[-1])
        same = compare_files(site.place / "floor", site.build)
        table.expect(f"{size} nodes: the floor writes the same files", same)
    for name, by_size in usages.items():
        cells = (format_cell(usage, usages[FLOOR][size]) for size, usage in by_size.items())
        table.add(name, *cells, format_exponent(fit_seconds(by_size)))
    add_sizes(table, "build directory, MB", {size: each / MEBI for size, each in octets.items()})
    add_sizes(table, "sent to a node, KB", {size: each["all"] / KIBI for size, each in sent.items()})
    own = {size: each["own"] / KIBI for size, each in sent.items()}
    add_sizes(table, "if only its own files changed, KB", own)
    if LARGEST in own:
        words = f"{LARGEST} nodes: at most {MOST_SENT:g} KB if only a node's own files changed ({own[LARGEST]:.0f} KB)"
        table.expect(words, own[LARGEST] <= MOST_SENT)
    expect_limits(table, usages, octets)
    if len(sizes) > 1:
        table.figures["ansible-stages.svg"] = draw(usages)
    table.values = {name: {str(n): vars(usage) for n, usage in by.items()} for name, by in usages.items()}
    return table


def add_sizes(table: Table, name: str, sizes: dict[int, float]) -> None:
    table.add(name, *(f"{each:.0f}" for each in sizes.values()), format_exponent(fit_exponent(sizes)))


def measure_stages(site: Site) -> Iterator[tuple[str, Usage]]:
    """Every stage in the order of a cluster's life, and the floor for its last documents. Raises CommandFailed."""
    yield DESIGN, site.run("design", PLAYBOOKS / "design.yml")
    yield "design, nothing changed", site.run("design-again", PLAYBOOKS / "design.yml")
    write_macs(site)
    yield "render, first", site.run("render", RENDER)
    rewire(site)
    yield REDESIGN, site.run("redesign", RENDER)
    yield UNCHANGED, site.run("unchanged", RENDER)
    yield PACKING, run_program(site, "packing", site.build)
    yield FLOOR, measure_floor(site)
    directory = site.build.with_name("other")
    site.build.rename(directory)  # the build directory is measured with the files of the nodes alone
    yield EVALUATE, site.run("evaluate", PLAYBOOKS / "evaluate.yml")
    yield REPORT, site.run("report", PLAYBOOKS / "report.yml")
    yield LABELS, site.run("labels", PLAYBOOKS / "labels.yml")
    site.build.rename(site.build.with_name("results"))
    directory.rename(site.build)


def measure_floor(site: Site) -> Usage:
    """The median of three runs by processor seconds. All ratios depend on it, and it is short. Raises CommandFailed."""
    target, runs = site.place / "floor", []
    for _ in range(3):
        if target.exists():
            shutil.rmtree(target)
        runs.append(run_program(site, "floor", site.inventory, target))
    return sorted(runs, key=lambda usage: usage.cpu)[1]


def run_program(site: Site, name: str, *arguments: Path) -> Usage:
    """Run a program of this folder. Raises CommandFailed."""
    return measure_tree([sys.executable, "-m", f"bench.{name}", *arguments], site.place / f"{name}.log")


def measure_directory(directory: Path) -> int:
    """The octets that files and directories occupy on disk, as du(1) counts them."""
    return sum(path.lstat().st_blocks * 512 for path in directory.rglob("*"))


def compare_files(floor: Path, build: Path) -> bool:
    """Whether the files that nodes get are the same, but for the number of the plan."""
    names = [str(path.relative_to(floor)) for path in floor.rglob("*") if path.is_file() and path.parent != floor]
    counted = {name for name in names if name.endswith("/etc/fnn/node") or name.count("/") == 1}
    kept = sorted(set(names) - counted)
    return bool(kept) and filecmp.cmpfiles(floor, build, kept, shallow=False)[1:] == ([], [])


def fit_seconds(by_size: dict[int, Usage]) -> float:
    return fit_exponent({size: usage.cpu for size, usage in by_size.items()})


def format_cell(usage: Usage, floor: Usage) -> str:
    return f"{usage.cpu:.1f} s, {usage.peak / MEBI:.0f} MB, {usage.cpu / floor.cpu:.1f}x"


def expect_limits(table: Table, usages: Usages, octets: dict[int, int]) -> None:
    """The targets: those for the largest size if it was measured, and the exponents of three sizes."""
    if LARGEST in octets:
        for name, (seconds, memory) in LIMITS.items():
            usage = usages[name][LARGEST]
            table.expect(f"{LARGEST} nodes, {name}: at most {seconds:g} s ({usage.cpu:.1f} s)", usage.cpu <= seconds)
            if memory is not None:
                peak = usage.peak / MEBI
                table.expect(f"{LARGEST} nodes, {name}: at most {memory:g} MB ({peak:.0f} MB)", peak <= memory)
        ratio = usages[REDESIGN][LARGEST].cpu / usages[FLOOR][LARGEST].cpu
        table.expect(
            f"{LARGEST} nodes, {REDESIGN}: at most {MOST_RATIO:g}x the floor ({ratio:.1f}x)", ratio <= MOST_RATIO
        )
        size = octets[LARGEST] / MEBI
        table.expect(
            f"{LARGEST} nodes: a build directory of at most {MOST_BUILD:g} MB ({size:.0f} MB)", size <= MOST_BUILD
        )
    if len(octets) > 2:
        exponents = {name: fit_seconds(by_size) for name, by_size in usages.items()}
        name = max(exponents, key=lambda each: exponents[each])
        words = f"no stage grows faster than the number of pairs ({name}: {exponents[name]:.2f})"
        table.expect(words, exponents[name] <= MOST_EXPONENT)


def draw(usages: Usages) -> str:
    panels = [
        Panel(
            title,
            [Curve(name, [(size, usage.cpu) for size, usage in usages[name].items()]) for name in names],
            ("nodes", "processor seconds"),
            logarithmic=True,
        )
        for title, names in PANELS.items()
    ]
    text: str = draw_panels(panels, "Processor seconds of the stages by number of nodes")
    return text

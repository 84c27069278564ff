# SPDX-License-Identifier: GPL-3.0-or-later
"""Summarizes a benchmark as text: what the network delivers beside what the design promises, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...shared.errors import count
from ..numbers import DASH, format_count, format_number, format_octets, format_rate, format_share
from .cell_names import name_cell
from .flows import ALL, EXCHANGE, ONE
from .paths import TREE

Document = Mapping[str, Any]
_MOST = 5
_RESULTS = {
    "unknown": "nothing was measured.",
    "delivers": "{network} delivers what the design promises.",
    "slow": "no part is suspect, but {network} does not deliver all that the design promises.",
    "faults": "{network} does not deliver what the design promises; tests failed.",
}


def show_bench(bench: Document) -> list[str]:
    """The summary, first the answer and what to do, then the evidence."""
    return [*_show_verdict(bench), *_show_failed(bench), *_show_cells(bench), *_show_together(bench)]


def show_left_out(plan: Document) -> list[str]:
    """The cells for which there was no time."""
    left_out = plan["left_out"]
    if not left_out:
        return []
    sizes = [format_octets(each["bytes"]) for each in sorted(left_out, key=lambda each: each["bytes"])]
    return [
        f"Not measured: {format_count(len(left_out), 'cell')} with messages of"
        f" {' and '.join(dict.fromkeys((sizes[0], sizes[-1])))}, which would take longer than there is time."
    ]


def list_faults(bench: Document) -> list[str]:
    """What keeps the network from delivering and what to do, a line each; empty if nothing does."""
    failed = len(bench["failed"])
    silent = [f"{count(failed, 'pair test')} failed: {_name_failed(bench['failed'][0])}"] if failed else []
    return [f"{each['says']}. To do: {each['do']}." for each in bench["suspects"]] or silent


def describe_result(bench: Document) -> str:
    """The answer in a sentence."""
    suspects, network = bench["suspects"], "the uplink tree" if bench["run"]["routing"] == TREE else "the network"
    if suspects:
        names = ", ".join(each["name"] for each in suspects[:_MOST])
        more = f" and {len(suspects) - _MOST} more" if len(suspects) > _MOST else ""
        blame = "is" if len(suspects) == 1 else "are"
        return f"{network} does not deliver what the design promises; {names}{more} {blame} to blame."
    return _RESULTS[bench["verdict"]].format(network=network)


def _show_verdict(bench: Document) -> Iterator[str]:
    network, result = bench["network"], describe_result(bench)
    yield result[0].upper() + result[1:]
    for number, each in enumerate(bench["suspects"], 1):
        yield f"  {number}. {each['says']}."
        yield f"     To do: {each['do']}."
    if network["ratio"] is not None:
        interval = "" if network["low"] is None else f" ({_format_range(network['low'], network['high'])})"
        yield (
            f"Pair tests: {format_number(network['tests'])}, the median at {format_share(network['ratio'])}{interval}"
            f" of the link rate; TCP can get {format_share(bench['rules']['payload_share'])}."
        )
        worst = min(
            (each for each in bench["pairs"] if not each["failed"]), key=lambda each: each["ratio"], default=None
        )
        if worst is not None:
            rate = f"{format_rate(worst['mbps'])} of payload, {format_share(worst['ratio'])}"
            yield f"The slowest pair: {_name_pair(worst)} with {rate}."


def _show_failed(bench: Document) -> Iterator[str]:
    failed = bench["failed"]
    for each in failed[:_MOST]:
        yield f"Failed: {_name_failed(each)}"
    if len(failed) > _MOST:
        yield f"and {format_count(len(failed) - _MOST, 'failed test')} more"


def _show_cells(bench: Document) -> Iterator[str]:
    """How many cells are as predicted, and those that are not."""
    compared = [each for each in bench["cells"] if each["agrees"] is not None]
    apart = sorted((each for each in compared if not each["agrees"]), key=lambda each: each["ratio"])
    if compared:
        cells = f"{len(compared) - len(apart)} of {format_count(len(compared), 'cell')}"
        yield f"Predicted beside measured: {cells} of 64 KiB and more within 5 %."
    for each in apart[:_MOST]:
        rates = f"{format_rate(each['mbps'])} instead of {format_rate(each['mbps'] / each['ratio'])}"
        yield f"  {name_cell(each)}: {rates} ({format_share(each['ratio'])}); {each['cause']}"
    if len(apart) > _MOST:
        yield f"  and {len(apart) - _MOST} more"
    open_cells = sum(1 for each in bench["cells"] if each["n"] and not each["settled"])
    if open_cells:
        yield f"Not settled: {format_count(open_cells, 'cell')}, whose interval is wider than 5 % of the median."
    without = [each for each in bench["cells"] if each["error"]]
    if without:
        first = f"{name_cell(without[0])}: {without[0]['error']}"
        yield f"Without a result: {format_count(len(without), 'cell')}, as {first}"


def _show_together(bench: Document) -> Iterator[str]:
    """Compares all groups at once with one group alone, in the exchange of the largest messages: the worst group."""
    rates: dict[tuple[Any, ...], dict[str, float]] = {}
    for each in bench["cells"]:
        if each["kind"] == EXCHANGE and each["mbps"]:
            rates.setdefault((each["mpi"], each["bytes"], each["group"]), {})[each["together"]] = each["mbps"]
    both = {key: found[ALL] / found[ONE] for key, found in rates.items() if len(found) > 1}
    for mpi in dict.fromkeys(key[0] for key in both):
        largest = max(key[1] for key in both if key[0] == mpi)
        part, group = min((both[key], key[2]) for key in both if key[:2] == (mpi, largest))
        yield (
            f"All groups at once: {format_share(part)} of the rate of one group alone, at worst"
            f" (exchange of {group}, {format_octets(largest)}, {mpi})."
        )


def _name_pair(pair: Document) -> str:
    return f"{pair['from']} {pair['from_nic']} to {pair['to']} {pair['to_nic']} on {pair['switch']}"


def _name_failed(test: Document) -> str:
    return f"{_name_pair(test)}: {test['error'] or 'no result'}"


def _format_range(low: float, high: float) -> str:
    return f"{format_share(low).removesuffix(' %')}{DASH}{format_share(high)}"

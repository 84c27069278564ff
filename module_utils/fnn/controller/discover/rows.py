# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads and writes MACs as rows of a CSV file, for people who scan labels.

    node,nic,mac
    k00,0,54:E1:AD:5F:24:B4
    k00,eth1,54e1.ad5f.24b5

The first line is a heading and may be missing. A row names a NIC by its index in the design, or by its device name in
the spec or macs.json. MACs may be in the notation of any scanner. NICs without a row stay unchanged.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...shared.errors import FnnError, Problem

HEADING = ["node", "nic", "mac"]
_MAC = re.compile(r"[0-9a-f]{12}")

Bound = dict[str, dict[int, dict[str, Any]]]  # node -> NIC -> its entry


def write_rows(macs: Mapping[str, Any]) -> str:
    """The CSV text of a macs document, in its order."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADING)
    writer.writerows([node["name"], nic["nic"], nic["mac"]] for node in macs["nodes"] for nic in node["nics"])
    return text.getvalue()


def read_rows(text: str, name: str, design: Mapping[str, Any], old: Mapping[str, Any] | None) -> dict[str, Any]:
    """The macs document with the MACs of a CSV file.

    name: of the file, for messages. old: the earlier document. Raises FnnError with every line that is wrong.
    """
    bound: Bound = {node["name"]: {nic["nic"]: nic for nic in node["nics"]} for node in (old or {"nodes": []})["nodes"]}
    spec = {node["name"]: node["nics"] for node in design["spec"]["nodes"]}
    problems: list[Problem] = []
    lines: dict[tuple[str, int], int] = {}
    for number, row in list_rows(text):
        at = f"{name} line {number}"
        entry = read_row(at, row, spec, bound, problems)
        if entry is None:
            continue
        node, nic, mac = entry
        if (node, nic) in lines:
            problems.append(Problem(at, f"NIC {nic} of {node} is already in line {lines[node, nic]}"))
        lines[node, nic] = number
        before = bound.setdefault(node, {}).get(nic)
        device = before["name"] if before else spec[node][nic]["name"] or f"nic{nic}"
        kept = before is not None and before["mac"] == mac
        bound[node][nic] = before if kept and before else {"nic": nic, "name": device, "mac": mac, "permanent": True}
    problems += check_bound(name, spec, bound, lines)
    if problems:
        raise FnnError(problems)
    nodes = [
        {"name": node, "nics": [bound[node][nic] for nic in sorted(bound[node])]} for node in spec if node in bound
    ]
    return {"format": "fnn-macs", "version": 1, "cluster": design["cluster"], "nodes": nodes}


def list_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row, except empty rows and the heading."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    for row in reader:
        cells = [cell.strip() for cell in row]
        is_heading = reader.line_num == 1 and [cell.lower() for cell in cells] == HEADING
        if any(cells) and not is_heading:
            yield reader.line_num, cells


def read_row(
    at: str, row: list[str], spec: Mapping[str, Any], bound: Bound, problems: list[Problem]
) -> tuple[str, int, str] | None:
    """Node, NIC and MAC of a row. When one of them is wrong: None, and an entry in `problems`."""
    before = len(problems)
    if len(row) != len(HEADING):
        problems.append(Problem(at, f"{len(row)} cells, expected three: node,nic,mac"))
        return None
    node, nic, mac = row
    index, digits = None, re.sub(r"[-:. ]", "", mac.lower())
    if node not in spec:
        problems.append(Problem(at, f"{node} is no node of the design"))
    else:
        index = find_nic(nic, spec[node], bound.get(node, {}))
        if index is None:
            problems.append(Problem(at, f"{node} has no NIC {nic}, only 0 to {len(spec[node]) - 1}"))
    if not _MAC.fullmatch(digits) or int(digits[1], 16) & 1 or not int(digits, 16):
        problems.append(Problem(at, f'"{mac}" is not the MAC of a NIC'))
    if len(problems) > before or index is None:
        return None
    return node, index, ":".join(digits[start : start + 2] for start in range(0, 12, 2))


def find_nic(nic: str, known: list[dict[str, Any]], bound: Mapping[int, Mapping[str, Any]]) -> int | None:
    """The index of a NIC that is given by index or name."""
    if nic.isdecimal():
        return int(nic) if int(nic) < len(known) else None
    names = {each["name"]: index for index, each in enumerate(known) if each["name"]}
    names.update({each["name"]: index for index, each in bound.items()})
    return names.get(nic)


def check_bound(
    name: str, spec: Mapping[str, Any], bound: Bound, lines: Mapping[tuple[str, int], int]
) -> Iterator[Problem]:
    """Nodes of the rows that still lack a NIC, and MACs that two NICs would have."""
    first: dict[str, tuple[str, int]] = {}
    for node in spec:
        for nic, entry in sorted(bound.get(node, {}).items()):
            if entry["mac"] in first:
                other, index = first[entry["mac"]]
                number = lines.get((node, nic)) or lines.get((other, index))
                at = f"{name} line {number}" if number else name
                yield Problem(
                    at, f"{entry['mac']} would be the MAC of NIC {index} of {other} and of NIC {nic} of {node}"
                )
            first.setdefault(entry["mac"], (node, nic))
    for node in dict.fromkeys(node for node, _ in lines):
        lacking = [str(nic) for nic in range(len(spec[node])) if nic not in bound[node]]
        if lacking:
            number = max(number for (each, _), number in lines.items() if each == node)
            yield Problem(f"{name} line {number}", f"{node} has no MAC yet for its NIC {', '.join(lacking)}")

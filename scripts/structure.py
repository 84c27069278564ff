#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the structure of the repository: lines per layer, lengths of functions, files that a spec key touches.

    scripts/structure.py [--root DIRECTORY] [--json]

Only files that git tracks count. A layer is a folder; a line counts unless it is empty. Functions are those of Python,
with their decorators and docstrings. A spec key touches a file that has its name; tests, documents of clusters and
the changelog do not count. Before and after a redesign the two outputs are compared.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: The first pattern that matches a path gives its layer.
LAYERS = (
    ("engine", "designer/src/"),
    ("engine: tests, fuzzing, benchmarks", "designer/"),
    ("module_utils", "module_utils/"),
    ("modules and plugins", "(library|[a-z]+_plugins|doc_fragments)/"),
    ("roles: templates and files", "roles/[^/]+/(templates|files)/"),
    ("roles and playbooks", "(roles/|playbooks/|site.yml)"),
    ("schemas", "schemas/"),
    ("monitoring", "monitoring/"),
    ("golden files", "tests/golden/.+/"),
    ("tests", "(tests|molecule)/"),
    ("benchmarks", "bench/"),
    ("scripts", "(scripts/|fnn$|Makefile$)"),
    ("docs", "(docs/|[A-Z]+\\.md$)"),
)
KEYS = ("internal_gbps", "fnn_linkd_hold_most", "fnn_egress_filter")
NOT_COUNTED = re.compile(
    r"tests/|molecule/|inventory/|designer/tests/|designer/bench/|bench/|CHANGELOG|scripts/structure|docs/contributor/structure"
)

#: A generated file, and a generated part of a page.
GENERATED = re.compile(
    r"\A(# SPDX.*\n)?# Generated from [\s\S]*|<!-- generated: begin -->[\s\S]*?<!-- generated: end -->"
)


def list_files(root: Path) -> list[str]:
    output = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout
    return [name for name in output.splitlines() if (root / name).is_file() and not (root / name).is_symlink()]


def read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def count_lines(root: Path, files: list[str]) -> dict[str, int]:
    lines = {layer: 0 for layer, _ in LAYERS}
    for name in files:
        layer = next((layer for layer, pattern in LAYERS if re.match(pattern, name)), None)
        if layer:
            lines[layer] += sum(1 for line in read(root / name).splitlines() if line.strip())
    return lines


def list_functions(root: Path, files: list[str]) -> Iterator[tuple[int, str]]:
    """(lines, place) of each function outside tests."""
    for name in files:
        if name.endswith(".py") and not name.startswith(("tests/", "molecule/")):
            for node in ast.walk(ast.parse(read(root / name))):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield (node.end_lineno or node.lineno) - node.lineno + 1, f"{name}: {node.name}"


def find_touched(root: Path, files: list[str], key: str) -> list[str]:
    """Files without which the key would not work, or would not be documented. Generated text does not count."""
    word = re.compile(rf"\b(fnn_)?{key.removeprefix('fnn_')}\b")
    written = ((name, GENERATED.sub("", read(root / name))) for name in files if not NOT_COUNTED.match(name))
    return [name for name, text in written if word.search(text)]


def measure(root: Path) -> dict[str, Any]:
    """The numbers of one checkout."""
    files = list_files(root)
    functions = sorted(list_functions(root, files), reverse=True)
    return {
        "lines": count_lines(root, files),
        "functions": len(functions),
        "median_lines": statistics.median(lines for lines, _ in functions),
        "longest": [f"{lines} {place}" for lines, place in functions[:10]],
        "files_per_key": {key: find_touched(root, files, key) for key in KEYS},
    }


def format_text(numbers: dict[str, Any]) -> Iterator[str]:
    for layer, lines in numbers["lines"].items():
        yield f"{lines:7,}  {layer}"
    yield f"{sum(numbers['lines'].values()):7,}  lines in all"
    yield f"{numbers['functions']:7,}  functions of Python, median {numbers['median_lines']:g} lines; the longest:"
    yield from (f"           {place}" for place in numbers["longest"])
    yield from (f"{len(files):7}  files have {key}" for key, files in numbers["files_per_key"].items())


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the structure of the repository.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    numbers = measure(options.root)
    print(json.dumps(numbers, indent=2) if options.json else "\n".join(format_text(numbers)))


if __name__ == "__main__":
    main()

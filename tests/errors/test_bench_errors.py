# SPDX-License-Identifier: GPL-3.0-or-later
"""Invalid documents of a benchmark and their expected messages: each is a valid document with some values changed."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.bench.compare import compare_runs
from ansible.module_utils.fnn.controller.bench.plan import Request, make_plan
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.schema import HOST_NAME, describe_pattern
from bench_lab import Lab
from damaged import Case, Document, check_damaged, check_valid
from pointers import GONE

HOST = describe_pattern(HOST_NAME)

CASES: dict[str, Case] = {
    "a plan of one node with an impossible test": (
        "fnn-bench-plan",
        {
            "/nodes": ["k00"],
            "/rounds/0/0/expected_mbps": 0,
            "/rounds/0/0/to_nic": GONE,
            "/cells/0/together": "some",
            "/sampling/warmup": 0,
            "/routing": "ring",
        },
        [
            '#/cells/0/together: "some" is not one of "one", "all"',
            "#/nodes: expected at least 2 items, not 1",
            "#/rounds/0/0/expected_mbps: 0 is not a positive number",
            "#/rounds/0/0/to_nic: missing",
            '#/routing: "ring" is not one of "fnn", "tree"',
            "#/sampling/warmup: 0 is not a positive integer",
        ],
    ),
    "a raw result with a rate in words and a cell of no kind": (
        "fnn-bench-raw",
        {
            "/legs/0/mbps": "941",
            "/legs/1/from": "k00-",
            "/cells/0/kind": "broadcast",
            "/cells/1/samples/0/0": -1,
            "/counters/k00": {"nic0": {"before": {}}},
            "/run/date": GONE,
        },
        [
            '#/cells/0/kind: "broadcast" is not one of "pingpong", "exchange", "alltoall", "bisection", "barrier"',
            "#/cells/1/samples/0/0: -1 is not a non-negative number",
            "#/counters/k00/nic0/after: missing",
            "#/legs/0/mbps: expected a non-negative number or null, not a string",
            f'#/legs/1/from: "k00-" is not {HOST}',
            "#/run/date: missing",
        ],
    ),
    "a benchmark without a verdict": (
        "fnn-bench",
        {
            "/verdict": "good",
            "/pairs/0/loss": -1,
            "/legs/0/in": GONE,
            "/cells/0/unit": "ms",
            "/histogram": {"0.94": 0.5},
        },
        [
            '#/cells/0/unit: "ms" is not "s"',
            "#/histogram/0.94: 0.5 is not a non-negative integer",
            "#/legs/0/in: missing",
            "#/pairs/0/loss: -1 is not a non-negative number",
            '#/verdict: "good" is not one of "delivers", "faults", "slow", "unknown"',
        ],
    ),
    "a comparison of nothing": (
        "fnn-bench-comparison",
        {
            "/before/design_digest": "sha256:0",
            "/cells/0/change": "better",
            "/legs/0/ratio": -1,
            "/only_now": -1,
            "/lines": GONE,
        },
        [
            '#/before/design_digest: "sha256:0" is not a digest: sha256: and 64 hexadecimal digits',
            '#/cells/0/change: "better" is not one of "faster", "slower", null',
            "#/legs/0/ratio: -1 is not a non-negative number",
            "#/lines: missing",
            "#/only_now: -1 is not a non-negative integer",
        ],
    ),
}


@pytest.fixture
def good(lab: Lab) -> dict[str, Document]:
    """One valid document per format."""
    bench = lab.judge()
    return {
        "fnn-bench-plan": make_plan(lab.design, None, lab.routes, Request()),
        "fnn-bench-raw": copy.deepcopy(lab.raw),
        "fnn-bench": copy.deepcopy(bench),
        "fnn-bench-comparison": compare_runs(bench, bench),
    }


@pytest.mark.parametrize("format", ["fnn-bench-plan", "fnn-bench-raw", "fnn-bench", "fnn-bench-comparison"])
def test_valid_documents_are_read(format: str, good: dict[str, Document], documents: Documents, tmp_path: Path) -> None:
    check_valid(format, good, documents, tmp_path)


@pytest.mark.parametrize("case", CASES)
def test_a_damaged_document_is_reported_with_file_and_place(
    case: str, good: dict[str, Document], documents: Documents, tmp_path: Path
) -> None:
    check_damaged(CASES[case], good, documents, tmp_path)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Invalid documents and their expected messages: each is a valid document with some values changed."""

from __future__ import annotations

import copy
import json
import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.discover.discovery import discover
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.labels.make import INDEX, make_files
from ansible.module_utils.fnn.controller.rewire.job import plan_job
from ansible.module_utils.fnn.controller.schema import HOST_NAME, describe_pattern
from ansible.module_utils.fnn.controller.switch_check.passport import Check, make_entry, merge
from ansible.module_utils.fnn.controller.switch_check.stations import Participants, Station
from damaged import Case, Document, check_damaged, check_valid
from pointers import GONE
from switch_results import PLAIN

HOST = describe_pattern(HOST_NAME)

WIRE = {
    "format": "fnn-wire",
    "version": 1,
    "cluster": "six",
    "site": "/site",
    "build": "/build",
    "nodes": {"k00": {"host": "192.0.2.1", "user": "root"}},
    "head": {"reach": {"host": "head", "local": "yes"}, "device": "eno1", "namespace": "", "prefix": "10.90.0.0/16"},
}
POWER_ON = {
    "format": "fnn-power-on",
    "version": 1,
    "cluster": "six",
    "seen": [{"mac": "54:e1:ad:00:00:01", "node": "k00"}, {"mac": "54:e1:ad:00:00:02", "node": "k00"}],
}
CHECK = {
    "format": "fnn-check",
    "version": 1,
    "cluster": "six",
    "verdict": "refused",
    "nodes": [
        {
            "name": "k00",
            "verdict": "refused",
            "system": None,
            "generation": "",
            "nics": [],
            "findings": [{"check": "root", "level": "problem", "text": "sudo needs a password", "remedy": "give it"}],
        }
    ],
}
CASES: dict[str, Case] = {
    "a node without a host, one with an unknown setting": (
        "fnn-wire",
        {"/nodes/k00/host": GONE, "/nodes/k01": {"host": "", "pass": "secret"}, "/site": GONE},
        [
            "#/nodes/k00/host: missing",
            '#/nodes/k01/host: "" is not a text with at least one character',
            "#/nodes/k01/pass: unknown key, expected one of become, host, key, local, options, port, program, python, "
            "user",
            "#/site: missing",
        ],
    ),
    "a check of an unknown kind without a remedy": (
        "fnn-check",
        {
            "/verdict": "maybe",
            "/nodes/0/system": {"name": "Debian"},
            "/nodes/0/findings/0/level": "fatal",
            "/nodes/0/findings/0/remedy": GONE,
        },
        [
            '#/nodes/0/findings/0/level: "fatal" is not one of "problem", "warning"',
            "#/nodes/0/findings/0/remedy: missing",
            "#/nodes/0/system/iproute2: missing",
            "#/nodes/0/system/kernel: missing",
            "#/nodes/0/system/python: missing",
            "#/nodes/0/system/systemd: missing",
            '#/verdict: "maybe" is not one of "ready", "refused"',
        ],
    ),
    "a passport of a trait without a reason, by one node": (
        "fnn-switch-passport",
        {
            "/switches/0/nodes": 1,
            "/switches/0/date": "yesterday",
            "/switches/0/traits/pause_sent/reason": "",
            "/switches/0/traits/ageing/at_least": "long",
            "/switches/0/traits/table_size": GONE,
        },
        [
            '#/switches/0/date: "yesterday" is not a date, such as 2026-11-29',
            "#/switches/0/nodes: 1 is not an integer from 2 to 8",
            "#/switches/0/traits/ageing/at_least: expected a number or null, not a string",
            '#/switches/0/traits/pause_sent/reason: "" is not a text with at least one character',
            "#/switches/0/traits/table_size: missing",
        ],
    ),
    "half a head": (
        "fnn-wire",
        {"/head/device": "", "/head/prefix": GONE, "/head/reach/local": True},
        [
            '#/head/device: "" is not a text with at least one character',
            "#/head/prefix: missing",
            '#/head/reach/local: true is not "yes"',
        ],
    ),
    "leases with invalid names": (
        "fnn-power-on",
        {"/seen/0/mac": "54-E1-AD-00-00-01", "/seen/1/node": "k00-", "/version": 2},
        [
            '#/seen/0/mac: "54-E1-AD-00-00-01" is not a MAC in lower case, such as 02:f0:00:00:00:01',
            f'#/seen/1/node: "k00-" is not {HOST}',
            "#/version: 2 is not 1",
        ],
    ),
    "a MAC that reported twice": (
        "fnn-power-on",
        {"/seen/1/mac": "54:e1:ad:00:00:01"},
        ["#/seen/1/mac: 54:e1:ad:00:00:01 is already that of /seen/0"],
    ),
    "labels outside their directory": (
        "fnn-labels",
        {"/files/0/path": "../design.json", "/colors/0/rgb": "red", "/bill/0/cables": 0, "/identify": "colors"},
        [
            "#/bill/0/cables: 0 is not a positive integer",
            '#/colors/0/rgb: "red" is not a color in lower case, such as #1f77b4',
            '#/files/0/path: "../design.json" is not the name of a csv, pdf, png or svg file, such as labels.pdf',
            '#/identify: "colors" is not one of "ports", "serials"',
        ],
    ),
    "a rewiring that moves nothing nowhere": (
        "fnn-rewire",
        {"/resting": "yes", "/start/nodes": GONE, "/goal/switches": {}},
        [
            "#/goal/switches: expected an array, not an object",
            "#/resting: expected a boolean, not a string",
            "#/start/nodes: missing",
        ],
    ),
    "a routing table without its codes": (
        "fnn-routes",
        {"/switches": [], "/nodes/0/row": "?", "/design_digest": "sha256:0", "/one_way_pairs": -1},
        [
            '#/design_digest: "sha256:0" is not a digest: sha256: and 64 hexadecimal digits',
            '#/nodes/0/row: "?" is not a row of codes and dots, as fnn-designer writes it',
            "#/one_way_pairs: -1 is not a non-negative integer",
            "#/switches: expected at least 1 item, not 0",
        ],
    ),
    "weights that do not fit": (
        "fnn-routes",
        {
            "/weights": [{"code": "0", "weights": [1, 3]}, {"code": "01", "weights": [3, 1]}],
            "/nodes/0/weight_row": ".0===",
            "/nodes/1/weight_row": "0.=7==",
        },
        [
            "#/weights/1/code: expected 1 digit, as the first has",
            "#/nodes/0/weight_row: expected 1 x 6 characters, not 5",
            "#/nodes/1/weight_row: no weights have the code 7",
        ],
    ),
    "weights out of range": (
        "fnn-routes",
        {"/weights": [{"code": "0", "weights": [0, 257]}, {"code": "1", "weights": [1]}], "/nodes/0/weight_row": "?"},
        [
            '#/nodes/0/weight_row: "?" is not a row of codes and dots, as fnn-designer writes it',
            "#/weights/0/weights/0: 0 is not a positive integer",
            "#/weights/0/weights/1: 257 is more than 256",
            "#/weights/1/weights: expected at least 2 items, not 1",
        ],
    ),
    "rows that do not fit": (
        "fnn-routes",
        {"/switches/1/code": "01", "/nodes/0/row": ".0001"},
        ["#/switches/1/code: expected 1 digit, as the first has", "#/nodes/0/row: expected 1 x 6 characters, not 5"],
    ),
    "findings of no kind": (
        "fnn-discovery",
        {"/unreachable": ["k00-"], "/findings/0/kind": "lost", "/findings/0/pairs_broken": -1},
        [
            '#/findings/0/kind: "lost" is not one of "duplicate-mac", "vanished-mac", "new-mac", "renamed-nic"',
            "#/findings/0/pairs_broken: -1 is not a non-negative integer",
            f'#/unreachable/0: "k00-" is not {HOST}',
        ],
    ),
    "an evaluation of less than nothing": (
        "fnn-evaluation",
        {
            "/pairwise/mean/exact": "6:5",
            "/ebb/basic/uni/patterns": 1,
            "/exposure/nic/worst": {"nic": 0},
            "/worst_case/ratio": GONE,
            "/aapc/basic/histogram": {"1": -1},
        },
        [
            "#/aapc/basic/histogram/1: -1 is not a non-negative integer",
            "#/ebb/basic/uni/patterns: 1 is not an integer from 2 to 100000000",
            "#/exposure/nic/worst/nic: unknown key, expected one of node, switch",
            "#/exposure/nic/worst/switch: missing",
            '#/pairwise/mean/exact: "6:5" is not an integer or fraction, such as 6/5',
            "#/worst_case/ratio: missing",
        ],
    ),
    "more batches done than there are": (
        "fnn-rewire",
        {"/done": 3},
        ["#/done: 3 batches done of 1"],
    ),
    "a batch without moves": (
        "fnn-rewire",
        {"/batches/0/moves": []},
        ["#/batches/0/moves: expected at least 1 item, not 0"],
    ),
    "a new spec that is not in normal form": (
        "fnn-rewire",
        {"/goal/uplink": GONE, "/start/spec/mtu": GONE},
        ["#/goal/uplink: missing", "#/start/spec/mtu: missing"],
    ),
    "a rewiring from a design with an unknown switch": (
        "fnn-rewire",
        {"/start/nodes/0/links/0/switch": "pink"},
        [
            '#/start/nodes/0/links/0/switch: "pink" is not the name of a switch',
            '#/start/switches/0/nodes/0: "k00" is listed, but has no link to red',
        ],
    ),
    "moves of an unknown node to an unknown switch, and a name given twice": (
        "fnn-rewire",
        {"/batches/0/moves/0/node": "k99", "/batches/0/moves/1/to": "pink", "/goal/nodes/1/name": "k00"},
        [
            '#/batches/0/moves/0/node: "k99" is not the name of a node',
            '#/batches/0/moves/1/to: "pink" is not the name of a switch',
            '#/goal/nodes/1/name: "k00" is already the name of /goal/nodes/0',
        ],
    ),
}


@pytest.fixture
def good(root: Path, designer: Path, tmp_path: Path) -> dict[str, Document]:
    """One valid document per format."""
    design = read_json(root / "tests/golden/six/design.json")
    moved = json.loads(json.dumps(design).replace("k00", "k0x").replace("k02", "k00").replace("k0x", "k02"))
    labels = make_files(design, {"stock": None, "identify": "ports", "papers": []})
    return {
        "fnn-wire": copy.deepcopy(WIRE),
        "fnn-check": copy.deepcopy(CHECK),
        "fnn-power-on": copy.deepcopy(POWER_ON),
        "fnn-switch-passport": make_passport(),
        "fnn-labels": json.loads(labels[INDEX]),
        "fnn-routes": read_json(root / "tests/golden/unnumbered/settings.json")["inputs"]["routes"],
        "fnn-discovery": find_gone(design, read_json(root / "tests/golden/six/macs.json")),
        "fnn-evaluation": evaluate(designer, root / "inventory/lab/design.json", tmp_path / "evaluation.json"),
        "fnn-rewire": plan_job(design, {**moved, "spec": copy.deepcopy(design["spec"])}, 8),
    }


def make_passport() -> Document:
    """The passport of a plain bridge."""
    stations = (Station("k00", "02:f0:00:00:00:00"), Station("k01", "02:f0:00:00:01:00"))
    nics = {each.node: {"driver": "veth", "speed_mbps": None} for each in stations}
    participants = Participants(stations, "experimental", (), ())
    return merge(None, make_entry(Check("red", participants, stations, copy.deepcopy(PLAIN), nics, date="2026-11-27")))


def evaluate(designer: Path, design: Path, target: Path) -> Document:
    """An evaluation by the engine, from few patterns."""
    words = [designer, "evaluate", design, "-o", target, "--patterns", "10"]
    subprocess.run(words, check=True, capture_output=True)
    return read_json(target)


def find_gone(design: Document, macs: Document) -> Document:
    """The document of a discovery after k00 has lost a NIC."""
    nic = macs["nodes"][0]["nics"][0]
    left = {"device": nic["name"], "mac": nic["mac"], "permanent": True}
    return discover(design, macs, {"k00": {"links": [left], "arrived_on": None}}).document


@pytest.mark.parametrize(
    "format",
    [
        "fnn-wire",
        "fnn-power-on",
        "fnn-labels",
        "fnn-rewire",
        "fnn-routes",
        "fnn-discovery",
        "fnn-evaluation",
        "fnn-switch-passport",
    ],
)
def test_valid_documents_are_read(format: str, good: dict[str, Document], documents: Documents, tmp_path: Path) -> None:
    check_valid(format, good, documents, tmp_path)


@pytest.mark.parametrize("case", CASES)
def test_a_damaged_document_is_reported_with_file_and_place(
    case: str, good: dict[str, Document], documents: Documents, tmp_path: Path
) -> None:
    check_damaged(CASES[case], good, documents, tmp_path)

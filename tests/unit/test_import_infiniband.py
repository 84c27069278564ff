# SPDX-License-Identifier: GPL-3.0-or-later
"""`fnn-designer import --format ibnetdiscover`: OpenSM's routes on ibsim, compared with an independent walker.

The samples in designer/tests/data are two fat trees, 8 hosts on six switches and 24 on eight, as OpenSM 3.3.23
routed them on ibsim 0.10 with min-hop, printed by ibnetdiscover and dump_fts.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents

#: (switch, port) -> where its cable leads; ("S-...", 3) or ("H-...", 1)
Cables = dict[tuple[str, int], tuple[str, int]]


class Walker:
    """Follows the forwarding tables hop by hop."""

    def __init__(self, data: Path, sample: str) -> None:
        self.cables: Cables = {}
        self.ports: dict[str, dict[int, int]] = {}
        self.lids: dict[int, str] = {}
        self._read_topology((data / f"ib-{sample}.ibnetdiscover").read_text())
        self._read_tables((data / f"ib-{sample}.lfts").read_text())
        self.leaf = {peer[0]: switch for (switch, _), peer in self.cables.items() if peer[0].startswith("H-")}

    def _read_topology(self, text: str) -> None:
        device = ""
        for line in text.splitlines():
            if found := re.match(r'(Switch|Ca)\s+\d+ "([^"]+)"', line):
                device = found[2]
            elif found := re.match(r'\[(\d+)\]\s+"([^"]+)"\[(\d+)\].* lid (\d+) ', line):
                self.cables[device, int(found[1])] = (found[2], int(found[3]))
                if found[2].startswith("H-"):
                    self.lids[int(found[4])] = found[2]

    def _read_tables(self, text: str) -> None:
        for block in text.split("Unicast lids")[1:]:
            guid = re.search(r"guid 0x([0-9a-f]{16})", block)
            assert guid
            self.ports[f"S-{guid[1]}"] = {
                int(a, 16): int(b) for a, b in re.findall(r"(0x[0-9a-f]{4}) (\d{3}) :", block)
            }

    def route(self, source: int, target: int) -> Iterator[tuple[str, int]]:
        """The cables between switches on the route, each as the port through which it is entered."""
        device, goal = self.leaf[self.lids[source]], self.lids[target]
        while True:
            port = self.ports[device][target]
            there = self.cables[device, port][0]
            if there == goal:
                return
            yield device, port
            device = there


@pytest.fixture
def data(root: Path) -> Path:
    return root / "designer/tests/data"


def imported(designer: Path, data: Path, sample: str, target: Path, *more: str | Path) -> dict[str, Any]:
    command = [
        designer,
        "import",
        "--format",
        "ibnetdiscover",
        data / f"ib-{sample}.ibnetdiscover",
        "-o",
        target,
        *more,
    ]
    subprocess.run(command, check=True, capture_output=True)
    network: dict[str, Any] = json.loads(target.read_text())
    return network


@pytest.mark.parametrize("sample", ["small", "mid"])
def test_every_cable_carries_as_many_routes_as_the_tables_say(
    designer: Path, data: Path, documents: Documents, tmp_path: Path, sample: str
) -> None:
    target = tmp_path / "network.json"
    imported(designer, data, sample, target, "--routes", data / f"ib-{sample}.lfts")
    network = documents.read(target, "fnn-network")
    walker = Walker(data, sample)
    routes = Counter(socket for a, b in itertools.permutations(walker.lids, 2) for socket in walker.route(a, b))
    assert network["forwarding_index"]["switch"]["max"] == max(routes.values())
    between = [end for end, there in walker.cables.items() if end[0].startswith("S-") and there[0].startswith("S-")]
    assert network["forwarding_index"]["switch"]["mean"]["value"] == sum(routes.values()) / len(between)
    assert network["switches_traversed"]["unreached"] == 0
    assert network["link_mbps"] == 10000  # 4xSDR


def test_effective_bisection_is_the_mean_over_all_pairings(designer: Path, data: Path, tmp_path: Path) -> None:
    # Eight hosts have 105 pairings, each pair in either direction: 1680 patterns in all, and every one is walked.
    walker = Walker(data, "small")
    means = []
    for pairs in pairings(sorted(walker.lids)):
        for swaps in itertools.product((False, True), repeat=len(pairs)):
            flows = [(b, a) if swap else (a, b) for (a, b), swap in zip(pairs, swaps, strict=True)]
            ways = [list(walker.route(a, b)) for a, b in flows]
            load = Counter(socket for way in ways for socket in way)
            means.append(sum(1 / max((load[socket] for socket in way), default=1) for way in ways) / len(ways))
    assert len(means) == 1680
    network = imported(designer, data, "small", tmp_path / "n.json", "--routes", data / "ib-small.lfts")
    measured = network["ebb"]["basic"]["uni"]
    # Four standard errors, as the interval is the mean plus or minus two.
    slack = measured["high"] - measured["low"]
    assert sum(means) / len(means) == pytest.approx(measured["mean"], abs=slack)


def pairings(left: list[int]) -> Iterator[list[tuple[int, int]]]:
    """All perfect matchings of the items."""
    if not left:
        yield []
        return
    first, *others = left
    for other in others:
        for rest in pairings([each for each in others if each != other]):
            yield [(first, other), *rest]


@pytest.mark.parametrize("sample", ["small", "mid"])
def test_without_tables_routes_are_those_of_opensm(designer: Path, data: Path, tmp_path: Path, sample: str) -> None:
    chosen = imported(designer, data, sample, tmp_path / "chosen.json")
    given = imported(designer, data, sample, tmp_path / "given.json", "--routes", data / f"ib-{sample}.lfts")
    assert (chosen.pop("routing"), given.pop("routing")) == ("min-hop", "tables")
    assert chosen == given


def test_bad_files_are_refused_with_the_line(designer: Path, data: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.txt"
    text = (data / "ib-small.ibnetdiscover").read_text()
    broken.write_text(text.replace("4xSDR", "4xABC", 1))
    command = [designer, "import", "--format", "ibnetdiscover", broken, "-o", tmp_path / "out.json"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    assert answer.returncode == 2
    line = text[: text.index("4xSDR")].count("\n") + 1
    assert answer.stderr == f"broken.txt:{line}: expected a port line with a peer, a lid and a known speed\n"
    tables = tmp_path / "tables.txt"
    tables.write_text((data / "ib-small.lfts").read_text().replace("0x0001 003", "0x0001 009", 1))
    command[4] = data / "ib-small.ibnetdiscover"
    answer = subprocess.run([*command, "--routes", tables], check=False, capture_output=True, text=True)
    assert answer.stderr == "tables.txt:4: this port has no cable\n"
    assert not (tmp_path / "out.json").exists()


def test_tables_that_send_in_a_circle_are_refused(designer: Path, data: Path, tmp_path: Path) -> None:
    # With the changed entry a spine sends packets for a host to the wrong leaf, and that leaf sends them back up.
    text = (data / "ib-small.lfts").read_text()
    walker = Walker(data, "small")
    lid = next(lid for lid, host in walker.lids.items() if walker.leaf[host] != "S-0000000000200003")
    up = walker.ports["S-0000000000200003"][lid]
    spine, _ = walker.cables["S-0000000000200003", up]
    back = next(
        port for (device, port), peer in walker.cables.items() if device == spine and peer[0].endswith("200003")
    )
    begin = text.index(f" guid 0x{spine[2:]}")
    entry = f"0x{lid:04x} "
    at = text.index(entry, begin) + len(entry)
    tables = tmp_path / "tables.txt"
    tables.write_text(text[:at] + f"{back:03d}" + text[at + 3 :])
    source = data / "ib-small.ibnetdiscover"
    command = [designer, "import", "--format", "ibnetdiscover", source, "--routes", tables, "-o", tmp_path / "out.json"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
    assert answer.returncode == 2
    assert "forwarding loop" in answer.stderr


def test_a_message_at_the_wrong_node_is_not_forwarded(designer: Path, data: Path, tmp_path: Path) -> None:
    # The first table is of a leaf with two hosts; their packets for lid 1 go to the port of one of them.
    tables = tmp_path / "tables.txt"
    tables.write_text((data / "ib-small.lfts").read_text().replace("0x0001 003", "0x0001 001", 1))
    network = imported(designer, data, "small", tmp_path / "n.json", "--routes", tables)
    assert network["switches_traversed"]["unreached"] == 2

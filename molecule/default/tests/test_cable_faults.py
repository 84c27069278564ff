# SPDX-License-Identifier: GPL-3.0-or-later
"""Every fault of cables and switches, on real bridges: findings name it exactly, and following them repairs it.

Each fault is injected into the running lab, verified, followed literally and verified again. One verification is a run
of the playbook. So `make test` takes several faults at once, and `make test-full` takes all.

A virtual cable has no speed, so a shaped link is not found here. In the table of faults (tests/full/fault_cases.py) a
tap takes the place of a NIC, and runs at half speed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from .cabling import count_fewest_moves, follow, lab, read_plugged
from .cabling import label as format_label
from .conftest import BUILD, Outcome, read_json

Play = Callable[..., Outcome]
BEACONS, RELEARN = "beacons", "relearn"  # uplinks out, uplinks in


@dataclass(frozen=True)
class Finding:
    """The compared fields of a finding: its kind, its cables and its action, with N for a measured share."""

    kind: str
    cables: str
    action: str


@dataclass(frozen=True)
class Case:
    """faults: in the syntax of `./fnn lab fault`. steps: (evidence, its findings); the test follows the last."""

    name: str
    faults: tuple[str, ...]
    steps: tuple[tuple[str, tuple[Finding, ...]], ...]
    short: bool = False


ALL = "k00:0 k00:1 k01:0 k01:1 k02:0 k02:1 k03:0 k03:1 k04:0 k04:1 k05:0 k05:1"
RED = "k00:0 k01:0 k02:0 k03:0"
#: With the uplinks in, frames of a loop return to all nodes. Only a second run can locate it.
LOOP_SOMEWHERE = Finding(
    "uplink-wrong",
    ALL,
    "pull the second cable between the uplink switch and RED or BLUE or GREEN; if each has only one, pull all of them "
    "and run again to find the switch with a loop",
)
JOINED = Finding(
    "switches-joined",
    "k00:1 k01:1 k04:0 k05:0",
    "unplug the cables from RED and BLUE to the uplink switch; if they are out, find and pull the cable that joins RED "
    "and BLUE",
)
SWAP = Finding("swap", "k00:0 k05:1", "k00: move the cable in nic0 from GREEN to RED; k05: move nic1 from RED to GREEN")
CYCLE = Finding(
    "cycle",
    "k00:0 k01:1 k02:1",
    "k00: move the cable in nic0 from BLUE to RED; k02: move nic1 from RED to GREEN; k01: move nic1 from GREEN to BLUE",
)
MISSING = Finding("missing", "k04:0", "k04: plug a cable from nic0 into BLUE; if there is one, try another")
CROSSED = Finding(
    "crossed", "k05:0 k05:1",
    "k05: leave the cables of nic1 and nic0 as they are; the NICs are swapped within the node, which macs.json adopts",
)  # fmt: skip
SAME = Finding("same-switch", "k00:1", "k00: nic0 and nic1 are both in RED; move the cable in nic1 to BLUE")
DEAD = Finding("dead-switch", RED, "check RED, no cable has carrier: does it have power?")
DUPLICATE_MAC = Finding(
    "duplicate-mac",
    "k00:0 k03:1",
    "k00 nic0 and k03 nic1 have the same MAC 02:f0:00:00:00:00: give k03 nic1 one of its own (replace the NIC, or set "
    "another address), then run discover and verify again",
)
HOUSE = Finding(
    "foreign-network", "k00:0", "k00: the cable in nic0 leads into a foreign network; move it to RED"
)  # fmt: skip
LOSSY = Finding(
    "lossy",
    "k00:0",
    "k00: the cable in nic0 loses N % of what it sends to RED and N % of what it receives from RED; try another cable, "
    "then another port of RED",
)
SMALL_MTU = Finding(
    "mtu",
    "k00:0",
    "k00: nic0 carries no frames of 1500 bytes to and from RED, only shorter ones: raise the MTU of that port of RED "
    "to at least 1500, or try another cable or port",
)
FLAPPING = Finding(
    "flapping",
    "k00:0",
    "k00: nic0 loses its carrier repeatedly; try another cable, then another port of RED",
)
ISOLATED = Finding(
    "isolated",
    "k00:0 k01:0",
    "RED passes no frames between k00 nic0 and k01 nic0: switch off the isolation of these ports (protected ports, "
    "private VLAN), or move their cables to other ports of RED",
)
BRIDGED = Finding(
    "bridged",
    "k03:0 k03:1",
    "k03: nic0 and nic1 are ports of the bridge br0 on the node, which joins RED and GREEN: take them out of it",
)
NO_UPLINK = "plug a cable from {} into the uplink switch; if there is one, try another"


def both(*findings: Finding) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    """The same findings by either evidence."""
    return ((BEACONS, findings), (RELEARN, findings))


CASES = (
    Case(
        "several at once, with switches in another order",
        ("cycle k00:0 k01:1 k02:1", "missing k04:0", "relabeled blue green", "crossed k05"),
        ((BEACONS, (CYCLE, MISSING, CROSSED)),),
        short=True,
    ),
    Case(
        "a switch looped to itself",
        ("loop red",),
        (
            (RELEARN, (LOOP_SOMEWHERE,)),
            (BEACONS, (Finding("loop", RED, "find and pull the cable that closes a loop at RED"),)),
        ),
    ),
    Case(
        "an uplink in the wrong switch",
        ("uplink-wrong red blue",),
        (
            (
                RELEARN,
                (
                    Finding(
                        "uplink-wrong",
                        "k00:1 k01:1 k02:1 k03:1 k04:0 k04:1 k05:0 k05:1",
                        "RED lacks its cable to the uplink switch, and BLUE or GREEN has two: move the end of the "
                        "second one to RED",
                    ),
                ),
            ),
        ),
    ),
    Case("a NIC in the house LAN", ("foreign-network k00:0",), ((BEACONS, (HOUSE,)),)),
    Case("a swap", ("swap k00:0 k05:1",), both(SWAP)),
    Case(
        "a cycle, a missing cable and a missing uplink",
        ("cycle k00:0 k01:1 k02:1", "missing k04:0", "uplink-missing green"),
        ((RELEARN, (CYCLE, MISSING, Finding("uplink-wrong", "k01:1", NO_UPLINK.format("GREEN")))),),
    ),
    Case("two NICs of a node in one switch", ("same-switch k00:1",), both(SAME)),
    Case("a missing cable", ("missing k04:0",), both(MISSING)),
    Case("a dead switch", ("dead-switch red",), both(DEAD)),
    Case("switches in another order", ("relabeled red blue",), both()),
    # One step: the first run adopts the crossed NICs, and a second reports none. Uplinks out: see test_faults.py.
    Case("cables crossed within a node", ("crossed k05",), ((RELEARN, (CROSSED,)),)),
    Case(
        "two nodes in each other's place, of which one cable of each has to move",
        ("shifted-node k00 k05",),
        (
            (
                RELEARN,
                (
                    Finding(
                        "swap",
                        "k00:1 k05:0",
                        "k00: move the cable in nic1 from GREEN to RED; k05: move nic0 from RED to GREEN",
                    ),
                    Finding("crossed", "k00:0 k00:1", CROSSED.action.replace("k05", "k00")),
                    CROSSED,
                ),
            ),
        ),
    ),
    Case("two switches joined", ("joined red blue",), ((RELEARN, (LOOP_SOMEWHERE,)), (BEACONS, (JOINED,)))),
    Case(
        "a missing uplink",
        ("uplink-missing red",),
        ((RELEARN, (Finding("uplink-wrong", "k00:0", NO_UPLINK.format("RED")),)),),
    ),
    Case("a doubled uplink", ("uplink-doubled red",), ((RELEARN, (LOOP_SOMEWHERE,)),)),
    Case("a NIC in the house LAN, uplinks in", ("foreign-network k00:0",), ((RELEARN, (HOUSE,)),)),
    Case(
        "a switch joined to the house LAN",
        ("foreign-network red",),
        (
            (
                BEACONS,
                (
                    Finding(
                        "foreign-network", RED, "find and pull the cable that leads from RED into a foreign network"
                    ),
                ),
            ),
        ),
    ),
    Case("two NICs with one MAC", ("duplicate-mac k03:1 k00:0",), both(DUPLICATE_MAC)),
    Case("a shaped link, not detectable on a virtual cable", ("slow k00:0",), both()),
    Case(
        "a cable in a wrong switch",
        ("move k00:0 green",),
        both(Finding("move", "k00:0", "k00: move the cable in nic0 from GREEN to RED")),
    ),
    Case("a cable that loses frames both ways", ("lossy k00:0",), both(LOSSY)),
    Case("a port that carries short frames only", ("small-mtu k00:0",), both(SMALL_MTU)),
    Case("a flapping cable", ("flapping k00:0",), both(FLAPPING)),
    Case("two ports isolated from each other", ("isolated k00:0 k01:0",), both(ISOLATED)),
    Case("a node that bridges its NICs", ("bridged k03:0 k03:1",), both(BRIDGED)),
    Case(
        "a loop and a swap",
        ("loop green", "swap k00:0 k04:0"),
        (
            (
                BEACONS,
                (
                    Finding(
                        "swap",
                        "k00:0 k04:0",
                        "k00: move the cable in nic0 from BLUE to RED; k04: move nic0 from RED to BLUE",
                    ),
                    Finding("loop", "k02:1 k03:1 k04:1 k05:1", "find and pull the cable that closes a loop at GREEN"),
                ),
            ),
        ),
    ),
)
CHOSEN = [pytest.param(case, id=case.name, marks=[] if case.short else pytest.mark.long) for case in CASES]


@pytest.fixture
def repaired() -> Iterator[None]:
    """Afterwards the lab has no fault, and its MACs are bound as before."""
    macs = BUILD / "site" / "macs.json"
    before = macs.read_bytes()
    yield
    lab("repair")
    macs.write_bytes(before)


def verify(play: Play, evidence: str) -> tuple[int, dict[str, Any]]:
    outcome = play("playbooks/verify.yml", "-e", f"fnn_verify_evidence={evidence}")
    document: dict[str, Any] = read_json(BUILD / "findings.json")
    assert document["evidence"] == {"beacons": "beacons", "relearn": "relearn probe"}[evidence], outcome.output
    return outcome.status, document


def read_finding(finding: dict[str, Any]) -> Finding:
    cables = " ".join(sorted(format_label(cable) for cable in finding["cables"]))
    return Finding(finding["kind"], cables, re.sub(r"\d+ %", "N %", finding["action"]))


#: A later run keeps the findings of verify until a link is interrupted; then the nodes send beacons again.
CHECKED = ("playbooks/check.yml", "playbooks/verify.yml")
KEPT, AGAIN = "the findings of the last run hold", "the cables are verified again"


def find_time() -> int:
    """When the findings were written."""
    return (BUILD / "findings.json").stat().st_mtime_ns


def test_findings_hold_until_a_link_is_interrupted(play: Play, repaired: None) -> None:
    """site.yml has proved the network with these links. Alone, playbooks/verify.yml sends beacons in any case."""
    before = find_time()
    outcome = play(*CHECKED)
    assert (outcome.status, KEPT in outcome.output, find_time()) == (0, True, before), outcome.output
    lab("swap", "k00:0", "k05:1")
    outcome = play(*CHECKED)
    assert (outcome.status, AGAIN in outcome.output) == (2, True), outcome.output
    assert [each["kind"] for each in read_json(BUILD / "findings.json")["findings"]] == ["swap"]
    assert find_time() > before


@pytest.mark.parametrize("case", CHOSEN)
def test_fault_is_named_exactly_and_repaired_by_its_action(case: Case, play: Play, repaired: None) -> None:
    for fault in case.faults:
        lab("fault", *fault.split())
    fewest = count_fewest_moves(read_plugged())
    for evidence, expected in case.steps:
        status, document = verify(play, evidence)
        findings = [read_finding(finding) for finding in document["findings"]]
        assert sorted(findings, key=str) == sorted(expected, key=str)
        wrong = any(each.kind != "crossed" for each in expected)
        assert (status, document["verdict"]) == ((2, "miswired") if wrong else (0, "match"))
    assert len(document["moves"]) == fewest
    follow(document)
    status, document = verify(play, case.steps[-1][0])
    assert (status, document["verdict"]) == (0, "match")
    if any(fault.startswith("duplicate-mac") for fault in case.faults):
        # When the MAC of a NIC changes, the kernel deletes all its neighbors, permanent ones included.
        assert play("playbooks/network.yml").status == 0
    assert {finding["kind"] for finding in document["findings"]} <= {"crossed"}

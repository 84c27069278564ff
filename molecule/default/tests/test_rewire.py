# SPDX-License-Identifier: GPL-3.0-or-later
"""From one design to another, cable by cable, while every node talks to every other; in the full test also back."""

from __future__ import annotations

import csv
import io
import itertools
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .cabling import lab
from .conftest import BUILD, FULL, LAB, NODES, PROJECT, Outcome, read_json
from .inside import format_command

Play = Callable[..., Outcome]
SITE = BUILD / "site"
#: Node -> the node whose place it takes; then each group of two shares its switches with other groups.
ROLES = {**dict(zip(NODES, NODES)), "k01": "k03", "k03": "k01", "k02": "k05", "k05": "k02"}
#: Seconds between two packets of a pair, and how many may be lost; tests/full/test_rewiring.py measures silence.
INTERVAL, LOST = 0.2, 5

#: The relearn probe leaves the uplinks in; pairs communicate over them while their cables move.
USE_PROBE = "--extra-vars=fnn_verify_evidence=relearn"


def run_designer(*words: str | Path) -> str:
    command = [PROJECT / "bin" / "fnn-designer", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def goal(tmp_path: Path) -> Path:
    """A design in which four nodes have exchanged their places."""
    run_designer("export", "--format", "cables", SITE / "design.json", "-o", tmp_path / "old.csv")
    cables = list(csv.DictReader(io.StringIO((tmp_path / "old.csv").read_text())))
    lines = [f"{ROLES[each['node']]},{each['nic']},{each['switch']}\n" for each in cables]
    (tmp_path / "new.csv").write_text("".join(lines))
    target = tmp_path / "new.json"
    words = ["--format", "cables", "--spec", SITE / "spec.json", tmp_path / "new.csv", "-o", target]
    run_designer("import", *words)
    return target


@pytest.fixture
def traffic() -> Iterator[Callable[[], dict[tuple[str, str], int]]]:
    """Every node pings every other; a call stops that and returns the lost packets of each pair."""
    running: dict[tuple[str, str], subprocess.Popen[str]] = {}
    for one, other in itertools.permutations(NODES, 2):
        words = format_command(f"{LAB}-{one}", "ping", "-q", "-i", str(INTERVAL), other)
        running[one, other] = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)

    def stop() -> dict[tuple[str, str], int]:
        for name in NODES:
            subprocess.run(format_command(f"{LAB}-{name}", "pkill", "-INT", "ping"), check=False)
        outputs = {pair: process.communicate(timeout=300)[0] for pair, process in running.items()}
        counts = {pair: re.search(r"(\d+) packets transmitted, (\d+) received", text) for pair, text in outputs.items()}
        return {pair: int(found[1]) - int(found[2]) for pair, found in counts.items() if found}

    yield stop
    for process in running.values():
        process.kill()


def list_cables(design: Any) -> set[tuple[str, int, str]]:
    return {(node["name"], link["nic"], link["switch"]) for node in design["nodes"] for link in node["links"]}


def move_cables(moves: list[dict[str, Any]]) -> None:
    """Moves cables as a person would: a cable that must be held is pulled first and plugged in last."""
    held = [move for move in moves if move["hold"]]
    if held:
        lab("unplug", *(f"{move['node']}:{move['nic']}" for move in held))
    for move in [move for move in moves if not move["hold"]] + held:
        lab("move", f"{move['node']}:{move['nic']}", move["to"])


def take_step(play: Play, step: str, *words: str) -> None:
    outcome = play("playbooks/rewire.yml", f"--extra-vars=fnn_rewire_step={step}", *words)
    assert outcome.status == 0, outcome.output


def rewire(play: Play) -> None:
    """Executes all batches of the plan."""
    job = read_json(SITE / "rewire.json")
    for batch in job["batches"]:
        take_step(play, "begin")
        move_cables(batch["moves"])
        take_step(play, "finish", USE_PROBE)


def refuse_unmoved(play: Play) -> None:
    """A batch is not done, and its cables are not used, until all are in their new place."""
    take_step(play, "begin")
    outcome = play("playbooks/rewire.yml", "--extra-vars=fnn_rewire_step=finish", USE_PROBE)
    assert outcome.status == 2
    job = read_json(SITE / "rewire.json")
    assert (job["done"], job["resting"]) == (0, True)
    assert all(f"{move['node']}: move" in outcome.output for move in job["batches"][0]["moves"])


def test_a_rewiring_keeps_every_pair_connected(play: Play, goal: Path, traffic: Any) -> None:
    before = read_json(SITE / "design.json")
    take_step(play, "plan", f"--extra-vars=fnn_rewire_to={goal}")
    if FULL:
        refuse_unmoved(play)
    assert (BUILD / "rewire" / "rewire-a4.pdf").read_bytes()[:4] == b"%PDF"
    rewire(play)
    after, job = read_json(SITE / "design.json"), read_json(SITE / "rewire.json")
    assert (after["verdict"], job["done"]) == ("found", len(job["batches"]))
    assert len(list_cables(after) - list_cables(before)) == job["moves"] == 3
    if FULL:
        take_step(play, "back")
        rewire(play)
        assert list_cables(read_json(SITE / "design.json")) == list_cables(before)
    lost = traffic()
    assert len(lost) == len(NODES) * (len(NODES) - 1)
    assert max(lost.values()) <= LOST, lost
    (SITE / "rewire.json").unlink()

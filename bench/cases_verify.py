# SPDX-License-Identifier: GPL-3.0-or-later
"""How long does the verification of wrong cables take, from the beacons heard to findings.json and its report?"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.verify.coverage import value_as_wired
from ansible.module_utils.fnn.controller.verify.document import make_document
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.show import show

from bench import measure
from bench.report import Table

Plugs = dict[tuple[str, int], str | None]
LIMIT = 2.0  # seconds at 1024 nodes with five NICs
SIZES = {"64 nodes, 4 NICs": (64, 4, 31, 9), "1024 nodes, 5 NICs": (1024, 5, 244, 21)}


def verify(place: Path) -> Table:
    table = Table(
        "verify", "Time to locate wrong cables", ["cluster", "fault", "seconds (median of 5)", "findings", "moves"]
    )
    for words, size in SIZES.items():
        design = make_design(place, size)
        for fault, harm in FAULTS.items():
            runs = [compare_once(design, harm, seed) for seed in range(5)]
            seconds = measure.median([run[0] for run in runs])
            table.add(words, fault, f"{seconds:.2f}", str(runs[0][1]), str(runs[0][2]))
            if size[0] == 1024:
                table.expect(f"{words}, {fault}: within {LIMIT:g} s", max(run[0] for run in runs) <= LIMIT)
    return table


def make_design(place: Path, size: tuple[int, int, int, int]) -> dict[str, Any]:
    options = (
        word for name, number in zip(("nodes", "nics", "ports", "switches"), size) for word in (f"--{name}", number)
    )
    path = place / "design.json"
    measure.run([measure.ENGINE, "design", *map(str, options), "-o", path, "--seed", "1"])
    design: dict[str, Any] = read_json(path)
    return design


def swap_two(plugs: Plugs, chance: random.Random) -> None:
    exchange(plugs, chance.sample(sorted(plugs), 2))


def misplace_forty(plugs: Plugs, chance: random.Random) -> None:
    exchange(plugs, chance.sample(sorted(plugs), 40))


def kill_switch(plugs: Plugs, chance: random.Random) -> None:
    dead = chance.choice(sorted({str(switch) for switch in plugs.values()}))
    plugs.update({key: None for key, switch in plugs.items() if switch == dead})


def exchange(plugs: Plugs, keys: list[tuple[str, int]]) -> None:
    plugs.update(zip(keys, [plugs[key] for key in (*keys[1:], keys[0])]))


FAULTS: dict[str, Callable[[Plugs, random.Random], None]] = {
    "none": lambda plugs, chance: None,
    "two cables swapped": swap_two,
    "forty cables misplaced": misplace_forty,
    "a dead switch": kill_switch,
}


def compare_once(
    design: dict[str, Any], harm: Callable[[Plugs, random.Random], None], seed: int
) -> tuple[float, int, int]:
    """(seconds, findings, moves)"""
    plugs: Plugs = {(node["name"], link["nic"]): link["switch"] for node in design["nodes"] for link in node["links"]}
    harm(plugs, random.Random(seed))
    macs, observations = observe(design, plugs)
    started = time.process_time()
    verification = compare_with_design(design, macs, observations)
    verification = replace(verification, as_wired=value_as_wired(design, verification))
    document = make_document(verification, design, macs)
    show(document, "text")
    return time.process_time() - started, len(document["findings"]), len(document["moves"])


def observe(design: dict[str, Any], plugs: Plugs) -> tuple[dict[str, Any], dict[str, Any]]:
    """macs.json, and the beacons that every node would hear."""
    ranks = {node["name"]: rank for rank, node in enumerate(design["nodes"])}
    known = {key: f"02:f0:00:{ranks[key[0]] >> 8:02x}:{ranks[key[0]] & 255:02x}:{key[1]:02x}" for key in plugs}
    members = defaultdict(list)
    for key, switch in plugs.items():
        members[switch].append(known[key])
    nics: dict[str, list[dict[str, Any]]] = defaultdict(list)
    observations: dict[str, dict[str, Any]] = {node: {"links": [], "heard": []} for node in ranks}
    for (node, nic), mac in known.items():
        switch = plugs[node, nic]
        device = {"device": f"eth{nic}", "mac": mac}
        nics[node].append({"nic": nic, "name": f"eth{nic}", "mac": mac, "permanent": True})
        hears = [other for other in members[switch] if other != mac] if switch else []
        observations[node]["links"].append({**device, "carrier": switch is not None})
        observations[node]["heard"].append({**device, "hears": hears, "loop": False})
    return {"nodes": [{"name": node, "nics": nics[node]} for node in ranks]}, observations

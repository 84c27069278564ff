# SPDX-License-Identifier: GPL-3.0-or-later
"""A technician with hands and no ideas of their own: injects faults, and does what a finding says, to the letter.

Where cables really are is read from the kernel, not from any document of ours.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from .conftest import BUILD, LAB, PROJECT, read_json

MENDED_AT_ONCE = ("dead-switch", "duplicate-mac", "lossy", "mtu", "flapping", "isolated", "bridged")
Plugged = dict[str, str | None]  # k00:0 -> the bridge its port is in


def lab(*words: str) -> str:
    """Runs ./fnn lab; what it says."""
    command = [sys.executable, "fnn", "lab", "--lab", LAB, *words]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def read_plugged() -> Plugged:
    """Every cable of a node."""
    listed = subprocess.run(["ip", "-n", f"{LAB}-sw", "-json", "link"], check=True, capture_output=True).stdout
    ports = {link["ifname"]: link.get("master") for link in json.loads(listed)}
    return {name.replace(".", ":"): ports[name] for name in ports if re.fullmatch(r"k\d+\.\d", name)}


def count_fewest_moves(plugged: Plugged) -> int:
    """However the boxes are called: each switch of a node that none of its cables leads to costs a move, and so does
    each cable too many. Tries all names there could be."""
    design = read_json(BUILD / "site" / "design.json")
    switches = [switch["name"] for switch in design["switches"]]
    costs = []
    for names in permutations(switches):
        called = dict(zip(switches, names, strict=True))
        costs.append(sum(count_of_node(node, plugged, called) for node in design["nodes"]))
    return min(costs)


def count_of_node(node: dict[str, Any], plugged: Plugged, called: dict[str, str]) -> int:
    wanted = Counter(link["switch"] for link in node["links"])
    there = Counter(called.get(at, at) for label, at in plugged.items() if label.startswith(f"{node['name']}:") and at)
    return max((wanted - there).total(), (there - wanted).total())


def follow(document: dict[str, Any]) -> None:
    """Does all that the findings say."""
    boxes = find_boxes(document)
    for command in [*list_moves(document["moves"], boxes), *list_deeds(document["findings"])]:
        lab(*command)


def label(end: dict[str, Any]) -> str:
    return f"{end['node']}:{end['device'].removeprefix('nic')}"


def find_boxes(document: dict[str, Any]) -> dict[str, str]:
    """Name of a switch, as verify gave it -> the box that has it."""
    plugged = read_plugged()
    return {link["seen"]: str(plugged[label(link)]) for link in document["links"] if link["seen"]}


def list_moves(moves: list[dict[str, Any]], boxes: dict[str, str]) -> Iterator[list[str]]:
    exchanges = Counter(move["exchange"] for move in moves if move["exchange"])
    for move in moves:
        if exchanges[move["exchange"]] == 2:
            one, other = (label(each) for each in moves if each["exchange"] == move["exchange"])
            if one == label(move):
                yield ["swap", one, other]
        elif move["target"] is None:
            yield ["unplug", label(move)]
        else:
            yield ["move", label(move), boxes.get(move["target"], move["target"])]


def list_deeds(findings: list[dict[str, Any]]) -> Iterator[list[str]]:
    """What is no move of a node's cable. Power and MACs are no cables at all, a better cable or port has no command of
    its own, and both are mended as one mends a lab."""
    for finding in findings:
        action = finding["action"]
        uplink = re.search(r"plug a cable from (\w+) into the uplink switch|end of the second one to (\w+)$", action)
        if uplink:
            yield ["plug", f"{(uplink[1] or uplink[2]).lower()}:up"]
        elif finding["kind"] in ("switches-joined", "loop", "uplink-wrong") or "into a foreign network" in action:
            if not re.search(r"leads into a foreign network; move", action):
                yield ["unplug", find_stray(action)]
        elif finding["kind"] in MENDED_AT_ONCE:
            yield ["mend"]


def find_stray(action: str) -> str:
    """The one cable nobody planned, which must have an end where the action sends us."""
    (stray,) = json.loads(lab("inspect", "--json"))["strays"]
    told = {word.lower() for word in re.findall(r"\b[A-Z]{2,}\b", action)}
    assert {end for end in stray["ends"] if end not in ("house", "uplink")} <= told
    return str(stray["cable"])

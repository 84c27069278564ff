# SPDX-License-Identifier: GPL-3.0-or-later
"""A technician who follows findings literally: injects faults, and executes exactly the action of a finding.

The real place of each cable is read from the kernel, not from a document of the toolkit.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

from ansible.module_utils.fnn.lab import wiring
from ansible.module_utils.fnn.lab.host import execute, read_namespaces, read_state
from ansible.module_utils.fnn.lab.layout import make_layout
from ansible.module_utils.fnn.lab.repair import repair
from plan_settings import make_settings

from .conftest import BUILD, LAB, PROJECT, read_json

REPAIRED_BY_COMMAND = ("dead-switch", "duplicate-mac", "lossy", "mtu", "flapping", "isolated", "bridged")
Plugged = dict[str, str | None]  # k00:0 -> bridge of its port
HANDS: dict[str, Callable[..., wiring.Work]] = {
    "swap": lambda layout, *cables: wiring.swap(layout, read_namespaces(LAB), *cables),
    "move": lambda layout, *where: wiring.move(layout, read_namespaces(LAB), *where),
    "plug": lambda layout, *cables: wiring.plug(layout, read_namespaces(LAB), list(cables)),
    "unplug": lambda layout, *cables: wiring.pull(layout, read_namespaces(LAB), list(cables)),
    "repair": lambda layout: repair(read_state(layout, PROJECT / "module_utils/fnn/lab/lan_host.py")),
}


def lab(*words: str) -> str:
    """Does what ./fnn lab does with these words; returns its output.

    The program takes 1.5 s to start. So cables are moved, and faults repaired, with the functions of its modules.
    """
    if words[0] in HANDS:
        layout = make_layout(read_json(BUILD / "site" / "design.json"), LAB, make_settings(), [], None)
        execute(HANDS[words[0]](layout, *words[1:]), LAB)
        return ""
    command = [sys.executable, "fnn", "lab", "--lab", LAB, *words]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def read_plugged() -> Plugged:
    """The switch of every cable of a node."""
    listed = subprocess.run(["ip", "-n", f"{LAB}-sw", "-json", "link"], check=True, capture_output=True).stdout
    ports = {link["ifname"]: link.get("master") for link in json.loads(listed)}
    return {name.replace(".", ":"): ports[name] for name in ports if re.fullmatch(r"k\d+\.\d", name)}


def count_fewest_moves(plugged: Plugged) -> int:
    """The fewest moves under any naming of the switches. Each switch of a node without one of its cables costs a move,
    and so does each surplus cable. Tries all names."""
    design = read_json(BUILD / "site" / "design.json")
    switches = [switch["name"] for switch in design["switches"]]
    costs = []
    for names in permutations(switches):
        called = dict(zip(switches, names, strict=True))
        costs.append(sum(count_moves_of_node(node, plugged, called) for node in design["nodes"]))
    return min(costs)


def count_moves_of_node(node: dict[str, Any], plugged: Plugged, called: dict[str, str]) -> int:
    wanted = Counter(link["switch"] for link in node["links"])
    there = Counter(called.get(at, at) for label, at in plugged.items() if label.startswith(f"{node['name']}:") and at)
    return max((wanted - there).total(), (there - wanted).total())


def follow(document: dict[str, Any]) -> None:
    """Executes the actions of all findings."""
    boxes = find_boxes(document)
    for command in [*list_moves(document["moves"], boxes), *list_other_actions(document["findings"])]:
        lab(*command)


def label(end: dict[str, Any]) -> str:
    return f"{end['node']}:{end['device'].removeprefix('nic')}"


def find_boxes(document: dict[str, Any]) -> dict[str, str]:
    """Name of a switch as verify reports it -> the bridge that has it."""
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


def list_other_actions(findings: list[dict[str, Any]]) -> Iterator[list[str]]:
    """Actions other than moves of a node's cable. Power and MACs need no cable; a better cable or port has no command
    of its own. `./fnn lab repair` repairs both."""
    for finding in findings:
        action = finding["action"]
        uplink = re.search(r"plug a cable from (\w+) into the uplink switch|end of the second one to (\w+)$", action)
        if uplink:
            yield ["plug", f"{(uplink[1] or uplink[2]).lower()}:up"]
        elif finding["kind"] in ("switches-joined", "loop", "uplink-wrong") or "into a foreign network" in action:
            if not re.search(r"leads into a foreign network; move", action):
                yield ["unplug", find_unexpected_cable(action)]
        elif finding["kind"] in REPAIRED_BY_COMMAND:
            yield ["repair"]


def find_unexpected_cable(action: str) -> str:
    """The one unplanned cable; its ends must be among those that the action names."""
    (cable,) = json.loads(lab("inspect", "--json"))["strays"]
    named = {word.lower() for word in re.findall(r"\b[A-Z]{2,}\b", action)}
    assert {end for end in cable["ends"] if end not in ("house", "uplink")} <= named
    return str(cable["cable"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""Eight nodes with three NICs on six switches of six to eight ports; raw commands cause the faults.

Cables are named by their relation, not by labels of one design: a and a2 are on switch R, b and b2 on B, c on G. Their
nodes are five different ones, and none of a node's other NICs is on another of the three. So each fault has one
explanation only, and the same case holds for any design of this size.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.lab.faults import inject
from ansible.module_utils.fnn.lab.host import execute, read_state
from ansible.module_utils.fnn.lab.layout import Layout, make_layout
from ansible.module_utils.fnn.lab.repair import repair
from fault_cases import Case
from labsite import Site
from module_verify import ModuleVerify
from plan_settings import make_settings

LAB = "faults"
NODES = tuple(f"k{rank}" for rank in range(8))
#: The switches differ in size. The cases need a free port on each switch to which they move a cable.
PORTS = {"red": 8, "orange": 8, "yellow": 7, "green": 7, "blue": 6, "purple": 6}
VARIABLES: dict[str, Any] = {
    "fnn_cluster": LAB,
    "fnn_nics": 3,
    "fnn_switches": [{"name": color, "ports": ports} for color, ports in PORTS.items()],
    "fnn_uplink": {"name": "uplink", "ports": 6},
    "fnn_verify_blocked": 15,  # seconds; every third case has a NIC that hears nothing
}


@dataclass(frozen=True)
class Cable:
    """One cable of the design: `{a}` in a case is its label, `{a.port}` its port in the switches' namespace."""

    node: str
    nic: int
    switch: str

    def __str__(self) -> str:
        return f"{self.node}:{self.nic}"

    @property
    def port(self) -> str:
        return f"{self.node}.{self.nic}"

    @property
    def device(self) -> str:
        return f"nic{self.nic}"


Roles = Mapping[str, Any]
#: Action of `./fnn lab` -> the fault that does the same.
ACTIONS = {"unplug": "missing", "move": "move"}


def choose_roles(design: Mapping[str, Any]) -> Roles:
    """Finds the first cables that fit (see the module docstring). X is the largest switch that is none of R, B, G."""
    on: dict[str, list[Cable]] = {switch["name"]: [] for switch in design["switches"]}
    for node in design["nodes"]:
        for link in node["links"]:
            on[link["switch"]].append(Cable(node["name"], link["nic"], link["switch"]))
    for three in permutations(on, 3):
        apart = [_list_apart(on, switch, three) for switch in three]
        for a, a2, b, b2, c in product(apart[0], apart[0], apart[1], apart[1], apart[2]):
            if len({cable.node for cable in (a, a2, b, b2, c)}) == 5:
                left = sorted((name for name in on if name not in three), key=lambda name: -len(on[name]))
                twin = next(other for name in left for other in on[name] if other.node == a.node)
                cables = {"a": a, "a2": a2, "b": b, "b2": b2, "c": c, "twin": twin}
                switches = dict(zip("RBGX", [*three, left[0]]))
                return {**cables, **switches, **_list_sets(on, cables, switches)}
    raise AssertionError("no cables of this design fit the cases")


def _list_sets(
    on: Mapping[str, list[Cable]], cables: Mapping[str, Cable], switches: Mapping[str, str]
) -> Mapping[str, str]:
    """All cables of a switch (`{Rs}`), each of them (`{R1}`, `{R2}`), all of a node (`{a_all}`), each of them
    (`{c1}`), all of the cluster (`{every}`), without those of a switch (`{but_R}`). `{a_or_b}` are the wrong cables
    when two nodes are in each other's place, `{a_b_c}` those of three."""
    every = [cable for each in on.values() for cable in each]
    whole = {f"{role}s": " ".join(map(str, on[name])) for role, name in switches.items()}
    each = {
        f"{role}{place}": cable
        for role, name in switches.items()
        for place, cable in enumerate(sorted(on[name], key=str), 1)
    }
    of = {role: sorted((one for one in every if one.node == cable.node), key=str) for role, cable in cables.items()}
    whole |= {f"{role}_all": " ".join(map(str, own)) for role, own in of.items()}
    each |= {f"c{place}": cable for place, cable in enumerate(of["c"], 1)}
    but = {f"but_{role}": " ".join(str(one) for one in every if one.switch != name) for role, name in switches.items()}
    wrong = {"a_or_b": _list_misplaced(of["a"], of["b"]), "a_b_c": _list_misplaced(of["a"], of["b"], of["c"])}
    return {**whole, **each, **but, **wrong, "every": " ".join(map(str, every))}


def _list_misplaced(*nodes: Sequence[Cable]) -> str:
    """The wrong cables when each of these nodes has the place of the next one. nodes: their cables."""
    wanted = {own[0].node: {cable.switch for cable in own} for own in nodes}
    places = [pair for own, other in zip(nodes, [*nodes[1:], nodes[0]]) for pair in zip(own, other, strict=True)]
    return " ".join(str(cable) for cable, place in places if place.switch not in wanted[cable.node])


def _list_apart(on: Mapping[str, list[Cable]], switch: str, three: Sequence[str]) -> list[Cable]:
    others = {cable.node for other in three if other != switch for cable in on[other]}
    return [cable for cable in on[switch] if cable.node not in others]


class FaultLab(Site):
    """The lab, the roles of its cables after the design, and the processes of faults."""

    def __init__(
        self, root: Path, lab: str = LAB, nodes: Sequence[str] = NODES, variables: Mapping[str, Any] = VARIABLES
    ) -> None:
        super().__init__(root, lab, nodes, variables)
        self.running: list[subprocess.Popen[bytes]] = []
        self.modules: ModuleVerify | None = None

    @contextmanager
    def booted(self, *playbooks: str) -> Iterator[None]:
        with super().booted(*playbooks):
            self.modules = ModuleVerify(self.root, self.lab, self.make_layout(), self.inventory, self.build)
            try:
                yield
            finally:
                self.modules.end()

    @property
    def design(self) -> dict[str, Any]:
        document: dict[str, Any] = self.read("design.json")
        return document

    def choose_roles(self) -> Roles:
        return choose_roles(self.design)

    def make_layout(self) -> Layout:
        design = Documents(self.root / "schemas").read(self.inventory / "design.json", "fnn-design")
        return make_layout(design, self.lab, make_settings())

    def fnn(self, *words: str) -> str:
        """Executes the work of `./fnn lab` in this process: its playbooks would take most of the time of a case."""
        _, action, *what = words
        state = read_state(self.make_layout(), self.root / "module_utils/fnn/lab/lan_host.py")
        if action == "repair":
            work = repair(state)
        else:
            work = inject(state, *((what[0], what[1:]) if action == "fault" else (ACTIONS[action], what)))
        execute(work, self.lab)
        return ""

    def name_roles(self, text: str) -> str:
        """The text with the cables and switches of this design filled in."""
        return text.format(**self.choose_roles(), lab=self.lab)

    def do(self, line: str) -> None:
        """Executes one line of a case: `lab: …` is a command of ./fnn lab, `sw: …` runs at the switches, `k3: …` in the
        network of that node, `k3! …` in its container, `k3& …` in its network until the case ends, `host: …` on this
        machine. `verify: EVIDENCE` runs verify and ignores its findings, `wait: S` waits."""
        where, mark, what = re.fullmatch(r"(\w+)([:!&]) (.*)", self.name_roles(line), re.DOTALL).groups()  # type: ignore[union-attr]
        if where == "lab":
            self.fnn("lab", *what.split())
        elif where == "verify":
            self.verify(what)
        elif where == "wait":
            time.sleep(float(what))
        elif mark == "&":
            command = [*self._enter(where, mark), "sh", "-c", what]
            self.running.append(subprocess.Popen(command, start_new_session=True))
        else:
            self.run(*self._enter(where, mark), "sh", "-c", what)

    def _enter(self, where: str, mark: str) -> list[str]:
        if where == "host":
            return []
        if mark == "!":
            return ["podman", "exec", f"{self.lab}-{where}"]
        return ["ip", "netns", "exec", f"{self.lab}-{where}"]

    @contextmanager
    def caused(self, case: Case) -> Iterator[None]:
        """Causes the fault of a case; afterwards the lab is whole, and macs.json is as before."""
        macs = self.inventory / "macs.json"
        before = macs.read_bytes()
        try:
            for line in case.do:
                self.do(line)
            yield
        finally:
            self.repair(case.undo)
            macs.write_bytes(before)

    def repair(self, undo: Sequence[str]) -> None:
        for process in self.running:
            os.killpg(process.pid, signal.SIGKILL)  # with all its child processes
            process.wait(timeout=10)
        self.running.clear()
        for line in undo:
            self.do(line)
        self.fnn("lab", "repair")

    def verify(self, evidence: str) -> tuple[dict[str, Any], float]:
        """findings.json of the modules of the play, and the duration of the run in seconds."""
        assert self.modules
        started = time.monotonic()
        (self.build / "findings.json").unlink(missing_ok=True)
        self.modules.verify(self.variables, evidence)
        document: dict[str, Any] = self.read(self.build / "findings.json")
        return document, time.monotonic() - started

    def verify_by_play(self, evidence: str) -> dict[str, Any]:
        """findings.json of the whole play."""
        (self.build / "findings.json").unlink(missing_ok=True)
        done = self.try_to_run(*self.write_play("playbooks/verify.yml", "-e", f"fnn_verify_evidence={evidence}"))
        assert (self.build / "findings.json").exists(), f"{done.stdout}{done.stderr}"
        document: dict[str, Any] = self.read(self.build / "findings.json")
        return document

    def read_plugged(self) -> dict[str, str | None]:
        """k0:0 -> the switch of its port, as the kernel reports it."""
        listed = self.run("ip", "-n", f"{self.lab}-sw", "-o", "link")
        found = re.findall(r"^\d+: (k\d)\.(\d)@\S+ (.*)$", listed, re.MULTILINE)
        # Of a switch that is two devices, the second one is "red-2".
        masters = {f"{node}:{nic}": re.search(r"master (\S+?)(?:-2)? ", rest) for node, nic, rest in found}
        return {label: master[1] if master else None for label, master in masters.items()}

    def count_fewest_moves(self) -> int:
        """The fewest moves under any naming of the switches. Each switch of a node without one of its cables costs a
        move, and so does each surplus cable. Tries all names."""
        plugged, design = self.read_plugged(), self.design
        switches = [switch["name"] for switch in design["switches"]]
        named = (dict(zip(switches, names, strict=True)) for names in permutations(switches))
        return min(sum(_count_of_node(node, plugged, names) for node in design["nodes"]) for names in named)


def _count_of_node(node: Mapping[str, Any], plugged: Mapping[str, str | None], names: Mapping[str, str]) -> int:
    wanted = Counter(link["switch"] for link in node["links"])
    there = Counter(names.get(at, at) for label, at in plugged.items() if label.startswith(f"{node['name']}:") and at)
    return max((wanted - there).total(), (there - wanted).total())


def list_findings(document: Mapping[str, Any]) -> Iterator[str]:
    """Each finding in the notation of a case: its kind and its cables."""
    for finding in document["findings"]:
        cables = (f"{cable['node']}:{cable['device'].removeprefix('nic')}" for cable in finding["cables"])
        yield write_finding(finding["kind"], *cables)


def write_finding(kind: str, *cables: str) -> str:
    return " ".join([kind, *sorted(cables)])


def is_as_expected(found: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether findings and expected findings match one to one; `x | y` allows either."""
    left = list(found)
    for each in expected:
        ways = [write_finding(*way.split()) for way in each.split("|")]
        hit = next((way for way in ways if way in left), None)
        if hit is None:
            return False
        left.remove(hit)
    return not left

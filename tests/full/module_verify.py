# SPDX-License-Identifier: GPL-3.0-or-later
"""Verifies a lab by the modules of playbooks/verify.yml, without Ansible, which takes most of the time of that play.

The steps and their arguments are those of roles/fnn_verify. Modules of nodes run in their containers, so a node that
is off gives no answer, and one that is frozen a late one.
"""

from __future__ import annotations

import base64
import io
import json
import secrets
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import ansible
from ansible.module_utils.fnn.controller.discover.expected import expect_groups, expect_neighbors
from ansible.module_utils.fnn.controller.engine_program import run_command
from ansible.module_utils.fnn.controller.segments import has_cables
from ansible.module_utils.fnn.controller.task import Task
from ansible.module_utils.fnn.lab import wiring
from ansible.module_utils.fnn.lab.host import execute, read_namespaces
from ansible.module_utils.fnn.lab.layout import Layout
from loading import load_file
from plan_settings import read_variables

Answer = dict[str, Any]
_SETTINGS = ("fnn_verify_seconds", "fnn_verify_blocked")
_AGENT = Path(__file__).with_name("module_agent.py").read_text(encoding="utf-8")


@cache
def pack_modules(root: Path) -> bytes:
    """A ZIP archive of the modules, the rooms of nodes, and what Ansible gives to each module; in base64."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for place in (Path(ansible.__file__).parent, root):
            for file in sorted((place / "module_utils").rglob("*.py")):
                if not {"controller", "lab", "facts"} & set(file.parts):
                    archive.write(file, Path("ansible", file.relative_to(place)))
        archive.writestr("ansible/__init__.py", "")
        for name in ("fnn_links.py", "fnn_relearn.py"):
            archive.write(root / "library" / name, name)
    return base64.b64encode(packed.getvalue())


class Agent:
    """A process that runs a module again and again (module_agent.py). It ends with its node."""

    def __init__(self, root: Path, place: Sequence[str], module: str) -> None:
        """place: the words that start a command in the node or namespace."""
        command = [*place, "python3", "-c", _AGENT, module]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._send(pack_modules(root))

    def _send(self, line: bytes) -> None:
        """In a node that is off, no process reads it."""
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()

    def run(self, **arguments: Any) -> Answer | None:
        """The answer of the module; None if the node is off."""
        self._send(json.dumps(arguments).encode())
        assert self.process.stdout
        line = self.process.stdout.readline()
        answer: Answer | None = json.loads(line) if line.strip() else None
        return answer

    def end(self) -> None:
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(timeout=60)


class ModuleVerify:
    """Verifies one lab."""

    def __init__(self, root: Path, lab: str, layout: Layout, inventory: Path, build: Path) -> None:
        self.root, self.lab, self.layout, self.inventory, self.build = root, lab, layout, inventory, build
        self.agents: dict[str, Agent] = {}

    def verify(self, variables: Mapping[str, Any], evidence: str) -> None:
        """Write findings.json, and adopted NICs to macs.json, as the play does."""
        design, macs = (json.loads((self.inventory / f"{name}.json").read_text()) for name in ("design", "macs"))
        neighbors, key = expect_neighbors(design, macs), secrets.token_hex(32)
        settings = {name: variables.get(name, read_variables()[name].default) for name in _SETTINGS}
        nodes = [node["name"] for node in design["nodes"]]
        relearn = None
        with self._prepared(evidence):
            listen = {"cluster": design["cluster"], "key": key, "mtu": variables.get("fnn_mtu", 0), "match": ["nic*"]}
            listen |= {"direct": has_cables(design["spec"]), "seconds": 120 + 3 * len(nodes)}
            listening = self._run_on_nodes(nodes, state="listen", **listen, each=("named", neighbors))
            settle = {"settle": settings["fnn_verify_seconds"]}
            blocked = settings["fnn_verify_blocked"] if len(listening) > 1 else 0
            if not all(answer["steady"] for answer in listening.values()):
                waits = {"state": "wait", "blocked": blocked, **settle}
                self._run_on_nodes(listening, **waits, each=("neighbors", neighbors))
            if evidence == "relearn":
                relearn = self._probe(design["cluster"], key, expect_groups(design, macs), listen["seconds"])
            heard = self._run_on_nodes(listening, state="collect", **settle)
        self._compare(heard, relearn, [node for node in nodes if node not in heard])

    @contextmanager
    def _prepared(self, evidence: str) -> Iterator[None]:
        """With the uplinks out, or with a head on the uplink switch; afterwards the lab is as before."""
        probes = evidence == "relearn"
        self._wire(wiring.plug_uplinks if probes else wiring.pull_uplinks)
        self._wire(wiring.plug_head if probes else wiring.pull_head)
        try:
            yield
        finally:
            self._wire(wiring.plug_uplinks)
            self._wire(wiring.pull_head)

    def _wire(self, compute: Any) -> None:
        execute(compute(self.layout, read_namespaces(self.lab)), self.lab)

    def _run_on_nodes(
        self, nodes: Iterable[str], each: tuple[str, Mapping[str, Any]] | None = None, **arguments: Any
    ) -> dict[str, Answer]:
        """Run fnn_links on all nodes at once: node -> its answer, without nodes that give none. each: the name of an
        argument, and its value by node."""

        def run(node: str) -> Answer | None:
            named = {"node": node} if arguments["state"] == "listen" else {}
            return self._run_on_node(node, {**arguments, **named, **({each[0]: each[1][node]} if each else {})})

        names = list(nodes)
        with ThreadPoolExecutor(len(names)) as pool:
            answers = dict(zip(names, pool.map(run, names), strict=True))
        return {node: answer for node, answer in answers.items() if answer is not None}

    def _run_on_node(self, node: str, arguments: Mapping[str, Any]) -> Answer | None:
        """The answer of a node; None if it is off. Its agent starts with the first run after its boot."""
        agent = self.agents.get(node)
        if agent is None or agent.process.poll() is not None:
            place = ["podman", "exec", "--interactive", f"{self.lab}-{node}"]
            agent = self.agents[node] = Agent(self.root, place, "fnn_links")
        answer = agent.run(**arguments)
        if answer is None:
            state = ["podman", "container", "inspect", "--format", "{{.State.Running}}", f"{self.lab}-{node}"]
            assert run_command(state)[1].strip() == "false", f"{node} runs and gave no answer"
        assert answer is None or not answer.get("failed"), f"{node}: {answer}"
        return answer

    def _probe(self, cluster: str, key: str, expected: list[list[str]], seconds: int) -> Answer | None:
        """The result of the relearn probe, as roles/fnn_verify/tasks/relearn.yml records it."""
        agent = Agent(self.root, ["ip", "netns", "exec", f"{self.lab}-sw"], "fnn_relearn")
        try:
            found = agent.run(cluster=cluster, key=key, device="head", expected=expected, seconds=seconds)
        finally:
            agent.end()
        assert found and not found.get("failed") and (found["reaches_head"] or found["loop"]), found
        return {**{part: found[part] for part in ("groups", "unsure", "reaches_head")}, "head": "localhost"}

    def _compare(self, heard: Mapping[str, Answer], relearn: Answer | None, silent: list[str]) -> None:
        paths = {"design": self.inventory / "design.json", "macs": self.inventory / "macs.json"}
        paths |= {"findings": self.build / "findings.json", "root": self.root}
        options = {**paths, "observations": heard, "relearn": relearn, "unreachable": silent}
        options |= {"network": "fabric", "adopt": True, "node": None}
        module = load_file(self.root / "library" / "fnn_verify.py").describe_module()
        result = module.execute(Task(options, False, False, run_command, print))
        assert "verdict" in result, result

    def end(self) -> None:
        for agent in self.agents.values():
            agent.end()
        self.agents.clear()

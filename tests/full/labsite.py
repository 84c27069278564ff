# SPDX-License-Identifier: GPL-3.0-or-later
"""A lab with its own site below build/.

The site is an ordinary inventory. It takes the connection to nodes from inventory/lab. All runs are those of an
operator: playbooks and ./fnn, with no variables but the inventory's.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.plan.rendered import view_node


def to_playbooks(*stages: str) -> list[str]:
    return [f"playbooks/{stage}.yml" for stage in stages]


#: The switches of the six nodes of the paper.
COLORS = ("red", "blue", "green")


def list_variables(cluster: str, ports: int = 5, colors: Sequence[str] = COLORS, **more: Any) -> dict[str, Any]:
    """Variables of a cluster whose nodes have two NICs. ports: those of each switch. more: other variables."""
    switches = [{"name": color, "ports": ports} for color in colors]
    return {"fnn_cluster": cluster, "fnn_nics": 2, "fnn_switches": switches, **more}


#: Stages of site.yml that change no network of a node.
LOOKS = to_playbooks("evaluate", "compare", "discover", "verify", "prove", "report", "summary")
#: The other stages and summary, which take seconds and need not reach all hosts of the inventory.
CHANGES = to_playbooks("design", "network", "mpi", "summary")


@dataclass(frozen=True)
class Site:
    """root: the repository. lab: name of its namespaces and containers. variables: those of the cluster.

    seconds: the timeout of each run. satellites: hosts on the uplink switch, each with its own variables.
    """

    root: Path
    lab: str
    nodes: Sequence[str]
    variables: Mapping[str, Any]
    seconds: float = 900
    satellites: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cluster(self) -> str:
        return str(self.variables["fnn_cluster"])

    @property
    def inventory(self) -> Path:
        return self.root / "build" / f"{self.cluster}-site"

    @property
    def build(self) -> Path:
        return self.root / "build" / self.cluster

    def make(self, **more: Any) -> None:
        """Makes an inventory without documents."""
        for directory in filter(Path.exists, (self.inventory, self.build)):
            shutil.rmtree(directory)
        groups = Path(shutil.copytree(self.root / "inventory/lab/group_vars", self.inventory / "group_vars"))
        lab = groups / "all" / "lab.yml"
        lab.write_text(lab.read_text().replace("fnn_lab_name: fnn\n", f"fnn_lab_name: {self.lab}\n"))
        beside = {"fnn_satellites": {"hosts": dict(self.satellites)}} if self.satellites else {}
        hosts = {"fnn_nodes": {"hosts": dict.fromkeys(self.nodes)}, **beside}
        (self.inventory / "hosts.yml").write_text(json.dumps(hosts))
        self.tune(**more)

    def tune(self, **more: Any) -> None:
        """Sets these variables in addition to the site's own."""
        text = json.dumps({**self.variables, **more})
        (self.inventory / "group_vars" / "all" / "fnn.yml").write_text(text)

    @contextmanager
    def booted(self, *playbooks: str) -> Iterator[None]:
        """Boots the lab of a fresh site with these playbooks; removes it at the end."""
        self.make()
        self.play("playbooks/lab-down.yml")
        self.play(*playbooks)
        yield
        self.play("playbooks/lab-down.yml")

    def play(self, *words: str) -> str:
        return self.run(*self.write_play(*words))

    def write_play(self, *words: str) -> list[str | Path]:
        return [Path(sys.executable).with_name("ansible-playbook"), "-i", self.inventory, *words]

    def fnn(self, *words: str) -> str:
        return self.run(*self.write_fnn(*words))

    def write_fnn(self, *words: str) -> list[str | Path]:
        return [sys.executable, self.root / "fnn", "-i", self.inventory, *words]

    def run(self, *command: str | Path) -> str:
        """The output of a command; fails the test when the command fails."""
        done = self.try_to_run(*command)
        assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}"
        return done.stdout

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"ANSIBLE_CONFIG": str(self.root / "ansible.cfg"), "ANSIBLE_NOCOLOR": "1"}

    def try_to_run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,  # Ansible refuses one that an earlier ssh has made non-blocking
            capture_output=True,
            text=True,
            timeout=self.seconds,
            check=False,
        )

    def inside(self, node: str, *command: str, check: bool = True) -> str:
        """The output of a command in a node, as root."""
        words = ["podman", "exec", f"{self.lab}-{node}", *command]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
        assert not check or done.returncode == 0, f"{node}: {command}: {done.stdout}{done.stderr}"
        return done.stdout

    def read_status(self, node: str) -> dict[str, Any]:
        """What `fnn-net status` prints in a node."""
        return dict(json.loads(self.inside(node, "fnn-net", "status")))

    def find_process(self, node: str) -> str:
        """The PID of a node's first process on this machine."""
        return self.run("podman", "inspect", "--format", "{{.State.Pid}}", f"{self.lab}-{node}").strip()

    def locate(self, node: str, path: str) -> Path:
        """A path of a node as this machine reaches it (proc(5)), without a program on the node."""
        return Path("/proc", self.find_process(node), "root", path.lstrip("/"))

    def shell(self, node: str, script: str, check: bool = True) -> str:
        """The output of a shell script in a node, as root."""
        return self.inside(node, "sh", "-c", script, check=check)

    def move_cables(self, moves: list[dict[str, Any]]) -> None:
        """Moves cables as a person would: a cable that must be held is pulled first and plugged in last."""
        held = [move for move in moves if move["hold"]]
        for move in held:
            self.fnn("lab", "unplug", f"{move['node']}:{move['nic']}")
        for move in [move for move in moves if not move["hold"]] + held:
            self.fnn("lab", "move", f"{move['node']}:{move['nic']}", move["to"])

    def replace_nic(self, node: str, nic: int, mac: str) -> None:
        """Replaces a NIC by another in the same slot, on the same port of the switch."""
        port = f"{node}.{nic}"
        (link,) = json.loads(self.run("ip", "-n", f"{self.lab}-sw", "-json", "link", "show", port))
        self.run("ip", "-n", f"{self.lab}-sw", "link", "del", port)
        peer = ("peer", "name", f"nic{nic}", "address", mac, "netns", f"{self.lab}-{node}")
        self.run("ip", "-n", f"{self.lab}-sw", "link", "add", "name", port, "type", "veth", *peer)
        self.run(
            "ip", "-n", f"{self.lab}-sw", "link", "set", port, "up", "mtu", str(link["mtu"]), "master", link["master"]
        )

    def find_silent(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Ordered pairs, by name, whose ping gets no answer."""
        script = "for name in $0 $@; do ping -q -c 1 -W 2 $name > /dev/null || echo $name; done"
        return [(one, other) for one in names for other in self.inside(one, "sh", "-c", script, *names).split()]

    def check_proved(self, *nodes: str, whole: bool = False) -> None:
        """All pairs reach one another, the proof reports it, and a second run changes nothing.

        whole: the second run is site.yml, for which all hosts of the inventory must answer; else CHANGES.
        """
        assert self.find_silent(nodes) == []
        self.play(*(LOOKS if whole else to_playbooks("prove", "summary")))
        proof = self.read(self.build / "proof.json")
        assert (proof["verdict"], proof["problems"]) == ("proved", [])
        assert sorted(proof["nodes"]) == sorted(nodes)
        again = self.play(*(["site.yml"] if whole else CHANGES), "--diff")
        assert find_changed(again) == [], again
        for node in nodes:
            assert not self.inside(node, "ls", "/etc/fnn").count("cutover")

    def read(self, path: Path | str) -> Any:
        """A document; relative paths start beside the inventory."""
        return json.loads((self.inventory / path).read_text(encoding="utf-8"))

    def read_view(self, node: str) -> dict[str, Any]:
        """The plan of a node."""
        return dict(view_node(self.root, self.build, node))


def find_changed(output: str) -> list[str]:
    """Changed hosts of a recap."""
    return re.findall(r"^(\S+) +: .*changed=[1-9]", output, re.MULTILINE)


def find_failed(output: str) -> set[str]:
    """Hosts that failed or could not be reached."""
    return set(re.findall(r"^(?:fatal|failed): \[([\w.-]+)", output, re.MULTILINE))

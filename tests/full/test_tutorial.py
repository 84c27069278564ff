# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of docs/tutorial/first-evening.md run in their order, on containers in place of the PCs.

They run in a copy of the checkout, as a reader has it, so that no inventory/mine of a person is in the way. The test
does what a person does by hand: it plugs cables, replaces a NIC and switches nodes on and off (HANDS). Stand-ins for
ssh and its helpers reach the containers (tutorial.py).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.init.read_node import read_node
from labsite import Site
from programs import ROOT
from tutorial import NOT_RUN, PAGE, STAND_INS, Section, read_sections

from scripts.checkout import copy_checkout

LAB = "tutor"
NODES = tuple(f"k{rank:02d}" for rank in range(16))
OLD_NODE, NEW_NODE, NEW_MAC = "k15", "k16", "02:f0:00:00:99:02"
STAYING = tuple(node for node in NODES if node != OLD_NODE)
SECTIONS = read_sections(PAGE.read_text(encoding="utf-8"))


class TutorialSite(Site):
    """The reader's checkout and their inventory/mine. home: their home directory, with the stand-ins in bin/."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, {"fnn_cluster": "mine"}, seconds=3600)
        self.home = root.with_name("tutorial-home")
        self.exports = self.home / "exports"

    @property
    def inventory(self) -> Path:
        return self.root / "inventory" / "mine"

    @property
    def environment(self) -> dict[str, str]:
        path = f"{self.home / 'bin'}:{os.environ['PATH']}"
        inherited = {name: value for name, value in super().environment.items() if not name.startswith("FNN_")}
        return inherited | {"HOME": str(self.home), "PATH": path, "TERM": "dumb"}

    def copy_checkout(self) -> None:
        """Copies the files that git has or would add, and makes the home."""
        copy_checkout(ROOT, self.root)
        if self.home.exists():
            shutil.rmtree(self.home)
        (self.home / ".ssh").mkdir(parents=True)
        (self.home / "bin").mkdir()
        config = self.root / "build/lab" / LAB / "ssh/config"
        scripts = dict.fromkeys(STAND_INS, "exit 0") | {"ssh": f'exec {shutil.which("ssh")} -F "{config}" "$@"'}
        for name, script in scripts.items():
            (self.home / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
            (self.home / "bin" / name).chmod(0o755)

    def execute(self, command: str) -> str:
        """The output of a line of the page, with the variables that earlier lines exported."""
        before = f". {self.exports}; " if self.exports.exists() else ""
        return self.run("bash", "-e", "-c", f"{before}{command}\nexport -p > {self.exports}")

    def become_lab(self) -> None:
        """Gives the new inventory the connection of the lab, and removes the lab of a run that was killed."""
        groups = self.inventory / "group_vars"
        shutil.copytree(self.root / "inventory/lab/group_vars/fnn_nodes", groups / "fnn_nodes")
        lab = (self.root / "inventory/lab/group_vars/all/lab.yml").read_text()
        (groups / "all/lab.yml").write_text(lab.replace("fnn_lab_name: fnn\n", f"fnn_lab_name: {LAB}\n"))
        self.play("playbooks/lab-down.yml")

    def plug(self) -> None:
        """Boots nodes that are not there, and plugs all cables as designed."""
        self.play("playbooks/lab.yml")
        self.play("playbooks/adhoc/lab-recable.yml")

    def carry_away(self, node: str) -> None:
        """Removes a node with its cables, as the next one takes its rank, its addresses and its ports."""
        self.run("podman", "rm", "--force", "--time=0", f"{LAB}-{node}")
        self.run("ip", "netns", "delete", f"{LAB}-{node}")

    def find_traces(self, *nodes: str) -> list[str]:
        """Directories of the toolkit on nodes."""
        look = "ls -d /etc/fnn /var/lib/fnn /usr/local/lib/fnn 2> /dev/null"
        return [f"{node} {path}" for node in nodes for path in self.shell(node, look, check=False).split()]

    def read_proved(self) -> list[str]:
        """The nodes of the proof, if it proved the network."""
        proof = self.read(self.build / "proof.json")
        assert (proof["verdict"], proof["problems"]) == ("proved", [])
        return sorted(proof["nodes"])


def replace_a_nic(site: TutorialSite) -> None:
    site.replace_nic("k02", 1, NEW_MAC)


def take_away(site: TutorialSite) -> None:
    assert site.find_traces(OLD_NODE) == []
    site.carry_away(OLD_NODE)


def dismantle(site: TutorialSite) -> None:
    assert site.find_traces(*STAYING, NEW_NODE) == []
    site.play("playbooks/lab-down.yml")


INIT = "./fnn init mine --nodes 16 --nics 3 --switches 6 --ports 8 --speed 2500"
#: What hands do after a command, which occurs once in its section.
HANDS: dict[tuple[str, str], Callable[[TutorialSite], None]] = {
    ("Describe the cluster", INIT): TutorialSite.become_lab,
    ("Design the wiring", "./fnn design"): TutorialSite.plug,
    ("Run a program", "ssh k00 sudo -iu fnn mpiexec.mpich -f /etc/fnn/hosts.mpich hostname"): replace_a_nic,
    ("Remove a node", f"./fnn remove --limit {OLD_NODE} --yes"): take_away,
    ("Add a node", "./fnn design --grow"): TutorialSite.plug,
    ("Remove everything", "./fnn remove --yes"): dismantle,
}


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[TutorialSite]:
    site = TutorialSite(root / "build" / "tutorial")
    site.copy_checkout()
    yield site
    if site.inventory.exists():
        site.play("playbooks/lab-down.yml")


def test_hands_act_after_commands_of_the_page() -> None:
    there = [(section.title, command) for section in SECTIONS for command in section.commands]
    assert [each for each in HANDS if there.count(each) != 1] == []
    assert NOT_RUN.keys() <= {command for _, command in there}


@pytest.mark.parametrize("section", SECTIONS, ids=[section.title for section in SECTIONS])
def test_the_commands_of_a_section_run(section: Section, site: TutorialSite) -> None:
    outputs = []
    for command in section.commands:
        if command not in NOT_RUN:
            outputs.append(site.execute(command))
            HANDS.get((section.title, command), lambda _: None)(site)
    CHECKS.get(section.title, lambda *_: None)(site, outputs)


def check_design(site: TutorialSite, _: Sequence[str]) -> None:
    """It is that of inventory/sixteen, which the page shows."""
    example = json.loads((site.root / "inventory/sixteen/design.json").read_text(encoding="utf-8"))
    assert site.read("design.json")["nodes"] == example["nodes"]


def check_read_node(site: TutorialSite, _: Sequence[str]) -> None:
    """`./fnn init --read` reads the node over ssh; its veth devices are no physical NICs."""

    def run(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([site.home / "bin" / command[0], *command[1:]], **options)  # noqa: PLW1510 (in options)

    assert read_node("k00", run=run) == ()


def check_proof(site: TutorialSite, _: Sequence[str]) -> None:
    assert site.read_proved() == [*NODES]


def check_programs(_: TutorialSite, outputs: Sequence[str]) -> None:
    assert [sorted(output.split()) for output in outputs] == [[*NODES]] * 2


def check_new_nic(site: TutorialSite, _: Sequence[str]) -> None:
    nics = {node["name"]: node["nics"] for node in site.read("macs.json")["nodes"]}
    assert nics["k02"][1]["mac"] == NEW_MAC
    assert site.read_proved() == [*NODES]


def check_new_node(site: TutorialSite, _: Sequence[str]) -> None:
    assert site.read_proved() == [*STAYING, NEW_NODE]


def check_rest(site: TutorialSite, _: Sequence[str]) -> None:
    assert site.read_proved() == [*STAYING]
    assert [
        node
        for node in STAYING
        if OLD_NODE in site.inside(node, "cat", "/etc/fnn/nics", "/etc/fnn/neighbors", "/etc/hosts")
    ] == []


#: What must hold after a section, with the outputs of its commands.
CHECKS: dict[str, Callable[[TutorialSite, Sequence[str]], None]] = {
    "Design the wiring": check_design,
    "Prepare the nodes": check_read_node,
    "Configure everything": check_proof,
    "Run a program": check_programs,
    "Replace a NIC": check_new_nic,
    "Remove a node": check_rest,
    "Add a node": check_new_node,
}

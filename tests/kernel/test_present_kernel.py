# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/apply/present.py: whether a node has the files of its plan and needs no change."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.shared.bundle import identify_delivery, make_delivery, read_bundle
from namespaces import ROOT, Cables
from one_node import MAC, Apply

CODE = """
import sys
from pathlib import Path
from fnn.node.apply.present import identify_state
print(identify_state(Path(sys.argv[1])) or "", end="")
"""


class Node(Apply):
    def identify(self) -> str:
        """The state of the node; "" for none."""
        path = str(ROOT / "module_utils")
        return self.cables.inside("k00", sys.executable, "-Bc", CODE, str(self.root), PYTHONPATH=path).stdout

    @property
    def rendered(self) -> str:
        """The state of a node that has the files of the controller."""
        return identify_delivery(make_delivery(read_bundle(self.common, self.own)), [])


@pytest.fixture
def node(cables: Cables, tmp_path: Path) -> Node:
    return Node(cables, tmp_path)


def test_a_node_with_the_rendered_files_has_their_state(node: Node) -> None:
    assert node.identify() == ""
    node.run()
    assert node.identify() == node.rendered
    node.render({"/etc/fnn/links": f"red {MAC} 10.77.0.9/24 1400\n"})
    assert node.identify() not in ("", node.rendered), "it has the former files, and needs the new ones"


def remove_neighbor(node: Node) -> None:
    node.cables.ip("k00", "neighbor", "del", "10.77.0.2", "dev", "nic0")


def remove_file(node: Node) -> None:
    (node.root / "etc/fnn/neighbors").unlink()


def remove_block(node: Node) -> None:
    (node.root / "etc/hosts").write_text("127.0.0.1 localhost\n")


def change_mode(node: Node) -> None:
    (node.root / "etc/fnn/links").chmod(0o666)


def damage_manifest(node: Node) -> None:
    (node.root / "etc/fnn/manifest.json").write_text('{"files": [{"path": 3}]}')


@pytest.mark.parametrize("change", [remove_neighbor, remove_file, remove_block, change_mode, damage_manifest])
def test_a_node_that_needs_a_change_has_no_state(node: Node, change: Callable[[Node], None]) -> None:
    node.run()
    change(node)
    assert node.identify() == ""


def test_an_edited_file_gives_another_state(node: Node) -> None:
    node.run()
    (node.root / "etc/sysctl.d/90-fnn.conf").write_text("# edited\nnet.ipv4.fib_multipath_hash_policy = 1\n")
    assert node.identify() not in ("", node.rendered)


def test_a_change_that_waits_for_confirmation_has_no_state(node: Node) -> None:
    assert node.run(confirm=100)["armed"]
    assert node.identify() == ""

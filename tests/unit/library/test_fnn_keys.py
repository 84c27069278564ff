# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_keys.py on the golden six-PC cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.shared.trust import Trust, unpack
from plan_settings import BASE

NODES = tuple(f"k0{rank}" for rank in range(6))


class Gathering:
    """Runs the module for nodes with a state each."""

    def __init__(self, run_module: Any, root: Path, path: Path) -> None:
        self._run, self.path = run_module, path
        self._case = root / "tests/golden/six"
        self.nodes = {name: {"host": f"ssh-ed25519 {name}", "user": f"ssh-ed25519 u{name}"} for name in NODES}

    def gather(self, state: dict[str, Any], *names: str, check: bool = False) -> dict[str, Any]:
        """state: further facts of every node. names: of the nodes that take part; all without."""
        seen = {name: {**self.nodes[name], **state} for name in names or NODES}
        files = {"design": self._case / "design.json", "macs": self._case / "macs.json", "path": self.path}
        answer: dict[str, Any] = self._run("fnn_keys", check=check, variables=BASE, user="fnn", seen=seen, **files)
        return answer

    def trust(self) -> Trust:
        return unpack(self.gather({})["trust"])


@pytest.fixture
def gathering(run_module: Any, root: Path, tmp_path: Path) -> Gathering:
    return Gathering(run_module, root, tmp_path / "keys.json")


def test_nodes_without_the_present_keys_are_unfinished(gathering: Gathering) -> None:
    answer = gathering.gather({"trust": "", "missing": []})
    assert (answer["changed"], answer["unfinished"]) == (True, list(NODES))
    digest = unpack(answer["trust"]).digest
    again = gathering.gather({"trust": digest, "missing": []})
    assert (again["changed"], again["unfinished"]) == (False, [])


def test_nodes_that_lack_packages_are_unfinished(gathering: Gathering) -> None:
    state = {"trust": gathering.trust().digest, "missing": ["mpich"]}
    assert gathering.gather(state, "k02")["unfinished"] == ["k02"]


def test_a_new_key_makes_all_nodes_unfinished(gathering: Gathering) -> None:
    digest = gathering.trust().digest
    gathering.nodes["k03"]["user"] = "ssh-ed25519 reinstalled"
    answer = gathering.gather({"trust": digest})
    assert answer["unfinished"] == list(NODES)
    assert "ssh-ed25519 reinstalled fnn@k03" in unpack(answer["trust"]).authorized_keys


def test_keys_of_nodes_that_take_no_part_stay(gathering: Gathering) -> None:
    trust = gathering.trust()
    answer = gathering.gather({"trust": trust.digest}, "k01")
    assert (answer["unfinished"], unpack(answer["trust"])) == ([], trust)


def test_check_mode_ignores_nodes_without_keys_and_writes_nothing(gathering: Gathering) -> None:
    gathering.nodes["k00"] = {"host": "", "user": ""}
    answer = gathering.gather({"trust": "", "missing": []}, check=True)
    assert (answer["changed"], answer["unfinished"]) == (True, list(NODES))
    assert "k00" not in unpack(answer["trust"]).authorized_keys
    assert not gathering.path.exists()


def test_a_node_without_a_key_is_refused(gathering: Gathering) -> None:
    gathering.nodes["k00"]["host"] = ""
    assert gathering.gather({})["msg"] == '/k00/host: "" is not a public key'


def test_the_document_has_public_keys_alone(gathering: Gathering) -> None:
    gathering.gather({"trust": "", "missing": ["mpich"]})
    assert {key for node in read_json(gathering.path)["nodes"] for key in node} == {"name", "host", "user"}

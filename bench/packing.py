# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the files of all nodes once, by the action plugin of fnn_apply, and prints how many characters a node gets.

    python -m bench.packing BUILD

No node is contacted: each call of the module on a node is counted, and answered with "nothing changed".
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play_context import PlayContext
from ansible.playbook.task import Task
from ansible.plugins.loader import connection_loader

from bench import measure


def load_file(path: Path) -> ModuleType:
    """A module of library/ or a plugin."""
    spec = importlib.util.spec_from_file_location(f"bench_{path.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def list_options(build: str, node: str) -> dict[str, str]:
    """The options of fnn_apply with which the role delivers the files of a node."""
    return {"bundle": f"{build}/nodes/{node}", "common": f"{build}/common", "delivered": f"{build}/delivered/{node}"}


class Packer:
    """Packs the files of one node after another."""

    def __init__(self, build: Path) -> None:
        self.build, self.sent = build, 0
        self._plugin = load_file(measure.ROOT / "action_plugins/fnn_apply.py")
        self._options = list_options(str(build), "NODE")

    def pack(self, node: str) -> int:
        """The characters that the node gets. Raises AnsibleActionFail."""
        self.sent = 0
        options = {name: value.replace("NODE", node) for name, value in self._options.items()}
        task, context = Task.load({"action": "fnn_apply", "args": options}), PlayContext()
        connection = connection_loader.get("local", context)
        action = self._plugin.ActionModule(task, connection, context, DataLoader(), None, None)
        action._execute_module = self._count
        action.run(task_vars={})
        return self.sent

    def _count(self, *_: Any, module_args: dict[str, Any], **__: Any) -> dict[str, Any]:
        self.sent += len(module_args["bundle"])
        return {"changed": False}


def pack_all(build: Path) -> dict[str, int]:
    """Packs the files of all nodes. Returns the characters that one gets at most, and if only its own files change."""
    packer = Packer(build)
    nodes = sorted(path.name for path in (build / "nodes").iterdir() if path.is_dir())
    most = max(packer.pack(node) for node in nodes)
    return {"all": most, "own": pack_changed(packer, nodes[-1])}


def pack_changed(packer: Packer, node: str) -> int:
    """The characters that a node gets when all its own files change. Leaves the files as they were."""
    home = packer.build / "nodes" / node
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file() and path.parent != home}
    try:
        for path, content in before.items():
            path.write_bytes(content + b"# changed\n")
        return packer.pack(node)
    finally:
        for path, content in before.items():
            path.write_bytes(content)


if __name__ == "__main__":
    print(json.dumps(pack_all(Path(sys.argv[1]))))

# SPDX-License-Identifier: GPL-3.0-or-later
"""One node to which fnn_apply copies files: its / is a directory, its kernel a network namespace."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.plan.files import list_common, list_node_files
from ansible.module_utils.fnn.shared.bundle import make_delivery, pack, read_bundle
from ansible.module_utils.fnn.shared.node_paths import PACKAGE
from namespaces import IDENTITY, Cables
from programs import PROGRAMS, ROOT

MAC = "02:f0:00:00:00:00"
FILES = {
    "/etc/fnn/node": f"cluster six\nnode k00\nrank 0\nidentity fnn0 {IDENTITY} 10.78.0.1\nprotocol 196\n",
    "/etc/fnn/links": f"red {MAC} 10.77.0.1/24 1500\n",
    "/etc/fnn/neighbors": "red 10.77.0.2 02:f0:00:00:01:00 k01\n",
    "/etc/fnn/routes": "10.78.0.2 k01 red=10.77.0.2\n",
    "/etc/hosts": "10.78.0.1 k00\n10.78.0.2 k01\n",
    "/etc/sysctl.d/90-fnn.conf": "net.ipv4.fib_multipath_hash_policy = 1\n",
    **{path: source.read_text() for path, source in PROGRAMS.items()},
}
NET = f"{PACKAGE}/node/net/command.py"


class Apply:
    """One node k00 with a NIC on a bridge, build directories and a directory that stands for its /."""

    def __init__(self, cables: Cables, directory: Path) -> None:
        self.cables, self.root = cables, directory / "root"
        self.common, self.own = directory / "build/common", directory / "build/nodes/k00"
        cables.add_switch("red")
        cables.add_node("k00")
        cables.add_nic("k00", 0, MAC, "red")
        self.root.mkdir()
        self.render({})

    def render(self, changed: dict[str, str | None]) -> None:
        """Renders the build directories; None omits a file."""
        common = {each.path for each in list_common(list_node_files(ROOT), {"linkd": {}, "mpi": {"rails": False}})}
        entries: dict[Path, list[dict[str, str]]] = {self.common: [], self.own: []}
        for path, text in sorted({**FILES, **changed}.items()):
            if text is not None:
                home = self.common if path in common else self.own
                place = home / path.lstrip("/")
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)
                kind = "block" if path == "/etc/hosts" else "file"
                entries[home].append({"path": path, "kind": kind, "mode": "0755" if "sbin" in path else "0644"})
        for home, files in entries.items():
            (home / "manifest.json").write_text(json.dumps({"files": files}))

    def run(self, without: Collection[str] = (), **options: Any) -> dict[str, Any]:
        """Applies the files. without: paths whose contents do not travel."""
        delivery = make_delivery(read_bundle(self.common, self.own))
        contents = {path: text for path, text in delivery.contents.items() if path not in without}
        bundle = pack(replace(delivery, contents=contents))
        return self.cables.run_module("k00", "fnn_apply", bundle=bundle, root=str(self.root), **options)

    def is_settled(self) -> bool:
        answer = self.run()
        return not (answer["changed"] or answer["files"] or answer["commands"])

    def read(self, path: str) -> str:
        return (self.root / path.lstrip("/")).read_text()

    def read_all(self) -> dict[str, tuple[int, bytes]]:
        """Mode and content of every file except the node's own state and what Python compiled."""
        paths = {str(path.relative_to(self.root)): path for path in self.root.rglob("*") if path.is_file()}
        return {
            name: (path.stat().st_mode, path.read_bytes())
            for name, path in paths.items()
            if not name.startswith(("var/lib/fnn/", "run/fnn/")) and "__pycache__" not in name
        }

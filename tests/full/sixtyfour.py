# SPDX-License-Identifier: GPL-3.0-or-later
"""KLAT2 as a lab: the committed design of inventory/klat2, 64 nodes of four NICs on nine switches, as containers."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from labsite import Site

LAB = "klat2"
NODES = [f"k{rank:02d}" for rank in range(64)]
#: 64 nodes on two processors: an action of one second on a cluster takes longer here.
PATIENCE = {"fnn_prove_mpi_seconds": 600, "fnn_confirm_seconds": 900, "fnn_linkd_interval_ms": 1000}


class SixtyFour(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, {"fnn_cluster": "klat2"}, seconds=2700)

    def make(self, **more: Any) -> None:
        """Copies the committed inventory with its documents and adds the connection to the lab."""
        super().make()
        for document in ("spec.json", "design.json", "hosts.yml"):
            shutil.copy(self.root / "inventory/klat2" / document, self.inventory)
        shutil.copy(self.root / "inventory/klat2/group_vars/all/fnn.yml", self.inventory / "group_vars/all/fnn.yml")
        (self.inventory / "group_vars/all/patience.yml").write_text(json.dumps({**PATIENCE, **more}))


def list_changed(output: str) -> set[str]:
    """The changed hosts of a playbook, from its recap."""
    recap = output.rpartition("PLAY RECAP")[2]
    lines = re.findall(r"^(\S+)\s+: ok=\d+\s+changed=(\d+)", recap, flags=re.MULTILINE)
    assert lines, recap
    return {host for host, changes in lines if int(changes)}

# SPDX-License-Identifier: GPL-3.0-or-later
"""The six nodes of the paper and a spare on the uplink switch, as a lab in which parts die and are replaced."""

from __future__ import annotations

import json
import os
from pathlib import Path

from labsite import Site, list_variables

LAB = os.environ.get("FNN_TEST_REPAIRS", "repairs")  # another name allows a second clone to run at the same time
NODES = tuple(f"k0{rank}" for rank in range(6))
SPARE = "hot1"
SWITCHES = ("red", "blue", "green")
#: One port more than the six nodes and the uplink cable need.
PORTS = 6
VARIABLES = list_variables(
    LAB,
    PORTS,
    SWITCHES,
    fnn_uplink={"name": "uplink", "ports": 5, "spares": [SPARE]},
)


class RepairsSite(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, VARIABLES, satellites={SPARE: {}})

    def list_nodes(self, *nodes: str) -> None:
        """Sets the nodes of the inventory; the spare stays."""
        hosts = {"fnn_nodes": {"hosts": dict.fromkeys(nodes)}, "fnn_satellites": {"hosts": dict(self.satellites)}}
        (self.inventory / "hosts.yml").write_text(json.dumps(hosts))

# SPDX-License-Identifier: GPL-3.0-or-later
"""The floor: one process that plans, renders and writes the files of all nodes, without Ansible and without checks.

python -m bench.floor SITE TARGET
"""

from __future__ import annotations

import sys
from pathlib import Path

from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.plan.render import Renderer
from ansible.module_utils.fnn.controller.plan.settings import read_settings
from ansible.module_utils.fnn.controller.plan.views import Plan, make_plan

from bench import measure

#: The value of the role for a variable whose default is a template.
_VARIABLES = {"fnn_uplink_backup": False}


def plan_site(site: Path) -> Plan:
    """The plan of a site whose variables have their defaults. Raises FnnError."""
    design, macs = read_json(site / "design.json"), read_json(site / "macs.json")
    facts = {"identity_kind": {node["name"]: "dummy" for node in design["nodes"]}}
    return make_plan(design, macs, read_settings(measure.ROOT, _VARIABLES, facts))


def write_files(site: Path, target: Path) -> int:
    """Write all files of all nodes; returns their octets. Raises FnnError and OSError."""
    written, made = 0, set()
    for file in Renderer(measure.ROOT).render(plan_site(site)):
        path = target / file.path
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        written += path.write_bytes(file.content)
    return written


if __name__ == "__main__":
    print(write_files(Path(sys.argv[1]), Path(sys.argv[2])))

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_adopt
short_description: Adopt the observed wiring as the design
description:
  - Runs on the controller. Reads C(findings.json) of the last M(fnn_verify) and rewrites C(design.json), with every
    cable where it was found. Node names and C(macs.json) stay unchanged.
  - Fails, and changes nothing, unless every cable was checked, and every pair that must share a switch does. Where
    cables join nodes, they must make a ring, star or mesh as the spec wants it.
options:
  design:
    description: C(design.json), read and written.
  findings:
    description: C(findings.json).
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs]
"""

EXAMPLES = r"""
- name: Make the present wiring the design
  fnn_adopt:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    findings: "{{ fnn_build_dir }}/findings.json"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
cables:
  description: Number of ends of cables with a new place in the design.
  returned: success
  type: int
quality:
  description: Quality of the adopted design.
  returned: success
  type: dict
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ansible.module_utils.fnn.controller.options import require_paths
from ansible.module_utils.fnn.controller.segments import get_document, is_neighborhood_network
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.controller.verify.adopt import list_seen, plug
from ansible.module_utils.fnn.shared.errors import FnnError, Problem
from ansible.module_utils.fnn_module import run_module


def list_ends(design: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """Each NIC of a design document with the place its cable leads to."""
    links = [(node["name"], link, link.get("peer", {})) for node in design["nodes"] for link in node["links"]]
    return {(name, link["nic"], link.get("switch"), peer.get("node"), peer.get("nic")) for name, link, peer in links}


def adopt(task: Task) -> Result:
    """Write the design that the findings describe. Raises FnnError."""
    design, macs, findings = task.read("design"), task.read("macs"), task.read("findings")
    designer, path = task.open_designer(), task.path("design")
    try:
        cables = list_seen(design, macs, findings)
    except FnnError as error:
        raise error.within(task.path("findings").name) from None
    before = get_document(design)
    is_fnn = is_neighborhood_network(design["spec"])
    after = designer.measure(design["spec"], cables) if is_fnn else plug(before, cables)
    with TemporaryDirectory() as directory:
        target = Path(directory) / path.name
        task.documents.write(target, after)
        try:
            designer.check(target)
        except FnnError as error:
            raise FnnError(Problem("the cables as plugged", each.message) for each in error.problems) from None
    task.write(path, after)
    moved = list_ends(after) - list_ends(before)
    return {**task.describe_change(path, before, after), "cables": len(moved), "quality": after["quality"]}


def describe_module() -> ControllerModule:
    return ControllerModule(adopt, require_paths("design", "macs", "findings"))


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

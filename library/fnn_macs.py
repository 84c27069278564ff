#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_macs
short_description: Bind the MACs of the nodes to the NICs of the design
description:
  - Runs on the controller and maintains C(macs.json), which maps MACs to NICs of the design.
  - A bound MAC that is still in its node keeps its NIC. New MACs are bound by the names in the spec, or in the natural
    order of device names.
  - Keeps the host names of nodes that have another one than in the inventory.
  - Duplicate MACs, missing NICs and new NICs are findings in C(discovery.json). The module fails on a duplicate MAC or
    a missing NIC without replacement, after it has bound all others.
  - Refuses nodes that never had as many NICs as planned, and the interface of the Ansible connection. Writes nothing
    then.
options:
  state:
    description:
      - V(bound) takes O(observations) of all nodes.
      - V(replaced) gives O(nic) of O(node) the MAC of the NIC that is new in that node, after a repair, and leaves
        everything else unchanged.
      - V(imported) takes the rows of O(csv), and V(exported) writes them there.
    type: str
    choices: [bound, replaced, imported, exported]
    default: bound
  macs:
    description: C(macs.json); created when it is missing.
  discovery:
    description:
      - C(discovery.json), the file to write the findings to. It is written also when the module fails because of them.
      - Needed by V(bound).
    type: path
  observations:
    description:
      - What M(fnn_links) returned for each node, by node.
      - Nodes that are missing, or whose result is null or failed, keep their bindings.
      - Needed by V(bound) and V(replaced).
    type: dict
  satellites:
    description:
      - Hosts of the inventory that are wired only to the uplink switch; C(fnn_uplink) must name them. The one NIC of
        each in O(observations) is bound.
      - Used by V(bound).
    type: list
    elements: str
    default: []
  variable:
    description:
      - The variable of the inventory that describes the NICs, to be named in errors. C(fnn_maintenance) for the
        maintenance network.
      - Used by V(bound).
    type: str
    default: fnn_nics
  maintenance:
    description:
      - Device name of the NIC in the maintenance network, which must be no NIC of the fabric.
      - Used by V(bound).
    type: str
  node:
    description: Name of the node in which a NIC was replaced.
    type: str
  nic:
    description: The NIC that was replaced, by its index in the design or the device name it had.
    type: str
  device:
    description: Device name of the new NIC. Needed only when several NICs are new in the node.
    type: str
  csv:
    description: CSV file with rows C(node,nic,mac).
    type: path
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs]
attributes:
  diff_mode:
    description: Shows the lines of C(macs.json) that change.
"""

EXAMPLES = r"""
- name: Bind MACs to the NICs of the design
  fnn_macs:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    discovery: "{{ fnn_build_dir }}/discovery.json"
    root: "{{ fnn_root }}"
    observations: "{{ ansible_play_hosts | fnn_gather(hostvars, '__fnn_discover_links') }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
bound:
  description: Nodes with all MACs known, in rank order.
  returned: success
  type: list
  elements: str
missing:
  description: The other nodes of the design.
  returned: success
  type: list
  elements: str
findings:
  description: The findings of C(discovery.json), the worst first. With V(bound) only.
  returned: success
  type: list
  elements: dict
report:
  description: The findings as text, and the number of known MACs. With V(bound) only.
  returned: success
  type: list
  elements: str
  sample:
    - "new-mac: k00: eth1 (54:e1:ad:5f:24:b4) is new; its cable belongs in RED"
    - "    links: macs.json has no NIC with this MAC in k00"
    - "macs.json: has the MACs of 12 of 12 NICs"
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.discover.bind import NICS, replace_nic
from ansible.module_utils.fnn.controller.discover.discovery import discover
from ansible.module_utils.fnn.controller.discover.maintenance import refuse_fabric_nic
from ansible.module_utils.fnn.controller.discover.rows import read_rows, write_rows
from ansible.module_utils.fnn.controller.discover.satellites import bind_satellites
from ansible.module_utils.fnn.controller.host_names import keep_host_names
from ansible.module_utils.fnn.controller.options import NAMES, PATH, require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn_module import run_module

Document = dict[str, Any]

#: Parts of macs.json that only V(bound) changes.
KEPT = ("satellites", "host_names")

NEEDS = [
    ("state", "bound", ("observations", "discovery")),
    ("state", "replaced", ("observations", "node", "nic")),
    ("state", "imported", ("csv",)),
    ("state", "exported", ("csv",)),
]


def keep(task: Task) -> Result:
    """Bind the MACs and write them; the result has `failed` when the play must stop. Raises FnnError and OSError."""
    options, design, old = task.options, task.read("design"), task.read_existing("macs")
    if options["state"] == "exported":
        return export(task)
    if options["state"] != "bound":
        kept = {key: old[key] for key in KEPT if old and key in old}
        return write(task, design, old, {**bind(task, design, old), **kept})
    if options["maintenance"]:
        refuse_fabric_nic(options["maintenance"], design["spec"]["nodes"], old, options["observations"])
    found = discover(design, old, options["observations"], options["variable"])
    before = {**found.macs, "satellites": (old or {}).get("satellites", [])}
    macs = bind_satellites(design, before, options["observations"], options["satellites"])
    if options["variable"] == NICS:
        macs = keep_host_names(macs, old, options["observations"])
    # Findings are a measurement, which never counts as a change.
    task.write(task.path("discovery"), found.document)
    answer = write(task, design, old, macs)
    if found.must_stop:
        # The message and discovery.json contain the findings; do not print them twice.
        kept = {key: answer[key] for key in ("changed", "diff") if key in answer}
        return {"failed": True, "msg": "\n".join(found.report), **kept}
    for finding in found.document["findings"]:
        task.warn(finding["action"])
    return {**answer, "findings": found.document["findings"], "report": found.report}


def write(task: Task, design: Document, old: Document | None, macs: Document) -> Result:
    """Write macs.json; return the module's result. Raises FnnError."""
    path = task.path("macs")
    task.write(path, macs)
    number = {node["name"]: len(node["nics"]) for node in macs["nodes"]}
    full = {node["name"] for node in design["spec"]["nodes"] if number.get(node["name"], 0) >= len(node["nics"])}
    names = [node["name"] for node in design["nodes"]]
    return {
        **task.describe_change(path, old, macs),
        "bound": [name for name in names if name in full],
        "missing": [name for name in names if name not in full],
    }


def bind(task: Task, design: Document, old: Document | None) -> Document:
    """Return the new macs document, from rows or after a repair. Raises FnnError and OSError."""
    macs: Document
    options = task.options
    if options["state"] == "imported":
        file = task.path("csv")
        macs = read_rows(read_text(file), file.name, design, old)
        return macs
    seen = options["observations"].get(options["node"])
    if not seen or "links" not in seen:
        raise problem(options["node"], "did not report its NICs")
    macs = replace_nic(old or {"nodes": []}, options["node"], options["nic"], seen, options["device"])
    return macs


def read_text(file: Path) -> str:
    """Return the rows of a file. Raises FnnError and OSError."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise problem(file.name, "not UTF-8 text") from None


def export(task: Task) -> Result:
    """Write the rows; return the module's result. Raises FnnError and OSError."""
    file, rows = task.path("csv"), write_rows(task.read("macs"))
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    task.write(file, rows)
    return task.describe_change(file, before, rows)


def describe_module() -> ControllerModule:
    states = {"type": "str", "choices": ["bound", "replaced", "imported", "exported"], "default": "bound"}
    names = {name: {"type": "str"} for name in ("maintenance", "node", "nic", "device")}
    seen = {"observations": {"type": "dict"}, "satellites": NAMES}
    others = {**names, **seen, "variable": {"type": "str", "default": NICS}, "discovery": PATH, "csv": PATH}
    return ControllerModule(keep, {"state": states, **require_paths("design", "macs"), **others}, NEEDS)


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

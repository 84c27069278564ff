#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_macs
short_description: Bind the MACs of the nodes to the NICs of the design
description:
  - Runs on the controller and keeps C(macs.json), which says which MAC is which NIC of the design.
  - A MAC that is bound and still in its node stays where it is. New ones are bound by the names in the spec, or in the
    natural order of device names. NICs that are new or gone are told.
  - Refuses a MAC that two NICs have, too few NICs, and the interface that Ansible arrives on.
options:
  state:
    description:
      - V(bound) takes O(observations) of all nodes.
      - V(replaced) gives O(nic) of O(node) the MAC of the NIC that is new in that node, after a repair, and leaves
        everything else as it is.
      - V(imported) takes the rows of O(csv), and V(exported) writes them there.
    type: str
    choices: [bound, replaced, imported, exported]
    default: bound
  design:
    description: C(design.json).
    type: path
    required: true
  macs:
    description: C(macs.json); made when it is missing.
    type: path
    required: true
  root:
    description: Root directory of the toolkit, where C(schemas/) is.
    type: path
    required: true
  observations:
    description:
      - What M(fnn_links) returned for each node, by node.
      - Nodes that are missing, or whose result is null or failed, keep what they had.
      - Needed by V(bound) and V(replaced).
    type: dict
  node:
    description: Name of the node in which a NIC was replaced.
    type: str
  nic:
    description: The NIC that was replaced, by its index in the design or the device name it had.
    type: str
  device:
    description: Its successor, which needs to be told only when several NICs are new in the node.
    type: str
  csv:
    description: A file of rows C(node,nic,mac).
    type: path
attributes:
  check_mode:
    support: full
    description: Says what would change and writes nothing.
  diff_mode:
    support: full
    description: Shows the lines of C(macs.json) that change.
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Bind MACs to the NICs of the design
  fnn_macs:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    root: "{{ fnn_root }}"
    observations: "{{ ansible_play_hosts | fnn_gather(hostvars, '__fnn_discover_links') }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
bound:
  description: Nodes whose MACs are known, in rank order.
  returned: success
  type: list
  elements: str
missing:
  description: Nodes of the design whose MACs are not known yet.
  returned: success
  type: list
  elements: str
changes:
  description: NICs that are V(new) or V(vanished) since the last time, C(text) for people. Vanished ones are warned of.
  returned: success
  type: list
  elements: dict
  sample: [{"kind": "new", "node": "k00", "nic": 0, "mac": "02:f0:00:00:00:00", "text": "k00: NIC 0 (eth1, …) is new"}]
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.documents import Documents, dumps
from ansible.module_utils.fnn.errors import FnnError, problem
from ansible.module_utils.fnn.files import write_atomic
from ansible.module_utils.fnn.links.bind import bind_macs, find_changes, replace_nic
from ansible.module_utils.fnn.links.rows import read_rows, write_rows

NEEDS = [
    ("state", "bound", ("observations",)),
    ("state", "replaced", ("observations", "node", "nic")),
    ("state", "imported", ("csv",)),
    ("state", "exported", ("csv",)),
]


def keep(module: AnsibleModule) -> dict[str, Any]:
    """Read, bind and (outside check mode) write; returns the module's answer. Raises FnnError and OSError."""
    options = module.params
    documents, path = Documents(Path(options["root"]) / "schemas"), Path(options["macs"])
    design = documents.read(options["design"], "fnn-design")
    old = documents.read(path, "fnn-macs") if path.exists() else None
    if options["state"] == "exported":
        return export(documents.read(path, "fnn-macs"), Path(options["csv"]), module.check_mode)
    macs = bind(options, design, old)
    bound = [node["name"] for node in macs["nodes"]]
    if not module.check_mode:
        documents.write(path, macs)
    return {
        "changed": macs != old,
        "bound": bound,
        "missing": [node["name"] for node in design["nodes"] if node["name"] not in bound],
        "changes": find_changes(old, macs),
        "diff": {
            "before_header": str(path),
            "after_header": str(path),
            "before": dumps(old) if old else "",
            "after": dumps(macs),
        },
    }


def bind(options: dict[str, Any], design: dict[str, Any], old: dict[str, Any] | None) -> dict[str, Any]:
    """The new macs document. Raises FnnError and OSError."""
    macs: dict[str, Any]
    if options["state"] == "imported":
        file = Path(options["csv"])
        macs = read_rows(read_text(file), file.name, design, old)
    elif options["state"] == "replaced":
        seen = options["observations"].get(options["node"])
        if not seen or "links" not in seen:
            raise problem(options["node"], "did not tell its NICs")
        macs = replace_nic(old or {"nodes": []}, options["node"], options["nic"], seen, options["device"])
    else:
        macs = bind_macs(design, old, options["observations"])
    return macs


def read_text(file: Path) -> str:
    """The rows of a file. Raises FnnError and OSError."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise problem(file.name, "not UTF-8 text") from None


def export(macs: dict[str, Any], file: Path, check_mode: bool) -> dict[str, Any]:
    """Writes the rows; returns the module's answer. Raises OSError."""
    rows = write_rows(macs)
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if not check_mode:
        write_atomic(file, rows)
    headers = {"before_header": str(file), "after_header": str(file)}
    return {"changed": rows != before, "diff": {**headers, "before": before, "after": rows}}


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["bound", "replaced", "imported", "exported"], "default": "bound"},
            **{path: {"type": "path", "required": True} for path in ("design", "macs", "root")},
            **{name: {"type": "str"} for name in ("node", "nic", "device")},
            "observations": {"type": "dict"},
            "csv": {"type": "path"},
        },
        required_if=NEEDS,
        supports_check_mode=True,
    )
    try:
        answer = keep(module)
    except (FnnError, OSError) as error:
        module.fail_json(msg=str(error))
    if not module._diff:
        del answer["diff"]
    for change in answer.get("changes", ()):
        if change["kind"] == "vanished":
            module.warn(change["text"])
    module.exit_json(**answer)


if __name__ == "__main__":
    main()

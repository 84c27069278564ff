#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_macs
short_description: Bind the MACs of the nodes to the NICs of the design
description:
  - Runs on the controller and keeps C(macs.json), which says which MAC is which NIC of the design.
  - A MAC that is bound and still in its node stays where it is. New ones are bound by the names in the spec, or in the
    natural order of device names.
  - Refuses a MAC that two NICs have, too few NICs, and the interface that Ansible arrives on.
options:
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
    type: dict
    required: true
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
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.documents import Documents, dumps
from ansible.module_utils.fnn.errors import FnnError
from ansible.module_utils.fnn.links.bind import bind_macs


def bind(module: AnsibleModule) -> dict[str, Any]:
    """Read, bind and (outside check mode) write; returns the module's answer. Raises FnnError."""
    options = module.params
    documents, path = Documents(Path(options["root"]) / "schemas"), Path(options["macs"])
    design = documents.read(options["design"], "fnn-design")
    old = documents.read(path, "fnn-macs") if path.exists() else None
    macs = bind_macs(design, old, options["observations"])
    bound = [node["name"] for node in macs["nodes"]]
    if not module.check_mode:
        documents.write(path, macs)
    return {
        "changed": macs != old,
        "bound": bound,
        "missing": [node["name"] for node in design["nodes"] if node["name"] not in bound],
        "diff": {
            "before_header": str(path),
            "after_header": str(path),
            "before": dumps(old) if old else "",
            "after": dumps(macs),
        },
    }


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            **{path: {"type": "path", "required": True} for path in ("design", "macs", "root")},
            "observations": {"type": "dict", "required": True},
        },
        supports_check_mode=True,
    )
    try:
        answer = bind(module)
    except FnnError as error:
        module.fail_json(msg=str(error))
    if not module._diff:
        del answer["diff"]
    module.exit_json(**answer)


if __name__ == "__main__":
    main()

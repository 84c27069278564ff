#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_stand_in
short_description: Record which spare stands in for which dead node
description:
  - Runs on the controller and maintains C(stand-ins.json). M(fnn_render) derives the plan from it.
  - Removes the file when no spare stands in for a node.
options:
  node:
    description: The dead node.
    type: str
    required: true
  spare:
    description: The satellite that stands in for the node from now on; none by default.
    type: str
  path:
    description: C(stand-ins.json); created when it is missing.
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs]
"""

EXAMPLES = r"""
- name: Let hot1 stand in for k02
  fnn_stand_in:
    node: k02
    spare: hot1
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    path: "{{ fnn_site_dir }}/stand-ins.json"
    root: "{{ fnn_root }}"
"""

RETURN = r"""
stand_ins:
  description: All current stand-ins, in rank order of the nodes.
  returned: success
  type: list
  elements: dict
  sample: [{"node": "k02", "spare": "hot1"}]
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.plan.satellites import change_stand_ins, read_stand_ins
from ansible.module_utils.fnn.shared.errors import FnnError


def update_stand_ins(module: AnsibleModule) -> dict[str, Any]:
    """Change and (outside check mode) write; return the module's result. Raises FnnError."""
    options, path = module.params, Path(module.params["path"])
    documents = Documents(Path(options["root"]) / "schemas")
    design, macs = documents.read(options["design"], "fnn-design"), documents.read(options["macs"], "fnn-macs")
    before = read_stand_ins(documents, path)
    after = change_stand_ins(design, macs, before, options["node"], options["spare"])
    document = {"format": "fnn-stand-ins", "version": 1, "cluster": design["cluster"], "stand_ins": after}
    if after != before and not module.check_mode:
        if after:
            documents.write(path, document)
        else:
            path.unlink()
    answer: dict[str, Any] = {"changed": after != before, "stand_ins": after}
    if module._diff:
        header = {"before_header": str(path), "after_header": str(path)}
        texts = {"before": dumps({**document, "stand_ins": before}), "after": dumps(document)}
        answer["diff"] = {**header, **texts}
    return answer


def main() -> None:
    """Run the module."""
    module = AnsibleModule(
        argument_spec={
            "node": {"type": "str", "required": True},
            "spare": {"type": "str"},
            **{path: {"type": "path", "required": True} for path in ("design", "macs", "path", "root")},
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(**update_stand_ins(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()

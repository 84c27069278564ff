#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_adopt
short_description: Adopt the observed wiring as the design
description:
  - Runs on the controller. Reads C(findings.json) of the last M(fnn_verify) and rewrites C(design.json), with every
    cable where it was found. Node names and C(macs.json) stay unchanged.
  - Fails, and changes nothing, unless every cable was checked and every pair that must share a switch does.
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
  description: Number of cables with a new place in the design.
  returned: success
  type: int
quality:
  description: Quality of the adopted design.
  returned: success
  type: dict
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import open_designer
from ansible.module_utils.fnn.controller.verify.adopt import list_seen
from ansible.module_utils.fnn.shared.errors import FnnError


def list_links(design: dict[str, Any]) -> set[tuple[str, int, str]]:
    return {(node["name"], link["nic"], link["switch"]) for node in design["nodes"] for link in node["links"]}


def adopt(module: AnsibleModule) -> dict[str, Any]:
    """Write the design, outside check mode. Raises FnnError."""
    options = module.params
    root, path = Path(options["root"]), Path(options["design"])
    documents = Documents(root / "schemas")
    design, macs = documents.read(path, "fnn-design"), documents.read(options["macs"], "fnn-macs")
    findings = documents.read(options["findings"], "fnn-findings")
    designer = open_designer(root, module.run_command)
    try:
        cables = list_seen(design, macs, findings)
    except FnnError as error:
        raise error.within(Path(options["findings"]).name) from None
    after = designer.measure(design["spec"], cables)
    with TemporaryDirectory() as directory:
        target = Path(directory) / path.name
        documents.write(target, after)
        designer.check(target)
    if not module.check_mode:
        documents.write(path, after)
    moved = list_links(after) - list_links(design)
    answer = {"changed": after != design, "cables": len(moved), "quality": after["quality"]}
    if module._diff:
        header = {"before_header": str(path), "after_header": str(path)}
        answer["diff"] = {**header, "before": dumps(design), "after": dumps(after)}
    return answer


def main() -> None:
    module = AnsibleModule(
        argument_spec={path: {"type": "path", "required": True} for path in ("design", "macs", "findings", "root")},
        supports_check_mode=True,
    )
    try:
        module.exit_json(**adopt(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_verify
short_description: Judge every cable against the design
description:
  - Runs on the controller. Takes what M(fnn_links) heard on all nodes, finds out which NICs share a switch and which
    switch of the design that is, and writes C(findings.json).
  - Any port of the right switch is right. NICs crossed within one node are adopted in C(macs.json). What remains is
    explained by as few moves as possible, as lines that a person with a cable in hand can follow.
  - Fails when a cable is wrong, and when the cables could not be measured for a reason other than silent nodes.
options:
  design:
    description: C(design.json).
    type: path
    required: true
  macs:
    description: C(macs.json).
    type: path
    required: true
  findings:
    description: C(findings.json), the file to write. It is written also when the module fails.
    type: path
    required: true
  root:
    description: Root directory of the toolkit, where C(schemas/) is.
    type: path
    required: true
  observations:
    description:
      - What M(fnn_links) returned with C(state=collect) for each node, by node.
      - Nodes that are missing, or whose result is null or failed, are not judged.
    type: dict
    required: true
  unreachable:
    description: Nodes that did not answer; what was observed of them is left out.
    type: list
    elements: str
    default: []
  adopt:
    description: Whether to write crossed NICs into C(macs.json). Nothing is adopted while a cable is wrong.
    type: bool
    default: true
attributes:
  check_mode:
    support: full
    description: Judges, fails if it must, and writes nothing.
  diff_mode:
    support: full
    description: Shows the lines of C(macs.json) that change.
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Judge every cable
  fnn_verify:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    findings: "{{ fnn_build_dir }}/findings.json"
    root: "{{ fnn_root }}"
    observations: "{{ ansible_play_hosts | fnn_gather(hostvars, '__fnn_verify_heard') }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
verdict:
  description: V(match), V(miswired) or V(unmeasured).
  returned: always, unless the documents are bad
  type: str
findings:
  description: The findings of C(findings.json), the most damaging first.
  returned: always, unless the documents are bad
  type: list
  elements: dict
report:
  description: The same for people, a line each, the count last.
  returned: always, unless the documents are bad
  type: list
  elements: str
  sample:
    - "swap: k00: move the cable in nic0 from BLUE to RED; k05: move nic1 from RED to BLUE (4 pairs …)"
adopted:
  description: Nodes with crossed NICs that C(macs.json) now follows.
  returned: success
  type: list
  elements: str
not_judged:
  description: Nodes that did not answer.
  returned: always, unless the documents are bad
  type: list
  elements: str
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.documents import Documents, dumps
from ansible.module_utils.fnn.errors import FnnError
from ansible.module_utils.fnn.verify.judge import judge
from ansible.module_utils.fnn.verify.model import Wiring
from ansible.module_utils.fnn.verify.report import adopt, make_document, write_report


def verify(module: AnsibleModule) -> dict[str, Any]:
    """Judge and (outside check mode) write; the answer has `failed` when the play must stop. Raises FnnError."""
    options = module.params
    documents = Documents(Path(options["root"]) / "schemas")
    design, macs = documents.read(options["design"], "fnn-design"), documents.read(options["macs"], "fnn-macs")
    silent = set(options["unreachable"])
    observations = {node: seen for node, seen in options["observations"].items() if node not in silent}
    try:
        judgement = judge(design, macs, observations)
    except FnnError as error:
        raise error.within(Path(options["macs"]).name) from None
    adopts = bool(judgement.bindings) and options["adopt"] and not judgement.must_stop
    after = adopt(macs, judgement.bindings) if adopts else macs
    document = make_document(judgement, design, macs)
    if not module.check_mode:
        # Findings are a measurement, which never counts as a change.
        documents.write(options["findings"], document)
        documents.write(options["macs"], after)
    report = write_report(judgement, document, Wiring.of(design))
    answer = {
        "changed": after != macs,
        "verdict": judgement.verdict,
        "findings": document["findings"],
        "report": report,
        "adopted": list(judgement.bindings) if adopts else [],
        # Not "unreachable": Ansible would take that for the controller's own state.
        "not_judged": judgement.unreachable,
    }
    if module._diff:
        answer["diff"] = {
            "before_header": options["macs"],
            "after_header": options["macs"],
            "before": dumps(macs),
            "after": dumps(after),
        }
    return {**answer, "failed": True, "msg": "\n".join(report)} if judgement.must_stop else answer


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            **{path: {"type": "path", "required": True} for path in ("design", "macs", "findings", "root")},
            "observations": {"type": "dict", "required": True},
            "unreachable": {"type": "list", "elements": "str", "default": []},
            "adopt": {"type": "bool", "default": True},
        },
        supports_check_mode=True,
    )
    try:
        answer = verify(module)
    except FnnError as error:
        module.fail_json(msg=str(error))
    if answer.pop("failed", False):
        module.fail_json(**answer)
    module.exit_json(**answer)


if __name__ == "__main__":
    main()

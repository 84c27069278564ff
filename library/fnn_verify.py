#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_verify
short_description: Compare every cable with the design
description:
  - Runs on the controller. Infers from what M(fnn_links) heard on all nodes which NICs share a switch and which switch
    of the design that is. Writes C(findings.json).
  - Any port of the right switch is correct. Adopts NICs swapped within one node in C(macs.json). Explains all other
    differences by as few cable moves as possible, as instructions for a person at the rack.
  - Also reports the quality of the present wiring, and the repairs since the last run.
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
    description: C(findings.json), the file to write. It is written also when a cable is wrong.
    type: path
    required: true
  root:
    description: Root directory of the toolkit, where C(schemas/) is.
    type: path
    required: true
  observations:
    description:
      - What M(fnn_links) returned with C(state=collect) for each node, by node.
      - Nodes that are missing, or whose result is null or failed, are not checked.
    type: dict
    required: true
  relearn:
    description:
      - The result of M(fnn_relearn) with the uplinks plugged in. It has C(groups), lists of MACs that share a switch;
        C(unsure), MACs without a certain result; C(reaches_head), MACs that the head on the uplink switch hears; and
        C(head), the name of the head.
      - Without it, the uplinks are assumed to be unplugged, so that NICs that hear each other share a switch.
    type: dict
  node:
    description:
      - Report and fail on one node only. All nodes are still observed, since a switch is recognized by its nodes, and
        O(findings) covers all nodes.
    type: str
  unreachable:
    description: Nodes that did not answer; observations of them are ignored.
    type: list
    elements: str
    default: []
  adopt:
    description: Whether to write swapped NICs into C(macs.json). Nothing is adopted while a cable is wrong.
    type: bool
    default: true
attributes:
  check_mode:
    support: full
    description: Compares and fails as usual, but writes nothing.
  diff_mode:
    support: full
    description: Shows the lines of C(macs.json) that change.
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Compare every cable with the design
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
  description: V(match), V(miswired) or V(unmeasured); with O(node), for that node.
  returned: always, unless the documents are bad
  type: str
findings:
  description: The findings of C(findings.json), the most damaging first.
  returned: always, unless the documents are bad
  type: list
  elements: dict
report:
  description: The findings as text, one per line, with their number last.
  returned: always, unless the documents are bad
  type: list
  elements: str
  sample:
    - "swap: k00: move the cable in nic0 from BLUE to RED; k05: move nic1 from RED to BLUE (4 pairs …)"
as_wired:
  description: C(as_wired) of C(findings.json), the quality of the present wiring.
  returned: always, unless the documents are bad
  type: dict
since:
  description: C(since) of C(findings.json), the repairs and the new findings since the last run.
  returned: always, unless the documents are bad
  type: dict
adopted:
  description: Nodes with swapped NICs that C(macs.json) now records.
  returned: success
  type: list
  elements: str
not_judged:
  description: Nodes that did not answer.
  returned: always, unless the documents are bad
  type: list
  elements: str
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.verify.coverage import value_as_wired
from ansible.module_utils.fnn.controller.verify.document import adopt_bindings, limit_to_node, make_document
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification, add_findings
from ansible.module_utils.fnn.controller.verify.satellites import find_satellite_faults, set_aside
from ansible.module_utils.fnn.controller.verify.show import write_text
from ansible.module_utils.fnn.shared.errors import FnnError, problem


class VerifyTask:
    """One run of the module: compare and, outside check mode, write."""

    def __init__(self, module: AnsibleModule) -> None:
        self.module, self.options = module, module.params
        self.root = Path(self.options["root"])
        self.documents = Documents(self.root / "schemas")

    def run(self) -> dict[str, Any]:
        """Return the module's result, with `failed` when the play must stop. Raises FnnError."""
        options = self.options
        design = self.documents.read(options["design"], "fnn-design")
        macs = self.documents.read(options["macs"], "fnn-macs")
        self._check_node(design)
        verification = self._compare(design, macs)
        adopts = bool(verification.bindings) and options["adopt"] and not verification.must_stop
        after = adopt_bindings(macs, verification.bindings) if adopts else macs
        document = make_document(verification, design, macs, self._read_last())
        shown = limit_to_node(document, options["node"]) if options["node"] else document
        report = write_text(shown)
        if not self.module.check_mode:
            self.documents.write(options["macs"], after)
            # Findings are a measurement, which never counts as a change. They are last: ./fnn verify shows new ones.
            self.documents.renew(options["findings"], document)
        answer = {
            "changed": after != macs,
            "verdict": shown["verdict"],
            "findings": shown["findings"],
            "report": report,
            "as_wired": shown["as_wired"],
            "since": shown["since"],
            "adopted": list(verification.bindings) if adopts else [],
            # Not "unreachable": Ansible would take that for the controller's own state.
            "not_judged": shown["unreachable"],
        }
        if self.module._diff:
            answer["diff"] = {
                "before_header": options["macs"],
                "after_header": options["macs"],
                "before": dumps(macs),
                "after": dumps(after),
            }
        return {**answer, "failed": True, "msg": "\n".join(report)} if self._must_stop(verification, shown) else answer

    def _check_node(self, design: dict[str, Any]) -> None:
        """Refuse an unknown node."""
        names = [node["name"] for node in design["nodes"]]
        if self.options["node"] and self.options["node"] not in names:
            text = f"no node is called {self.options['node']}, there are: {', '.join(names)}"
            raise problem("fnn_verify_node", text)

    def _compare(self, design: dict[str, Any], macs: dict[str, Any]) -> Verification:
        silent = set(self.options["unreachable"])
        observations = {node: seen for node, seen in self.options["observations"].items() if node not in silent}
        relearn = self.options["relearn"]
        try:
            verification = compare_with_design(design, macs, *set_aside(macs, observations, relearn))
        except FnnError as error:
            raise error.within(Path(self.options["macs"]).name) from None
        satellites = find_satellite_faults(design, macs, observations, relearn, verification)
        verification = add_findings(verification, satellites)
        return replace(verification, as_wired=value_as_wired(design, verification, self._list_pairs(design)))

    def _list_pairs(self, design: dict[str, Any]) -> list[tuple[str, str]] | None:
        """Return the pairs that must share switches, from the designer; None when all must, or it is not built."""
        program = self.root / "bin" / "fnn-designer"
        if design["spec"]["coverage"] == "all" or not program.exists():
            return None
        pairs: list[tuple[str, str]] = Designer(program, self.module.run_command).list_pairs(design)
        return pairs

    def _read_last(self) -> dict[str, Any] | None:
        """Return findings.json of the last run; None if it is missing or of another version."""
        try:
            last: dict[str, Any] = self.documents.read(self.options["findings"], "fnn-findings")
        except FnnError:
            return None
        return last

    def _must_stop(self, verification: Verification, shown: dict[str, Any]) -> bool:
        if self.options["node"]:
            return bool(shown["verdict"] != "match")
        return bool(verification.must_stop)


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            **{path: {"type": "path", "required": True} for path in ("design", "macs", "findings", "root")},
            "observations": {"type": "dict", "required": True},
            "relearn": {"type": "dict"},
            "unreachable": {"type": "list", "elements": "str", "default": []},
            "adopt": {"type": "bool", "default": True},
            "node": {"type": "str"},
        },
        supports_check_mode=True,
    )
    try:
        answer = VerifyTask(module).run()
    except FnnError as error:
        module.fail_json(msg=str(error))
    if answer.pop("failed", False):
        module.fail_json(**answer)
    module.exit_json(**answer)


if __name__ == "__main__":
    main()

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
  findings:
    description: C(findings.json), the file to write. It is written also when a cable is wrong.
    type: path
    required: true
  observations:
    description:
      - By node, the file that M(fnn_links) wrote with C(state=collect), or what it returned without a file.
      - With C(maintenance) in it, the NICs of both networks, whose beacons ran at the same time. A cable that leads
        into the other network is reported.
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
  network:
    description:
      - The network to verify. In V(maintenance) any other hosts are expected. Where its switches are connected, which
        its beacons show, it is verified as one switch.
    type: str
    choices: [fabric, maintenance]
    default: fabric
  node:
    description:
      - Report and fail on one node only. All nodes are still observed, since a switch is recognized by its nodes, and
        O(findings) covers all nodes.
    type: str
  unreachable:
    description: Nodes that were asked and did not answer; observations of them are ignored.
    type: list
    elements: str
    default: []
  adopt:
    description: Whether to write swapped NICs into C(macs.json). Nothing is adopted while a cable is wrong.
    type: bool
    default: true
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs]
attributes:
  check_mode:
    description: Compares and fails as usual, but writes nothing.
  diff_mode:
    description: Shows the lines of C(macs.json) that change.
"""

EXAMPLES = r"""
- name: Compare every cable with the design
  fnn_verify:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    findings: "{{ fnn_build_dir }}/findings.json"
    root: "{{ fnn_root }}"
    observations: "{{ ansible_play_hosts | fnn_gather(hostvars, '__fnn_verify_heard', 'file') }}"
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
digest:
  description: A digest of C(findings.json), for M(fnn_prove_node).
  returned: always, unless the documents are bad
  type: str
  sample: sha256:2f0c…
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

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ansible.module_utils.fnn.controller.answers import read_answers
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.engine_program import find_program
from ansible.module_utils.fnn.controller.options import NAMES, require_paths
from ansible.module_utils.fnn.controller.segments import has_cables, list_joined_pairs
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.controller.verify.coverage import value_as_wired
from ansible.module_utils.fnn.controller.verify.document import adopt_bindings, limit_to_node, make_document
from ansible.module_utils.fnn.controller.verify.half_plugs import find_half_plugs
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.keep import identify_findings
from ansible.module_utils.fnn.controller.verify.model import Verification, add_findings
from ansible.module_utils.fnn.controller.verify.other_network import (
    MAINTENANCE,
    join_segment,
    mark_other_network,
    split_networks,
)
from ansible.module_utils.fnn.controller.verify.satellites import find_satellite_faults, set_aside
from ansible.module_utils.fnn.controller.verify.show import write_text
from ansible.module_utils.fnn.shared.errors import FnnError, problem
from ansible.module_utils.fnn_module import run_module


def verify(task: Task) -> Result:
    """Compare, and write the findings and swapped NICs; `failed` when the play must stop. Raises FnnError."""
    design, macs, node = task.read("design"), task.read("macs"), task.options["node"]
    _check_node(design, node)
    verification = _compare(task, design, macs)
    if verification.is_joined and task.options["network"] == MAINTENANCE:
        design = join_segment(design)
        verification = _compare(task, design, macs)
    adopts = bool(verification.bindings) and task.options["adopt"] and not verification.must_stop
    after = adopt_bindings(macs, verification.bindings) if adopts else macs
    document = make_document(verification, design, macs, task.read_usable("findings"))
    shown = limit_to_node(document, node) if node else document
    report = write_text(shown)
    task.write(task.path("macs"), after)
    if not task.check_mode:
        # Findings are a measurement, which never counts as a change. They are last: ./fnn verify shows new ones.
        task.documents.renew(task.path("findings"), document)
    answer = {
        **task.describe_change(task.path("macs"), macs, after),
        **{part: shown[part] for part in ("verdict", "findings", "as_wired", "since")},
        "report": report,
        "digest": identify_findings([document]),
        "adopted": list(verification.bindings) if adopts else [],
        # Not "unreachable": Ansible would take that for the controller's own state.
        "not_judged": shown["unreachable"],
    }
    must_stop = shown["verdict"] != "match" if node else verification.must_stop
    return {**answer, "failed": True, "msg": "\n".join(report)} if must_stop else answer


def _check_node(design: Mapping[str, Any], node: str | None) -> None:
    """Refuse an unknown node. Raises FnnError."""
    names = [each["name"] for each in design["nodes"]]
    if node and node not in names:
        raise problem("fnn_verify_node", f"no node is called {node}, there are: {', '.join(names)}")


def _compare(task: Task, design: dict[str, Any], macs: dict[str, Any]) -> Verification:
    """Compare the observations of all nodes that answered. Raises FnnError."""
    silent, relearn = set(task.options["unreachable"]), task.options["relearn"]
    heard = {node: seen for node, seen in task.options["observations"].items() if node not in silent}
    is_maintenance = task.options["network"] == MAINTENANCE
    own, others = split_networks(read_answers(heard), is_maintenance)
    observations = mark_other_network(own, others, is_maintenance)
    try:
        verification = compare_with_design(design, macs, *set_aside(macs, observations, relearn), silent)
    except FnnError as error:
        raise error.within(task.path("macs").name) from None
    satellites = find_satellite_faults(design, macs, observations, relearn, verification)
    verification = add_findings(verification, [*satellites, *find_half_plugs(macs, observations)])
    if task.options["network"] == MAINTENANCE:
        return verification  # any wiring of it works, and adopt is for the fabric
    return replace(verification, as_wired=value_as_wired(design, verification, _list_pairs(task, design)))


def _list_pairs(task: Task, design: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """The pairs that must share switches, from the engine; None when all must, or it is not built.

    Where nodes are joined by cables, these are the pairs that share one.
    """
    if has_cables(design["spec"]):
        joined: list[tuple[str, str]] = list_joined_pairs(design)
        return joined
    program = None if design["spec"]["coverage"] == "all" else find_program(task.root, task.run_command)
    if program is None:
        return None
    pairs: list[tuple[str, str]] = Designer(program, task.run_command).list_pairs(design)
    return pairs


def describe_module() -> ControllerModule:
    observed = {"observations": {"type": "dict", "required": True}, "relearn": {"type": "dict"}, "unreachable": NAMES}
    network = {"network": {"type": "str", "choices": ["fabric", MAINTENANCE], "default": "fabric"}}
    others = {"adopt": {"type": "bool", "default": True}, "node": {"type": "str"}}
    return ControllerModule(verify, {**require_paths("design", "macs", "findings"), **observed, **network, **others})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_verify_method
short_description: Choose how verify identifies cables
description:
  - Runs on the controller. Chooses beacons or the relearn probe from what the inventory asks for, and from
    C(switch-passport.json) if M(fnn_switch_check) has written one.
  - Fails if a passport shows that no method works, before any frame is sent.
  - With O(verified), also finds out whether the findings of the last run still hold, so that no node has to send
    beacons.
options:
  passport:
    description: C(switch-passport.json). It may be missing.
    type: path
    required: true
  evidence:
    description: The method that the inventory asks for.
    type: str
    choices: [auto, beacons, relearn]
    default: auto
  has_head:
    description: Whether a head on the uplink switch is named.
    type: bool
    default: false
  unplugs:
    description: Whether the play itself pulls the uplinks, as in a lab.
    type: bool
    default: false
  must_stay:
    description: Whether the uplinks must stay plugged in, because Ansible reaches the nodes over them.
    type: bool
    default: false
  seconds:
    description: Seconds without anything new after which a node has received all beacons.
    type: float
    required: true
  blocked:
    description: Seconds that silent NICs are waited for.
    type: float
    required: true
  verified:
    description:
      - By host of the run, RV(ignore:verified) of M(fnn_node). Hosts that this run has not checked are left out.
    type: dict
    default: {}
  hosts:
    description: The hosts of the run.
    type: list
    elements: str
    default: []
  absent:
    description: Nodes for which a spare stands in.
    type: list
    elements: str
    default: []
  build:
    description: Directory of the findings and of the proof of the last run. Without it nothing is kept.
    type: path
  macs:
    description: C(macs.json). Needed with O(build).
    type: path
  maintenance:
    description: The design of the maintenance network, if there is one.
    type: path
  maintenance_macs:
    description: The MACs of that network.
    type: path
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design]
"""

EXAMPLES = r"""
- name: Choose how cables are identified
  fnn_verify_method:
    design: "{{ fnn_site_dir }}/design.json"
    passport: "{{ fnn_site_dir }}/switch-passport.json"
    evidence: auto
    seconds: 2
    blocked: 35
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
evidence:
  description: V(beacons) alone, or V(relearn) for both.
  returned: success
  type: str
interval:
  description: Seconds between two beacons of a NIC at least; 0 for no limit.
  returned: success
  type: float
seconds:
  description: As O(seconds), or more where beacons are rare.
  returned: success
  type: float
blocked:
  description: As O(blocked), or what the slowest switch needs.
  returned: success
  type: float
kept:
  description: The digest of the findings of the last run if they still hold; empty if they do not.
  returned: success
  type: str
  sample: ""
notes:
  description: What the passports have changed, and which hosts keep the findings of the last run from holding.
  returned: success
  type: list
  elements: str
"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.options import FLAG, NAMES, PATH, require_paths
from ansible.module_utils.fnn.controller.switch_check.passport import FORMAT
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.controller.verify.keep import are_sound, identify_findings, list_interrupted
from ansible.module_utils.fnn.controller.verify.method import AUTO, BEACONS, RELEARN, Request, choose_method
from ansible.module_utils.fnn.shared.errors import FnnError, Problem
from ansible.module_utils.fnn_module import run_module

#: Findings and MACs of one network.
Network = tuple[dict[str, Any], dict[str, Any]]


def choose(task: Task) -> Result:
    """Return the method. Raises FnnError if none works."""
    options, design = task.options, task.read("design")
    uplink = design["spec"]["uplink"]
    request = Request(
        evidence=options["evidence"],
        has_head=options["has_head"],
        unplugs=options["unplugs"],
        must_stay=options["must_stay"],
        seconds=options["seconds"],
        blocked=options["blocked"],
        nics={each["name"]: len(each["nodes"]) for each in design["switches"]},
        uplink=uplink["name"] if uplink else "",
    )
    method = choose_method(request, task.read_existing("passport", FORMAT))
    if method.problems:
        raise FnnError(Problem("", each) for each in method.problems)
    answer = {name: value for name, value in asdict(method).items() if name != "problems"}
    kept, notes = find_kept(task, design)
    return {**answer, "kept": kept, "notes": [*method.notes, *notes]}


def find_kept(task: Task, design: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the digest of the findings of the last run if they still hold, else an empty string; and notes, why links
    alone keep them from that. Raises FnnError."""
    options = task.options
    if not options["build"] or not options["verified"]:
        return "", []
    proof = task.documents.read_usable_of(design, task.path("build") / "proof.json", "fnn-proof")
    networks = list(read_networks(task, design))
    if proof is None or proof["verdict"] == "failed" or not all(networks):
        return "", []
    found = [each[0] for each in networks if each]
    digest, scope = identify_findings(found), [node for findings in found for node in findings["scope"]]
    if not all(are_sound(*each, options["absent"]) for each in networks if each):
        return "", []
    interrupted = list_interrupted(digest, options["verified"], options["hosts"], scope)
    if not interrupted:
        return digest, []
    return "", [
        "the cables are verified again, as these were restarted since the last run, lost a link or do not answer: "
        + ", ".join(interrupted)
    ]


def read_networks(task: Task, design: dict[str, Any]) -> Iterator[Network | None]:
    """Yield findings and MACs of the fabric, and of the maintenance network; None where one is missing. Raises
    FnnError."""
    yield read_network(task, task.path("build"), design, "macs")
    if task.options["maintenance"]:
        own = task.read_existing("maintenance", "fnn-design")
        yield read_network(task, task.path("build") / "maintenance", own, "maintenance_macs") if own else None


def read_network(task: Task, build: Path, design: dict[str, Any], macs: str) -> Network | None:
    findings = task.documents.read_usable_of(design, build / "findings.json", "fnn-findings")
    known = task.read_existing(macs, "fnn-macs")
    return (findings, known) if findings and known else None


def describe_module() -> ControllerModule:
    evidence = {"type": "str", "choices": [AUTO, BEACONS, RELEARN], "default": AUTO}
    times = {name: {"type": "float", "required": True} for name in ("seconds", "blocked")}
    flags = dict.fromkeys(("has_head", "unplugs", "must_stay"), FLAG)
    kept = {"verified": {"type": "dict", "default": {}}, "hosts": NAMES, "absent": NAMES}
    documents = dict.fromkeys(("build", "macs", "maintenance", "maintenance_macs"), PATH)
    paths = {**require_paths("design", "passport"), **documents}
    return ControllerModule(choose, {**paths, "evidence": evidence, **flags, **times, **kept})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_switch_check
short_description: Plan the check of a switch, and write its passport
description:
  - Runs on the controller. O(state=stations) returns which NICs take part, by the design.
  - O(state=participants) chooses the nodes that take part, and the one that coordinates them, by what the stations
    received (M(fnn_switch_probe)).
  - O(state=written) makes traits of what was measured, and writes them as the entry of the switch in
    C(switch-passport.json). Entries of other switches are kept.
options:
  state:
    description: Action of the module.
    type: str
    choices: [stations, participants, written]
    required: true
  switch:
    description: Name of the switch in the design.
    type: str
    required: true
  nodes:
    description: Nodes that answer; with V(participants) and V(written), those whose station has started.
    type: list
    elements: str
    default: []
  received:
    description:
      - By node, what M(fnn_switch_probe) returned with C(state=wait). Needed by V(participants) and V(written).
    type: dict
    default: {}
  started:
    description: By node, what M(fnn_switch_probe) returned with C(state=start). Needed by V(written).
    type: dict
    default: {}
  steps:
    description: What M(fnn_switch_probe) returned with C(state=step), with its C(step). Needed by V(written).
    type: list
    elements: dict
    default: []
  passport:
    description: C(switch-passport.json), the file to write. Needed by V(written).
    type: path
  model:
    description: Make and model of the switch, for people.
    type: str
    default: ""
  date:
    description: The date of the check, as V(2026-11-27).
    type: str
    default: ""
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs]
attributes:
  check_mode:
    description: Writes nothing.
  diff_mode:
    description: Shows the lines of C(switch-passport.json) that change.
"""

EXAMPLES = r"""
- name: Find the NICs on the switch
  fnn_switch_check:
    state: stations
    switch: red
    nodes: "{{ ansible_play_hosts }}"
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
stations:
  description: MACs of the NICs that take part, by node.
  returned: O(state=stations)
  type: dict
  sample: {"k00": "02:f0:00:00:00:00", "k01": "02:f0:00:00:01:00"}
coordinator:
  description: The node that coordinates the check.
  returned: O(state=participants)
  type: str
  sample: k00
macs:
  description: MACs of the stations that all receive each other, that of the coordinator first.
  returned: O(state=participants)
  type: list
  elements: str
layer:
  description: The frames of the check, V(experimental) or V(ip).
  returned: O(state=participants)
  type: str
report:
  description: The passport as text, one sentence per trait.
  returned: O(state=written)
  type: list
  elements: str
  sample: ["red: 3 nodes, 95 s, 2026-11-27", "  The switch learns addresses."]
"""

from typing import Any

from ansible.module_utils.fnn.controller.options import NAMES, PATH, require_paths
from ansible.module_utils.fnn.controller.switch_check.passport import FORMAT, Check, make_entry, merge
from ansible.module_utils.fnn.controller.switch_check.show import write_lines
from ansible.module_utils.fnn.controller.switch_check.stations import (
    Participants,
    Station,
    choose_participants,
    find_stations,
)
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def check_switch(task: Task) -> Result:
    """Return the result of the state. Raises FnnError."""
    options = task.options
    stations = find_stations(task.read("design"), task.read("macs"), options["switch"], options["nodes"])
    if options["state"] == "stations":
        return {"stations": {each.node: each.mac for each in stations}}
    received = {node: (answer or {}).get("received") for node, answer in options["received"].items()}
    participants = choose_participants(stations, received)
    if options["state"] == "participants":
        macs = [each.mac for each in participants.stations]
        return {"coordinator": participants.stations[0].node, "macs": macs, "layer": participants.layer}
    return write_passport(task, stations, participants)


def write_passport(task: Task, stations: list[Station], participants: Participants) -> Result:
    """Write the entry of the switch. Raises FnnError."""
    options = task.options
    steps = [each for each in options["steps"] if "result" in each]
    check = Check(
        switch=options["switch"],
        participants=participants,
        stations=stations,
        results={each["step"]: each["result"] for each in steps},
        nics={node: describe_nic(answer or {}) for node, answer in options["started"].items()},
        model=options["model"],
        date=options["date"],
        seconds=sum(each["took"] for each in steps),
    )
    entry = make_entry(check)
    before = task.read_existing("passport", FORMAT)
    after = merge(before, entry)
    if not task.check_mode:
        # A measurement: the file is new also if nothing has changed, so that ./fnn switch-check shows it.
        task.documents.renew(task.path("passport"), after)
    return {**task.describe_change(task.path("passport"), before, after), "report": list(write_lines(entry))}


def describe_nic(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the driver and the speed of a NIC."""
    return {"driver": answer.get("driver"), "speed_mbps": answer.get("speed_mbps")}


def describe_module() -> ControllerModule:
    states = {"type": "str", "choices": ["stations", "participants", "written"], "required": True}
    text = {"type": "str", "default": ""}
    answers = {name: {"type": "dict", "default": {}} for name in ("received", "started")}
    steps = {"steps": {"type": "list", "elements": "dict", "default": []}}
    others = {"nodes": NAMES, "passport": PATH, "model": text, "date": text, **answers, **steps}
    named = {"switch": {"type": "str", "required": True}}
    arguments = {"state": states, **named, **require_paths("design", "macs"), **others}
    return ControllerModule(check_switch, arguments, [("state", "written", ("passport",))])


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

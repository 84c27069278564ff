#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_lab_fault
short_description: Inject a fault into a running lab, or repair all faults
description:
  - A fault uses the same virtual parts as the lab, and persists when the lab is brought up again. Faults accumulate.
  - A cable that may close a loop is shaped to 2 Mb/s, so that the machine survives it.
  - Runs as root on the machine that hosts the lab.
options:
  state:
    description: V(present) injects O(kind); V(absent) repairs all faults, regardless of their origin.
    type: str
    choices: [present, absent]
    default: present
  kind:
    description:
      - The fault; C(docs/how-to/lab.md) explains each kind.
      - V(swap) and V(cycle) plug each cable of O(what) into the place of the next one.
      - V(move) and V(extra) plug a cable into a switch; V(same-switch) plugs it into one where its node already has a
        NIC.
      - V(missing) pulls cables.
      - V(crossed) exchanges the cables of one node, V(shifted-node) those of two nodes, V(relabeled) those of two
        switches.
      - V(dead-switch) powers a switch off.
      - V(joined) and V(loop) add an unexpected cable between two switches or from one switch to itself.
      - V(uplink-missing) pulls the cable between a switch and the uplink switch, V(uplink-doubled) adds a second one,
        and V(uplink-wrong) plugs it into another switch.
      - V(foreign-network) plugs a NIC into a house LAN with a DHCP server, or joins a switch to it.
      - V(duplicate-mac) gives a NIC the MAC of another.
      - V(slow) shapes cables to 2 Mb/s.
      - V(lossy) drops 30 % of the frames of a cable in each direction, V(small-mtu) those of more than 1400 bytes.
      - V(flapping) drops the carrier of a cable once a second.
      - V(isolated) blocks frames between ports of a switch.
      - V(bridged) makes two NICs of a node ports of a bridge on that node.
      - V(firewall) drops IP at a NIC or, like a forwarding host, between the ports of a switch.
      - V(hosts) edits the hosts file of the first node, where the second node gets the address of the third.
      - The others give a switch a nasty trait. V(slow) and V(small-mtu) also take a switch.
      - V(ethertype-filter) drops frames of EtherType 0x88B5, V(lldp-forwarding) forwards LLDP.
      - V(short-ageing) forgets addresses after 10 s, V(no-learning) floods every frame, V(small-table) keeps 64
        addresses.
      - V(port-security) drops frames from other MACs than that of the NIC, V(move-guard) those of an address that was
        seen at another port.
      - V(storm-control) passes 100 broadcasts a second of a port, V(oversubscribed) 8 Mb/s between all ports.
      - V(spanning-tree) blocks a port for 8 s after its link came up.
    type: str
    choices:
      - swap
      - cycle
      - move
      - same-switch
      - missing
      - extra
      - crossed
      - shifted-node
      - relabeled
      - dead-switch
      - joined
      - loop
      - uplink-missing
      - uplink-doubled
      - uplink-wrong
      - foreign-network
      - duplicate-mac
      - slow
      - firewall
      - lossy
      - small-mtu
      - flapping
      - isolated
      - bridged
      - hosts
      - ethertype-filter
      - lldp-forwarding
      - short-ageing
      - no-learning
      - small-table
      - port-security
      - move-guard
      - storm-control
      - oversubscribed
      - spanning-tree
  what:
    description: The cables (such as C(k00:0)), switches or nodes to which the fault applies.
    type: list
    elements: str
    default: []
extends_documentation_fragment: [fnn_lab, fnn_lab.commands, fnn, fnn.root, fnn.design, fnn.plan]
"""

EXAMPLES = r"""
- name: Join two switches by an unexpected cable
  fnn_lab_fault:
    lab: fnn
    root: "{{ fnn_root }}"
    design: "{{ fnn_site_dir }}/design.json"
    variables: "{{ __fnn_plan_variables }}"
    kind: joined
    what: [red, blue]

- name: Repair all faults
  fnn_lab_fault:
    lab: fnn
    root: "{{ fnn_root }}"
    design: "{{ fnn_site_dir }}/design.json"
    variables: "{{ __fnn_plan_variables }}"
    state: absent
"""

RETURN = r"""
commands:
  description: Commands that were run, in shell syntax.
  returned: success
  type: list
  elements: str
  sample: ["ip -n fnn-sw link set dev k00.0 master green up"]
"""

from ansible.module_utils.fnn.controller.options import NAMES
from ansible.module_utils.fnn.controller.task import ControllerModule, Task
from ansible.module_utils.fnn.lab.faults import FAULTS, inject
from ansible.module_utils.fnn.lab.host import read_state
from ansible.module_utils.fnn.lab.options import OF_A_DESIGN, read_layout, run_work
from ansible.module_utils.fnn.lab.repair import repair
from ansible.module_utils.fnn.lab.wiring import Work
from ansible.module_utils.fnn_module import run_module


def compute_work(task: Task) -> Work:
    """Return the work of the fault or of its repair.

    Raises FnnError, and OSError when a container ends while its hosts file is read.
    """
    options, program = task.options, task.root / "module_utils/fnn/lab/lan_host.py"
    state = read_state(read_layout(task), program)
    return repair(state) if options["state"] == "absent" else inject(state, options["kind"], options["what"])


def describe_module() -> ControllerModule:
    states = {"type": "str", "choices": ["present", "absent"], "default": "present"}
    others = {"state": states, "kind": {"type": "str", "choices": list(FAULTS)}, "what": NAMES}
    needs = [("state", "present", ("kind",))]
    return ControllerModule(lambda task: run_work(task, compute_work(task)), {**OF_A_DESIGN, **others}, needs)


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_links
short_description: Read the NICs of a node, or detect which NICs share a switch
description:
  - O(state=read) returns the NICs of a node, the device of the Ansible connection, and other facts that the plan needs.
  - O(state=listen) starts a small background process that sends raw Ethernet beacons on every NIC and records which
    other NICs it hears. It also answers a head (M(fnn_relearn)), and ends by itself. NICs that are down are brought up
    meanwhile.
  - O(state=wait) waits until a node has heard all its peers, and leaves the process running. Run it when all nodes
    listen.
  - O(state=collect) stops that process, restores the NICs, and returns what was heard. Run it when all nodes have
    waited, so that no node stops sending while the NIC of a peer still negotiates a speed with its switch.
  - O(state=stop) does the same without waiting, and returns no observations. A missing process is no error.
  - A node with a maintenance NIC has a second such process, started and ended with the first, so that each network has
    its own observations.
  - Devices that may carry the connection of Ansible are reported but left alone, unless O(access=nic).
options:
  state:
    description: Action of the module.
    type: str
    choices: [read, listen, wait, collect, stop]
    default: read
  access:
    description:
      - How Ansible reaches nodes. With V(nic), the device of the Ansible connection is a NIC of the fabric.
      - An access device of C(fnn-net) is detected without this option.
    type: str
    choices: [management, nic]
    default: management
  macs:
    description: Only these NICs, by MAC. Empty means all.
    type: list
    elements: str
    default: []
  named:
    description: MACs of NICs that send beacons with O(state=listen) although the node reserves them, as they are bound.
    type: list
    elements: str
    default: []
  cluster:
    description: Name of the cluster; only beacons of the same cluster count. Needed by O(state=listen).
    type: str
  node:
    description: Name of this node. Needed by O(state=listen).
    type: str
  key:
    description:
      - The key of the run, 64 hexadecimal digits, the same for all nodes and M(fnn_relearn), and new in each run.
        Needed by O(state=listen).
      - The key authenticates beacons and answers to a head; frames of another run or without the key do not count as
        evidence. Only the memory of the process holds it.
    type: str
  seconds:
    description:
      - Seconds after which the process of O(state=listen) ends if it was not collected.
      - To extend the run, touch C(lease) in O(directory), which restarts the timer.
    type: float
    default: 600
  forget:
    description:
      - Seconds without a beacon after which its sender no longer counts as heard, for cables that are moved meanwhile.
      - A NIC no longer counts as in a loop after as many seconds without a returned frame. A stranger is dropped after
        ten times as many without a frame. Both happen at once when the NIC has no carrier.
      - 0 keeps all observations.
    type: float
    default: 0
  mtu:
    description:
      - Payload in bytes of additional beacons, to detect which links carry them. NICs with a smaller MTU get this one
        meanwhile.
      - 0 sends none.
    type: int
    default: 0
  direct:
    description:
      - Whether the nodes are joined by cables, without a switch. Beacons then go to the nearest bridge,
        C(01:80:c2:00:00:0e), so that bridges of nodes do not forward them.
    type: bool
    default: false
  interval:
    description: Seconds between two beacons of a NIC.
    type: float
    default: 0.2
  least_interval:
    description:
      - Seconds between two beacons of a NIC at least, where a switch limits broadcasts. Without it, NICs that hear few
        others send more often than O(interval) says.
    type: float
    default: 0
  settle:
    description: O(state=wait) and O(state=collect) wait until nothing new was heard for this many seconds.
    type: float
    default: 1
  timeout:
    description:
      - Seconds after O(state=listen) during which both wait for NICs without carrier, or that hear no sender.
      - A NIC that was just brought up needs seconds to negotiate a speed with its switch.
    type: float
    default: 5
  neighbors:
    description: MACs of the NICs of this node that share a switch with a NIC of another node, by the design.
    type: list
    elements: str
    default: []
  blocked:
    description:
      - Seconds after O(state=listen) during which O(state=wait) waits for O(neighbors) that have carrier and receive
        nothing, because spanning tree may still block their ports.
    type: float
    default: 0
  maintenance:
    description:
      - Devices of the maintenance network on this node; O(exclude) keeps them out of the fabric. They may carry the
        connection of Ansible, and need not be physical. O(state=read) returns all devices.
    type: list
    elements: str
    default: []
  file:
    description:
      - A file of the controller, to which O(state=collect) writes its answer as gzipped JSON. Ansible then gets only
        its path. In a cluster of n nodes, the observations of all have n² MACs.
    type: str
  error:
    description: The error of an earlier task on this node. The module fails with it, and does not contact the node.
    type: str
  directory:
    description: Directory for the state of the process.
    type: path
    default: /run/fnn
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.nics]
attributes:
  check_mode:
    description: Makes no lasting change, so check mode does the same.
"""

EXAMPLES = r"""
- name: Read the NICs
  fnn_links:
  register: fnn_read

- name: Listen on every node
  fnn_links:
    state: listen
    cluster: six
    node: "{{ inventory_hostname }}"
    key: "{{ key_of_this_run }}"

- name: Wait until every node has heard all others
  fnn_links:
    state: wait

- name: Collect the beacons
  fnn_links:
    state: collect
  register: fnn_beacons
"""

RETURN = r"""
links:
  description: The NICs, in the order of the kernel; with O(state=collect) as they were while beacons were sent.
  returned: O(state=read) and O(state=collect)
  type: list
  elements: dict
  sample:
    - device: nic0
      altnames: []
      mac: "02:f0:00:00:00:00"
      permanent: false
      random: false
      carrier: true
      speed_mbps: 10000
      duplex: full
      driver: veth
      mtu: 1500
      pci: null
      port: null
      master: null
      reserved: null
protected:
  description:
    - Devices that are no NICs, because the connection of Ansible may need them, each with the reason. C(names) has its
      name and its alternative ones.
    - C(reserved) of a NIC is the reason why it is not taken unless the inventory names it.
  returned: O(state=read)
  type: list
  elements: dict
  sample:
    - device: eno1
      names: [eno1, enp0s31f6]
      mac: "02:0c:00:00:00:01"
      reason: has a default route (IPv4, table main)
entered:
  description: Whether a program outside of the container runs the module, so that no device carries its connection.
  returned: O(state=read)
  type: bool
  sample: false
arrived_on:
  description:
    - The device that carries the SSH connection; null for other connections.
    - C(rests_on) lists the other devices that carry it, as members of a bond or the NIC under a tunnel.
    - C(access) is true for a NIC of the fabric, and for the access device of C(fnn-net) on one.
  returned: always
  type: dict
  sample: {"device": "mg0", "mac": "02:0c:00:00:00:01", "address": "10.79.0.1", "rests_on": [], "access": false}
identity_kind:
  description: The kind of identity device that the kernel can create, V(dummy) or V(veth).
  returned: O(state=read)
  type: str
  sample: veth
manager:
  description: The resident network manager, V(networkd), V(networkmanager), V(both) or V(none).
  returned: O(state=read)
  type: str
  sample: none
resolver:
  description: How the node resolves names, V(resolved) (systemd-resolved) or V(file) (C(/etc/resolv.conf)).
  returned: O(state=read)
  type: str
  sample: file
generation:
  description: The generation of the plan that the node has; empty where it has none.
  returned: O(state=read)
  type: str
  sample: 8-3f2a9c1b0d2e
networks:
  description: IPv4 addresses of other devices than the NICs, which the plan must not cover.
  returned: O(state=read)
  type: list
  elements: dict
  sample: [{"device": "mg0", "address": "10.79.0.1/16"}]
default_route:
  description: The device of an IPv4 default route of another program than C(fnn-net); empty without any.
  returned: O(state=read)
  type: str
  sample: mg0
host_name:
  description: What the machine calls itself.
  returned: O(state=read)
  type: str
  sample: k00
cpus:
  description: Number of processors available to programs.
  returned: O(state=read)
  type: int
  sample: 2
heard:
  description:
    - MACs that each NIC heard. C(loop) is true if the NIC heard its own beacon and stopped sending. C(returned)
      counts the own beacons that came back.
    - C(heard_before) lists MACs that the NIC heard only before its cable was moved, or before its last carrier loss;
      empty with O(forget).
    - C(tagged) lists heard MACs whose beacons arrived with a VLAN tag. The kernel of the node drops all other frames of
      this kind.
    - C(tried_mtu) is O(mtu), 0 if the NIC does not support frames of that size, null if no MTU was requested.
      C(carried) lists the MACs whose beacons of that size arrived.
    - C(strangers) lists other senders, eight at most, V(dhcp) servers first. Their MACs belong to no NIC of the cluster
      that was heard.
    - C(unknown_frames) lists frames with the name of the cluster that do not count as evidence. C(reason) is V(run) for
      frames of another run, V(authenticator) for frames not made with O(key), V(source) for a rewritten source MAC,
      V(repeated) for frames that were received before. C(claims) is the NIC that a beacon names.
    - C(counts) is null with O(forget). Otherwise it counts the beacons that the NIC C(sent) and, by MAC, those
      C(received) and those expected, from the first to the last. C(overflow) and C(backlog) count frames dropped by the
      socket and by the kernel of the node. C(carrier_losses) and C(errors) count from when the NIC had carrier.
  returned: O(state=collect)
  type: list
  elements: dict
  sample:
    - device: nic0
      mac: "02:f0:00:00:00:00"
      hears: ["02:f0:00:00:01:00"]
      heard_before: []
      tagged: []
      loop: false
      returned: 0
      tried_mtu: null
      carried: []
      strangers:
        - kind: dhcp
          mac: "9c:c7:a6:00:00:01"
          detail: DHCP server 192.168.178.1
      counts:
        sent: 80
        received: {"02:f0:00:00:01:00": [79, 80]}
        overflow: 0
        backlog: 0
        carrier_losses: 0
        errors: 0
      unknown_frames:
        - source: "02:f0:00:00:01:00"
          reason: run
          claims: k01 nic0
          frames: 12
steady:
  description:
    - Whether all NICs are up, have carrier, and have had it without interruption since they last heard another NIC, in
      O(state=collect) or in the proof. If this is true of all nodes, O(state=wait) is not necessary.
  returned: O(state=listen)
  type: bool
  sample: true
silent:
  description: MACs of NICs with carrier that have received no frame.
  returned: O(state=wait)
  type: list
  elements: str
  sample: ["02:f0:00:00:00:00"]
maintenance:
  description: RV(links), RV(heard), RV(foreign), RV(lldp) and RV(arrived_on) of the maintenance network.
  returned: O(state=read) and O(state=collect), with O(maintenance)
  type: dict
file:
  description: O(file), with C(links), C(heard), C(foreign), C(lldp), C(arrived_on) and C(maintenance), which are then
    not returned.
  returned: O(state=collect) with O(file)
  type: str
  sample: build/six/observations/k00.json.gz
foreign:
  description: Number of received beacons that are unreadable or of other clusters.
  returned: O(state=collect)
  type: int
  sample: 0
lldp:
  description: LLDP neighbors of the node; empty where the node does not run lldpd.
  returned: O(state=collect)
  type: list
  elements: dict
  sample:
    - device: eno1
      chassis: "00:1c:73:00:00:01"
      port: Ethernet7
      system: leaf1
"""

import glob
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.answer.pack import pack_answer
from ansible.module_utils.fnn.node.beacon.beacon import Pace
from ansible.module_utils.fnn.node.beacon.session import Session
from ansible.module_utils.fnn.node.beacon.steady import is_steady, record_steady
from ansible.module_utils.fnn.node.discover.lldp import read_lldp
from ansible.module_utils.fnn.node.discover.node_facts import read_candidates, read_facts, read_maintenance_facts
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.failed import explain
from ansible.module_utils.fnn.shared.nic_facts import read_links

OPTIONS = {
    "state": {"type": "str", "choices": ["read", "listen", "wait", "collect", "stop"], "default": "read"},
    "match": {"type": "list", "elements": "str"},
    "exclude": {"type": "list", "elements": "str", "default": []},
    "access": {"type": "str", "choices": ["management", "nic"], "default": "management"},
    "macs": {"type": "list", "elements": "str", "default": []},
    "named": {"type": "list", "elements": "str", "default": []},
    "cluster": {"type": "str"},
    "node": {"type": "str"},
    "key": {"type": "str", "no_log": True},
    "seconds": {"type": "float", "default": 600},
    "forget": {"type": "float", "default": 0},
    "mtu": {"type": "int", "default": 0},
    "direct": {"type": "bool", "default": False},
    "interval": {"type": "float", "default": 0.2},
    "least_interval": {"type": "float", "default": 0},
    "settle": {"type": "float", "default": 1},
    "timeout": {"type": "float", "default": 5},
    "neighbors": {"type": "list", "elements": "str", "default": []},
    "blocked": {"type": "float", "default": 0},
    "maintenance": {"type": "list", "elements": "str", "default": []},
    "file": {"type": "str"},
    "error": {"type": "str"},
    "directory": {"type": "path", "default": "/run/fnn"},
}

#: What differs for the maintenance network, all of whose NICs are named. Its process keeps its state beside that of the
#: fabric.
MAINTENANCE: dict[str, Any] = {
    "access": "nic",
    "exclude": [],
    "macs": [],
    "named": None,
    "mtu": 0,
    "direct": False,
    "neighbors": [],
}


def observe_networks(options: dict[str, Any]) -> dict[str, Any]:
    """Return the module's result: of the fabric, and of the maintenance network if the node has one. Raises FnnError
    and OSError."""
    if not options["maintenance"]:
        return format_result(observe(options), options)
    if options["state"] == "read":
        return {**observe(options), "maintenance": read_maintenance_facts()}
    directory = f"{options['directory']}-maintenance"
    own = {**options, **MAINTENANCE, "match": options["maintenance"], "directory": directory}
    fabric, maintenance = observe(options), observe(own)
    steady = {"steady": fabric["steady"] and maintenance["steady"]} if options["state"] == "listen" else {}
    return format_result({**fabric, "maintenance": maintenance, **steady}, options)


def format_result(observed: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the result, packed if a file of the controller is to have it."""
    packs = options["state"] == "collect" and options["file"]
    return {"packed": pack_answer(observed)} if packs else observed


def observe(options: dict[str, Any]) -> dict[str, Any]:
    """Return the result for one network. Raises FnnError and OSError."""
    found = read_candidates(options["match"], options["macs"], options["exclude"], options["access"])
    session = Session(Path(options["directory"]))
    if options["state"] == "stop":
        session.end()
        return {"arrived_on": found.arrival}
    if options["state"] in ("wait", "collect"):
        return read_session(session, options, found.arrival)
    if options["state"] == "listen":
        named = options["named"]
        links = [link for link in found.links if not link["reserved"] or named is None or link["mac"] in named]
        keys = ("seconds", "interval", "forget", "mtu", "direct", "least_interval")
        pace = Pace(*(options[key] for key in keys))
        steady = is_steady(session.directory, [link["device"] for link in links])
        session.start(options["cluster"], options["node"], options["key"], links, pace)
        return {"arrived_on": found.arrival, "steady": steady and not session.read_mtus()}
    facts: dict[str, Any] = read_facts(found)
    return facts


def read_session(session: Session, options: dict[str, Any], arrival: dict[str, Any] | None) -> dict[str, Any]:
    """Wait for the results of a session; O(state=collect) also ends it. After an error it is ended. Raises FnnError and
    OSError."""
    try:
        devices = session.wait(options["settle"], options["timeout"])
        if options["state"] == "wait":
            if set(options["neighbors"]).intersection(session.list_silent()):
                session.wait(options["settle"], options["blocked"])
            return {"arrived_on": arrival, "silent": session.list_silent()}
        links, own = read_links([glob.escape(device) for device in devices], []), session.read_mtus()
        heard = session.end()
        record_steady(session.directory, [nic["device"] for nic in heard["nics"] if nic["hears"]])
        return {
            "arrived_on": arrival,
            "links": [{**link, "mtu": own.get(link["device"], link["mtu"])} for link in links],
            "heard": heard["nics"],
            "foreign": heard["foreign"],
            "lldp": [each for each in read_lldp() if each["device"] in devices],
        }
    except (FnnError, OSError):
        session.end()
        raise


def main() -> None:
    module = AnsibleModule(
        argument_spec=OPTIONS,
        required_if=[("state", "listen", ("cluster", "node", "key"))],
        supports_check_mode=True,
    )
    try:
        module.exit_json(changed=False, **observe_networks(module.params))
    except (FnnError, OSError) as error:
        module.fail_json(msg=explain(error))


if __name__ == "__main__":
    main()

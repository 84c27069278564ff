#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_links
short_description: Read the NICs of a node, or learn who shares a switch with whom
description:
  - O(state=read) tells what NICs a node has, which of them Ansible arrives on, and what the plan must know besides.
  - O(state=listen) leaves a small process behind that sends raw Ethernet beacons on every NIC and notes which other
    NICs it hears, and answers a head station (M(fnn_relearn)). It ends by itself. NICs that are down are brought up
    meanwhile.
  - O(state=wait) waits until a node has heard everyone, and leaves the process as it is. Run it when all nodes listen.
  - O(state=collect) ends that process, puts the NICs back, and returns what was heard. Run it when all nodes have
    waited, so that nobody falls silent while the NIC of another still agrees on a speed with its switch.
  - O(state=stop) does the same without waiting, and returns nothing of it. It is no error if there is no process.
  - The device that Ansible arrives on is reported and otherwise left alone, and so is whatever it rests on, unless
    O(access=nic).
options:
  state:
    description: What to do.
    type: str
    choices: [read, listen, wait, collect, stop]
    default: read
  match:
    description:
      - Globs of device names that count as NICs.
      - Without it the physical Ethernet devices count; virtual ones, as in a lab, must be named.
    type: list
    elements: str
  access:
    description:
      - How Ansible reaches nodes. With V(nic) it is over a NIC of the fabric, so the one it arrives on is one of those.
      - An access device that C(fnn-net) made shows that by itself.
    type: str
    choices: [management, nic]
    default: management
  macs:
    description: Only these NICs, by MAC. Empty means all.
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
      - The key of the run, 64 hexadecimal digits, the same for all nodes and M(fnn_relearn), and a new one each time.
        Needed by O(state=listen).
      - Beacons and answers to a head are authenticated with it; frames of another run or without it are evidence of
        nothing. It is kept in the memory of the process alone.
    type: str
  seconds:
    description:
      - After so many seconds the process of O(state=listen) gives up waiting to be collected.
      - Whoever wants it to go on touches C(lease) in O(directory); then they begin anew.
    type: float
    default: 600
  forget:
    description:
      - After so many seconds without a beacon its sender is no longer heard, for cables that are moved meanwhile.
      - After so many seconds without a returned frame a NIC is in no loop, after ten times as many without a frame a
        stranger is forgotten, and both at once when the NIC has no carrier.
      - 0 forgets nothing.
    type: float
    default: 0
  mtu:
    description:
      - Send beacons with a payload of so many bytes as well, to learn who carries them. NICs with a smaller MTU get
        this one meanwhile.
      - 0 sends none.
    type: int
    default: 0
  interval:
    description: Seconds between two beacons of a NIC.
    type: float
    default: 0.2
  settle:
    description: O(state=wait) and O(state=collect) wait until nothing new was heard for so many seconds.
    type: float
    default: 1
  patience:
    description:
      - For so many seconds after O(state=listen), both wait for NICs without carrier, or that hear nobody.
      - A NIC that was just brought up needs seconds to agree on a speed with its switch.
    type: float
    default: 5
  directory:
    description: Where the state is kept meanwhile.
    type: path
    default: /run/fnn
attributes:
  check_mode:
    support: full
    description: Nothing lasting is changed, so check mode does the same.
  diff_mode:
    support: none
    description: There is nothing to differ.
author: The FNN toolkit authors
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

- name: Wait until every node has heard everyone
  fnn_links:
    state: wait

- name: Collect what was heard
  fnn_links:
    state: collect
  register: fnn_heard
"""

RETURN = r"""
links:
  description: The NICs, in the order of the kernel; with O(state=collect) as they were while beacons were sent.
  returned: O(state=read) and O(state=collect)
  type: list
  elements: dict
  sample:
    - device: nic0
      mac: "02:f0:00:00:00:00"
      permanent: false
      carrier: true
      speed_mbps: 10000
      duplex: full
      driver: veth
      mtu: 1500
      pci: null
arrived_on:
  description:
    - The device that carries the SSH connection; null for other connections.
    - C(rests_on) has the members of a bond, the ports of a bridge or the NIC under a VLAN that carry it.
    - C(access) says that it is a NIC of the fabric, or the access device of C(fnn-net) on one.
  returned: always
  type: dict
  sample: {"device": "mg0", "mac": "02:0c:00:00:00:01", "address": "10.79.0.1", "rests_on": [], "access": false}
identity_kind:
  description: The kind of identity device that the kernel can create, V(dummy) or V(veth).
  returned: O(state=read)
  type: str
  sample: veth
manager:
  description: The resident network manager, V(networkd), V(networkmanager) or V(none).
  returned: O(state=read)
  type: str
  sample: none
resolver:
  description: Who is asked for names, V(resolved) (systemd-resolved) or V(file) (C(/etc/resolv.conf)).
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
cpus:
  description: How many processors programs may use.
  returned: O(state=read)
  type: int
  sample: 2
heard:
  description:
    - Which MACs each NIC heard. C(loop) tells that it heard its own beacon and stopped sending.
    - C(tried_mtu) is O(mtu), 0 where the NIC takes no frame as long, null where none was asked for; C(carried) has the
      MACs whose beacons of that size arrived.
    - C(strangers) are others that were heard, eight at most, V(dhcp) servers first. Their frames carried a MAC from
      which no NIC of the cluster that was heard sends.
    - C(unknown_frames) are frames in the name of the cluster that were no evidence. C(reason) is V(run) for those of
      another run, V(authenticator) for those that were not made with O(key), V(source) where the MAC of the sender was
      rewritten, V(repeated) for those that were received before. C(claims) is the NIC that a beacon names.
    - C(counts) is null with O(forget). Else it has the beacons that the NIC C(sent), and by MAC those that it
      C(received) and those that it should have, from the first to the last; frames dropped by the socket (C(overflow))
      and by the kernel of the node (C(backlog)); C(carrier_losses) and C(errors) since the NIC had carrier.
  returned: O(state=collect)
  type: list
  elements: dict
  sample:
    - device: nic0
      mac: "02:f0:00:00:00:00"
      hears: ["02:f0:00:00:01:00"]
      loop: false
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
silent:
  description: MACs of NICs with carrier that have received nothing at all.
  returned: O(state=wait)
  type: list
  elements: str
  sample: ["02:f0:00:00:00:00"]
foreign:
  description: How many beacons of other clusters, or unreadable ones, were received.
  returned: O(state=collect)
  type: int
  sample: 0
lldp:
  description: What neighbors said of themselves by LLDP; empty where the node does not run lldpd.
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
from ansible.module_utils.fnn.node.beacon.beacon import Pace
from ansible.module_utils.fnn.node.beacon.session import Session
from ansible.module_utils.fnn.node.discover.lldp import read_lldp
from ansible.module_utils.fnn.node.discover.node_facts import (
    count_cpus,
    find_arrival,
    find_generation,
    find_identity_kind,
    find_manager,
    find_networks,
    find_not_ours,
    find_resolver,
)
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.failed import explain
from ansible.module_utils.fnn.shared.nic_facts import read_links

OPTIONS = {
    "state": {"type": "str", "choices": ["read", "listen", "wait", "collect", "stop"], "default": "read"},
    "match": {"type": "list", "elements": "str"},
    "access": {"type": "str", "choices": ["management", "nic"], "default": "management"},
    "macs": {"type": "list", "elements": "str", "default": []},
    "cluster": {"type": "str"},
    "node": {"type": "str"},
    "key": {"type": "str", "no_log": True},
    "seconds": {"type": "float", "default": 600},
    "forget": {"type": "float", "default": 0},
    "mtu": {"type": "int", "default": 0},
    "interval": {"type": "float", "default": 0.2},
    "settle": {"type": "float", "default": 1},
    "patience": {"type": "float", "default": 5},
    "directory": {"type": "path", "default": "/run/fnn"},
}


def observe(options: dict[str, Any]) -> dict[str, Any]:
    """What the module returns. Raises FnnError and OSError."""
    arrival = find_arrival(options["access"] == "nic")
    session = Session(Path(options["directory"]))
    if options["state"] == "stop":
        session.end()
        return {"arrived_on": arrival}
    if options["state"] in ("wait", "collect"):
        devices = session.wait(options["settle"], options["patience"])
        if options["state"] == "wait":
            return {"arrived_on": arrival, "silent": session.list_silent()}
        links, own = read_links([glob.escape(device) for device in devices], []), session.read_mtus()
        heard = session.end()
        return {
            "arrived_on": arrival,
            "links": [{**link, "mtu": own.get(link["device"], link["mtu"])} for link in links],
            "heard": heard["nics"],
            "foreign": heard["foreign"],
            "lldp": [each for each in read_lldp() if each["device"] in devices],
        }
    links = read_links(options["match"], options["macs"], but=find_not_ours(arrival))
    if options["state"] == "listen":
        pace = Pace(options["seconds"], options["interval"], options["forget"], options["mtu"])
        session.start(options["cluster"], options["node"], options["key"], links, pace)
        return {"arrived_on": arrival}
    return {
        "arrived_on": arrival,
        "links": links,
        "identity_kind": find_identity_kind(),
        "manager": find_manager(),
        "resolver": find_resolver(),
        "generation": find_generation(),
        "networks": find_networks([link["device"] for link in links]),
        "cpus": count_cpus(),
    }


def main() -> None:
    module = AnsibleModule(
        argument_spec=OPTIONS,
        required_if=[("state", "listen", ("cluster", "node", "key"))],
        supports_check_mode=True,
    )
    try:
        module.exit_json(changed=False, **observe(module.params))
    except (FnnError, OSError) as error:
        module.fail_json(msg=explain(error))


if __name__ == "__main__":
    main()

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_node
short_description: Read what a node offers to the fabric
description:
  - Reads versions, kernel features, disks, packages, NICs, addresses, routes and the packet filter of a node, and what
    other programs own its NICs. Changes nothing.
  - M(fnn_check) compares the result with the inventory on the controller.
options:
  access:
    description: How Ansible reaches nodes. With V(nic), the device of the Ansible connection is a NIC of the fabric.
    type: str
    choices: [management, nic]
    default: management
  prefixes:
    description: IPv4 networks of the fabric, whose packets the packet filter must accept.
    type: list
    elements: str
    default: []
  forwards:
    description: Whether the node forwards packets between its NICs.
    type: bool
    default: false
  bridge:
    description: Name of the bridge that will join the NICs; empty for none.
    type: str
    default: ""
  features:
    description: Features that the kernel needs.
    type: list
    elements: str
    choices: [identity, multipath, mptcp, bridge, bond]
    default: []
  packages:
    description: Packages that will be installed.
    type: list
    elements: str
    default: []
  maintenance:
    description: Devices of the maintenance network on this node.
    type: list
    elements: str
    default: []
  mpi:
    description: Options of M(fnn_mpi_node) with which it will run. Without them, RV(mpi) is not returned.
    type: dict
    suboptions:
      user:
        description: The cluster user.
        type: str
        required: true
      name:
        description: Name of the node.
        type: str
        required: true
      packages:
        description: Packages that MPI needs.
        type: list
        elements: str
        default: []
      wrapper:
        description: The wrapper library of MPICH.
        type: dict
        required: true
      peer:
        description: An identity address, from which nodes log in; empty to leave out what MPI needs of the system.
        type: str
        default: ""
      ranks:
        description: MPI processes of a job over all nodes.
        type: int
        default: 1
  sent:
    description: The time of the controller, in seconds since 1970, when it sent this task.
    type: float
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.nics]
attributes:
  check_mode:
    description: Changes nothing, so check mode does the same.
"""

EXAMPLES = r"""
- name: Read what the node offers
  fnn_node:
    prefixes: [10.77.0.0/16, 10.78.0.0/16]
    features: [identity, multipath]
    packages: [openmpi-bin, mpich]
    sent: "{{ now(utc=true).timestamp() }}"
  register: offered
"""

RETURN = r"""
links:
  description:
    - The NICs, as M(fnn_links) returns them. C(protected), C(entered), C(identity_kind), C(manager), C(resolver),
      C(default_route), C(host_name), C(cpus) and, with O(maintenance), C(maintenance) are those of M(fnn_links) too, so
      discovery need not read them again.
  returned: if the program ip is installed
  type: list
  elements: dict
without_carrier:
  description: Devices of the NICs that are up and have no carrier.
  returned: if the program ip is installed
  type: list
  elements: str
  sample: []
arrived_on:
  description: The device that carries the SSH connection, as M(fnn_links) returns it.
  returned: if the program ip is installed
  type: dict
networks:
  description: IPv4 addresses of other devices than the NICs.
  returned: if the program ip is installed
  type: list
  elements: dict
  sample: [{"device": "mg0", "address": "10.79.0.1/16"}]
routes:
  description: IPv4 routes over other devices than the NICs, without those of the kernel and of C(fnn-net).
  returned: if the program ip is installed
  type: list
  elements: dict
  sample: [{"device": "docker0", "to": "10.77.3.0/24"}]
owners:
  description:
    - Claims of other programs on the NICs and on the maintenance NIC, with their remedy. M(fnn_apply) refuses the node
      for those with C(blocks).
  returned: if the program ip is installed
  type: list
  elements: dict
  sample:
    - owner: ifupdown
      nic: enp2s0
      text: "/etc/network/interfaces:4: ifupdown configures enp2s0, a NIC of the cluster"
      remedy: run `ifdown enp2s0`, then remove this stanza, and enp2s0 from the line `auto`
      blocks: true
filters:
  description: Chains of the packet filter that would drop packets of the fabric. C(certain) is false if a condition is
    unknown. One without a C(table) stands for rules that could not be read.
  returned: if the program ip is installed
  type: list
  elements: dict
  sample: [{"table": "inet filter", "chain": "input", "hook": "input", "device": "enp2s0", "certain": true}]
lacking:
  description: Those of O(features) that the kernel lacks.
  returned: if the program ip is installed
  type: list
  elements: str
  sample: []
packages:
  description: O(packages) that are C(missing), and those of them that are in no package list. Null without apt.
  returned: success
  type: dict
  sample: {"missing": ["mpich"], "unknown": []}
mpi:
  description:
    - What M(fnn_mpi_node) would return as C(node), and whether it would change anything (C(differs)). Null if it would
      fail; it then reports the error itself.
  returned: with O(mpi)
  type: dict
  sample: {"host": "ssh-ed25519 AAAA", "user": "ssh-ed25519 BBBB", "trust": "", "missing": [], "differs": false}
mpi_faults:
  description: What MPI needs of the system and does not find, as entries of C(check.json).
  returned: with a C(peer) in O(mpi)
  type: list
  elements: dict
  sample: [{"check": "mpi", "level": "warning", "text": "/tmp is mounted noexec, …", "remedy": "…"}]
storage:
  description: Free space of the file systems that get files.
  returned: success
  type: dict
  sample: {"/etc": {"free_mb": 3120, "free_inodes": 211000, "read_only": false, "noexec": false}}
system:
  description: Versions.
  returned: success
  type: dict
  sample: {"name": "Debian GNU/Linux 12 (bookworm)", "kernel": "6.1.0-26-amd64", "python": "3.11.2", "systemd": true,
    "iproute2": "6.1.0"}
clock_ahead:
  description: Seconds by which the clock of the node was ahead of O(sent) when the module ran; negative if behind.
  returned: success
  type: float
  sample: 0.4
cluster:
  description: The cluster whose plan the node has; empty where it has none.
  returned: success
  type: str
  sample: six
generation:
  description: The generation of that plan.
  returned: success
  type: str
  sample: 8-3f2a9c1b0d2e
state:
  description: A digest of the files of that plan, for M(fnn_deliveries); null if the files, the kernel or the services
    of the node differ from the plan, or a change is under way.
  returned: if the program ip is installed
  type: str
  sample: 91ab33c0f2d47e5a91ab33c0f2d47e5a
verified:
  description: The digest of the findings that M(fnn_prove_node) recorded, if no link was interrupted since; else empty.
  returned: if the program ip is installed
  type: str
  sample: sha256:2f0c…
"""

import time
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.present import identify_state
from ansible.module_utils.fnn.node.beacon.session import DIRECTORY
from ansible.module_utils.fnn.node.beacon.verified import count_links, find_verified
from ansible.module_utils.fnn.node.check.host import find_unavailable, read_storage, read_system
from ansible.module_utils.fnn.node.check.kernel_features import find_lacking
from ansible.module_utils.fnn.node.check.mpi_needs import find_mpi_faults
from ansible.module_utils.fnn.node.check.packet_filter import find_filters
from ansible.module_utils.fnn.node.discover.node_facts import (
    find_cluster,
    find_generation,
    find_routes,
    read_candidates,
    read_facts,
    read_maintenance_facts,
)
from ansible.module_utils.fnn.node.mpi.mpich_wrapper import Wrapper
from ansible.module_utils.fnn.node.mpi.setup import Request, inspect
from ansible.module_utils.fnn.node.owners.find import find_claims
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.failed import explain
from ansible.module_utils.fnn.shared.nic_facts import list_without_carrier

NAMES = {"type": "list", "elements": "str", "default": []}
OPTIONS = {
    "match": {"type": "list", "elements": "str"},
    "exclude": NAMES,
    "access": {"type": "str", "choices": ["management", "nic"], "default": "management"},
    "prefixes": NAMES,
    "forwards": {"type": "bool", "default": False},
    "bridge": {"type": "str", "default": ""},
    "features": {**NAMES, "choices": ["identity", "multipath", "mptcp", "bridge", "bond"]},
    "packages": NAMES,
    "maintenance": NAMES,
    "mpi": {
        "type": "dict",
        "options": {
            "user": {"type": "str", "required": True},
            "name": {"type": "str", "required": True},
            "packages": NAMES,
            "wrapper": {"type": "dict", "required": True},
            "peer": {"type": "str", "default": ""},
            "ranks": {"type": "int", "default": 1},
        },
    },
    "sent": {"type": "float", "required": True},
}


def read_node(options: dict[str, Any]) -> dict[str, Any]:
    """Return the module's result. Raises FnnError and OSError."""
    ahead = time.time() - options["sent"]
    system = read_system()
    found = {
        "packages": find_unavailable(options["packages"]),
        "storage": read_storage(),
        "system": system,
        "clock_ahead": round(ahead, 1),
        "cluster": find_cluster(),
        "generation": find_generation(),
    }
    if options["mpi"]:
        found["mpi"] = inspect_mpi(options["mpi"])
        user, peer, ranks = (options["mpi"][each] for each in ("user", "peer", "ranks"))
        found.update({"mpi_faults": find_mpi_faults(user, peer, options["prefixes"], ranks)} if peer else {})
    return {**found, **read_network(options)} if system["iproute2"] else found


def inspect_mpi(options: dict[str, Any]) -> dict[str, Any] | None:
    """Return what fnn_mpi_node would report and whether it would change the node; None if it would fail, as it then
    reports the error itself in its own stage."""
    try:
        request = Request(options["user"], options["name"], Wrapper(**options["wrapper"]), options["packages"])
        return dict(inspect(request))
    except (FnnError, OSError):
        return None


def read_network(options: dict[str, Any]) -> dict[str, Any]:
    """Return what only the program ip shows. Raises FnnError and OSError."""
    candidates = read_candidates(options["match"], [], options["exclude"], options["access"])
    arrival, links = candidates.arrival, candidates.links
    devices = [link["device"] for link in links]
    # Where nodes have no other NIC, the one that Ansible arrives on keeps its address.
    tolerated = [arrival["mac"]] if arrival and arrival["access"] else []
    own = {*options["maintenance"]} - {name for each in candidates.protected for name in each["names"]}
    claims = find_claims({*(link["mac"] for link in links), *own}, tolerated)
    return {
        **read_facts(candidates),
        **({"maintenance": read_maintenance_facts()} if options["maintenance"] else {}),
        "without_carrier": list_without_carrier(devices),
        "routes": find_routes(devices),
        "owners": [each.describe() for each in claims],
        "filters": find_filters(devices, options["prefixes"], options["forwards"], options["bridge"]),
        "lacking": find_lacking(options["features"]),
        "state": identify_state(),
        "verified": find_verified(DIRECTORY, count_links(links, options["maintenance"])),
    }


def main() -> None:
    module = AnsibleModule(argument_spec=OPTIONS, supports_check_mode=True)
    try:
        module.exit_json(changed=False, **read_node(module.params))
    except (FnnError, OSError) as error:
        module.fail_json(msg=explain(error))


if __name__ == "__main__":
    main()

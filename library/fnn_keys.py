#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_keys
short_description: Gather the public keys of all nodes into keys.json
description:
  - Adds the keys seen in this run to the known ones, so that a node that is down stays trusted.
  - Returns the text that every node's C(ssh_known_hosts) and C(authorized_keys) carries, packed, and the nodes that
    do not have it yet.
options:
  path:
    description: The document to update, beside the inventory.
    type: path
    required: true
  user:
    description: The cluster user.
    type: str
    required: true
  seen:
    description:
      - What M(fnn_mpi_node) returned as C(node), by node. C(host) and C(user) are the public keys of host and cluster
        user; C(trust), the digest of the keys that the node has, and C(missing), its missing packages, may be left out.
    type: dict
    required: true
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs, fnn.stand_ins, fnn.plan]
"""

EXAMPLES = r"""
- name: Gather the public keys
  fnn_keys:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    path: "{{ fnn_site_dir }}/keys.json"
    root: "{{ fnn_root }}"
    variables: "{{ __fnn_plan_variables }}"
    facts: "{{ __fnn_plan_facts }}"
    user: fnn
    seen: {k00: {host: ssh-ed25519 AAAA, user: ssh-ed25519 BBBB}}
"""

RETURN = r"""
trust:
  description: The lines of all nodes for C(ssh_known_hosts) and C(authorized_keys), packed for M(fnn_mpi_node).
  returned: success
  type: str
  sample: eJyrVsrOy...
unfinished:
  description: Nodes of O(seen) that lack packages or these keys, sorted.
  returned: success
  type: list
  elements: str
  sample: [k00, k01]
"""

from collections.abc import Mapping
from typing import Any

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.host_names import read_host_names
from ansible.module_utils.fnn.controller.options import PATH, PLAN, require_paths
from ansible.module_utils.fnn.controller.plan.addresses import Addresses
from ansible.module_utils.fnn.controller.plan.names import list_names
from ansible.module_utils.fnn.controller.plan.satellites import plan_seats, read_seated
from ansible.module_utils.fnn.controller.plan.settings import read_settings
from ansible.module_utils.fnn.controller.ssh_keys import format_authorized_keys, format_known_hosts, merge_keys
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.trust import Trust, pack
from ansible.module_utils.fnn_module import run_module


def update_keys(task: Task) -> Result:
    """Merge, write and format the keys. Raises FnnError."""
    options, path = task.options, task.path("path")
    settings = read_settings(task.root, options["variables"], options["facts"])
    design, macs = read_seated(task.documents, options["design"], options["macs"], options["stand_ins"])
    old = task.read_existing("path", "fnn-keys")
    # In check mode a fresh node has no names and its cluster user no key yet.
    whole = {node: found for node, found in options["seen"].items() if found["host"] and found["user"]}
    seen = whole if task.check_mode else options["seen"]
    keys = merge_keys(design, old, seen)
    before, after = dumps(old) if old else "", dumps(keys)
    if before != after:
        task.write(path, keys)
    switches = [switch["name"] for switch in design["switches"]]
    addresses = plan_seats(design, settings)
    trust = Trust(
        format_known_hosts(keys, list_names(design["nodes"], switches, addresses, read_host_names(macs))),
        format_authorized_keys(keys, options["user"], list_sources(addresses)),
    )
    return {
        **task.describe_change(path, before, after),
        "trust": pack(trust),
        "unfinished": list_unfinished(options["seen"], trust.digest),
    }


def list_unfinished(seen: Mapping[str, Mapping[str, Any]], digest: str) -> list[str]:
    """Return the nodes that lack packages, or have other keys than those of this digest."""
    return sorted(node for node, found in seen.items() if found.get("missing") or found.get("trust") != digest)


def list_sources(addresses: Addresses) -> list[str]:
    """Return the prefixes from which nodes connect to each other: of identity addresses and of NICs with addresses."""
    return [addresses.identity_prefix, *([addresses.fabric] if addresses.numbered else [])]


def describe_module() -> ControllerModule:
    keys = {"user": {"type": "str", "required": True}, "seen": {"type": "dict", "required": True}}
    return ControllerModule(update_keys, {**require_paths("design", "macs", "path"), "stand_ins": PATH, **PLAN, **keys})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

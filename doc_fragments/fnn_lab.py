# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of every module that works on the lab of a design; module_utils/fnn/lab/options.py has them as arguments."""

from __future__ import annotations


class ModuleDocFragment:
    """The class name that Ansible requires."""

    DOCUMENTATION = r"""
options:
  lab:
    description: Name of the lab; its namespaces and containers are named after it.
    type: str
    required: true
  root:
    description: Root directory of the toolkit.
    type: path
    required: true
  design:
    description: The design document.
    type: path
    required: true
  management_prefix:
    description: IPv4 prefix of the management network; nodes have address rank + 1 in it, this machine the last
      address.
    type: str
    default: 10.79.0.0/16
  management:
    description: Management addresses, by node, that do not follow from the prefix.
    type: dict
    default: {}
  satellites:
    description: Hosts of the inventory that are wired only to the uplink switch, as C(fnn_uplink) names them.
    type: list
    elements: str
    default: []
  outside:
    description:
      - Addresses of the nodes in the network of hosts outside the plan, as M(fnn_render) takes them.
      - Where C(access) is V(nic), nodes have no management network, and this machine is behind a router.
    type: dict
    default: {}
"""

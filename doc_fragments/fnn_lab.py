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
  variables:
    description:
      - The variables of the plan, as M(fnn_render) takes them. This machine has the last address of
        C(fnn_management_prefix).
      - With C(fnn_access=nic) nodes have no management network, and this machine is behind a router.
    type: dict
    required: true
  facts:
    description: Facts of the nodes, as M(fnn_render) takes them; C(ansible_host) suffices.
    type: dict
    default: {}
  satellites:
    description: Hosts of the inventory that are wired only to the uplink switch, as C(fnn_uplink) names them.
    type: list
    elements: str
    default: []
"""

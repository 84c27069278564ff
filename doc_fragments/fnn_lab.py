# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of modules that work on the lab of a design; module_utils/fnn/lab/options.py has them as arguments."""

from __future__ import annotations


class ModuleDocFragment:
    """The class name that Ansible requires. A module also extends fnn.root, fnn.design and fnn.plan, after this."""

    DOCUMENTATION = r"""
options:
  lab:
    description: Name of the lab; its namespaces and containers are named after it.
    type: str
    required: true
  variables:
    description:
      - The variables of the plan, as M(fnn_render) takes them. This machine has the last address of
        C(fnn_management_prefix).
      - With C(fnn_access=nic) nodes have no management network, and this machine is behind a router.
  satellites:
    description: Hosts of the inventory that are wired only to the uplink switch, as C(fnn_uplink) names them.
    type: list
    elements: str
    default: []
  maintenance:
    description:
      - The design of the maintenance network, if there is one. Its switches are bridges beside the others; its cables
        are numbered after the fabric NICs of their node.
    type: path
"""

    #: Modules that run commands on the parts of the lab.
    COMMANDS = r"""
attributes:
  check_mode:
    description: Reports what would be done.
  diff_mode:
    support: full
    description: Shows the commands.
"""

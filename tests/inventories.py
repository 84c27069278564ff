# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads inventories with the loaders of a playbook, in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.inventory.manager import InventoryManager
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.gather import gather_values
from ansible.module_utils.fnn.controller.spec.spec import build_spec
from ansible.parsing.dataloader import DataLoader
from ansible.vars.manager import VariableManager
from plan_settings import read_variables


def read_inventory(site: Path) -> dict[str, dict[str, Any]]:
    """The variables of the nodes, in rank order.

    ansible-inventory returns the same, but takes a second per site to start.
    """
    loader = DataLoader()
    inventory = InventoryManager(loader, sources=[str(site)])
    variables = VariableManager(loader, inventory)
    return {host.name: variables.get_vars(host=host) for host in inventory.groups["fnn_nodes"].get_hosts()}


def make_spec(site: Path, engine: Designer) -> dict[str, Any]:
    """The spec of an inventory, in its normal form."""
    hostvars = read_inventory(site)
    names = list(hostvars)
    of_spec = [each for each in read_variables().values() if each.in_spec]
    variables = {each.name: hostvars[names[0]].get(each.name) for each in of_spec if not each.per_host}
    node_variables = {each.name: gather_values(names, hostvars, each.name) for each in of_spec if each.per_host}
    return engine.normalize(build_spec(names, variables, node_variables), site)

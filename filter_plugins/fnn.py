# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters for functions of module_utils/fnn. Helpers live there: the loader takes every file here for a plugin."""

from __future__ import annotations

from pathlib import Path

import ansible.module_utils

# Ansible builds `ansible.module_utils.fnn` for modules but not for filters, regardless of ansible.cfg.
_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ansible import context
from ansible.module_utils.fnn.controller.discover.expected import expect_groups, expect_neighbors
from ansible.module_utils.fnn.controller.discover.nic_names import find_nic
from ansible.module_utils.fnn.controller.gather import gather_tables, gather_values
from ansible.module_utils.fnn.controller.places import find_generated
from ansible.module_utils.fnn.controller.prove.mpi_nodes import describe_version_conflict, is_connected
from ansible.module_utils.fnn.controller.segments import has_cables
from ansible.module_utils.fnn.controller.spec.host_variables import pick_variables
from ansible.module_utils.fnn.controller.wire.ssh import find_reach
from jinja2 import Undefined

#: Variables with the password of a login, of the connection plugin ssh.
_PASSWORDS = ("ansible_password", "ansible_ssh_pass", "ansible_ssh_password")


def _name_generated(root: str) -> str:
    return str(find_generated(root))


def _is_direct(design: dict[str, Any]) -> bool:
    return bool(has_cables(design["spec"]))


def _find_passwords(names: list[str], hostvars: Mapping[str, Mapping[str, Any]]) -> dict[str, bool]:
    """Whether Ansible has a password to log in to each host: from the inventory, -e, -k or a file."""
    asked = any(context.CLIARGS.get(option) for option in ("ask_pass", "connection_password_file"))
    return {name: asked or any(each in hostvars[name] for each in _PASSWORDS) for name in names}


class FilterModule:
    """The filter plugin that Ansible loads."""

    def filters(self) -> dict[str, Callable[..., Any]]:
        """Return the filters by name."""
        return {
            "fnn_gather": gather_values,
            "fnn_gather_tables": gather_tables,
            "fnn_connected": is_connected,
            "fnn_direct": _is_direct,
            "fnn_generated": _name_generated,
            "fnn_mpi_conflict": describe_version_conflict,
            "fnn_nic": find_nic,
            "fnn_passwords": _find_passwords,
            "fnn_groups": expect_groups,
            "fnn_neighbors": expect_neighbors,
            "fnn_ssh": find_reach,
            "fnn_variables": partial(pick_variables, unknown=Undefined),
        }

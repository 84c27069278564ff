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

from ansible import constants as C
from ansible import context
from ansible.module_utils.fnn.controller.discover.expected import expect_groups, expect_neighbors
from ansible.module_utils.fnn.controller.discover.nic_names import find_nic
from ansible.module_utils.fnn.controller.gather import gather_tables, gather_values
from ansible.module_utils.fnn.controller.places import find_generated
from ansible.module_utils.fnn.controller.prove.mpi_nodes import describe_version_conflict, is_connected
from ansible.module_utils.fnn.controller.segments import has_cables
from ansible.module_utils.fnn.controller.spec.host_variables import pick_variables
from ansible.module_utils.fnn.controller.wire.ssh import COMMAND, find_reach
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.playbook.play_context import PlayContext
from ansible.plugins.loader import become_loader, connection_loader, get_shell_plugin
from jinja2 import Undefined


def _name_generated(root: str) -> str:
    return str(find_generated(root))


def _is_direct(design: dict[str, Any]) -> bool:
    return bool(has_cables(design["spec"]))


def _open_plugin(plugin: Any, kind: str, variables: Mapping[str, Any], **direct: Any) -> Any:
    """Give a plugin of Ansible its options as a task does: from variables, options, the environment, ansible.cfg."""
    names = C.config.get_plugin_vars(kind, plugin._load_name)
    keywords = {
        "remote_user": context.CLIARGS.get("remote_user") or C.DEFAULT_REMOTE_USER,
        "become_user": context.CLIARGS.get("become_user") or C.DEFAULT_BECOME_USER,
    }
    given = {name: variables[name] for name in names if name in variables}
    plugin.set_options(task_keys=keywords, var_options=given, direct=direct)
    return plugin


def _open_connection(variables: Mapping[str, Any]) -> Any:
    named = str(variables.get("ansible_connection") or C.DEFAULT_TRANSPORT)
    plugin = connection_loader.get("ssh" if named == "smart" else named, PlayContext(), None)
    return _open_plugin(plugin, "connection", variables) if plugin else None


def _resolve_reach(variables: Mapping[str, Any], connection: Any) -> dict[str, str]:
    """Return how Ansible reaches a host, with the names that schemas/fnn-wire.schema.json describes."""
    python = str(C.config.get_config_value("INTERPRETER_PYTHON", variables=variables))
    reach = {
        "connection": connection.transport if connection else str(variables["ansible_connection"]),
        "host": str(variables.get("ansible_host", variables["inventory_hostname"])),
        "python": "python3" if python.startswith("auto") else python,
        "become": _write_become(variables),
    }
    if reach["connection"] == "ssh":
        checked = [] if connection.get_option("host_key_checking") else ["-o StrictHostKeyChecking=no"]
        options = [connection.get_option(f"ssh_{name}args") or "" for name in ("", "common_", "extra_")]
        named = {"host": "host", "port": "port", "user": "remote_user", "key": "private_key_file"}
        found = {word: connection.get_option(option) for word, option in named.items()}
        reach.update({word: str(value) for word, value in found.items() if value})
        reach.update(
            program=str(connection.get_option("ssh_executable")), options=" ".join([*checked, *options]).strip()
        )
    return reach


def _write_become(variables: Mapping[str, Any]) -> str:
    """Return the line by which Ansible would run a command as root without a password."""
    given = variables.get("ansible_become")
    if given is not None and not boolean(given, strict=False):
        return str(COMMAND)
    method = variables.get("ansible_become_method") or context.CLIARGS.get("become_method") or C.DEFAULT_BECOME_METHOD
    become = _open_plugin(become_loader.get(str(method)), "become", variables, become_pass="")
    line: str = become.build_become_command(COMMAND, get_shell_plugin(shell_type="sh", executable="/bin/sh"))
    return line


def _find_ssh(names: list[str], hostvars: Mapping[str, Mapping[str, Any]], local: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = find_reach(
        {name: _resolve_reach(hostvars[name], _open_connection(hostvars[name])) for name in names}, local
    )
    return found


def _find_targets(names: list[str], hostvars: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return host, user and port of each host, and whether Ansible has a password, also from -k or a file."""
    asked = any(context.CLIARGS.get(option) for option in ("ask_pass", "connection_password_file"))
    found = {}
    for name in names:
        connection = _open_connection(hostvars[name])
        reach = _resolve_reach(hostvars[name], connection)
        has_option = connection is not None and connection.has_option("password")
        has_password = asked or bool(has_option and connection.get_option("password"))
        found[name] = {**{word: reach.get(word, "") for word in ("host", "user", "port")}, "password": has_password}
    return found


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
            "fnn_groups": expect_groups,
            "fnn_neighbors": expect_neighbors,
            "fnn_ssh": _find_ssh,
            "fnn_targets": _find_targets,
            "fnn_variables": partial(pick_variables, unknown=Undefined),
        }

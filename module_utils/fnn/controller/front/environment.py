# SPDX-License-Identifier: GPL-3.0-or-later
"""The environment of Ansible, in which an operator may have set anything, as for ARA or for other playbooks.

A variable such as ANSIBLE_LIBRARY replaces the setting of ansible.cfg, and with it the place of the modules of the
toolkit. ./fnn puts its own values before those of the operator, and sets what its playbooks depend on. All other
variables keep their effect (tests/playbooks/test_environment.py tries each).
"""

from __future__ import annotations

import configparser
import os
import re
from collections.abc import MutableMapping
from pathlib import Path

from .locales import use_known_locale

#: Variables with places, and the folder of the checkout that belongs to each.
PLACES = {
    "ANSIBLE_ACTION_PLUGINS": "action_plugins",
    "ANSIBLE_CALLBACK_PLUGINS": "callback_plugins",
    "ANSIBLE_DOC_FRAGMENT_PLUGINS": "doc_fragments",
    "ANSIBLE_FILTER_PLUGINS": "filter_plugins",
    "ANSIBLE_LIBRARY": "library",
    "ANSIBLE_MODULE_UTILS": "module_utils",
    "ANSIBLE_ROLES_PATH": "roles",
}
#: Variables that the playbooks depend on. With "", Ansible's default is used: tags would skip stages that later ones
#: need, and a debugger would wait for input that ./fnn does not pass on.
FIXED = {
    "ANSIBLE_ENABLE_TASK_DEBUGGER": "",
    "ANSIBLE_HOST_PATTERN_MISMATCH": "error",
    "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true",
    "ANSIBLE_NO_LOG": "",
    "ANSIBLE_RUN_TAGS": "",
    "ANSIBLE_SKIP_TAGS": "",
    "ANSIBLE_STRATEGY": "linear",
}
#: The ends of names whose values are paths. Playbooks run in the checkout, not in the operator's directory.
_PATHS = ("_DIR", "_FILE", "_HOME", "_IDENTITY_LIST", "_PATH", "_PLUGINS", "ANSIBLE_LIBRARY", "_TEMP", "_UTILS")


def prepare_environment(environment: MutableMapping[str, str], root: Path) -> None:
    """Changes the environment so that playbooks in the checkout `root` run as they are meant to."""
    for name in [each for each in environment if each.startswith("ANSIBLE_") and each.endswith(_PATHS)]:
        environment[name] = re.sub(r"[^,:@]+", _make_absolute, environment[name])
    # A value left in the environment may point to another checkout and its roles.
    environment["ANSIBLE_CONFIG"] = str(root / "ansible.cfg")
    for name, folder in PLACES.items():
        if environment.get(name):
            environment[name] = os.pathsep.join([str(root / folder), environment[name]])
    if ignored := environment.get("ANSIBLE_INVENTORY_IGNORE"):
        settings = configparser.ConfigParser(interpolation=None)
        settings.read(root / "ansible.cfg", encoding="utf-8")
        environment["ANSIBLE_INVENTORY_IGNORE"] = f"{settings['defaults']['inventory_ignore_extensions']}, {ignored}"
    if enabled := environment.get("ANSIBLE_VARS_ENABLED"):
        environment["ANSIBLE_VARS_ENABLED"] = f"host_group_vars, {enabled}"
    for name, value in FIXED.items():
        if name in environment and not value:
            del environment[name]
        elif name in environment:
            environment[name] = value
    use_known_locale(environment)


def _make_absolute(found: re.Match[str]) -> str:
    """A path that is there as an absolute one; anything else unchanged."""
    path = Path(found[0])
    return str(path.absolute()) if not path.is_absolute() and path.exists() else found[0]

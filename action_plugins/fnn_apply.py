# SPDX-License-Identifier: GPL-3.0-or-later
"""Controller side of fnn_apply: packs a node's directories into one line, so that one round trip is enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ansible.module_utils
from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

# Ansible builds `ansible.module_utils.fnn` for modules but not for plugins, whatever ansible.cfg says.
_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible.module_utils.fnn.controller.linkd_keys import format_keys, read_since, read_site_keys
from ansible.module_utils.fnn.shared.bundle import Bundle, add_secret, pack, read_bundle
from ansible.module_utils.fnn.shared.errors import FnnError, problem

LINKD, KEYS = "/etc/fnn/linkd", "/etc/fnn/linkd.key"


def add_keys(bundle: Bundle, path: str | None, check: bool) -> Bundle:
    """Return the bundle with the keys of fnn-linkd, where it runs. Raises FnnError.

    Check mode before the first run finds no keys, as it creates none.
    """
    if path is None or all(file.path != LINKD for file in bundle.files):
        return bundle
    keys = read_site_keys(Path(path))
    if keys:
        return add_secret(bundle, KEYS, format_keys(keys, read_since(Path(path))))
    if check:
        return bundle
    raise problem(path, "is missing; playbooks/network.yml makes it")


class ActionModule(ActionBase):
    """Runs the module of the same name with the packed bundle in place of the directories."""

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        _, options = self.validate_argument_spec(
            {
                "bundle": {"type": "path", "required": True},
                "common": {"type": "path"},
                "linkd_keys": {"type": "path", "no_log": False},
                "pass": {"type": "str", "default": "all"},
                "held": {"type": "list", "elements": "str", "default": []},
                "confirm": {"type": "int", "default": 0},
                "root": {"type": "path", "default": "/"},
            }
        )
        try:
            directories = [options[name] for name in ("common", "bundle") if options[name]]
            bundle = pack(add_keys(read_bundle(*map(Path, directories)), options["linkd_keys"], self._task.check_mode))
        except FnnError as error:
            raise AnsibleActionFail(str(error)) from None
        options = {"bundle": bundle, **{name: options[name] for name in ("pass", "held", "confirm", "root")}}
        result.update(self._execute_module("fnn_apply", module_args=options, task_vars=task_vars))
        result.pop("invocation", None)
        return result

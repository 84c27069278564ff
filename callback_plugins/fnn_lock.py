# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks the site of a run before its first play that may write documents or change nodes.

How is in module_utils/fnn/site_lock.py. A callback plugin, since the process of a task ends, and the lock with it. In
check mode nothing is written, so nothing is locked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import ansible.module_utils

_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible import context
from ansible.module_utils.fnn.site_lock import SiteInUse, lock_site
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: fnn_lock
type: aggregate
short_description: One operator at a time
description:
  - Locks the directory of the site before the first play that may write documents or change nodes.
  - A second run ends at once with a line that names the first.
"""

#: Playbooks that neither write documents beside the inventory nor change nodes; those of the lab are work on this
#: machine, also in the middle of a run.
_FREE = ("lab", "blink", "macs-export", "scaling")
_IN_USE = 75  # EX_TEMPFAIL of sysexits.h


class CallbackModule(CallbackBase):
    """Ansible's way in."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "fnn_lock"

    def __init__(self) -> None:
        super().__init__()
        self._done = False

    def v2_playbook_on_play_start(self, play: Any) -> None:
        if self._done or context.CLIARGS.get("check") or not _is_ours(play) or _only_stops(play):
            return
        site = _find_site(play)
        if site is None:
            return
        try:
            lock_site(site)
        except SiteInUse as error:
            print(f"fnn: {error}", file=sys.stderr, flush=True)
            sys.exit(_IN_USE)
        self._done = True


def _is_ours(play: Any) -> bool:
    """Whether the play stands in a playbook of the toolkit that takes the lock."""
    path = Path(str(play.get_path()).rpartition(":")[0])
    return path.is_relative_to(_ROOT / "playbooks") and not path.stem.startswith(_FREE)


def _only_stops(play: Any) -> bool:
    """Whether it is the cleanup of live cabling, which must not wait for a run that revives a reporter."""
    return bool(play.get_variable_manager().extra_vars.get("fnn_wire") == "stop")


def _find_site(play: Any) -> Path | None:
    """The directory of the documents: fnn_site_dir where it is given, else that of the inventory."""
    manager = play.get_variable_manager()
    given = manager.extra_vars.get("fnn_site_dir")
    hosts = manager._inventory.get_hosts("fnn_nodes") if not given else []
    if hosts:
        variables = hosts[0].get_vars()
        given = variables.get("fnn_site_dir") or variables.get("inventory_dir")
    return Path(str(given)) if given and "{{" not in str(given) else None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks the site of a run before its first play that may write documents or change nodes, and a lab that is made or
removed.

The lock is that of module_utils/fnn/controller/site_lock.py; site_workers.py beside it ends workers of a killed run,
which would keep the lock. This is a callback plugin, since a lock ends with the process of its task. In check mode
nothing is written, so nothing is locked.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ansible.module_utils

_ROOT = Path(__file__).resolve().parents[1]
if str(_ROOT / "module_utils") not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(str(_ROOT / "module_utils"))

from ansible import context
from ansible.module_utils.fnn.controller.site_lock import SiteInUse, lock_directory, lock_site
from ansible.module_utils.fnn.controller.site_workers import end_orphans
from ansible.plugins.callback import CallbackBase
from ansible.template import Templar

DOCUMENTATION = """
name: fnn_lock
type: aggregate
short_description: Lock the site and the lab against concurrent runs
description:
  - Locks the site before the first play that may write documents or change nodes.
  - Locks the lab, whose name is machine-wide, before it is booted or taken down.
  - A second run ends at once with a line that names the first.
"""

#: Contains a directory for each lab that was made or removed since this machine was booted.
_LABS = Path("/run/fnn-lab")
_PLAYBOOKS = _ROOT / "playbooks"
#: Playbooks that neither write documents beside the inventory nor change nodes. Lab playbooks change only this
#: machine, and may run during another run.
_FREE = ("lab", "advise", "blink", "macs-export", "scaling")
_IN_USE = 75  # EX_TEMPFAIL of sysexits.h


class CallbackModule(CallbackBase):
    """The callback plugin that Ansible loads."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "fnn_lock"

    def __init__(self) -> None:
        super().__init__()
        self._locked: set[Path] = set()

    def v2_playbook_on_play_start(self, play: Any) -> None:
        if context.CLIARGS.get("check"):
            return
        for place, lock in ((_find_lab(play), lock_directory), (_find_site(play), lock_site)):
            if place is not None and place not in self._locked:
                self._lock(place, lock)

    def _lock(self, place: Path, lock: Callable[[Path], int | None]) -> None:
        try:
            lock(place)
        except SiteInUse as error:
            print(f"fnn: {error}", file=sys.stderr, flush=True)
            sys.exit(_IN_USE)
        if not self._locked:
            end_orphans()
        self._locked.add(place)


def _find_lab(play: Any) -> Path | None:
    """Return the directory that represents the lab which the play makes or removes; create it if missing."""
    if _name_playbook(play) not in ("lab", "lab-down"):
        return None
    inventory = play.get_variable_manager()._inventory
    hosts = inventory.get_hosts("fnn_nodes")[:1] or [inventory.get_host("localhost")]
    name = _find_variable(play, hosts[0], "fnn_lab_name")
    if not (isinstance(name, str) and re.fullmatch(r"\w[\w.-]*", name)):
        return None
    with contextlib.suppress(OSError):  # only root makes labs; the first task checks it
        (_LABS / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    return _LABS / name


def _name_playbook(play: Any) -> str:
    """Return the name of the playbook, as "lab-down"; empty if the playbook is not part of the toolkit.

    A collection has underscores in place of the hyphens.
    """
    path = Path(str(play.get_path()).rpartition(":")[0]).resolve()
    return path.stem.replace("_", "-") if path.is_relative_to(_PLAYBOOKS) else ""


def _only_stops(play: Any) -> bool:
    """Return whether it is the cleanup of live cabling, which must not wait for a run that revives a reporter."""
    return bool(play.get_variable_manager().extra_vars.get("fnn_wire") == "stop")


def _find_site(play: Any) -> Path | None:
    """Return the directory of the documents, if the play takes the lock: fnn_site_dir if given, else that of the
    inventory."""
    name = _name_playbook(play)
    if not name or name in _FREE or name.startswith("lab-") or _only_stops(play):
        return None
    manager = play.get_variable_manager()
    given = manager.extra_vars.get("fnn_site_dir")
    if hosts := manager._inventory.get_hosts("fnn_nodes")[:1]:
        given = _find_variable(play, hosts[0], "fnn_site_dir") or hosts[0].get_vars().get("inventory_dir")
    return Path(str(given)) if given and "{{" not in str(given) else None


def _find_variable(play: Any, host: Any, name: str) -> Any:
    """Return the value of a variable for a host, from any place of the inventory."""
    variables = play.get_variable_manager().get_vars(host=host, play=play)
    return Templar(loader=play.get_loader(), variables=variables).template(variables.get(name))

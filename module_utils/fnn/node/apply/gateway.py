# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a node the gateway of its cluster, or none any more, together with a change of its files (net/gateway.py).

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ...shared.bundle import Bundle
from ...shared.errors import FnnError, Problem
from ...shared.failed import Failed
from ..net import gateway
from ..net.kernel import forwarding_key
from ..net.originals import read_originals, write_originals
from ..net.place import Place
from . import system
from .changes import Files

#: Program -> its package in Debian and Ubuntu.
PROGRAMS = {"/usr/sbin/nft": "nftables", "/usr/sbin/dnsmasq": "dnsmasq-base"}


@dataclass(frozen=True)
class Transition:
    """A change of the gateway on this node.

    leaves: an interface that stops forwarding, with `settings` as (key, value); "" for none. loads: whether the rules
    and the name service start or read their files again. stops: whether they stop for good.
    """

    leaves: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    loads: bool = False
    stops: bool = False

    def __bool__(self) -> bool:
        return bool(self.settings or self.loads or self.stops)


def find_transition(bundle: Bundle, files: Files, changed: Iterable[str], place: Place) -> Transition:
    """What this bundle changes. changed: paths of the files that differ."""
    is_gateway = any(file.path in gateway.UNIT_FILES for file in bundle.files)
    present = files.locate(f"{system.PLAN}/node")
    before = gateway.read_interface(present.read_text(encoding="utf-8")) if present.is_file() else ""
    after = gateway.read_interface(bundle.find(f"{system.PLAN}/node").content)
    leaves = before if before != after else ""
    settings = gateway.find_former_forwarding(leaves, read_originals(place)) if leaves else []
    if not place.has_systemd:
        return Transition(leaves, tuple(settings))
    stops = not is_gateway and any(files.locate(path).exists() for path in gateway.UNIT_FILES)
    return Transition(leaves, tuple(settings), is_gateway and _is_outdated(changed), stops)


def _is_outdated(changed: Iterable[str]) -> bool:
    """Whether the units do not run with the files of the bundle."""
    running = all(system.is_enabled(unit) and system.is_active(unit) for unit in gateway.UNITS)
    return not running or not gateway.is_loaded() or bool({*changed} & {*gateway.SOURCES})


def refuse_missing_programs(transition: Transition) -> None:
    """Raises FnnError with each program that this gateway lacks."""
    lacking = {program: package for program, package in PROGRAMS.items() if not shutil.which(program)}
    if transition.loads and lacking:
        texts = [f"this gateway needs {program}, of the package {package}" for program, package in lacking.items()]
        raise FnnError(Problem("", text) for text in texts)


def release(transition: Transition, place: Place) -> list[str]:
    """Before the files change: ends forwarding, then the rules. Returns a message per step. Raises FnnError."""
    actions = []
    if transition.leaves:
        originals = read_originals(place)
        _attempt(lambda: gateway.restore_forwarding(transition.leaves, originals))
        kept = {key: value for key, value in originals.sysctls.items() if key != forwarding_key(transition.leaves)}
        write_originals(place, replace(originals, sysctls=kept), ())
        actions.append(f"{transition.leaves} no longer forwards for the cluster")
    return [*actions, *(stop_units() if transition.stops else [])]


def load(transition: Transition) -> list[str]:
    """After the files changed, before packets may pass. Returns a message. Raises FnnError."""
    if not transition.loads:
        return []
    for unit in gateway.UNITS:
        system.enable(unit)
    _attempt(gateway.load)
    return [f"started {' and '.join(gateway.UNITS)}"]


def stop_if_leaving(removed: Iterable[str]) -> list[str]:
    """For the removal of the toolkit, which has restored all forwarding. removed: paths of files. Raises FnnError."""
    return stop_units() if {*removed} & {*gateway.UNIT_FILES} else []


def stop_units() -> list[str]:
    """Stops and disables both units. Raises FnnError."""
    system.run("systemctl", "--quiet", "disable", "--now", *gateway.UNITS)
    gateway.forget_failures()
    return [f"stopped and disabled {' and '.join(gateway.UNITS)}"]


def _attempt(step: Callable[[], object]) -> None:
    """Runs a step of fnn-net's code. Raises FnnError."""
    try:
        step()
    except Failed as failure:
        raise FnnError(Problem("", message) for message in failure.messages) from None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Where ./fnn finds inventories, programs and the documents beside an inventory."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from ...shared.errors import inflect

ROOT = Path(__file__).resolve().parents[4]
BIN = ROOT / ".venv" / "bin"
INVENTORIES = ROOT / "inventory"
DEFAULT_INVENTORY = "inventory/lab"


class UnknownName(click.ClickException):
    """A word of the command line that names nothing: a mistake of usage."""

    exit_code = 2


def list_inventories() -> list[str]:
    """Names of the inventories in the checkout."""
    return sorted(each.parent.name for each in INVENTORIES.glob("*/hosts.yml"))


def find_inventory(named: str) -> Path:
    """The inventory of a name below inventory/, or at a path, which may be relative to the checkout.

    Raises UnknownName with the inventories that exist.
    """
    for place in (*([] if "/" in named else [INVENTORIES / named]), Path(named), ROOT / named):
        if _exists(place):
            return place.resolve()
    there = list_inventories()
    source = " (FNN_INVENTORY)" if named == os.environ.get("FNN_INVENTORY") else ""
    hint = suggest(Path(named).name, there)
    raise UnknownName(f"{named}{source}: no such inventory{hint}; there are: {', '.join(there)}")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long, or in a directory that this user cannot read
        return False


def expand_path(path: str) -> Path:
    """As Ansible expands options of type path, in the directory in which playbooks run."""
    return ROOT / Path(os.path.expandvars(path)).expanduser()


def has_terminal() -> bool:
    """Whether a person can answer questions."""
    return sys.stdin is not None and sys.stdin.isatty()


def suggest(word: str, known: Iterable[str]) -> str:
    """ " (did you mean k01?)" if one of the known words is near, else nothing."""
    near = get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def require_known(thing: str, name: str, there: list[str], others: Iterable[str] = ()) -> None:
    """Raises UnknownName, with the nearest name, unless the name is there or among the others. thing: "node"."""
    if name not in there and name not in set(others):
        known = f"the {inflect(2, thing)} are {shorten(there)}"
        raise UnknownName(f"{name}: no such {thing}{suggest(name, there)}; {known}")


def list_designed_nodes(inventory: Path) -> list[str]:
    """Nodes and spares of the design beside an inventory; empty if no design is there or it cannot be read."""
    spec = _read_spec(inventory)
    return [*_list_names(spec.get("nodes")), *map(str, (spec.get("uplink") or {}).get("spares", []))]


def list_fabric_switches(inventory: Path) -> list[str]:
    """Switches of the same design that connect NICs of nodes; empty without a readable design."""
    return _list_names(_read_spec(inventory).get("switches"))


def list_designed_switches(inventory: Path) -> list[str]:
    """Switches of the same design, the uplink switch with the other machines on it, and maintenance switches."""
    spec, maintenance = _read_spec(inventory), _read_spec(inventory, "maintenance-design.json")
    uplink = spec.get("uplink") or {}
    names = [*_list_names(spec.get("switches")), *_list_names([uplink]), *map(str, uplink.get("hosts", []))]
    return [*names, *_list_names(maintenance.get("switches"))]


def _read_spec(inventory: Path, design: str = "design.json") -> dict[str, Any]:
    directory = inventory if inventory.is_dir() else inventory.parent
    try:
        spec = json.loads((directory / design).read_text(encoding="utf-8"))["spec"]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return spec if isinstance(spec, dict) else {}


def _list_names(items: Any) -> list[str]:
    found = items if isinstance(items, list) else []
    return [str(each["name"]) for each in found if isinstance(each, dict) and "name" in each]


def shorten(names: list[str]) -> str:
    """ "k00, k01, k02": at most eight names, with the number of the others."""
    shown = ", ".join(names[:8])
    return f"{shown} and {len(names) - 8} more" if len(names) > 8 else shown


def show_path(path: Path) -> str:
    """A path for people: relative if it is below the working directory."""
    path = path.absolute()
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)

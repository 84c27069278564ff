# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the variables of an inventory before any stage uses them (controller only; needs PyYAML).

Ansible itself ignores a misspelt variable, and takes the last of two equal keys. Either way the cluster differs from
the one that the user wrote, so this file refuses both. Switches and NICs are checked in `spec.py`, as a document.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from ...shared.errors import Problem
from ..schema import spell

PREFIX = "fnn_"
#: The loader of Ansible: that of libyaml accepts tabs where that of Python does not.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Every inventory must set these.
_REQUIRED = ("fnn_cluster", "fnn_switches", "fnn_nics")
#: The smallest valid number, which an argument spec cannot express.
_LEAST = {
    "fnn_checkpoint_every": 0,
    "fnn_design_processes": 1,
    "fnn_evaluate_patterns": 2,
    "fnn_headroom": 0,
    "fnn_islands": 1,
    "fnn_linkd_interval_ms": 20,
    "fnn_linkd_misses": 2,
    "fnn_linkd_successors": 1,
    "fnn_near_weight": 0,
    "fnn_outside_mtu": 576,
    "fnn_outside_nic": 0,
    "fnn_prove_mpi_seconds": 1,
    "fnn_seed": 0,
    "fnn_slots": 1,
    "fnn_steps": 1,
    "fnn_threads": 1,
    "fnn_time_limit": 1,
    "fnn_verify_limit": 1,
    "fnn_verify_blocked": 0,
    "fnn_verify_seconds": 1,
    "fnn_wire_seconds": 1,
}
_YES_OR_NO = ("yes", "no", "true", "false", "on", "off", "y", "n", "t", "f", "1", "0")
_MANY = 3
#: Placeholder for a value that depends on variables of a role, which are undefined outside it.
FOLLOWS = "(follows from variables of a role)"


def read_options(root: Path) -> dict[str, dict[str, Any]]:
    """Every variable of the roles below `root`: name -> its entry in an argument spec, or {} for a mere default."""
    options: dict[str, dict[str, Any]] = {}
    for path in sorted(root.glob("roles/*/defaults/main.yml")):
        options.update({name: {} for name in yaml.safe_load(path.read_text(encoding="utf-8")) or {}})
    for path in sorted(root.glob("roles/*/meta/argument_specs.yml")):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"].values():
            options.update(entry.get("options", {}))
    return options


def pick_variables(
    names: Iterable[str], hostvars: Mapping[str, Mapping[str, Any]], unknown: type
) -> dict[str, dict[str, Any]]:
    """Our variables of each host: {host: {variable: value}}. unknown: the type of an undefined value."""
    return {name: _pick(hostvars[name], unknown) for name in names}


def _pick(variables: Mapping[str, Any], unknown: type) -> dict[str, Any]:
    ours = {name: variables[name] for name in variables if name.startswith(PREFIX)}
    return {name: FOLLOWS if isinstance(value, unknown) else value for name, value in ours.items()}


def find_bad_variables(
    hosts: Mapping[str, Mapping[str, Any]], options: Mapping[str, Mapping[str, Any]]
) -> list[Problem]:
    """The problems of the variables of the nodes, each problem once and with the hosts that have it.

    hosts: as `pick_variables` gives them. options: as `read_options` gives them.
    """
    found: dict[Problem, list[str]] = {}
    for host, variables in hosts.items():
        for each in _find_bad(variables, options):
            found.setdefault(each, []).append(host)
    return [
        each if len(having) == len(hosts) else Problem(f"{each.at} of {_some(having)}", each.message)
        for each, having in found.items()
    ]


def _find_bad(variables: Mapping[str, Any], options: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    for name in _REQUIRED:
        if variables.get(name) is None:
            yield Problem(name, f"missing ({_describe(options[name])})")
    for name in sorted(variables):
        if name not in options:
            near = difflib.get_close_matches(name, options, n=1, cutoff=0.8)
            meant = f"did you mean {near[0]}?" if near else "docs/reference/variables.md lists all there are"
            yield Problem(name, f"unknown variable; {meant}")
        elif variables[name] not in (None, FOLLOWS):
            wrong = _find_wrong(variables[name], options[name], _LEAST.get(name))
            if wrong:
                yield Problem(name, f"{spell(variables[name])} is not {wrong}")


def _find_wrong(value: Any, option: Mapping[str, Any], least: int | None) -> str | None:
    """The expected values; None where this value is valid. As in Ansible, "2" is valid for 2."""
    choices = option.get("choices")
    if choices and value not in choices:
        return " or ".join(spell(each) for each in choices)
    kind = option.get("type")
    if kind in ("int", "float"):
        number = _to_integer(value) if kind == "int" else _to_number(value)
        expected = "an integer" if kind == "int" else "a number"
        expected += "" if least is None else f" of at least {least}"
        return None if number is not None and (least is None or number >= least) else expected
    if kind == "bool":
        return None if str(value).lower() in _YES_OR_NO else "true or false"
    if kind in ("str", "path"):
        return "a text" if isinstance(value, (dict, list)) else None
    if kind == "list":
        return None if isinstance(value, (list, str)) else "a list"
    return None


def _to_integer(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return int(value) if isinstance(value, (int, str)) else None
    except ValueError:
        return None


def _to_number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value) if isinstance(value, (int, float, str)) else None
    except ValueError:
        return None
    return number if number is not None and math.isfinite(number) else None


def _describe(option: Mapping[str, Any]) -> str:
    """The beginning of a description, for use in parentheses."""
    text = option["description"]
    sentence = str(text[0] if isinstance(text, list) else text).split("; ")[0].split(". ")[0]
    return sentence[:1].lower() + sentence[1:].rstrip(".").replace("C(", "").replace(")", "")


def _some(names: list[str]) -> str:
    """The first names of a long list."""
    more = len(names) - _MANY
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:_MANY])} and {more} more"


def find_repeated_keys(sources: Iterable[str]) -> list[Problem]:
    """Keys that are given twice in the YAML files of an inventory: `hosts.yml:12: k03 is given twice`.

    sources: files and directories, as `ansible_inventory_sources` has them. Ansible itself reports files that are no
    YAML or that cannot be read.
    """
    found: dict[Problem, None] = {}
    for path, name in _list_named(sources):
        try:
            tree = yaml.compose(path.read_text(encoding="utf-8"), _LOADER)
        except (OSError, ValueError, yaml.YAMLError):
            continue
        found.update(dict.fromkeys(_find_repeated(tree, name)))
    return list(found)


def find_unreadable_files(sources: Iterable[str]) -> list[Problem]:
    """Files of variables that are no YAML: `group_vars/all/fnn.yml:7:4: not YAML, ...`. sources: as above.

    Vaults count as YAML, as do tags such as !vault. Ansible itself reports inventories that are no YAML.
    """
    found: dict[Problem, None] = {}
    for path, name in _list_named(sources):
        if Path(name).parts[0] not in ("group_vars", "host_vars") or path.name.startswith("."):
            continue
        try:
            yaml.compose(path.read_text(encoding="utf-8"), _LOADER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
            found[Problem(place, f"not YAML, {error.problem or error.context}")] = None
        except (ValueError, yaml.YAMLError) as error:
            found[Problem(name, f"not YAML, {str(error).splitlines()[0]}")] = None
        except OSError as error:
            found[Problem(name, f"cannot be read: {error.strerror}")] = None
    return list(found)


def _list_named(sources: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """YAML files of an inventory, each with its path relative to the directory of the inventory."""
    for source in map(Path, sources):
        top = source if source.is_dir() else source.parent
        yield from ((path, str(path.relative_to(top))) for path in _list_files(source, top))


def _list_files(source: Path, top: Path) -> list[Path]:
    if source.is_dir():
        inside = sorted(source.rglob("*"))
    else:
        inside = [source, *sorted(top.glob("group_vars/**/*")), *sorted(top.glob("host_vars/**/*"))]
    return [path for path in inside if path.suffix in (".yml", ".yaml") and path.is_file()]


def _find_repeated(tree: yaml.Node | None, name: str) -> Iterator[Problem]:
    if isinstance(tree, yaml.SequenceNode):
        for each in tree.value:
            yield from _find_repeated(each, name)
    if isinstance(tree, yaml.MappingNode):
        first: dict[str, int] = {}
        for key, value in tree.value:
            line = key.start_mark.line + 1
            if isinstance(key, yaml.ScalarNode):
                if key.value in first:
                    yield Problem(f"{name}:{line}", f"{key.value} is given twice, first in line {first[key.value]}")
                first.setdefault(key.value, line)
            yield from _find_repeated(value, name)

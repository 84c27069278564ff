# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the variables of an inventory before any stage uses them (controller only; needs PyYAML).

Ansible itself ignores a misspelt variable, and takes the last of two equal keys. Either way the cluster differs from
the one that the user wrote, so this file refuses both. The engine checks switches and NICs, in spec.json.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ...shared.errors import Problem
from ..schema import format_value, name_range
from .host_variables import FOLLOWS
from .variable_source import LOADER, PAGE, Variable, describe_keys, name_kind

#: The role whose required variables every inventory must set; other roles may not be used.
_CLUSTER = "fnn"
_EXPECTED = {"boolean": "true or false", "string": "a text", "array": "a list"}
_YES = ("yes", "true", "on", "y", "t", "1")
_YES_OR_NO = (*_YES, "no", "false", "off", "n", "f", "0")
_MANY = 3


def find_bad_variables(hosts: Mapping[str, Mapping[str, Any]], variables: Mapping[str, Variable]) -> list[Problem]:
    """The problems of the variables of the nodes, each problem once and with the hosts that have it.

    hosts: as `pick_variables` gives them. variables: all that exist, by name.
    """
    found: dict[Problem, list[str]] = {}
    for host, values in hosts.items():
        for each in _find_bad(values, variables):
            found.setdefault(each, []).append(host)
    return [
        each if len(having) == len(hosts) else Problem(f"{each.at} of {_shorten_list(having)}", each.message)
        for each, having in found.items()
    ]


def _find_bad(values: Mapping[str, Any], variables: Mapping[str, Variable]) -> Iterator[Problem]:
    for name, variable in variables.items():
        if variable.required and variable.role == _CLUSTER and values.get(name) is None:
            yield Problem(name, f"missing ({_describe(variable)})")
    for name in sorted(values):
        if name not in variables:
            near = difflib.get_close_matches(name, variables, n=1, cutoff=0.8)
            meant = f"did you mean {near[0]}?" if near else f"{PAGE} lists all variables"
            yield Problem(name, f"unknown variable; {meant}")
        elif values[name] not in (None, FOLLOWS):
            expected = find_expected(values[name], variables[name])
            if expected:
                yield Problem(name, f"{format_value(values[name])} is not {expected}")


def _join(words: Sequence[str]) -> str:
    """ "a, b or c" """
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def find_expected(value: Any, variable: Variable) -> str | None:
    """The expected values; None where this value is valid. As in Ansible, "2" is valid for 2.

    Numbers, lists and objects of the spec are always valid: they are checked in spec.json, with the place in it.
    """
    schema, kind = variable.schema, name_kind(variable.schema)
    if "enum" in schema:
        return None if value in schema["enum"] else _join([format_value(each) for each in schema["enum"]])
    if variable.in_spec and kind not in ("boolean", "string"):
        return None
    expected = name_range(kind, schema) if kind in ("integer", "number") else _EXPECTED.get(kind)
    return None if expected is None or _fits(value, kind, schema) else expected


def convert_value(value: Any, variable: Variable) -> Any:
    """A valid value (see `find_expected`) in the type of its schema: 2 for "2", a list of texts for "a,b"."""
    kind = name_kind(variable.schema)
    if kind == "boolean":
        return str(value).lower() in _YES
    if kind == "array":
        return [str(each) for each in value] if isinstance(value, list) else _split(value)
    if kind == "string":
        return str(value)
    number = _to_integer(value) if kind == "integer" else _to_number(value)
    return int(number) if number is not None and number == int(number) else number


def _split(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _fits(value: Any, kind: str, schema: Mapping[str, Any]) -> bool:
    if kind == "boolean":
        return str(value).lower() in _YES_OR_NO
    if kind == "string":
        return not isinstance(value, (dict, list))
    if kind == "array":
        return isinstance(value, (list, str))
    number = _to_integer(value) if kind == "integer" else _to_number(value)
    return number is not None and _is_in_range(number, schema)


def _is_in_range(number: float, schema: Mapping[str, Any]) -> bool:
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    return bool(least <= number <= most and number > schema.get("exclusiveMinimum", -math.inf))


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
    except (OverflowError, ValueError):
        return None
    return number if number is not None and math.isfinite(number) else None


def _describe(variable: Variable) -> str:
    """The first sentence of the description and the keys of a list, for use in parentheses."""
    parts = [variable.description.split(". ")[0], describe_keys(variable.schema)]
    return "; ".join(part[:1].lower() + part[1:].rstrip(".") for part in parts if part).replace("`", "")


def _shorten_list(names: list[str]) -> str:
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
            tree = yaml.compose(path.read_text(encoding="utf-8"), LOADER)
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
            yaml.compose(path.read_text(encoding="utf-8"), LOADER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
            found[Problem(place, f"not YAML, {error.problem or error.context}")] = None
        except (ValueError, yaml.YAMLError) as error:
            found[Problem(name, f"not YAML, {str(error).splitlines()[0]}")] = None
        except OSError as error:
            found[Problem(name, f"cannot be read: {error.strerror}")] = None
    return list(found)


def refuse_generated_inside(sources: Iterable[str], build: Path) -> list[Problem]:
    """The directory of generated files if it is in an inventory, where the next run would read it. sources: as above.

    Ansible reads every file of an inventory's directory, except in hidden directories.
    """
    place = build.resolve()
    for top in (Path(source).resolve() for source in sources):
        inside = place.relative_to(top).parts if top.is_dir() and place.is_relative_to(top) else (".",)
        if not any(part.startswith(".") for part in inside):
            text = f"{build} is in the inventory {top}, where Ansible would read its files as hosts and variables"
            return [Problem("fnn_build_dir", f"{text}; choose a directory elsewhere, or a hidden one, as {top}/.build")]
    return []


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

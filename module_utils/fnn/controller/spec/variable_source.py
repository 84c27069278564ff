# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads schemas/variables.yml, the source of all inventory variables (controller only; needs PyYAML).

`scripts/generate.py` makes argument specs, defaults and documentation of it; `variables.py` checks inventories
against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..documents import load_schema

SOURCE = "schemas/variables.yml"
PAGE = "docs/reference/variables.md"
#: The loader of Ansible: that of libyaml, which is fast, and accepts tabs where that of Python does not.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OURS = ("default", "default_text", "per_host", "plan")


@dataclass(frozen=True)
class Variable:
    """schema: JSON Schema of its values, with `$ref` replaced by its target. in_spec: it is part of spec.json.

    plan: it is a setting of the plan (controller/plan/settings.py). default: None where `role` has none. default_text:
    the default in words, or "".
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    role: str
    required: bool = False
    per_host: bool = False
    in_spec: bool = False
    plan: bool = False
    default: Any = None
    default_text: str = ""


@dataclass(frozen=True)
class Section:
    """page: path of the page with its table, or "". entry_points: of the role that have its variables."""

    title: str
    role: str
    page: str
    description: str
    entry_points: tuple[str, ...]
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Source:
    """entry_points: role -> name -> short description."""

    sections: tuple[Section, ...]
    entry_points: Mapping[str, Mapping[str, str]]

    @property
    def variables(self) -> dict[str, Variable]:
        """All variables by name."""
        return {variable.name: variable for section in self.sections for variable in section.variables}


def read_source(root: Path) -> Source:
    """root: of the toolkit. Raises OSError, ValueError, KeyError where the file is not as it should be."""
    document = yaml.load((root / SOURCE).read_text(encoding="utf-8"), LOADER)
    sections = tuple(_read_section(each, root) for each in document["sections"])
    return Source(sections, document["entry_points"])


def _read_section(section: Mapping[str, Any], root: Path) -> Section:
    required, usual = section.get("required", ()), ["variables" if section["role"] == "fnn" else "main"]
    of_all = {"plan": section.get("plan", False)}
    return Section(
        title=section["title"],
        role=section["role"],
        page=section.get("page", PAGE),
        description=section.get("description", ""),
        entry_points=tuple(section.get("entry_points", usual)),
        variables=tuple(
            _read_variable(name, {**of_all, **each}, section["role"], name in required, root)
            for name, each in section["variables"].items()
        ),
    )


def _read_variable(name: str, entry: Mapping[str, Any], role: str, required: bool, root: Path) -> Variable:
    schema = {key: value for key, value in entry.items() if key not in (*_OURS, "description")}
    in_spec = "$ref" in schema
    return Variable(
        name=name,
        description=entry["description"],
        schema=_follow(schema["$ref"], root) if in_spec else schema,
        role=role,
        required=required,
        in_spec=in_spec,
        **{key: entry[key] for key in _OURS if key in entry},
    )


def _follow(reference: str, root: Path) -> Mapping[str, Any]:
    """The schema that `file#/json/pointer` names."""
    file, _, pointer = reference.partition("#")
    found: Mapping[str, Any] = load_schema(root / "schemas" / file)
    for key in pointer.strip("/").split("/"):
        found = found[key]
    return found


def is_template(default: Any) -> bool:
    """Whether Ansible has to evaluate this default."""
    return isinstance(default, str) and "{{" in default


def name_kind(schema: Mapping[str, Any]) -> str:
    """The JSON type of the values apart from null; "" where there are several."""
    if "enum" in schema:
        return "string"
    kinds = [schema["type"]] if isinstance(schema["type"], str) else [each for each in schema["type"] if each != "null"]
    return kinds[0] if len(kinds) == 1 else ""


def describe_keys(schema: Mapping[str, Any]) -> str:
    """The keys of an object, or of the objects of a list, as a Markdown sentence; "" for other values."""
    inside = schema.get("items", {}) if "array" in schema.get("type", ()) else schema
    if not isinstance(inside, Mapping) or "properties" not in inside:
        return ""
    required = inside.get("required", [])
    must = [f"`{name}`" for name in inside["properties"] if name in required]
    may = [f"`{name}`" for name in inside["properties"] if name not in required]
    start = "Its keys:" if inside is schema else "Each entry has" if must else "Each entry may have"
    return f"{start} {', '.join(must)}{'; optional: ' if must and may else ''}{', '.join(may)}."

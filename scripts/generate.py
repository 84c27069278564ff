#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the files that are made from schemas/variables.yml.

    roles/*/meta/argument_specs.yml        what each role accepts (ansible-doc -t role fnn_verify)
    roles/*/defaults/main/variables.yml    the defaults, and the dicts of the variables of the plan and the spec
    docs/reference/variables.md            tables between two markers, likewise in docs/how-to/lab.md

With --check it writes nothing and names the files that are not up to date.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "module_utils"))

from fnn.controller.spec.variable_source import (  # noqa: E402 (only now can it be found)
    SOURCE,
    Section,
    Source,
    Variable,
    describe_keys,
    is_template,
    name_kind,
    read_source,
)

HEAD = (
    f"# SPDX-License-Identifier: GPL-3.0-or-later\n# Generated from {SOURCE}; change that, then run `make generate`.\n"
)
#: The dicts of variables that roles pass to modules: of the plan, of the spec, and of the nodes in the spec.
PLAN_VARIABLES, SPEC_VARIABLES, NODE_VARIABLES = "__fnn_plan_variables", "__fnn_spec_variables", "__fnn_node_variables"
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"
TYPES = {
    "array": "list",
    "boolean": "bool",
    "integer": "int",
    "number": "float",
    "object": "dict",
    "string": "str",
    "": "raw",  # values of several types
}


class Dumper(yaml.SafeDumper):
    """YAML as yamllint wants it: sequences are indented, and no aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def dump(document: Any) -> str:
    return HEAD + yaml.dump(document, Dumper=Dumper, sort_keys=False, width=112, allow_unicode=True)


# --- argument specs ---


def make_argument_specs(role: str, source: Source) -> str:
    entries = {}
    for name, description in source.entry_points[role].items():
        sections = [each for each in source.sections if each.role == role and name in each.entry_points]
        options = {each.name: make_option(each) for section in sections for each in section.variables}
        entries[name] = {"short_description": description, "options": options}
    return dump({"argument_specs": entries})


def make_option(variable: Variable) -> dict[str, Any]:
    text = f"Per host. {variable.description}" if variable.per_host else variable.description
    if variable.default_text:
        text += f" Default: {variable.default_text.strip('`')}."
    option = {"description": to_markup(text), **describe_type(variable.schema)}
    if variable.required:
        option["required"] = True
    elif variable.default is not None and not is_template(variable.default):
        option["default"] = variable.default
    return option


def describe_type(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of an option of Ansible for values of a JSON Schema."""
    kind = name_kind(schema)
    described: dict[str, Any] = {"type": "path" if schema.get("format") == "path" else TYPES[kind]}
    if "enum" in schema:
        described["choices"] = [*schema["enum"]]
    if kind == "array" and "items" in schema:
        items = describe_type(schema["items"]) if isinstance(schema["items"], Mapping) else {"type": "raw"}
        described["elements"] = items.pop("type")
        described |= {key: value for key, value in items.items() if key in ("choices", "options")}
    if kind == "object" and "properties" in schema:
        described["options"] = {
            name: {
                "description": to_markup(each.get("description", "")),
                **describe_type(each),
                **({"required": True} if name in schema.get("required", ()) else {}),
            }
            for name, each in schema["properties"].items()
        }
    return described


def to_markup(markdown: str) -> str:
    """Markup of ansible-doc: C(code), and links as text with the path of the file."""
    linked = re.sub(r"\[([^]]+)\]\(([^)#]+)[^)]*\)", r"\1 (docs/\2)", markdown)
    return re.sub(r"`([^`]+)`", r"C(\1)", linked)


# --- defaults ---


def make_defaults(role: str, source: Source) -> str | None:
    """None for a role without defaults."""
    ours = [each for each in source.variables.values() if each.role == role]
    defaults = {each.name: each.default for each in ours if each.default is not None}
    chosen = {
        PLAN_VARIABLES: [each for each in ours if each.plan],
        SPEC_VARIABLES: [each for each in ours if each.in_spec and not each.per_host],
        NODE_VARIABLES: [each for each in ours if each.in_spec and each.per_host],
    }
    dicts: dict[str, Any] = {}
    for name, some in chosen.items():
        dicts.update(gather(name, some) if some else {})
    return dump({**defaults, **dicts}) if defaults or dicts else None


def gather(name: str, variables: list[Variable]) -> dict[str, Any]:
    """The dict of these variables, as a template and its parts. Those per host have the values of all members."""
    shared = {each.name: refer(each) for each in variables if not each.per_host}
    paths = {each.name: [each.name] for each in variables if each.per_host}
    if not paths:
        return {name: shared}
    collect = f"__fnn_members | fnn_gather_tables(hostvars, {name}_paths)"
    parts = {f"{name}_shared": shared} if shared else {}
    template = f"{name}_shared | combine({collect})" if shared else collect
    return {name: f"{{{{ {template} }}}}", **parts, f"{name}_paths": paths}


def refer(variable: Variable) -> str:
    """A template with the value of a variable."""
    return f"{{{{ {variable.name}{' | default(none)' if variable.default is None else ''} }}}}"


# --- pages ---


def make_page(path: Path, source: Source) -> str:
    """The page with new tables between its markers."""
    text = path.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    page = path.relative_to(ROOT)
    sections = [each for each in source.sections if each.page == str(page)]
    return f"{before}\n{''.join(make_table(each, page) for each in sections)}\n{after}"


def make_table(section: Section, page: Path) -> str:
    lines = ["", f"## {section.title}", ""]
    if section.description:
        lines += [relink(section.description, page), ""]
    lines += ["| variable | default | meaning |", "| --- | --- | --- |"]
    lines += [make_row(each, page) for each in section.variables]
    return "\n".join(lines) + "\n"


def make_row(variable: Variable, page: Path) -> str:
    text = " ".join(filter(None, [relink(variable.description, page), describe_keys(variable.schema)]))
    text = f"*Per host.* {text}" if variable.per_host else text
    return f"| `{variable.name}` | {relink(describe_default(variable), page)} | {text} |"


def describe_default(variable: Variable) -> str:
    if variable.required:
        return "required"
    if variable.default_text:
        return variable.default_text
    if variable.default in (None, "", []):
        return "none"
    text = json.dumps(variable.default).replace('"', "")
    return text if name_kind(variable.schema) in ("integer", "number") else f"`{text}`"


def relink(markdown: str, page: Path) -> str:
    """Links that are relative to docs/, relative to the page."""

    def replace(match: re.Match[str]) -> str:
        path, anchor = match[1], match[2] or ""
        target = Path("docs") / path
        return f"]({anchor})" if target == page else f"]({os.path.relpath(target, page.parent)}{anchor})"

    return re.sub(r"\]\(([^)#]+)(#[^)]*)?\)", replace, markdown)


# --- all of them ---


def make_files(source: Source) -> Iterator[tuple[Path, str]]:
    """Each generated file with its content."""
    for role in source.entry_points:
        yield ROOT / "roles" / role / "meta/argument_specs.yml", make_argument_specs(role, source)
        defaults = make_defaults(role, source)
        if defaults is not None:
            yield ROOT / "roles" / role / "defaults/main/variables.yml", defaults
    for page in sorted({each.page for each in source.sections if each.page}):
        yield ROOT / page, make_page(ROOT / page, source)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is not up to date")
    check = parser.parse_args().check
    stale = []
    for path, text in make_files(read_source(ROOT)):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.relative_to(ROOT))
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'not up to date, run `make generate`' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())

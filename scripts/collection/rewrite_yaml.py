# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites short names in playbooks, roles and variables as fully qualified ones.

PyYAML gives the place of each node, and only the name at that place is replaced, so comments and layout stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import yaml

from .names import Names, match_names, qualify, qualify_playbook

#: Keys with the name of a role, in a list or as `name`.
_ROLE_LISTS = ("roles", "dependencies")
_ROLE_TASKS = ("ansible.builtin.import_role", "ansible.builtin.include_role")

_TOP = PurePosixPath()
#: (begin, end, replacement) in characters.
_Edit = tuple[int, int, str]


def rewrite_yaml(text: str, names: Names, directory: PurePosixPath = _TOP) -> str:
    """directory: of the playbook below playbooks/, to which the paths of import_playbook are relative."""
    edits = sorted(_list_edits(yaml.compose(text, yaml.SafeLoader), names, directory), reverse=True)
    for begin, end, new in edits:
        text = text[:begin] + new + text[end:]
    return rewrite_filters(text, names)


def rewrite_filters(text: str, names: Names) -> str:
    """Rewrite the names of filters in Jinja expressions."""
    return re.sub(rf"(\|\s*)({match_names(names.filters)})", lambda found: found[1] + qualify(found[2]), text)


def _list_edits(node: yaml.Node | None, names: Names, directory: PurePosixPath) -> Iterator[_Edit]:
    for each in _walk(node):
        if isinstance(each, yaml.SequenceNode):
            yield from _list_tasks(each, names)
        if isinstance(each, yaml.MappingNode):
            yield from _list_roles(each, names)
            yield from _list_playbooks(each, directory)


def _walk(node: yaml.Node | None) -> Iterator[yaml.Node]:
    if node is None:
        return
    yield node
    children = node.value if isinstance(node, yaml.CollectionNode) else []
    for child in children:
        for part in child if isinstance(child, tuple) else (child,):
            yield from _walk(part)


def _list_tasks(node: yaml.SequenceNode, names: Names) -> Iterator[_Edit]:
    """The modules of tasks: keys of the mappings in a list."""
    tasks = (task for task in node.value if isinstance(task, yaml.MappingNode))
    for key, _ in (pair for task in tasks for pair in task.value):
        if key.value in names.modules:
            yield _replace(key, qualify(key.value))


def _list_roles(node: yaml.MappingNode, names: Names) -> Iterator[_Edit]:
    for key, value in node.value:
        if key.value in _ROLE_TASKS:
            entries = [value]
        elif key.value in _ROLE_LISTS and isinstance(value, yaml.SequenceNode):
            entries = value.value
        else:
            continue
        for entry in entries:
            for role in _find_role(entry):
                if role.value in names.roles:
                    yield _replace(role, qualify(role.value))


def _find_role(entry: yaml.Node) -> list[yaml.Node]:
    if isinstance(entry, yaml.MappingNode):
        return [value for key, value in entry.value if key.value in ("role", "name")]
    return [entry]


def _list_playbooks(node: yaml.MappingNode, directory: PurePosixPath) -> Iterator[_Edit]:
    for key, value in node.value:
        if key.value == "import_playbook":
            parts: list[str] = []
            for part in (directory / value.value).parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            if parts[0] == "playbooks":  # site.yml lies above playbooks/ in a checkout, and in it in the collection
                del parts[0]
            yield _replace(value, qualify_playbook(PurePosixPath(*parts)))


def _replace(node: yaml.Node, new: str) -> _Edit:
    return node.start_mark.index, node.end_mark.index, new

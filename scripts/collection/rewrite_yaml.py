# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites short names in playbooks, roles and variables as fully qualified ones.

PyYAML gives the place of each node, and only the name at that place is replaced, so comments and layout stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import yaml

from .names import Names, qualify, qualify_playbook, require_known

#: Keys with the name of a role, in a list or as `name`.
_ROLE_LISTS = ("roles", "dependencies")
_ROLE_TASKS = ("ansible.builtin.import_role", "ansible.builtin.include_role")

#: A filter in a Jinja expression, applied itself or by map, which takes its name.
_FILTER = re.compile(r"""(\|\s*|\bmap\(\s*['"])(fnn_\w+)""")
_TOP = PurePosixPath()
#: (begin, end, replacement) in characters.
_Edit = tuple[int, int, str]


def rewrite_yaml(text: str, names: Names, directory: PurePosixPath = _TOP) -> str:
    """Raises ValueError for a name that the checkout does not have.

    directory: of the playbook below playbooks/, to which the paths of import_playbook are relative.
    """
    edits = sorted(_list_edits(yaml.compose(text, yaml.SafeLoader), names, directory), reverse=True)
    for begin, end, new in edits:
        text = text[:begin] + new + text[end:]
    return rewrite_filters(text, names)


def rewrite_filters(text: str, names: Names) -> str:
    """Rewrite the names of filters in Jinja expressions. Raises ValueError for an unknown one."""
    require_known("filter", (found[2] for found in _FILTER.finditer(text)), names.filters)
    return _FILTER.sub(lambda found: found[1] + qualify(found[2]), text)


def _list_edits(node: yaml.Node | None, names: Names, directory: PurePosixPath) -> Iterator[_Edit]:
    for each in _walk(node):
        if isinstance(each, yaml.SequenceNode):
            yield from _list_tasks(each, names)
        if isinstance(each, yaml.MappingNode):
            yield from _list_roles(each, names)
            yield from _list_playbooks(each, names, directory)


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
    keys = [key for task in tasks for key, _ in task.value if str(key.value).startswith("fnn_")]
    require_known("module", (key.value for key in keys), names.modules)
    for key in keys:
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
                require_known("role", [role.value], names.roles)
                if role.value in names.roles:
                    yield _replace(role, qualify(role.value))


def _find_role(entry: yaml.Node) -> list[yaml.Node]:
    if isinstance(entry, yaml.MappingNode):
        return [value for key, value in entry.value if key.value in ("role", "name")]
    return [entry]


def _list_playbooks(node: yaml.MappingNode, names: Names, directory: PurePosixPath) -> Iterator[_Edit]:
    for key, value in node.value:
        if key.value == "import_playbook":
            parts: list[str] = []
            for part in (directory / value.value).parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            if parts[0] == "playbooks":  # site.yml lies above playbooks/ in a checkout, and in it in the collection
                del parts[0]
            path = PurePosixPath(*parts)
            if str(path) not in names.playbooks:
                raise ValueError(f"unknown playbook {path}")
            yield _replace(value, qualify_playbook(path))


def _replace(node: yaml.Node, new: str) -> _Edit:
    return node.start_mark.index, node.end_mark.index, new

# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders every node's files and writes the ones that differ (controller only; needs jinja2).

    build/six/cluster.json               what all nodes know alike
    build/six/nodes/k00.json             the node's view
    build/six/nodes/k00/manifest.json    which files it has
    build/six/nodes/k00/etc/fnn/links    and the files, laid out as on the node

One process does all nodes: a thousand take seconds, where a task per node would take a quarter of an hour. What is
the same everywhere is rendered once, and nothing is flushed to the disk, because everything here can be made again.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..documents import Documents, dumps
from ..files import write_atomic
from .files import NodeFile, choose_files, make_manifest
from .views import Plan, View

MANIFEST = "manifest.json"
#: Lists of a view that share their items with other views.
_SHARED_LISTS = ("neighbors", "routes")


@dataclass(frozen=True)
class Change:
    """One file that differs. before is None for a new one, after for one that goes."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o644


class Renderer:
    """Spells views as files."""

    def __init__(self, root: Path) -> None:
        self._roles = root / "roles"
        self._templates = Environment(
            loader=FileSystemLoader(self._roles),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
        )
        self._once: dict[str, bytes] = {}
        self._items: dict[int, str] = {}

    def render(self, plan: Plan) -> Iterator[tuple[str, Path, bytes, int]]:
        """(node, path below the build directory, content, mode) of everything; node is "" for the cluster's own."""
        yield "", Path("cluster.json"), dumps(plan.cluster).encode(), 0o644
        for name, view in plan.views.items():
            home = Path("nodes") / name
            yield name, Path("nodes") / f"{name}.json", self._spell_view(view), 0o644
            yield name, home / MANIFEST, dumps(make_manifest(view)).encode(), 0o644
            for each in choose_files(view):
                content = self._render_file(each, view, plan.cluster)
                yield name, home / each.path.lstrip("/"), content, int(each.mode, 8)

    def _render_file(self, file: NodeFile, view: View, cluster: View) -> bytes:
        if not file.same_everywhere:
            return self._templates.get_template(file.source).render(view=view, cluster=cluster).encode()
        if file.source not in self._once:
            if file.source.endswith(".j2"):
                content = self._templates.get_template(file.source).render(cluster=cluster).encode()
            else:
                content = (self._roles / file.source).read_bytes()
            self._once[file.source] = content
        return self._once[file.source]

    def _spell_view(self, view: View) -> bytes:
        """The bytes of `dumps(view)`, with each shared item spelled only once for all views."""
        text = dumps({**view, **{part: [] for part in _SHARED_LISTS}})
        for part in _SHARED_LISTS:
            if view[part]:
                items = ",\n".join(self._spell_item(each) for each in view[part])
                text = text.replace(f'  "{part}": []', f'  "{part}": [\n{items}\n  ]', 1)
        return text.encode()

    def _spell_item(self, item: View) -> str:
        # The plan keeps every item alive, so its id is its own.
        if id(item) not in self._items:
            lines = json.dumps(item, sort_keys=True, indent=2, ensure_ascii=False).splitlines()
            self._items[id(item)] = "\n".join(f"    {line}" for line in lines)
        return self._items[id(item)]


def check_views(plan: Plan, documents: Documents) -> None:
    """Raises FnnError when the plan breaks the schemas; items shared by several views are looked at once."""
    documents.check(plan.cluster, "fnn-cluster")
    seen: set[int] = set()
    for view in plan.views.values():
        fresh = {part: [each for each in view[part] if id(each) not in seen] for part in _SHARED_LISTS}
        seen.update(id(each) for items in fresh.values() for each in items)
        documents.check({**view, **fresh}, "fnn-view")


def find_changes(files: Iterable[tuple[str, Path, bytes, int]], build: Path) -> Iterator[tuple[str, Change]]:
    """What would have to change below `build`: (node, change) for files that differ, then for those to remove."""
    wanted = set()
    for node, path, content, mode in files:
        wanted.add(build / path)
        before = _read(build / path)
        if before != content or (build / path).stat().st_mode & 0o7777 != mode:
            yield node, Change(build / path, before, content, mode)
    for path in sorted((build / "nodes").rglob("*")):
        if path.is_file() and path not in wanted:
            yield (
                path.relative_to(build / "nodes").parts[0].removesuffix(".json"),
                Change(path, path.read_bytes(), None),
            )


def make_change(change: Change) -> None:
    """Write or remove the file."""
    if change.after is None:
        change.path.unlink()
    else:
        write_atomic(change.path, change.after, change.mode, durable=False)


def remove_empty_directories(build: Path) -> None:
    """What removed files and nodes leave behind."""
    for path in sorted((build / "nodes").rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def show_change(change: Change, build: Path, most: int) -> str:
    """A unified diff of at most that many lines."""
    name = str(change.path.relative_to(build))
    before, after = ((content or b"").decode().splitlines() for content in (change.before, change.after))
    lines = list(difflib.unified_diff(before, after, f"before: {name}", f"after: {name}", lineterm=""))
    if len(lines) > most:
        lines[most:] = [f"… {len(lines) - most} more lines"]
    return "\n".join(lines) + "\n"


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None

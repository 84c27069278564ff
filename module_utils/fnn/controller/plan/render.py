# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders every node's files and writes the ones that differ (controller only; needs jinja2).

    build/six/cluster.json               the cluster view
    build/six/common/manifest.json       the list of the files that all nodes share
    build/six/common/etc/hosts           and those files, by their paths on a node
    build/six/nodes/k00/manifest.json    the list of the files of this node alone
    build/six/nodes/k00/etc/fnn/links    and those files

One process renders all nodes: a thousand take seconds, where a task per node would take a quarter of an hour. Files
that all nodes share are rendered once. One of them has the NICs on all switches, from which a node takes its neighbors:
a thousand nodes have a million neighbors, but only some thousand NICs. Each route is formatted once for all views that
share it. No file is flushed to disk (fsync), because all can be rendered again.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..documents import Documents, dumps
from ..files import replace_file
from .files import NodeFile, choose_files, list_common, list_node_files, make_manifest
from .outside import View
from .views import Plan

COMMON, NODES = "common", "nodes"
MANIFEST = "manifest.json"
#: Lists of a view that share their items with other views.
_SHARED_LISTS = ("neighbors", "routes")


@dataclass(frozen=True)
class RenderedFile:
    """path: below the build directory. nodes: those that get it; none for documents of the cluster."""

    path: Path
    content: bytes
    mode: int = 0o644
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileChange:
    """One file that differs. before is None for a new file, after for a removed one; nodes: as in RenderedFile."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o644
    nodes: tuple[str, ...] = ()


class Renderer:
    """Renders views as files."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._templates = Environment(
            loader=FileSystemLoader(root),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
            auto_reload=False,
        )
        self._routes = _Lines(format_route)
        self._files = list_node_files(root)

    def render(self, plan: Plan) -> Iterator[RenderedFile]:
        """All files, those of the cluster first."""
        all_nodes = tuple(name for name, view in plan.views.items() if not view.get("satellite"))
        yield RenderedFile(Path("cluster.json"), dumps(plan.cluster).encode())
        common = {"cluster": plan.cluster, "nics": "\n".join(map(format_neighbor, plan.nics))}
        yield from self._render_files(Path(COMMON), list_common(self._files, plan.cluster), all_nodes, common)
        on_switches = {id(entry) for entry in plan.nics}
        for name, view in plan.views.items():
            home, files = Path(NODES) / name, list(choose_files(self._files, view, plan.cluster))
            facts = {
                **common,
                "view": view,
                "unmanaged": list_unmanaged(view),
                "neighbors": "\n".join(map(format_neighbor, select_new(view["neighbors"], on_switches))),
                "routes": self._routes.join(view["routes"]),
            }
            yield from self._render_files(home, files, (name,), facts)

    def _render_files(
        self, home: Path, files: list[NodeFile], nodes: tuple[str, ...], facts: Mapping[str, Any]
    ) -> Iterator[RenderedFile]:
        yield RenderedFile(home / MANIFEST, _format_manifest(tuple(files)), nodes=nodes)
        for each in files:
            path = home / each.path.lstrip("/")
            yield RenderedFile(path, self._render_file(each.source, facts), int(each.mode, 8), nodes)

    def _render_file(self, source: str, facts: Mapping[str, Any]) -> bytes:
        if source.endswith(".j2"):
            return self._templates.get_template(source).render(facts).encode()
        return (self._root / source).read_bytes()


@cache
def _format_manifest(files: tuple[NodeFile, ...]) -> bytes:
    """Most nodes have the same files."""
    return dumps(make_manifest(files)).encode()


class _Lines:
    """Formats the items of a list as text, each item only once for all views that share it."""

    def __init__(self, format_item: Callable[[View], str]) -> None:
        self._format_item = format_item
        # The plan keeps every item alive, so no two items have the same id.
        self._lines: dict[int, str] = {}

    def join(self, items: Sequence[View]) -> str:
        """The lines of the items, without the last newline: the template has that."""
        lines = self._lines
        lines.update((id(item), self._format_item(item)) for item in select_new(items, lines))
        return "\n".join(map(lines.__getitem__, map(id, items)))


def select_new(items: Sequence[View], known: Collection[int]) -> list[View]:
    """The items whose id is not known yet. known: a set or dict."""
    new = set(map(id, items)).difference(known)
    return [item for item in items if id(item) in new] if new else []


def format_neighbor(entry: View) -> str:
    """A line of /etc/fnn/nics and /etc/fnn/neighbors."""
    return f"{entry['switch']} {entry['address']} {entry['mac']} {entry['node']}"


def format_route(route: View) -> str:
    """A line of /etc/fnn/routes."""
    return " ".join([route["to"], route["node"], *map(_format_hop, route["via"])])


def _format_hop(via: View) -> str:
    """Next hops have no addresses where NICs have none."""
    hop = f"{via['switch']}={via['address']}" if via["address"] else str(via["switch"])
    return f"{hop}*{via['weight']}" if via.get("weight", 1) != 1 else hop


def list_unmanaged(view: View) -> dict[str, list[str]]:
    """Interfaces to leave unmanaged: MACs of NICs, the same and those of devices that fnn-net makes, names of these."""
    upper, access = view.get("upper"), view["access"]
    ports = [nic["mac"] for nic in upper["nics"]] if upper else [link["mac"] for link in view["links"]]
    nics, made = [*ports, *view["resting"], *_list_own(view)], [each for each in (access, upper) if each]
    return {
        "nics": nics,
        "macs": [*nics, *(each["mac"] for each in made)],
        "devices": [f"{view['identity']['device']}*", *(each["device"] for each in made)],
    }


def _list_own(view: View) -> list[str]:
    """The MAC of the maintenance NIC, if it gets an address of the plan."""
    own = view.get("maintenance")
    return [own["mac"]] if own and own["length"] is not None else []


def check_views(plan: Plan, documents: Documents) -> None:
    """Raises FnnError when the plan violates the schemas; items shared by several views are checked once."""
    documents.check(plan.cluster, "fnn-cluster")
    seen: set[int] = set()
    for view in plan.views.values():
        fresh = {part: select_new(view[part], seen) for part in _SHARED_LISTS}
        seen.update(id(each) for items in fresh.values() for each in items)
        documents.check({**view, **fresh}, "fnn-view")


def find_changes(files: Iterable[RenderedFile], build: Path) -> Iterator[FileChange]:
    """The changes to make below `build`: files that differ, then files to remove."""
    wanted: set[str] = set()
    for file in files:
        path = build / file.path
        wanted.add(str(path))
        before = _read(path)
        if before != file.content or path.stat().st_mode & 0o7777 != file.mode:
            yield FileChange(path, before, file.content, file.mode, file.nodes)
    there = (f"{base}/{name}" for base, _, names in _walk(build) for name in names)
    for path in sorted(map(Path, (each for each in there if each not in wanted))):
        if path.is_file():
            yield FileChange(path, path.read_bytes(), None, nodes=_find_owner(path.relative_to(build)))


def _walk(build: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """(directory, directories in it, files in it) of our two directories, from the bottom up."""
    for part in (COMMON, NODES):
        yield from os.walk(build / part, topdown=False)


def _find_owner(path: Path) -> tuple[str, ...]:
    """The node of a file to remove. None for a common file: the change of the common manifest names the nodes. None for
    a view, which former versions wrote beside the files of its node."""
    return (path.parts[1],) if path.parts[0] == NODES and len(path.parts) > 2 else ()


def make_change(change: FileChange) -> None:
    """Write or remove the file."""
    if change.after is None:
        change.path.unlink()
    else:
        replace_file(change.path, change.after, change.mode)


def remove_empty_directories(build: Path) -> None:
    """Remove the directories that removed files and nodes leave empty."""
    for base, _, files in _walk(build):
        directory = Path(base)
        if not files and not any(directory.iterdir()):
            directory.rmdir()


def show_change(change: FileChange, build: Path, most: int) -> str:
    """A unified diff, cut after `most` lines."""
    name = str(change.path.relative_to(build))
    before, after = (
        (content or b"").decode("utf-8", "replace").splitlines() for content in (change.before, change.after)
    )
    lines = list(difflib.unified_diff(before, after, f"before: {name}", f"after: {name}", lineterm=""))
    if len(lines) > most:
        lines[most:] = [f"… {len(lines) - most} more lines"]
    return "\n".join(lines) + "\n"


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends a node the list of its files with digests, and only contents that it may lack.

    delivered/k00      digests of all contents that the node had after the last delivery; only a hint
    first call         the list, and contents whose digest is not in that file: none in a run without changes
    answer             done, or the paths that the node lacks: a file was edited there, or the hint is out of date
    second call        those contents too

The node compares the list with its own files (node/apply/delivered.py), so a wrong hint costs a call and nothing else.
Secrets travel in every call, and no digest of them does.

Contents that all nodes get alike are packed once. Ansible starts a process per node and task, so files keep them:
build/six/common.bundle and, if only some of them travel, build/six/common-changes.bundle.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..shared.bundle import Delivery, ListedFile, compute_digest, pack, pack_contents
from .files import write_atomic

Answer = dict[str, Any]
Send = Callable[[str], Answer]

_DIGITS = 12  # of a digest in a hint
_FEW = 20_000  # characters, which are packed within a millisecond


class CommonPart:
    """The contents that all nodes get alike, packed. directory: build/six/common; None for a node without them."""

    def __init__(self, directory: Path | None, paths: Collection[str]) -> None:
        self._directory, self._paths = directory or Path(), frozenset(paths)

    def choose(self, delivery: Delivery, chosen: Set[str]) -> frozenset[str]:
        """The chosen paths whose contents are to be packed once for all nodes."""
        paths = frozenset(each.path for each in delivery.files if each.digest and each.path in self._paths & chosen)
        return paths if sum(len(delivery.contents[path]) for path in paths) > _FEW else frozenset()

    def pack(self, delivery: Delivery, paths: Collection[str]) -> str:
        """The packed contents of these paths, from the cache if it has the same contents."""
        listed = "\n".join(f"{each.digest} {each.path}" for each in delivery.files if each.path in paths)
        cache, key = self._locate_cache(paths), compute_digest(listed)
        packed = _read_packed(cache, key)
        if packed is None:
            packed = pack_contents({path: delivery.contents[path] for path in sorted(paths)})
            with contextlib.suppress(OSError):  # a full disk costs time, not correctness
                write_atomic(cache, f"{key} {compute_digest(packed)}\n{packed}", durable=False)
        return packed

    def _locate_cache(self, paths: Collection[str]) -> Path:
        suffix = ".bundle" if self._paths == paths else "-changes.bundle"
        return self._directory.with_name(self._directory.name + suffix)


def _read_packed(cache: Path, key: str) -> str | None:
    """The packed contents with this key; None without them, or if the file is damaged."""
    try:
        head, _, packed = cache.read_text(encoding="ascii").partition("\n")
    except (OSError, ValueError):
        return None
    return packed if head == f"{key} {compute_digest(packed)}" else None


def deliver(delivery: Delivery, common: CommonPart, hint: Path | None, check: bool, send: Send) -> Answer:
    """Sends a delivery, then contents that the node lacks. Returns the last answer, with `sent` if it succeeded: the
    characters of all calls.

    delivery: with all contents. hint: file with what the node had; None: all contents travel. check: writes no hint,
    and counts on an installed node where there is none. send: one call of the module with a text.
    """
    chosen = choose_paths(delivery.files, _read_hint(hint, delivery.files if check else ()))
    sent, answer = _send(format_call(delivery, chosen, common), send)
    if lacks := answer.pop("missing", ()):
        again, answer = _send(format_call(delivery, chosen | {*lacks}, common), send)
        sent += again
    if answer.pop("missing", ()):  # its files are being changed
        again, answer = _send(format_call(delivery, {each.path for each in delivery.files}, common), send)
        sent += again
    if answer.get("failed"):
        return answer
    if hint and not check:
        _write_hint(hint, delivery.files)
    return {**answer, "sent": sent}


def _send(text: str, send: Send) -> tuple[int, Answer]:
    return len(text), send(text)


def choose_paths(files: Collection[ListedFile], known: Set[str]) -> frozenset[str]:
    """The files whose contents travel: secrets, and those that are not known. known: beginnings of digests."""
    return frozenset(each.path for each in files if not each.digest or each.digest[:_DIGITS] not in known)


def format_call(delivery: Delivery, chosen: Set[str], common: CommonPart) -> str:
    """The text of a call with the contents of the chosen files."""
    packed = common.choose(delivery, chosen)
    contents = {path: text for path, text in delivery.contents.items() if path in chosen and path not in packed}
    return pack(replace(delivery, contents=contents), *([common.pack(delivery, packed)] if packed else []))


def _format_hint(files: Collection[ListedFile]) -> str:
    return "".join(f"{each}\n" for each in sorted({file.digest[:_DIGITS] for file in files if file.digest}))


def _read_hint(hint: Path | None, default: Collection[ListedFile]) -> frozenset[str]:
    """Beginnings of digests. default: files that the node is taken to have where there is no hint."""
    if hint is None:
        return frozenset()
    try:
        return frozenset(hint.read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return frozenset(_format_hint(default).split())


def _write_hint(hint: Path, files: Collection[ListedFile]) -> None:
    text = _format_hint(files)
    with contextlib.suppress(OSError):
        if not hint.is_file() or hint.read_text(encoding="ascii", errors="replace") != text:
            write_atomic(hint, text, durable=False)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends a node the list of its files with digests, and only contents that it may lack.

    record             digests of all contents that the node had after the last delivery (delivery_record.py); a hint
    first call         the list, and contents whose digest is not in the record: none in a run without changes
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
from .common_files import CommonFiles
from .delivery_record import DeliveryRecord, shorten
from .files import write_atomic

Answer = dict[str, Any]
Send = Callable[[str], Answer]

_FEW = 20_000  # octets, which are packed within a millisecond


class CommonPart:
    """The contents that all nodes get alike, packed."""

    def __init__(self, common: CommonFiles) -> None:
        self._directory, self._sizes = common.directory or Path(), common.sizes

    def choose(self, delivery: Delivery, chosen: Set[str]) -> frozenset[str]:
        """The chosen paths whose contents are to be packed once for all nodes."""
        common = self._sizes.keys() & chosen
        paths = frozenset(each.path for each in delivery.files if each.path in common and each.digest)
        return paths if sum(self._sizes[path] for path in paths) > _FEW else frozenset()

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
        suffix = ".bundle" if self._sizes.keys() == set(paths) else "-changes.bundle"
        return self._directory.with_name(self._directory.name + suffix)


def _read_packed(cache: Path, key: str) -> str | None:
    """The packed contents with this key; None without them, or if the file is damaged."""
    try:
        head, _, packed = cache.read_text(encoding="ascii").partition("\n")
    except (OSError, ValueError):
        return None
    return packed if head == f"{key} {compute_digest(packed)}" else None


def deliver(delivery: Delivery, common: CommonPart, record: DeliveryRecord | None, check: bool, send: Send) -> Answer:
    """Sends a delivery, then contents that the node lacks. Returns the last answer, with `sent` if it succeeded: the
    characters of all calls. Raises WriteFailed.

    delivery: with all contents. record: what the node had; None: all contents travel. check: writes no record, and
    counts on an installed node where there is none. send: one call of the module with a text.
    """
    if record and not check:
        record.revoke()
    known = record.read_hint() if record else None
    if known is None and record and check:
        known = frozenset(shorten(each.digest) for each in delivery.files)
    chosen = choose_paths(delivery.files, known or frozenset())
    sent, answer = _send(format_call(delivery, chosen, common), send)
    if lacks := answer.pop("missing", ()):
        again, answer = _send(format_call(delivery, chosen | {*lacks}, common), send)
        sent += again
    if answer.pop("missing", ()):  # its files are being changed
        again, answer = _send(format_call(delivery, {each.path for each in delivery.files}, common), send)
        sent += again
    if answer.get("failed"):
        return answer
    if record and not check:
        record.write_hint(delivery.files)
    return {**answer, "sent": sent}


def _send(text: str, send: Send) -> tuple[int, Answer]:
    return len(text), send(text)


def choose_paths(files: Collection[ListedFile], known: Set[str]) -> frozenset[str]:
    """The files whose contents travel: secrets, and those that are not known. known: beginnings of digests."""
    return frozenset(each.path for each in files if not each.digest or shorten(each.digest) not in known)


def format_call(delivery: Delivery, chosen: Set[str], common: CommonPart) -> str:
    """The text of a call with the contents of the chosen files."""
    packed = common.choose(delivery, chosen)
    own = (each.path for each in delivery.files if each.path in chosen and each.path not in packed)
    contents = {path: delivery.contents[path] for path in own}
    return pack(replace(delivery, contents=contents), *([common.pack(delivery, packed)] if packed else []))

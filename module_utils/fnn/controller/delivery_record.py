# SPDX-License-Identifier: GPL-3.0-or-later
"""What the controller knows about the files of a node: build/<cluster>/delivered/<node>.

    3c0f5be1a2d4            beginnings of the digests of all contents that the node had after the last delivery;
    51e09cb44d12            only a hint (deliver.py)
    confirmed 91ab33c0…     the digest of the rendered files, if the node has applied and confirmed exactly these

Each delivery removes the last line first. A node whose delivery fails or is interrupted is therefore not confirmed,
even if it had the same files before. fnn_only_changed leaves out confirmed nodes whose rendered files are the same.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Collection
from pathlib import Path

from ..shared.bundle import ListedFile
from .digests import list_files
from .files import WriteFailed, write_atomic

_DIGITS = 12  # of a digest in a hint
_CONFIRMED = "confirmed "


def shorten(digest: str) -> str:
    """The beginning of a digest, as hints have it."""
    return digest[:_DIGITS]


class DeliveryRecord:
    """The record of one node. A damaged one counts as missing.

    A hint or a confirmation that cannot be written is left out: this costs time in the next run, and nothing else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read_hint(self) -> frozenset[str] | None:
        """Beginnings of the digests of contents that the node had; None without a record."""
        lines = self._read()
        return None if lines is None else frozenset(each for each in lines if not each.startswith(_CONFIRMED))

    def write_hint(self, files: Collection[ListedFile]) -> None:
        """Record what the node has after a delivery."""
        with contextlib.suppress(OSError):
            self._write(sorted({shorten(each.digest) for each in files if each.digest}))

    def read_confirmed(self) -> str | None:
        """The digest of the rendered files that the node has confirmed."""
        lines = self._read() or []
        return next((each[len(_CONFIRMED) :] for each in lines if each.startswith(_CONFIRMED)), None)

    def confirm(self, digest: str) -> None:
        """Record that the node has confirmed the rendered files with this digest."""
        with contextlib.suppress(OSError):
            self._write([*sorted(self.read_hint() or ()), f"{_CONFIRMED}{digest}"])

    def revoke(self) -> None:
        """Record that the files of the node may differ from the confirmed ones. Raises WriteFailed."""
        if self.read_confirmed() is None:
            return
        try:
            self._write(sorted(self.read_hint() or ()))
        except WriteFailed:
            with contextlib.suppress(OSError):
                self._path.unlink()  # a full disk permits it
                return
            raise

    def _read(self) -> list[str] | None:
        try:
            return self._path.read_text(encoding="ascii").splitlines()
        except (OSError, ValueError):
            return None

    def _write(self, lines: Collection[str]) -> None:
        if lines != self._read():
            write_atomic(self._path, "".join(f"{each}\n" for each in lines), durable=False)


def open_record(build: Path, node: str) -> DeliveryRecord:
    """The record of a node. build: build/<cluster>."""
    return DeliveryRecord(build / "delivered" / node)


class RenderedFiles:
    """Digests of the files that each node gets. directory: build/<cluster>, or the directory of check mode.

    key_ids: of the keys of fnn-linkd, which every node gets too; fnn-linkd itself shows them.
    """

    def __init__(self, directory: Path, key_ids: Collection[str] = ()) -> None:
        self._nodes = directory / "nodes"
        common = f"{_digest_directory(directory / 'common')} {' '.join(key_ids)}"
        self._common = hashlib.sha256(common.encode()).hexdigest()

    def compute_digest(self, node: str) -> str:
        """The digest of all files of a node, with those that all nodes have."""
        return f"{self._common[:32]}{_digest_directory(self._nodes / node)[:32]}"


def _digest_directory(directory: Path) -> str:
    digest = hashlib.sha256()
    for path in list_files(directory):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(directory)} {path.stat().st_mode:o} {len(content)}\n".encode() + content)
    return digest.hexdigest()

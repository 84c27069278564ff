# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that all nodes get alike, without reading them for each node: build/<cluster>/common.

Ansible starts a process per node and task, and a delivery usually needs only the digests of these 80 files. So
build/<cluster>/common.digests keeps them, with a digest of the names, sizes, times and inodes of the files, as the
index of git does. If this differs, all files are read and a new list is written. Contents are read when they are
needed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..shared.bundle import Bundle, Delivery, ListedFile, compute_digest, list_files, make_delivery, read_bundle
from ..shared.errors import FnnError, Problem
from .digests import describe_status
from .files import write_atomic


@dataclass(frozen=True)
class CommonFiles:
    """files: as in a delivery. sizes: in octets, by path on the node. directory: None for a node without them."""

    directory: Path | None
    files: list[ListedFile]
    sizes: Mapping[str, int]


def read_common(directory: Path | None, check: bool) -> CommonFiles:
    """The common files in this directory. check: writes no list. Raises FnnError with all files that are missing."""
    if directory is None:
        return CommonFiles(None, [], {})
    manifest = list_files(directory)
    try:
        status = {file.path: Path(f"{directory}{file.path}").stat() for file in manifest}
    except OSError:
        read_bundle(directory)  # names all files that are missing
        raise
    seen = [f"{path} {describe_status(each)}" for path, each in status.items()]
    key, cache = compute_digest("\n".join(seen)), directory.with_name(f"{directory.name}.digests")
    digests = _read_digests(cache, key)
    if digests is None or digests.keys() != status.keys():
        digests = {file.path: file.digest for file in make_delivery(read_bundle(directory)).files}
        if not check:
            _write_digests(cache, key, digests)
    files = [ListedFile(file.path, file.kind, file.mode, digests[file.path]) for file in manifest]
    return CommonFiles(directory, files, {path: each.st_size for path, each in status.items()})


def make_complete(own: Bundle, common: CommonFiles) -> Delivery:
    """The delivery of a node with all contents. Raises FnnError for files that both have."""
    delivery = make_delivery(own)
    twice = [file.path for file in delivery.files if file.path in common.sizes]
    if twice:
        raise FnnError(Problem(path, "another manifest of the same node lists it too") for path in twice)
    return Delivery(delivery.head, [*common.files, *delivery.files], _Contents(common, delivery.contents))


class _Contents(Mapping[str, str]):
    """Path on the node -> content; those of common files are read when they are needed."""

    def __init__(self, common: CommonFiles, own: Mapping[str, str]) -> None:
        self._common, self._own = common, own

    def __getitem__(self, path: str) -> str:
        if path in self._common.sizes:
            return Path(f"{self._common.directory}{path}").read_text(encoding="utf-8")
        return self._own[path]

    def __iter__(self) -> Iterator[str]:
        yield from self._common.sizes
        yield from self._own

    def __len__(self) -> int:
        return len(self._common.sizes) + len(self._own)


def _read_digests(cache: Path, key: str) -> dict[str, str] | None:
    """Path -> digest; None without a list for this key, or if it is damaged."""
    try:
        first, *lines = cache.read_text(encoding="utf-8").splitlines()
        pairs = [line.split(" ", 1) for line in lines]
        return {path: digest for digest, path in pairs} if first == key else None
    except (OSError, ValueError):
        return None


def _write_digests(cache: Path, key: str, digests: Mapping[str, str]) -> None:
    lines = [key, *(f"{digest} {path}" for path, digest in digests.items())]
    with contextlib.suppress(OSError):  # a full disk costs time, not correctness
        write_atomic(cache, "".join(f"{line}\n" for line in lines), durable=False)

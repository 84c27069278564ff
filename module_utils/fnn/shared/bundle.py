# SPDX-License-Identifier: GPL-3.0-or-later
"""All files of one node in one text, so that they reach it in one task; contents that the node has need not travel.

    build/six/common/manifest.json      names the files that all nodes have alike, their kind and mode
    build/six/common/etc/hosts          and so on, laid out as on the node
    build/six/nodes/k00/manifest.json   names the files that only this node has
    build/six/nodes/k00/etc/fnn/links   and so on

A delivery lists all files with the digests of their contents, and has some of the contents. Its text has a line per
part (packed.py):

    {"head": {...}, "files": [[path, kind, mode, digest], ...], "contents": {path: text, ...}}
    {path: text, ...}                   perhaps, packed once for all nodes

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import FnnError, Problem, problem
from .packed import pack_json, unpack_json

MANIFEST = "manifest.json"
_DIGITS = 32  # of a digest: 128 bits of SHA-256
#: Of zlib. At 1,024 nodes level 9 makes the files of one 3 % smaller in seven times the time.
_LEVEL = 5


@dataclass(frozen=True)
class BundledFile:
    """path: absolute, on the node. mode: like 0o644. kind: as in controller/plan/files.py."""

    path: str
    kind: str
    mode: int
    content: str


@dataclass(frozen=True)
class Bundle:
    """head: of the manifest, all but its files."""

    head: Mapping[str, Any]
    files: list[BundledFile]

    @property
    def manifest(self) -> str:
        """The text of one manifest.json with all files, which the node keeps."""
        entries = [{"path": each.path, "kind": each.kind, "mode": f"{each.mode:04o}"} for each in self.files]
        document = {**self.head, "files": sorted(entries, key=lambda entry: entry["path"])}
        return json.dumps(document, indent=2, sort_keys=True) + "\n"

    def find(self, path: str) -> BundledFile:
        """Raises FnnError when the bundle has no such file."""
        for file in self.files:
            if file.path == path:
                return file
        raise problem(path, "is not in the bundle")


@dataclass(frozen=True)
class ListedFile:
    """A file without its content. digest: of the content, "" for a secret: its digest travels no more than it must."""

    path: str
    kind: str
    mode: int
    digest: str


@dataclass(frozen=True)
class Delivery:
    """What a node gets: the list of all its files, and the contents of some. head: as in Bundle."""

    head: Mapping[str, Any]
    files: list[ListedFile]
    contents: Mapping[str, str]


def read_bundle(*directories: Path) -> Bundle:
    """The files that the manifests in these directories list, under one manifest.

    Raises FnnError with all files that are missing, or that two manifests list.
    """
    manifests = [_read_manifest(each) for each in directories]
    files: dict[str, BundledFile] = {}
    problems = []
    for directory, manifest in zip(directories, manifests):
        for entry in manifest["files"]:
            source = f"{directory}{entry['path']}"
            try:
                content = _read_text(source)
            except OSError as error:
                problems.append(Problem(source, f"{error.strerror}, but the manifest lists it"))
                continue
            if entry["path"] in files:
                problems.append(Problem(source, "another manifest of the same node lists it too"))
            files[entry["path"]] = BundledFile(entry["path"], entry["kind"], int(entry["mode"], 8), content)
    if problems:
        raise FnnError(problems)
    return Bundle({key: value for key, value in manifests[0].items() if key != "files"}, list(files.values()))


def _read_text(path: str) -> str:
    """As Path.read_text, in half its time, for each of about 80 files of each node. Raises OSError."""
    with io.FileIO(path) as file:
        return file.readall().decode()


def list_files(directory: Path) -> list[ListedFile]:
    """The files in one directory, by its manifest, without digests. Raises FnnError."""
    entries = _read_manifest(directory)["files"]
    return [ListedFile(entry["path"], entry["kind"], int(entry["mode"], 8), "") for entry in entries]


def _read_manifest(directory: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise problem(str(directory / MANIFEST), f"{error.strerror}; render it first (playbooks/network.yml)") from None
    except ValueError:
        raise problem(str(directory / MANIFEST), "not JSON; render again (playbooks/network.yml)") from None
    return manifest


def add_secret(bundle: Bundle, path: str, content: str) -> Bundle:
    """The bundle with one more file, mode 0600, which lies on the controller outside of the rendered files."""
    return Bundle(bundle.head, [*bundle.files, BundledFile(path, "file", 0o600, content)])


def is_secret(mode: int) -> bool:
    """Whether only the owner may read a file of this mode."""
    return not mode & 0o077


def compute_digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]


def make_delivery(bundle: Bundle) -> Delivery:
    """The delivery that has all contents."""
    files = [
        ListedFile(each.path, each.kind, each.mode, "" if is_secret(each.mode) else compute_digest(each.content))
        for each in bundle.files
    ]
    return Delivery(bundle.head, files, {each.path: each.content for each in bundle.files})


def identify_delivery(delivery: Delivery, key_ids: Collection[str]) -> str:
    """A digest of the list of all files, which controller and node compute alike from their own files.

    key_ids: of the keys of fnn-linkd, in place of the digest of their file, as it is a secret.
    """
    files = sorted([each.path, each.kind, each.mode, each.digest] for each in delivery.files)
    return compute_digest(json.dumps([delivery.head, files, sorted(key_ids)], sort_keys=True))


def pack(delivery: Delivery, *parts: str) -> str:
    """The same delivery gives the same text. parts: packed contents that it lacks."""
    files = [[each.path, each.kind, each.mode, each.digest] for each in delivery.files]
    own = {"head": delivery.head, "files": files, "contents": delivery.contents}
    return "\n".join([pack_json(own, _LEVEL), *parts])


def pack_contents(contents: Mapping[str, str]) -> str:
    """A part for `pack`."""
    return pack_json(contents, _LEVEL)


def unpack(text: str) -> Delivery:
    """Raises FnnError when `text` is no delivery."""
    own, *parts = (unpack_json(line, "bundle") for line in text.split("\n"))
    try:
        contents = dict(own["contents"])
        for part in parts:
            contents.update(part)
        return Delivery(own["head"], [ListedFile(*each) for each in own["files"]], contents)
    except (ValueError, KeyError, TypeError) as error:
        raise problem("bundle", f"is damaged ({error})") from None

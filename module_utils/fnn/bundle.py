# SPDX-License-Identifier: GPL-3.0-or-later
"""All files of one node in one line of text, so that they reach it in one task.

    build/six/nodes/k00/manifest.json   names the files, their kind and mode
    build/six/nodes/k00/etc/fnn/links   and so on, laid out as on the node

A bundle is base64 of deflated JSON: {"manifest": text, "files": [{"path", "kind", "mode", "content"}]}; the 190 MB
of a thousand nodes become 25. Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass
from pathlib import Path

from .errors import FnnError, Problem, problem

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class BundledFile:
    """path: absolute, on the node. mode: like 0o644. kind: as in plan/files.py."""

    path: str
    kind: str
    mode: int
    content: str


@dataclass(frozen=True)
class Bundle:
    """manifest: the text of manifest.json, which the node keeps."""

    manifest: str
    files: list[BundledFile]

    def find(self, path: str) -> BundledFile:
        """Raises FnnError when the bundle has no such file."""
        for file in self.files:
            if file.path == path:
                return file
        raise problem(path, "is not in the bundle")


def read_bundle(directory: Path) -> Bundle:
    """The files that the manifest in `directory` lists. Raises FnnError with everything that is missing."""
    try:
        manifest = (directory / MANIFEST).read_text(encoding="utf-8")
    except OSError as error:
        raise problem(str(directory / MANIFEST), f"{error.strerror}; render first") from None
    files, problems = [], []
    for entry in json.loads(manifest)["files"]:
        source = directory / entry["path"].lstrip("/")
        try:
            content = source.read_text(encoding="utf-8")
            files.append(BundledFile(entry["path"], entry["kind"], int(entry["mode"], 8), content))
        except OSError as error:
            problems.append(Problem(str(source), f"{error.strerror}, but the manifest lists it"))
    if problems:
        raise FnnError(problems)
    return Bundle(manifest, files)


def pack(bundle: Bundle) -> str:
    """The same bundle gives the same text."""
    document = {"manifest": bundle.manifest, "files": [vars(file) for file in bundle.files]}
    return base64.b64encode(zlib.compress(json.dumps(document).encode(), 9)).decode("ascii")


def unpack(text: str) -> Bundle:
    """Raises FnnError when `text` is no bundle."""
    try:
        document = json.loads(zlib.decompress(base64.b64decode(text, validate=True)))
        return Bundle(document["manifest"], [BundledFile(**file) for file in document["files"]])
    except (binascii.Error, zlib.error, ValueError, KeyError, TypeError) as error:
        raise problem("bundle", f"is damaged ({error})") from None

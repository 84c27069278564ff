# SPDX-License-Identifier: GPL-3.0-or-later
"""All files of one node in one line of text, so that they reach it in one task.

    build/six/common/manifest.json      names the files that all nodes have alike, their kind and mode
    build/six/common/etc/hosts          and so on, laid out as on the node
    build/six/nodes/k00/manifest.json   names the files that only this node has
    build/six/nodes/k00/etc/fnn/links   and so on

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
from typing import Any

from .errors import FnnError, Problem, problem

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class BundledFile:
    """path: absolute, on the node. mode: like 0o644. kind: as in controller/plan/files.py."""

    path: str
    kind: str
    mode: int
    content: str


@dataclass(frozen=True)
class Bundle:
    """manifest: the text of one manifest.json with all files, which the node keeps."""

    manifest: str
    files: list[BundledFile]

    def find(self, path: str) -> BundledFile:
        """Raises FnnError when the bundle has no such file."""
        for file in self.files:
            if file.path == path:
                return file
        raise problem(path, "is not in the bundle")


def read_bundle(*directories: Path) -> Bundle:
    """The files that the manifests in these directories list, under one manifest.

    Raises FnnError with all files that are missing, or that two manifests list.
    """
    manifests = [_read_manifest(each) for each in directories]
    files: dict[str, BundledFile] = {}
    problems = []
    for directory, manifest in zip(directories, manifests):
        for entry in manifest["files"]:
            source = directory / entry["path"].lstrip("/")
            try:
                content = source.read_text(encoding="utf-8")
            except OSError as error:
                problems.append(Problem(str(source), f"{error.strerror}, but the manifest lists it"))
                continue
            if entry["path"] in files:
                problems.append(Problem(str(source), "another manifest of the same node lists it too"))
            files[entry["path"]] = BundledFile(entry["path"], entry["kind"], int(entry["mode"], 8), content)
    if problems:
        raise FnnError(problems)
    entries = sorted((entry for each in manifests for entry in each["files"]), key=lambda entry: str(entry["path"]))
    whole = {**manifests[0], "files": entries}
    return Bundle(json.dumps(whole, indent=2, sort_keys=True) + "\n", list(files.values()))


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
    manifest = json.loads(bundle.manifest)
    entries = [*manifest["files"], {"path": path, "kind": "file", "mode": "0600"}]
    manifest["files"] = sorted(entries, key=lambda entry: str(entry["path"]))
    text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
    return Bundle(text, [*bundle.files, BundledFile(path, "file", 0o600, content)])


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

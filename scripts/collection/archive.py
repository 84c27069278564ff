# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the file of a collection reproducible: the same content gives the same bytes.

ansible-galaxy packs files in the order of the file system, with the time of the build.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path

MANIFEST, FILES = "MANIFEST.json", "FILES.json"


def make_reproducible(archive: Path) -> None:
    """Sort the entries and their list, and remove their times. Raises OSError and ValueError."""
    with tarfile.open(archive) as packed:
        members = sorted(packed.getmembers(), key=lambda member: member.name)
        contents = {each.name: stream.read() for each in members if (stream := packed.extractfile(each))}
    _sort_list(contents)
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as zipped,
        tarfile.open(mode="w", fileobj=zipped) as packed,
    ):
        for member in members:
            content = contents.get(member.name, b"")
            member.mtime, member.size = 0, len(content)
            member.pax_headers = {}  # has the time again, with fractions of a second
            packed.addfile(member, io.BytesIO(content))


def _sort_list(contents: dict[str, bytes]) -> None:
    """Sort FILES.json, and write its new digest into MANIFEST.json."""
    listed, manifest = json.loads(contents[FILES]), json.loads(contents[MANIFEST])
    listed["files"].sort(key=lambda entry: entry["name"])
    contents[FILES] = _dump(listed)
    manifest["file_manifest_file"]["chksum_sha256"] = hashlib.sha256(contents[FILES]).hexdigest()
    contents[MANIFEST] = _dump(manifest)


def _dump(document: Mapping[str, object]) -> bytes:
    return json.dumps(document, indent=1).encode()

# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of a collection does not depend on the time of the build or on the order of the file system."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Sequence
from pathlib import Path

from scripts.collection.archive import make_reproducible


def pack(archive: Path, names: Sequence[str], time: float) -> Path:
    """As ansible-galaxy packs a collection."""
    listed = json.dumps({"files": [{"name": name} for name in names], "format": 1}).encode()
    digest = {"name": "FILES.json", "chksum_sha256": hashlib.sha256(listed).hexdigest()}
    contents = {
        "MANIFEST.json": json.dumps({"file_manifest_file": digest}).encode(),
        "FILES.json": listed,
        **{name: name.encode() for name in names},
    }
    with tarfile.open(archive, "w:gz") as packed:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), time
            packed.addfile(member, io.BytesIO(content))
    return archive


def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    archives = [pack(tmp_path / "one.tar.gz", ["b", "a"], 1.5), pack(tmp_path / "two.tar.gz", ["a", "b"], 2.5)]
    for archive in archives:
        make_reproducible(archive)
    assert archives[0].read_bytes() == archives[1].read_bytes()


def test_contents_and_digests_stay_valid(tmp_path: Path) -> None:
    archive = pack(tmp_path / "one.tar.gz", ["b", "a"], 1)
    make_reproducible(archive)
    with tarfile.open(archive) as packed:
        contents = {each.name: stream.read() for each in packed if (stream := packed.extractfile(each))}
    assert contents["a"] == b"a"
    assert [each["name"] for each in json.loads(contents["FILES.json"])["files"]] == ["a", "b"]
    digest = json.loads(contents["MANIFEST.json"])["file_manifest_file"]["chksum_sha256"]
    assert digest == hashlib.sha256(contents["FILES.json"]).hexdigest()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Bundles read from manifests, and the text in which a delivery travels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.shared.bundle import (
    Bundle,
    BundledFile,
    add_secret,
    make_delivery,
    pack,
    pack_contents,
    read_bundle,
    unpack,
)
from ansible.module_utils.fnn.shared.errors import FnnError

HEAD = {"format": "fnn-manifest", "version": 1}
LINKS = BundledFile("/etc/fnn/links", "file", 0o644, "red …\n")
NET = BundledFile("/usr/local/sbin/fnn-net", "file", 0o755, "#!/usr/bin/env python3\n")
HOSTS = BundledFile("/etc/hosts", "block", 0o644, "10.78.0.1 k00\n")
DELIVERY = make_delivery(Bundle(HEAD, [LINKS, NET, HOSTS]))


def write_bundle(directory: Path, *files: BundledFile) -> Path:
    """Writes the files and their manifest, as fnn_render does."""
    for file in files:
        place = directory / file.path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.content)
    (directory / "manifest.json").write_text(Bundle(HEAD, list(files)).manifest)
    return directory


def test_a_delivery_comes_out_as_it_went_in() -> None:
    assert unpack(pack(DELIVERY)) == DELIVERY
    assert pack(DELIVERY) == pack(make_delivery(Bundle(HEAD, [LINKS, NET, HOSTS]))), "same files, same text"


def test_contents_of_a_further_part_are_those_of_the_delivery() -> None:
    own = replace(DELIVERY, contents={LINKS.path: LINKS.content})
    part = pack_contents({file.path: file.content for file in (NET, HOSTS)})
    assert unpack(pack(own, part)) == DELIVERY
    assert unpack(pack(own)) == own


def test_the_list_has_a_digest_of_every_content_but_a_secret() -> None:
    listed = make_delivery(add_secret(Bundle(HEAD, [LINKS, NET]), "/etc/fnn/linkd.key", "sign 00\n")).files
    assert [len(each.digest) for each in listed] == [32, 32, 0]
    assert listed[0].digest != make_delivery(Bundle(HEAD, [replace(LINKS, content="blue …\n")])).files[0].digest


@pytest.mark.parametrize("text", ["", "not base64!", "AAAA", pack(DELIVERY)[:-8], pack(DELIVERY) + "\nAAAA", "\n"])
def test_a_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(FnnError, match="bundle: is damaged"):
        unpack(text)


def test_bundle_is_read_as_the_manifest_says(tmp_path: Path) -> None:
    write_bundle(tmp_path, LINKS)
    (tmp_path / "etc/fnn/stray").write_text("not listed")
    assert read_bundle(tmp_path) == Bundle(HEAD, [LINKS])


def test_all_missing_files_of_the_manifest_are_reported(tmp_path: Path) -> None:
    with pytest.raises(FnnError, match=r"manifest.json: No such file or directory; render it first"):
        read_bundle(tmp_path)
    entries = [{"path": path, "kind": "file", "mode": "0644"} for path in ("/etc/a", "/etc/b")]
    (tmp_path / "manifest.json").write_text(json.dumps({"files": entries}))
    with pytest.raises(FnnError) as error:
        read_bundle(tmp_path)
    assert [each.at for each in error.value.problems] == [str(tmp_path / "etc/a"), str(tmp_path / "etc/b")]


def test_common_and_own_files_make_one_bundle(tmp_path: Path) -> None:
    common, own = write_bundle(tmp_path / "common", NET), write_bundle(tmp_path / "own", LINKS)
    bundle = read_bundle(common, own)
    assert bundle.files == [NET, LINKS]
    manifest = json.loads(bundle.manifest)
    assert [each["path"] for each in manifest["files"]] == [LINKS.path, NET.path]
    assert {key: manifest[key] for key in HEAD} == HEAD
    with pytest.raises(FnnError, match="etc/fnn/links: another manifest of the same node lists it too"):
        read_bundle(own, own)

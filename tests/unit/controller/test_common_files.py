# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/common_files.py"""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller import common_files as module
from ansible.module_utils.fnn.controller.common_files import make_complete, read_common
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile, compute_digest
from ansible.module_utils.fnn.shared.errors import FnnError

FILES = [
    BundledFile("/etc/hosts", "first-block", 0o644, "10.78.0.1 k00\n"),
    BundledFile("/etc/é", "file", 0o755, "é\n"),
]
OWN = BundledFile("/etc/fnn/links", "file", 0o644, "red 02:f0:00:00:00:00\n")


@pytest.fixture
def common(tmp_path: Path) -> Path:
    """The directory of the common files."""
    directory = tmp_path / "common"
    for file in FILES:
        place = Path(f"{directory}{file.path}")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.content)
    (directory / "manifest.json").write_text(Bundle({"version": 1}, FILES).manifest)
    return directory


def test_a_delivery_has_common_and_own_files(common: Path) -> None:
    delivery = make_complete(Bundle({"version": 1}, [OWN]), read_common(common, check=False))
    everything = [*FILES, OWN]
    assert [(each.path, each.kind, each.mode) for each in delivery.files] == [
        (each.path, each.kind, each.mode) for each in everything
    ]
    assert [each.digest for each in delivery.files] == [compute_digest(each.content) for each in everything]
    assert dict(delivery.contents) == {each.path: each.content for each in everything}
    assert (delivery.head, len(delivery.contents)) == ({"version": 1}, 3)


def test_files_are_read_again_only_after_a_change(common: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    read_bundle = module.read_bundle
    monkeypatch.setattr(module, "read_bundle", lambda *given: reads.append(given) or read_bundle(*given))
    first = read_common(common, check=False)
    assert read_common(common, check=False) == first
    assert len(reads) == 1
    (common / "etc/hosts").write_text("10.78.0.2 k01\n")  # of the same size
    assert read_common(common, check=False).files[0].digest == compute_digest("10.78.0.2 k01\n")
    assert len(reads) == 2


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"KEY\nno pair\n", b"KEY\n91ab /etc/other\n"])
def test_a_damaged_list_is_written_again(common: Path, content: bytes) -> None:
    first = read_common(common, check=False)
    cache = common.with_name("common.digests")
    key = cache.read_bytes().splitlines()[0]
    cache.write_bytes(content.replace(b"KEY", key))
    assert read_common(common, check=False) == first
    assert cache.read_bytes().splitlines()[0] == key
    assert len(cache.read_bytes().splitlines()) == 3


def test_check_mode_writes_no_list(common: Path) -> None:
    before = sorted(common.parent.rglob("*"))
    read_common(common, check=True)
    assert sorted(common.parent.rglob("*")) == before


def test_a_missing_file_and_one_in_two_manifests_are_errors(common: Path) -> None:
    twice = Bundle({}, [BundledFile("/etc/hosts", "file", 0o644, "")])
    with pytest.raises(FnnError, match="/etc/hosts: another manifest of the same node lists it too"):
        make_complete(twice, read_common(common, check=False))
    (common / "etc/hosts").unlink()
    with pytest.raises(FnnError, match="etc/hosts: No such file or directory, but the manifest lists it"):
        read_common(common, check=False)


def test_a_node_without_common_files_has_its_own() -> None:
    delivery = make_complete(Bundle({}, [OWN]), read_common(None, check=False))
    assert [each.path for each in delivery.files] == [OWN.path]

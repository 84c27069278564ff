# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/delivery_record.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller import delivery_record as module
from ansible.module_utils.fnn.controller.delivery_record import DeliveryRecord, RenderedFiles
from ansible.module_utils.fnn.controller.files import WriteFailed
from ansible.module_utils.fnn.shared.bundle import ListedFile
from ansible.module_utils.fnn.shared.errors import Problem

FILES = [ListedFile("/etc/hosts", "block", 0o644, "5e0c" * 8), ListedFile("/etc/fnn/linkd.key", "file", 0o600, "")]


@pytest.fixture
def record(tmp_path: Path) -> DeliveryRecord:
    return DeliveryRecord(tmp_path / "delivered/k00")


def test_a_record_has_digests_and_the_confirmation(record: DeliveryRecord, tmp_path: Path) -> None:
    assert (record.read_hint(), record.read_confirmed()) == (None, None)
    record.write_hint(FILES)
    record.confirm("91ab")
    assert (tmp_path / "delivered/k00").read_text() == "5e0c5e0c5e0c\nconfirmed 91ab\n"
    assert (record.read_hint(), record.read_confirmed()) == ({"5e0c5e0c5e0c"}, "91ab")
    record.confirm("22ff")
    assert record.read_confirmed() == "22ff"
    record.revoke()
    assert (record.read_hint(), record.read_confirmed()) == ({"5e0c5e0c5e0c"}, None)


def test_a_damaged_record_counts_as_missing(record: DeliveryRecord, tmp_path: Path) -> None:
    record.confirm("91ab")
    (tmp_path / "delivered/k00").write_bytes(b"confirmed 91ab\xff\n")
    assert (record.read_hint(), record.read_confirmed()) == (None, None)


def test_a_full_disk_keeps_no_confirmation_that_no_longer_holds(
    record: DeliveryRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: Any, **__: Any) -> None:
        raise WriteFailed([Problem(str(path), "cannot be written: No space left on device")])

    record.write_hint(FILES)
    record.confirm("91ab")
    monkeypatch.setattr(module, "write_atomic", refuse)
    record.confirm("22ff")
    assert record.read_confirmed() == "91ab"
    record.revoke()
    assert record.read_confirmed() is None
    record.confirm("91ab")
    assert record.read_confirmed() is None


def test_the_digest_covers_contents_names_and_modes_of_own_and_common_files(tmp_path: Path) -> None:
    def write(name: str, content: str = "a\n") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path

    def digest(node: str = "k00") -> str:
        return RenderedFiles(tmp_path).compute_digest(node)

    routes, hosts = write("nodes/k00/etc/fnn/routes"), write("common/etc/hosts")
    write("nodes/k01/etc/fnn/routes")
    digests = [digest()]
    assert digest("k01") == digests[0], "the same files"
    write("nodes/k01/etc/fnn/links")
    assert digest() == digests[0], "a file of another node"
    routes.write_text("b\n")
    digests.append(digest())
    hosts.write_text("b\n")
    digests.append(digest())
    hosts.chmod(0o755)
    digests.append(digest())
    routes.rename(routes.with_name("links"))
    digests.append(digest())
    assert len(set(digests)) == len(digests)

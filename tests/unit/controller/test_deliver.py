# SPDX-License-Identifier: GPL-3.0-or-later
"""What travels to a node: the list of its files, secrets, and contents that it may lack."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller import deliver as module
from ansible.module_utils.fnn.controller import delivery_record
from ansible.module_utils.fnn.controller.common_files import CommonFiles
from ansible.module_utils.fnn.controller.deliver import CommonPart, deliver
from ansible.module_utils.fnn.controller.delivery_record import DeliveryRecord
from ansible.module_utils.fnn.node.apply.changes import Files
from ansible.module_utils.fnn.node.apply.delivered import complete
from ansible.module_utils.fnn.shared.bundle import (
    Bundle,
    BundledFile,
    add_secret,
    compute_digest,
    make_delivery,
    unpack,
)

HOSTS = BundledFile("/etc/hosts", "block", 0o644, "".join(f"10.78.{n}.1 k{n:05}\n" for n in range(2000)))
PROGRAM = BundledFile("/usr/local/sbin/fnn-net", "file", 0o755, "".join(f"print({n * n})\n" for n in range(3000)))
SYSCTL = BundledFile("/etc/sysctl.d/90-fnn.conf", "file", 0o644, "a = 1\n")
ROUTES = BundledFile("/etc/fnn/routes", "file", 0o644, "10.78.0.2 k01 red=10.77.0.2\n")
COMMON = [HOSTS, PROGRAM, SYSCTL]
KEY = "/etc/fnn/linkd.key"


class Node:
    """A node below a directory, which takes deliveries as fnn_apply does."""

    def __init__(self, build: Path, root: Path) -> None:
        self.files, self.build = Files(root), build
        self.hint = build / "delivered/k00"
        self.calls: list[list[str]] = []  # per call, the paths whose contents travelled
        self.check, self.fails = False, False

    def take(self, text: str) -> dict[str, Any]:
        delivery = unpack(text)
        self.calls.append(sorted(delivery.contents))
        bundle, missing = complete(delivery, self.files)
        if missing or self.fails:
            return {"changed": False, "missing": missing} if missing else {"failed": True, "msg": "no"}
        changes = self.files.find_changes(bundle)
        if not self.check:
            self.files.make(changes)
        return {"changed": bool(changes), "files": [change.path for change in changes]}

    def get(self, *files: BundledFile, common: list[BundledFile] = COMMON) -> dict[str, Any]:
        """Delivers these files of its own and the common ones."""
        self.calls.clear()
        bundle = add_secret(Bundle({}, [*common, *files]), KEY, "sign 00\n")
        sizes = {each.path: len(each.content) for each in common}
        part = CommonPart(CommonFiles(self.build / "common", [], sizes))
        return deliver(make_delivery(bundle), part, DeliveryRecord(self.hint), self.check, self.take)


@pytest.fixture
def node(tmp_path: Path) -> Node:
    return Node(tmp_path / "build", tmp_path / "root")


ALL = sorted([KEY, *(each.path for each in (*COMMON, ROUTES))])


def test_a_new_node_gets_all_in_one_call_and_then_the_list_and_secrets_alone(node: Node) -> None:
    assert node.get(ROUTES)["changed"]
    assert node.calls == [ALL]
    answer = node.get(ROUTES)
    assert (answer["changed"], answer["files"]) == (False, [])
    assert node.calls == [[KEY]]
    assert answer["sent"] < 1000


def test_only_contents_that_changed_travel(node: Node) -> None:
    first = node.get(ROUTES)
    answer = node.get(replace(ROUTES, content="10.78.0.3 k02 red=10.77.0.3\n"))
    assert answer["files"] == [ROUTES.path]
    assert node.calls == [sorted([KEY, ROUTES.path])]
    assert answer["sent"] < first["sent"] / 10
    node.get(common=[replace(HOSTS, content="10.78.0.9 k09\n"), PROGRAM, SYSCTL])
    assert node.calls == [sorted([KEY, HOSTS.path])]


def test_sizes_in_a_cluster_of_1024_nodes(node: Node) -> None:
    """The last octets of real MACs are random, which no compression shortens."""
    chance = random.Random(1)
    macs = (
        f"00:1b:21:{chance.randrange(256):02x}:{chance.randrange(256):02x}:{chance.randrange(256):02x}"
        for _ in "x" * 1214
    )
    neighbors = "".join(
        f"s{n // 243:02} 10.77.{n // 243}.{n % 243} {mac} n{n % 1023:04}\n" for n, mac in enumerate(macs)
    )
    routes = "".join(f"10.78.{n // 256}.{n % 256} n{n:04} s{n % 5:02}=10.77.{n % 5}.{n // 5}\n" for n in range(1023))
    many = [BundledFile(f"/usr/local/lib/fnn/{n}.py", "file", 0o644, chance.randbytes(3000).hex()) for n in range(80)]
    own = [replace(ROUTES, content=routes), BundledFile("/etc/fnn/neighbors", "file", 0o644, neighbors)]
    assert node.get(*own, common=many)["sent"] > 300_000
    assert node.get(*own, common=many)["sent"] < 4_000
    own[0] = replace(own[0], content=routes.replace("s00", "s04"))
    assert node.get(*own, common=many)["sent"] < 16_000
    node.hint.write_text("".join(f"{compute_digest(each.content)[:12]}\n" for each in many))
    assert node.get(*own, common=many)["sent"] < 35_000


def test_a_common_file_edited_on_the_node_is_repaired_by_a_second_call(node: Node) -> None:
    node.get(ROUTES)
    place = node.files.root / PROGRAM.path.lstrip("/")
    place.write_text("print(0)\n")
    node.check = True
    assert node.get(ROUTES)["files"] == [PROGRAM.path]
    assert place.read_text() == "print(0)\n"
    node.check = False
    assert node.get(ROUTES)["files"] == [PROGRAM.path]
    assert node.calls == [[KEY], sorted([KEY, PROGRAM.path])]
    assert place.read_text() == PROGRAM.content
    assert not node.get(ROUTES)["changed"]


def test_a_node_that_was_installed_again_gets_all_in_spite_of_the_hint(node: Node, tmp_path: Path) -> None:
    node.get(ROUTES)
    node.files = Files(tmp_path / "new")
    assert node.get(ROUTES)["files"] == [*sorted(ALL), "/etc/fnn/manifest.json"]
    assert node.calls == [[KEY], ALL]


@pytest.mark.parametrize("hint", [b"\xff\xfe", b"", b"not digests\n"])
def test_a_damaged_hint_costs_no_more_than_contents(node: Node, hint: bytes) -> None:
    node.get(ROUTES)
    node.hint.write_bytes(hint)
    assert not node.get(ROUTES)["changed"]
    assert node.calls == [ALL]
    node.get(ROUTES)
    assert node.calls == [[KEY]], "the hint is written again"


def test_check_mode_writes_no_hint_and_counts_on_an_installed_node(node: Node) -> None:
    node.get(ROUTES)
    node.hint.unlink()
    node.check = True
    assert not node.get(ROUTES)["changed"]
    assert node.calls == [[KEY]]
    assert not node.hint.exists()


def test_a_delivery_that_failed_is_not_noted(node: Node) -> None:
    node.get(ROUTES)
    before = node.hint.read_text()
    node.fails = True
    assert node.get(replace(ROUTES, content="x\n"))["failed"]
    assert node.hint.read_text() == before


def test_a_node_is_not_confirmed_from_the_beginning_of_a_delivery(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it fails, is interrupted, or brings what the node has confirmed before."""
    record = DeliveryRecord(node.hint)
    node.get(ROUTES)
    record.confirm("9c0e")
    node.check = True
    node.get(ROUTES)
    assert record.read_confirmed() == "9c0e", "check mode delivers nothing"
    node.check = False
    seen: list[str | None] = []
    take = node.take

    def look_and_take(text: str) -> dict[str, Any]:
        seen.append(record.read_confirmed())
        return take(text)

    monkeypatch.setattr(node, "take", look_and_take)
    assert not node.get(ROUTES)["changed"]
    assert (seen, record.read_confirmed()) == ([None], None)
    assert node.calls == [[KEY]], "the hint is kept"


def test_a_node_whose_files_change_meanwhile_gets_all(node: Node) -> None:
    node.get(ROUTES)
    take = node.take

    def spoil_and_take(text: str) -> dict[str, Any]:
        if len(node.calls) < 2:
            each = (PROGRAM, SYSCTL)[len(node.calls)]
            (node.files.root / each.path.lstrip("/")).write_text("edited\n")
        return take(text)

    node.take = spoil_and_take  # type: ignore[method-assign]
    assert node.get(ROUTES)["files"] == [SYSCTL.path, PROGRAM.path]
    assert node.calls == [[KEY], sorted([KEY, PROGRAM.path]), ALL]


def test_a_secret_leaves_no_trace_on_the_controller(node: Node) -> None:
    node.get(ROUTES)
    (node.files.root / "etc/hosts").write_text("")
    node.get(ROUTES)
    kept = {path.name: path.read_text() for path in node.build.rglob("*") if path.is_file()}
    assert sorted(kept) == ["common-changes.bundle", "common.bundle", "k00"]
    for name in ("common.bundle", "common-changes.bundle"):
        assert KEY not in unpack_contents(kept[name])
    assert len(kept["k00"].split()) == len([*COMMON, ROUTES])


def unpack_contents(text: str) -> dict[str, str]:
    empty = module.pack(make_delivery(Bundle({}, [])), text.partition("\n")[2])
    return dict(unpack(empty).contents)


def test_the_common_part_is_packed_once(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = []
    pack_contents = module.pack_contents
    monkeypatch.setattr(module, "pack_contents", lambda each: packed.append(sorted(each)) or pack_contents(each))
    node.get(ROUTES)
    for name in ("k01", "k02"):
        node.hint = node.build / "delivered" / name
        node.get(ROUTES)
    assert packed == [sorted(each.path for each in COMMON)]
    node.get(common=[replace(HOSTS, content=HOSTS.content + "10.79.0.1 new\n"), PROGRAM, SYSCTL])
    node.hint = node.build / "delivered/k01"
    node.get(common=[replace(HOSTS, content=HOSTS.content + "10.79.0.1 new\n"), PROGRAM, SYSCTL])
    assert packed[1:] == [[HOSTS.path]]


@pytest.mark.parametrize("damage", ["", "damaged\nAAAA", None])
def test_a_damaged_or_outdated_cache_is_packed_again(node: Node, damage: str | None) -> None:
    node.get(ROUTES)
    cache = node.build / "common.bundle"
    cache.write_text(cache.read_text()[:-100] if damage is None else damage)
    node.hint.unlink()
    assert not node.get(ROUTES)["changed"]
    node.hint.unlink()
    node.get(ROUTES, common=[replace(PROGRAM, content=PROGRAM.content + "#\n"), HOSTS, SYSCTL])
    assert (node.files.root / PROGRAM.path.lstrip("/")).read_text().endswith("#\n")


def test_a_directory_that_cannot_be_written_costs_no_more_than_time(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_atomic", refuse)
    monkeypatch.setattr(delivery_record, "write_atomic", refuse)
    assert node.get(ROUTES)["changed"]
    assert not node.get(ROUTES)["changed"]
    assert node.calls == [ALL]

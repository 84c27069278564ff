# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents that did not travel come from the node's own files, and only if they are the wanted ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply.apply import Request, apply_delivery
from ansible.module_utils.fnn.node.apply.changes import Files
from ansible.module_utils.fnn.node.apply.delivered import complete
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile, Delivery, add_secret, make_delivery
from ansible.module_utils.fnn.shared.errors import FnnError

NET = BundledFile("/usr/local/sbin/fnn-net", "file", 0o755, "#!/usr/bin/env python3\n")
HOSTS = BundledFile("/etc/hosts", "first-block", 0o644, "10.78.0.1 k00\n")
UCX = BundledFile("/etc/ucx/ucx.conf", "block", 0o644, "UCX_TLS=tcp\n")
ROUTES = BundledFile("/etc/fnn/routes", "file", 0o644, "10.78.0.2 k01 red=10.77.0.2\n")
BUNDLE = Bundle({}, [NET, HOSTS, UCX, ROUTES])
KEY = "/etc/fnn/linkd.key"


def list_only(bundle: Bundle, *paths: str) -> Delivery:
    """The delivery with the contents of these paths alone."""
    delivery = make_delivery(bundle)
    return replace(delivery, contents={path: delivery.contents[path] for path in paths})


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A node that has the bundle, with lines of others around the blocks."""
    files = Files(tmp_path)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hosts").write_text("127.0.0.1 localhost\n")
    files.make(files.find_changes(BUNDLE))
    return files


def test_an_unchanged_node_needs_no_content(files: Files) -> None:
    bundle, missing = complete(list_only(BUNDLE), files)
    assert (bundle, missing) == (BUNDLE, [])
    assert files.find_changes(bundle) == []


def test_a_bare_node_lacks_every_content_that_did_not_travel(tmp_path: Path) -> None:
    bundle, missing = complete(list_only(BUNDLE, ROUTES.path), Files(tmp_path))
    assert (bundle.files, missing) == ([ROUTES], [NET.path, HOSTS.path, UCX.path])


def edit(path: str) -> Callable[[Path], None]:
    def make(root: Path) -> None:
        place = root / path.lstrip("/")
        place.write_text(place.read_text().replace("k", "K").replace("#!", "#").replace("tcp", "all"))

    return make


def test_what_is_outside_of_a_block_is_not_compared(files: Files) -> None:
    (files.root / "etc/hosts").write_text((files.root / "etc/hosts").read_text() + "192.0.2.1 mine\n")
    assert complete(list_only(BUNDLE), files)[1] == []


@pytest.mark.parametrize(
    ("spoil", "lacking"),
    [
        (edit(NET.path), NET.path),
        (edit(HOSTS.path), HOSTS.path),
        (edit(UCX.path), UCX.path),
        (lambda root: (root / "etc/fnn/routes").unlink(), ROUTES.path),
        (lambda root: (root / "etc/fnn/routes").write_bytes(b"\xff"), ROUTES.path),
        (lambda root: (root / "etc/hosts").write_text("# BEGIN fnn\n"), HOSTS.path),
        (lambda root: ((root / "etc/fnn/routes").unlink(), (root / "etc/fnn/routes").mkdir()), ROUTES.path),
    ],
)
def test_a_file_that_was_edited_is_asked_for(files: Files, spoil: Callable[[Path], None], lacking: str) -> None:
    spoil(files.root)
    assert complete(list_only(BUNDLE), files)[1] == [lacking]
    answer = apply_delivery(list_only(BUNDLE), Request(root=files.root, check=True))
    assert answer == {"changed": False, "missing": [lacking]}


def test_a_wrong_mode_is_a_change_without_any_content(files: Files) -> None:
    (files.root / "usr/local/sbin/fnn-net").chmod(0o600)
    bundle, missing = complete(list_only(BUNDLE), files)
    assert missing == []
    assert [change.path for change in files.find_changes(bundle)] == [NET.path]


def test_a_secret_is_not_taken_from_the_node(files: Files) -> None:
    with_key = add_secret(BUNDLE, KEY, "sign 00\n")
    files.make(files.find_changes(with_key))
    assert complete(list_only(with_key), files)[1] == [KEY]
    assert complete(list_only(with_key, KEY), files)[1] == []


@pytest.mark.parametrize("at", ["switch", "clean"])
def test_a_node_that_rolled_back_is_refused_in_a_later_pass(files: Files, at: str) -> None:
    """The plan does not travel in these passes, and the node does not have it any more."""
    edit(ROUTES.path)(files.root)
    with pytest.raises(FnnError, match=f"not prepared for the pass {at} of this plan: it rolled back, or another"):
        apply_delivery(list_only(BUNDLE), Request(root=files.root, check=True, pass_name=at))
    edit(NET.path)(files.root)
    files.make(files.find_changes(Bundle({}, [HOSTS, UCX, ROUTES])))
    answer = apply_delivery(list_only(BUNDLE), Request(root=files.root, check=True, pass_name=at))
    assert answer["missing"] == [NET.path], "a common file alone is asked for"

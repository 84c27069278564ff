# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/files.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.plan.files import choose_files, list_common, list_node_files, make_manifest
from ansible.module_utils.fnn.node.net.gateway import FILES as GATEWAY_FILES
from programs import ROOT

FILES = list_node_files(ROOT)
CLUSTER = {"linkd": {}, "mpi": {"rails": False}}


def view(manager: str) -> dict[str, Any]:
    return {"manager": manager, "resolver": "file", "dns": []}


def test_every_source_is_there(root: Path) -> None:
    assert [each.source for each in FILES if not (root / each.source).is_file()] == []


def test_every_template_is_used(root: Path) -> None:
    templates = {str(path.relative_to(root)) for path in root.glob("roles/fnn_[ng]*/templates/*")}
    assert templates <= {each.source for each in FILES}


@pytest.mark.parametrize("rails", [False, True])
def test_no_path_comes_twice(rails: bool) -> None:
    paths = [each.path for each in FILES if each.rails in (None, rails)]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize(
    ("manager", "unmanaged"),
    [
        ("none", []),
        ("networkd", ["/etc/systemd/network/05-fnn-hands-off.network"]),
        ("networkmanager", ["/etc/NetworkManager/conf.d/90-fnn-hands-off.conf"]),
        (
            "both",
            [
                "/etc/systemd/network/05-fnn-hands-off.network",
                "/etc/NetworkManager/conf.d/90-fnn-hands-off.conf",
            ],
        ),
    ],
)
def test_a_node_gets_the_unmanaged_devices_file_of_its_own_manager(manager: str, unmanaged: list[str]) -> None:
    assert [each.path for each in choose_files(FILES, view(manager), CLUSTER) if "hands-off" in each.path] == unmanaged


@pytest.mark.parametrize(
    ("resolver", "dns", "files"),
    [
        ("file", [], []),
        ("file", ["192.168.7.254"], ["/etc/resolv.conf"]),
        ("resolved", ["192.168.7.254"], ["/etc/systemd/resolved.conf.d/90-fnn.conf"]),
    ],
)
def test_dns_servers_are_in_the_file_of_the_resolver(resolver: str, dns: list[str], files: list[str]) -> None:
    chosen = choose_files(FILES, {"manager": "none", "resolver": resolver, "dns": dns}, CLUSTER)
    assert [each.path for each in chosen if "resol" in each.path] == files


def test_a_node_has_the_files_of_a_gateway_only_if_it_is_one() -> None:
    paths = {each.path for each in choose_files(FILES, {**view("none"), "gateway": {}}, CLUSTER)}
    paths -= {each.path for each in choose_files(FILES, view("none"), CLUSTER)}
    assert paths == {*GATEWAY_FILES, "/etc/systemd/system/nftables.service.d/90-fnn.conf"}


def test_a_file_is_either_common_or_of_a_node() -> None:
    kinds = [("networkd", "resolved"), ("networkmanager", "file")]
    views = [{"manager": manager, "resolver": resolver, "dns": ["192.168.7.254"]} for manager, resolver in kinds]
    own = [each for one in views for each in choose_files(FILES, {**one, "gateway": {}}, CLUSTER)]
    assert {each.path for each in [*list_common(FILES, CLUSTER), *own]} == {each.path for each in FILES}
    assert not {each.path for each in list_common(FILES, CLUSTER)} & {each.path for each in own}


def test_the_manifest_is_a_document_sorted_by_path(documents: Documents) -> None:
    manifest = make_manifest(list_common(FILES, CLUSTER))
    documents.check(manifest, "fnn-manifest")
    paths = [each["path"] for each in manifest["files"]]
    assert paths == sorted(paths)
    assert {each["path"]: each["kind"] for each in manifest["files"] if each["kind"] != "file"} == {
        "/etc/hosts": "names",
        "/etc/openmpi/openmpi-mca-params.conf": "block",
        "/etc/ucx/ucx.conf": "block",
    }


@pytest.mark.parametrize(("rails", "common", "own"), [(False, 1, 0), (True, 0, 1)])
def test_the_settings_of_ucx_differ_between_nodes_only_with_rails(rails: bool, common: int, own: int) -> None:
    cluster = {"linkd": {}, "mpi": {"rails": rails}}
    paths = (
        [each.path for each in list_common(FILES, cluster)],
        [each.path for each in choose_files(FILES, view("none"), cluster)],
    )
    assert [each.count("/etc/ucx/ucx.conf") for each in paths] == [common, own]

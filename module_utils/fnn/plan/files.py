# SPDX-License-Identifier: GPL-3.0-or-later
"""Which file of a node comes from where. Adding a file to the nodes means adding a line here.

`source` is a path below roles/: a template (.j2), which sees `view` and `cluster`, or a file that is copied as it is.
A template that sees only `cluster` says so, and is rendered once for all nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NodeFile:
    """path: on the node; kind: "file", or "block" for a marked part of a file that belongs to others.

    A "first-block" stands at the top of its file: the first line that names a host is the one that counts, and an
    installer leaves a line `127.0.1.1 <name>` in /etc/hosts.
    """

    path: str
    source: str
    kind: str = "file"
    mode: str = "0644"
    same_everywhere: bool = False
    manager: str | None = None


_FABRIC = "fnn_network/templates"
_MPI = "fnn_mpi/templates"

NODE_FILES = (
    NodeFile("/etc/fnn/node", f"{_FABRIC}/node.j2"),
    NodeFile("/etc/fnn/links", f"{_FABRIC}/links.j2"),
    NodeFile("/etc/fnn/neighbors", f"{_FABRIC}/neighbors.j2"),
    NodeFile("/etc/fnn/routes", f"{_FABRIC}/routes.j2"),
    NodeFile("/etc/sysctl.d/90-fnn.conf", f"{_FABRIC}/sysctl.conf.j2", same_everywhere=True),
    NodeFile("/etc/hosts", f"{_FABRIC}/hosts.j2", kind="first-block", same_everywhere=True),
    NodeFile("/usr/local/sbin/fnn-net", "fnn_network/files/fnn-net", mode="0755", same_everywhere=True),
    NodeFile("/etc/systemd/system/fnn-net.service", "fnn_network/files/fnn-net.service", same_everywhere=True),
    NodeFile(
        "/etc/systemd/network/05-fnn-hands-off.network", f"{_FABRIC}/networkd-hands-off.network.j2", manager="networkd"
    ),
    NodeFile(
        "/etc/NetworkManager/conf.d/90-fnn-hands-off.conf",
        f"{_FABRIC}/networkmanager-hands-off.conf.j2",
        manager="networkmanager",
    ),
    NodeFile("/etc/fnn/hosts.openmpi", f"{_MPI}/hosts.openmpi.j2", same_everywhere=True),
    NodeFile("/etc/fnn/hosts.mpich", f"{_MPI}/hosts.mpich.j2", same_everywhere=True),
    NodeFile(
        "/etc/openmpi/openmpi-mca-params.conf", f"{_MPI}/openmpi-mca-params.conf.j2", kind="block", same_everywhere=True
    ),
    NodeFile("/etc/ucx/ucx.conf", f"{_MPI}/ucx.conf.j2", kind="block"),
)


def choose_files(view: Mapping[str, Any]) -> Iterator[NodeFile]:
    """The files that the node of this view gets: all but the hands-off files of managers it does not have."""
    return (each for each in NODE_FILES if each.manager in (None, view["manager"]))


def make_manifest(view: Mapping[str, Any]) -> dict[str, Any]:
    """The document beside a node's files that says what they are."""
    files = [{"path": each.path, "kind": each.kind, "mode": each.mode} for each in choose_files(view)]
    return {"format": "fnn-manifest", "version": 1, "files": sorted(files, key=lambda each: each["path"])}

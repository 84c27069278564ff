# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the files of a node with their sources. Every file but the modules of the programs has a line here.

`source` is a path below the root of the toolkit: a template (.j2), which gets `view` and `cluster`, or a file to
copy. A file that is the same everywhere is rendered once for all nodes; its template gets only `cluster` and `nics`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.node_paths import PACKAGE


@dataclass(frozen=True)
class NodeFile:
    """path: on the node; kind: "file", or "block" for a marked part of a file that others own.

    A "first-block" is at the top of its file. The block of "names" is, too, and lines of others that give its names a
    loopback address become comments (shared/hosts_file.py).
    """

    path: str
    source: str
    kind: str = "file"
    mode: str = "0644"
    same_everywhere: bool = False
    linkd: bool = False  # only where fnn-linkd runs
    gateway: bool = False  # only on the gateway of the cluster
    manager: str | None = None
    resolver: str | None = None  # only where the plan has DNS servers, and the node this resolver
    rails: bool | None = None  # only if fnn_mpi_rails is this


#: The manager of a node on which networkd and NetworkManager run.
BOTH = "both"

_FABRIC = "roles/fnn_network/templates"
_MPI = "roles/fnn_mpi/templates"
_PROGRAMS = "roles/fnn_network/files"
_GATEWAY = "roles/fnn_gateway"

#: Where the programs of a node lie in the repository: folder -> whether only fnn-linkd needs it.
_FOLDERS = {".": False, "node": False, "node/net": False, "node/owners": False, "shared": False, "node/linkd": True}

#: All but the modules of the programs.
_FILES = (
    NodeFile("/etc/fnn/node", f"{_FABRIC}/node.j2"),
    NodeFile("/etc/fnn/links", f"{_FABRIC}/links.j2"),
    NodeFile("/etc/fnn/nics", f"{_FABRIC}/nics.j2", same_everywhere=True),
    NodeFile("/etc/fnn/neighbors", f"{_FABRIC}/neighbors.j2"),
    NodeFile("/etc/fnn/routes", f"{_FABRIC}/routes.j2"),
    NodeFile("/etc/sysctl.d/90-fnn.conf", f"{_FABRIC}/sysctl.conf.j2", same_everywhere=True),
    NodeFile("/etc/hosts", f"{_FABRIC}/hosts.j2", kind="names", same_everywhere=True),
    NodeFile("/etc/fnn/hosts", f"{_FABRIC}/hosts.j2", same_everywhere=True),
    NodeFile("/usr/local/sbin/fnn-net", f"{_PROGRAMS}/fnn-net", mode="0755", same_everywhere=True),
    NodeFile("/etc/systemd/system/fnn-net.service", f"{_PROGRAMS}/fnn-net.service", same_everywhere=True),
    NodeFile("/etc/systemd/system/fnn-hosts.service", f"{_PROGRAMS}/fnn-hosts.service", same_everywhere=True),
    NodeFile("/etc/fnn/linkd", f"{_FABRIC}/linkd.j2", same_everywhere=True, linkd=True),
    NodeFile("/usr/local/sbin/fnn-linkd", f"{_PROGRAMS}/fnn-linkd", mode="0755", same_everywhere=True, linkd=True),
    NodeFile(
        "/etc/systemd/system/fnn-linkd.service", f"{_FABRIC}/fnn-linkd.service.j2", same_everywhere=True, linkd=True
    ),
    NodeFile(
        "/etc/systemd/network/05-fnn-hands-off.network", f"{_FABRIC}/networkd-hands-off.network.j2", manager="networkd"
    ),
    NodeFile(
        "/etc/NetworkManager/conf.d/90-fnn-hands-off.conf",
        f"{_FABRIC}/networkmanager-hands-off.conf.j2",
        manager="networkmanager",
    ),
    NodeFile("/etc/systemd/resolved.conf.d/90-fnn.conf", f"{_FABRIC}/resolved.conf.j2", resolver="resolved"),
    NodeFile("/etc/resolv.conf", f"{_FABRIC}/resolv.conf.j2", kind="first-block", resolver="file"),
    NodeFile("/etc/fnn/gateway.nft", f"{_GATEWAY}/templates/gateway.nft.j2", gateway=True),
    NodeFile("/etc/fnn/gateway.dnsmasq", f"{_GATEWAY}/templates/gateway.dnsmasq.j2", gateway=True),
    NodeFile("/etc/systemd/system/fnn-gateway.service", f"{_GATEWAY}/files/fnn-gateway.service", gateway=True),
    NodeFile("/etc/systemd/system/nftables.service.d/90-fnn.conf", f"{_GATEWAY}/files/nftables.conf", gateway=True),
    NodeFile("/etc/systemd/system/fnn-names.service", f"{_GATEWAY}/files/fnn-names.service", gateway=True),
    NodeFile("/etc/fnn/hosts.openmpi", f"{_MPI}/hosts.openmpi.j2", same_everywhere=True),
    NodeFile("/etc/fnn/hosts.mpich", f"{_MPI}/hosts.mpich.j2", same_everywhere=True),
    NodeFile(
        "/etc/openmpi/openmpi-mca-params.conf", f"{_MPI}/openmpi-mca-params.conf.j2", kind="block", same_everywhere=True
    ),
    NodeFile("/etc/ucx/ucx.conf", f"{_MPI}/ucx.conf.j2", kind="block", same_everywhere=True, rails=False),
    NodeFile("/etc/ucx/ucx.conf", f"{_MPI}/ucx-rails.conf.j2", kind="block", rails=True),
)


def list_node_files(root: Path) -> tuple[NodeFile, ...]:
    """All files of a node. root: of the toolkit; every module in the folders of the programs is one of them."""
    return _FILES + tuple(_list_modules(root))


def _list_modules(root: Path) -> Iterator[NodeFile]:
    source = root / "module_utils/fnn"
    for folder, linkd in _FOLDERS.items():
        for path in sorted((source / folder).glob("*.py")):
            name = path.relative_to(source)
            yield NodeFile(f"{PACKAGE}/{name}", f"module_utils/fnn/{name}", same_everywhere=True, linkd=linkd)


def list_common(files: Iterable[NodeFile], cluster: Mapping[str, Any]) -> list[NodeFile]:
    """The files that every node gets alike."""
    same = [each for each in _filter_rails(files, cluster) if each.same_everywhere]
    return [each for each in same if cluster["linkd"] is not None or not each.linkd]


def choose_files(files: Iterable[NodeFile], view: Mapping[str, Any], cluster: Mapping[str, Any]) -> Iterator[NodeFile]:
    """The files of the node of this view alone, without those for managers, resolvers and roles that it does not have.

    A satellite gets all its files here: the common files may include fnn-linkd, which it does not run.
    """
    alone = view.get("satellite", False)
    resolver = view["resolver"] if view["dns"] else None
    fit = _filter_rails(files, cluster)
    fit = (each for each in fit if each.manager is None or view["manager"] in (each.manager, BOTH))
    fit = (each for each in fit if each.resolver in (None, resolver))
    fit = (each for each in fit if not each.gateway or "gateway" in view)
    return (each for each in fit if (not each.linkd if alone else not each.same_everywhere))


def _filter_rails(files: Iterable[NodeFile], cluster: Mapping[str, Any]) -> Iterator[NodeFile]:
    return (each for each in files if each.rails in (None, cluster["mpi"]["rails"]))


def make_manifest(files: Iterable[NodeFile]) -> dict[str, Any]:
    """The document that lists files with their kinds and modes."""
    entries = [{"path": each.path, "kind": each.kind, "mode": each.mode} for each in files]
    return {"format": "fnn-manifest", "version": 1, "files": sorted(entries, key=lambda each: each["path"])}

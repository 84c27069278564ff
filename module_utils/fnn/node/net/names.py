# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of the cluster in /etc/hosts of this node: writes them again, and finds out whether they have effect.

    /etc/fnn/hosts     the names of the plan
    /etc/hosts         the same as a block, for which shared/hosts_file.py makes room

Some programs write /etc/hosts as a whole. cloud-init does so at each boot with manage_etc_hosts, from a template of its
own. fnn-hosts.service runs after it and restores the names. This leaves the files of cloud-init alone, whose settings
may come from the user data of a hypervisor, which override all files below /etc/cloud.
"""

from __future__ import annotations

from pathlib import Path

from ...shared.atomic import put_file
from ...shared.blocks import find_block
from ...shared.errors import FnnError
from ...shared.failed import Failed
from ...shared.hosts_file import set_names
from .place import Place

HOSTS = "/etc/hosts"
NAMES = "/etc/fnn/hosts"
NSSWITCH = "/etc/nsswitch.conf"


def restore_names(place: Place) -> bool:
    """Whether /etc/hosts lacked the names of the plan, which are there now. The caller holds the change lock.

    Raises OSError, and Failed(1) where the markers of our block are broken.
    """
    names, hosts = place.locate(NAMES), place.locate(HOSTS)
    if not names.exists():
        return False
    before = hosts.read_bytes() if hosts.exists() else b""
    after = set_block_of(before, names)
    if after == before:
        return False
    status = hosts.stat() if hosts.exists() else None
    mode, owner = (status.st_mode & 0o7777, (status.st_uid, status.st_gid)) if status else (0o644, (0, 0))
    put_file(hosts, after, mode, owner)
    return True


def set_block_of(before: bytes, names: Path) -> bytes:
    """The content of /etc/hosts with our block. Raises Failed(1) and OSError."""
    try:
        text = before.decode(errors="surrogateescape")
        return set_names(text, names.read_text(encoding="utf-8")).encode(errors="surrogateescape")
    except FnnError as error:
        raise Failed(1, [f"{HOSTS}: {each.message}" for each in error.problems]) from None


def find_name_faults(place: Place) -> list[str]:
    """Why the names of the plan have no effect on this node, with the remedy."""
    faults = []
    names, hosts = place.locate(NAMES), place.locate(HOSTS)
    if names.exists():
        try:
            before = hosts.read_bytes() if hosts.exists() else b""
            if set_block_of(before, names) != before:
                has = "lacks the names of the cluster" if not has_block(before) else "contradicts them"
                faults.append(f"{HOSTS} {has}, because another program wrote it; run `fnn-net names`")
        except (Failed, OSError) as error:
            faults.append("; ".join(error.messages) if isinstance(error, Failed) else str(error))
    if not reads_files(place):
        faults.append(f"{NSSWITCH} has no `files` in its line `hosts:`, so {HOSTS} has no effect; put it first there")
    return faults


def has_block(content: bytes) -> bool:
    return find_block(content.decode(errors="replace")) is not None


def reads_files(place: Place) -> bool:
    """Whether glibc looks host names up in /etc/hosts (nsswitch.conf(5)); by default it does."""
    try:
        lines = place.locate(NSSWITCH).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return True
    sources = [line.partition("#")[0].partition(":")[2].split() for line in lines if line.lstrip().startswith("hosts:")]
    return "files" in sources[-1] if sources else True

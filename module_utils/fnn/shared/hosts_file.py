# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of the cluster in /etc/hosts (hosts(5)): a block at the top, and lines of others that contradict it.

Installers give the host name of a machine a loopback address. glibc looks a name up in all lines, then prefers
loopback addresses (getaddrinfo(3), RFC 6724), wherever they are in the file. Programs that announce the address of
their own host name, such as Gloo and Ray, would announce one that no other node can use. Such a line becomes a comment.
Other names in it stay, in a line of their own:

    127.0.1.1 k01               # fnn: 127.0.1.1 k01
    127.0.0.1 localhost k01     # fnn: 127.0.0.1 localhost k01
                                127.0.0.1 localhost # fnn

Removal restores the former lines, to the byte.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterator

from .blocks import remove_block, set_block

#: The kind of /etc/hosts in manifests.
NAMES = "names"
_FORMER = "# fnn: "
_REST = " # fnn"


def set_names(text: str, content: str) -> str:
    """The text of /etc/hosts with our block, in which no loopback address has a name of the block. Raises FnnError.

    content: of the block.
    """
    own = {name.lower() for line in content.splitlines() for name in line.split()[1:]}
    return set_block("\n".join(_replace_lines(take_names(text), own)), content, first=True)


def take_names(text: str) -> str:
    """The text of /etc/hosts as it was without our block. Raises FnnError."""
    return "\n".join(_restore_lines(remove_block(text)))


def _replace_lines(text: str, own: Collection[str]) -> Iterator[str]:
    """own: names of the block, in lower case."""
    for line in text.split("\n"):
        address, *names = line.partition("#")[0].split() or [""]
        others = [name for name in names if name.lower() not in own]
        if others == names or not is_loopback(address):
            yield line
            continue
        yield f"{_FORMER}{line}"
        if others:
            yield f"{address} {' '.join(others)}{_REST}"


def _restore_lines(text: str) -> Iterator[str]:
    was_replaced = False
    for line in text.split("\n"):
        if not (was_replaced and line.endswith(_REST)):
            yield line.removeprefix(_FORMER)
        was_replaced = line.startswith(_FORMER)


def is_loopback(address: str) -> bool:
    """Whether this is an address of 127.0.0.0/8, or ::1."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node saw of each peer in the proof, as one line of text.

A thousand nodes see a million pairs. As nested data in the variables of Ansible these would take gigabytes; packed, a
node has some 20 KB. The controller unpacks those of one node at a time.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from .packed import pack_json, unpack_json


def pack_peers(peers: Mapping[str, Mapping[str, Any]]) -> str:
    """peers: address -> what was seen of this peer, as node/reach/reach.py describes it."""
    return pack_json(peers)


class Peers(Mapping[str, Mapping[str, Any]]):
    """The peers of a node, unpacked while they are in use."""

    def __init__(self, packed: str) -> None:
        self._packed = packed

    def __getitem__(self, address: str) -> Mapping[str, Any]:
        return _unpack(self._packed)[address]

    def __iter__(self) -> Iterator[str]:
        return iter(_unpack(self._packed))

    def __len__(self) -> int:
        return len(_unpack(self._packed))


@functools.lru_cache(maxsize=2)
def _unpack(packed: str) -> dict[str, dict[str, Any]]:
    """Raises FnnError when the text is not the result of `pack_peers`."""
    peers: dict[str, dict[str, Any]] = unpack_json(packed, "reach")
    return peers

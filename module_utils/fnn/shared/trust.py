# SPDX-License-Identifier: GPL-3.0-or-later
"""Host keys and user keys that every node accepts: the same two texts for all nodes, computed by the controller.

A node reports a digest of the texts that it has installed. So the controller sends them only to nodes that need them.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from .errors import problem
from .packed import pack_json, unpack_json


@dataclass(frozen=True)
class Trust:
    """Lines without a newline at the end. known_hosts: for ssh_known_hosts; authorized_keys: of the cluster user."""

    known_hosts: str
    authorized_keys: str

    @property
    def digest(self) -> str:
        """SHA-256 of both texts, as hexadecimal digits."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()


def pack(trust: Trust) -> str:
    """One line of text. The same keys give the same line."""
    return pack_json(asdict(trust))


def unpack(text: str) -> Trust:
    """Raises FnnError when `text` is not the result of `pack`."""
    fields = unpack_json(text, "trust")
    try:
        return Trust(**fields)
    except TypeError as error:
        raise problem("trust", f"is damaged ({error})") from None


def strip_comment(key: str) -> str:
    """Kind and key of a public key."""
    return " ".join(key.split()[:2])

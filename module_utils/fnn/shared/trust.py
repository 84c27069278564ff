# SPDX-License-Identifier: GPL-3.0-or-later
"""Host keys and user keys that every node accepts: the same two texts for all nodes, computed by the controller.

A node reports a digest of the texts that it has installed. So the controller sends them only to nodes that need them.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from dataclasses import asdict, dataclass

from .errors import problem


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
    """One line of text, base64 of deflated JSON. The same keys give the same line."""
    return base64.b64encode(zlib.compress(json.dumps(asdict(trust)).encode(), 9)).decode("ascii")


def unpack(text: str) -> Trust:
    """Raises FnnError when `text` is not the result of `pack`."""
    try:
        return Trust(**json.loads(zlib.decompress(base64.b64decode(text, validate=True))))
    except (binascii.Error, zlib.error, ValueError, TypeError) as error:
        raise problem("trust", f"is damaged ({error})") from None

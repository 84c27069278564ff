# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that frames are signed with: the file /etc/fnn/linkd.key.

    sign 64 hexadecimal digits    the key of our own frames
    next 64 hexadecimal digits    in a rotation: accepted, and in use soon
    old 64 hexadecimal digits     in a rotation: accepted for a little longer

A file with another first word is one raw key, as earlier versions had it.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import binascii
import hashlib
from pathlib import Path

from .failed import Failed

SIGN, NEXT, OLD = "sign", "next", "old"
SHORTEST = 16
_MOST_OCTETS = 4096


def read_keys(path: Path) -> tuple[bytes, ...]:
    """The signing key, then the other accepted keys; empty without a file. Raises Failed and OSError."""
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_OCTETS + 1)
    except FileNotFoundError:
        return ()
    try:
        return tuple(parse_keys(text).values())
    except Failed as failure:
        raise Failed(2, [f"{path}: {message}" for message in failure.messages]) from None


def parse_keys(text: bytes) -> dict[str, bytes]:
    """Role -> key, with the signing key first. Raises Failed(2)."""
    if len(text) > _MOST_OCTETS:
        raise Failed(2, [f"has more than {_MOST_OCTETS} octets"])
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith(b"#")]
    if not lines or lines[0][0] not in (SIGN.encode(), NEXT.encode(), OLD.encode()):
        return {SIGN: _check_length(text.strip())}
    keys: dict[str, bytes] = {}
    for line in lines:
        role = line[0].decode("ascii", "replace")
        if len(line) != 2 or role not in (SIGN, NEXT, OLD) or role in keys:
            raise Failed(2, [f"expected one line each of {SIGN}, {NEXT} and {OLD}, with a key in hexadecimal digits"])
        try:
            keys[role] = _check_length(binascii.unhexlify(line[1]))
        except binascii.Error:
            raise Failed(2, [f"the key after {role} is not in hexadecimal digits"]) from None
    if SIGN not in keys:
        raise Failed(2, [f"has no line {SIGN}"])
    return {role: keys[role] for role in (SIGN, NEXT, OLD) if role in keys}


def _check_length(key: bytes) -> bytes:
    if len(key) < SHORTEST:
        raise Failed(2, [f"has {len(key)} octets, expected at least {SHORTEST}"])
    return key


def identify_key(key: bytes) -> str:
    """A fingerprint of eight digits: people compare keys by it, and it does not reveal the key."""
    return hashlib.sha256(b"fnn-linkd key " + key).hexdigest()[:8]

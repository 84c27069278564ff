# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of documents in tests, by JSON pointers (RFC 6901, without escapes)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: In place of a value: the key is deleted.
GONE = object()


def set_values(document: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Sets values at JSON pointers; GONE deletes one."""
    for pointer, value in changes.items():
        *way, last = [int(part) if part.isdecimal() else part for part in pointer.split("/")[1:]]
        place: Any = document
        for part in way:
            place = place[part]
        if value is GONE:
            del place[last]
        else:
            place[last] = value

# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents as one line of text, base64 of deflated JSON, to travel in the options and results of modules.

Ansible passes a line on as it is. It would copy, template and keep each part of nested data, for each host.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

from .errors import problem


def pack_json(document: Any, level: int = 9) -> str:
    """The same document gives the same line. level: of zlib, 1 is fastest and 9 smallest."""
    return base64.b64encode(zlib.compress(json.dumps(document).encode(), level)).decode("ascii")


def unpack_json(line: str, at: str) -> Any:
    """Raises FnnError, with the place `at`, when the line is not the result of `pack_json`."""
    try:
        return json.loads(zlib.decompress(base64.b64decode(line, validate=True)))
    except (binascii.Error, zlib.error, ValueError, TypeError) as error:
        raise problem(at, f"is damaged ({error})") from None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the answer of a module into one string.

In a cluster of n nodes, each node observes all others. Ansible would parse these n² values, keep them as variables of
every host and hand them to every later task. It passes a string on as it is, and action_plugins/save_answer.py writes
it to a file of the controller at once. Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any


def pack_answer(answer: dict[str, Any]) -> str:
    """Base64 of gzipped JSON; controller/answers.py reads it. The same answer gives the same text."""
    text = json.dumps(answer, sort_keys=True, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode("ascii")

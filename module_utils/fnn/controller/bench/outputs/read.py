# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the output of another benchmark, whichever it is."""

from __future__ import annotations

from typing import Any

from ....shared.outputs import hpcc
from . import imb, osu

_READERS = (hpcc, imb, osu)


def read_output(text: str) -> list[dict[str, Any]]:
    """The results, as `programs` of fnn-bench-raw; none of a text of another program."""
    reader = next((each for each in _READERS if each.is_output(text)), None)
    return reader.read_output(text) if reader else []

# SPDX-License-Identifier: GPL-3.0-or-later
"""How the programs of a node say what went wrong."""

from __future__ import annotations

from collections.abc import Iterable


class Failed(Exception):
    """An error with its exit code and one message per line."""

    def __init__(self, code: int, messages: Iterable[str]) -> None:
        self.code = code
        self.messages = list(messages)
        super().__init__("\n".join(self.messages))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are either the old one or the new one, never half of one: what nodes need too, see node/atomic.py."""

from __future__ import annotations

from .node.atomic import write_atomic

__all__ = ["write_atomic"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives these tests the fixture `lab`."""

from __future__ import annotations

from bench_lab import lab

__all__ = ["lab"]

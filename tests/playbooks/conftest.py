# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives these tests the fixture `run_module`."""

from __future__ import annotations

from module_runner import run_module

__all__ = ["run_module"]

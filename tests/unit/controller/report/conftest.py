# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of the committed designs, evaluated by the real engine."""

from __future__ import annotations

from report_sources import make_sources, study

__all__ = ["make_sources", "study"]

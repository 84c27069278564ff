# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports without drawn charts, for tests of their other parts: drawing takes nearly all of the time of a report."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from unittest import mock

from ansible.module_utils.fnn.controller.report import charts


@contextlib.contextmanager
def blank_charts() -> Iterator[None]:
    """Every chart that is drawn in this context is an empty picture."""
    with mock.patch.multiple(charts, _draw=mock.DEFAULT, _write=mock.DEFAULT) as functions:
        for function in functions.values():
            function.return_value = '<svg width="100pt"></svg>\n'
        yield

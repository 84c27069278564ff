# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/signals.py"""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from ansible.module_utils.fnn.signals import stop_as_by_ctrl_c

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = [signal.getsignal(name) for name in SIGNALS]
    yield
    for name, handler in zip(SIGNALS, before):
        signal.signal(name, handler)


@pytest.mark.parametrize("name", SIGNALS)
def test_whoever_ends_it_ends_it_as_ctrl_c_does(name: signal.Signals) -> None:
    stop_as_by_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(name)


def test_what_nohup_keeps_away_stays_away() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    stop_as_by_ctrl_c()
    signal.raise_signal(signal.SIGHUP)

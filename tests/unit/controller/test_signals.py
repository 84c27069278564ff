# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/signals.py"""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from ansible.module_utils.fnn.controller.signals import stop_as_by_ctrl_c

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
#: Signal dispositions that a process may inherit: from a terminal, `command &` in a script, nohup, or both.
INHERITED: dict[str, tuple[signal.Signals, ...]] = {
    "nothing ignored": (),
    "SIGINT ignored": (signal.SIGINT,),
    "SIGHUP ignored": (signal.SIGHUP,),
    "all ignored": (signal.SIGINT, *SIGNALS),
}


@pytest.fixture(autouse=True, params=INHERITED)
def inherited(request: pytest.FixtureRequest) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *SIGNALS)}
    for number in INHERITED[request.param]:
        signal.signal(number, signal.SIG_IGN)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_it_whatever_disposition_was_inherited(number: signal.Signals) -> None:
    stop_as_by_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


def test_a_second_signal_does_not_interrupt_the_cleanup() -> None:
    stop_as_by_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGHUP)
    for number in SIGNALS:
        signal.raise_signal(number)

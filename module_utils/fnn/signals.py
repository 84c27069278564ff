# SPDX-License-Identifier: GPL-3.0-or-later
"""One way to stop live work, whoever asks for it."""

from __future__ import annotations

import signal


def stop_as_by_ctrl_c() -> None:
    """From now on SIGTERM, and SIGHUP when the terminal goes, raise KeyboardInterrupt, so that everything is put back.

    Whoever had us ignore one of them, as nohup does, is heeded.
    """
    for name in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(name) is not signal.SIG_IGN:
            signal.signal(name, lambda *_: signal.raise_signal(signal.SIGINT))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the garbage collector of a worker from visiting the objects of the whole run.

Ansible forks a worker for each task on each host. A worker shares the memory of the run until either writes to it. A
full collection visits all objects and so copies their pages. After gc.freeze() (Python library reference, gc) a worker
collects its own objects alone.
"""

from __future__ import annotations

import gc
import os

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: fnn_workers
type: aggregate
short_description: Save processor time of the workers
description:
  - Workers do not collect garbage among the objects that they share with the run.
"""


class CallbackModule(CallbackBase):
    """The callback plugin that Ansible loads."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "fnn_workers"

    def __init__(self) -> None:
        super().__init__()
        os.register_at_fork(after_in_child=gc.freeze)

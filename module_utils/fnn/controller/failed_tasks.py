# SPDX-License-Identifier: GPL-3.0-or-later
"""Which failed tasks of Ansible count as failures of the run, for the callback plugins."""

from __future__ import annotations

from typing import Any


def is_rescued(task: Any) -> bool:
    """Return whether the failure of a task leads to the `rescue` of a block, which decides what it means."""
    child, parent = task, task._parent
    while parent is not None:
        if getattr(parent, "rescue", None) and child._uuid in [each._uuid for each in parent.block]:
            return True
        child, parent = parent, parent._parent
    return False

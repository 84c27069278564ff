# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends modules of Ansible that change a node.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...shared.errors import FnnError
from ...shared.failed import explain


def run_change(module: Any, change: Callable[[], dict[str, Any]]) -> None:
    """Ends the module with the result of `change`, or with the failure that it raises as FnnError or OSError.

    module: an AnsibleModule. The `diff` of the result is left out unless Ansible shows differences.
    """
    try:
        answer = change()
    except (FnnError, OSError) as error:
        module.fail_json(msg=explain(error))
    if not module._diff:
        answer.pop("diff", None)
    module.exit_json(**answer)

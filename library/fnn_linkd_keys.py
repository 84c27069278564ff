#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_linkd_keys
short_description: Create or rotate the keys with which fnn-linkd signs its frames
description:
  - Creates the key of a site once, from the random numbers of the operating system, and performs the three steps of a
    key rotation.
  - Runs once, on the controller. The file has mode 0600 in a directory of mode 0700 with a C(.gitignore) for all its
    files.
  - A repeated step changes nothing. No key is ever returned or logged.
options:
  path:
    description: The file, usually C(.secrets/linkd.keys) beside the inventory.
    type: path
    required: true
  step:
    description:
      - V(ensure) creates a key if none exists.
      - V(accept) adds the next key, which nodes accept from then on.
      - V(sign) makes the next key the one that signs; the former is still accepted.
      - V(drop) removes the former key.
      - Every node must have the file of one step before the next step.
    type: str
    choices: [ensure, accept, sign, drop]
    default: ensure
  days:
    description: Days after which a key is due for rotation, by the date in the file; V(0) for never.
    type: int
    default: 0
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root]
"""

EXAMPLES = r"""
- name: Make the key of fnn-linkd
  fnn_linkd_keys:
    path: "{{ fnn_site_dir }}/.secrets/linkd.keys"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
ids:
  description: Eight digits for each key, as C(fnn-linkd status) shows them; the key that signs is the first.
  returned: success
  type: list
  elements: str
  sample: ["9c01b7aa"]
due:
  description: Whether the key has signed for O(days) or longer, or a rotation is not complete; never with V(0).
  returned: success
  type: bool
since:
  description: Date (UTC) on which the key began to sign; the date of the file if an earlier version made it.
  returned: success
  type: str
  sample: "2026-11-24"
"""

from datetime import datetime, timezone

from ansible.module_utils.fnn.controller.linkd_keys import (
    STEPS,
    is_due,
    list_ids,
    read_file_date,
    read_since,
    read_site_keys,
    take_step,
    write_site_keys,
)
from ansible.module_utils.fnn.controller.options import require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn.shared.linkd_keys import SIGN
from ansible.module_utils.fnn_module import run_module


def renew_keys(task: Task) -> Result:
    """Read, take the step and (outside check mode) write. Raises FnnError."""
    path = task.path("path")
    try:
        return change_keys(task)
    except OSError as error:
        raise problem(str(error.filename or path), error.strerror or str(error)) from error


def change_keys(task: Task) -> Result:
    """Do the work of the module. Raises FnnError and OSError."""
    path, step, days = task.path("path"), task.options["step"], task.options["days"]
    if days < 0:
        raise problem("fnn_linkd_key_days", f"{days} is less than 0; expected a number of days, or 0 for never")
    today = datetime.now(timezone.utc).date()
    former, noted = read_site_keys(path), read_since(path)
    since = noted or (read_file_date(path) if former else today)
    due = is_due(former, since, days, today)
    # In check mode, the previous step was not written.
    keys = take_step(take_step(former, "sign") if task.check_mode and step == "drop" else former, step)
    if keys[SIGN] != former.get(SIGN):
        noted = since = today
    if not task.check_mode:
        write_site_keys(path, keys, noted)
    return {"changed": keys != former, "ids": list_ids(keys), "due": due, "since": str(since)}


def describe_module() -> ControllerModule:
    steps = {"type": "str", "choices": list(STEPS), "default": "ensure"}
    others = {"step": steps, "days": {"type": "int", "default": 0}}
    return ControllerModule(renew_keys, {**require_paths("path"), **others})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

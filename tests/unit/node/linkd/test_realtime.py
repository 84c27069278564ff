# SPDX-License-Identifier: GPL-3.0-or-later
"""node/linkd/realtime.py: the scheduling policy of a process that requests real-time scheduling and gives it up."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from ansible.module_utils.fnn.node.linkd import realtime

ASK = """
import importlib.util, json, os, sys
spec = importlib.util.spec_from_file_location("realtime", sys.argv[1])
realtime = importlib.util.module_from_spec(spec)
spec.loader.exec_module(realtime)
granted = realtime.request()
policy = os.sched_getscheduler(0)
realtime.give_up()
print(json.dumps([granted, policy, os.sched_getscheduler(0)]))
"""


def test_the_answer_is_what_the_kernel_does_and_a_child_gives_it_up() -> None:
    command = [sys.executable, "-IS", "-c", ASK, realtime.__file__]
    granted, policy, after = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert (policy == os.SCHED_RR) == granted
    assert after == os.SCHED_OTHER

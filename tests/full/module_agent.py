# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a module of library/ in a container or namespace, once per line of input, without a connection of Ansible.

The first line is a ZIP archive of the module and what it imports, in base64. Each other line has the arguments of one
run as JSON; its answer is one line. Each run is a process of its own, as with Ansible. Needs Python 3.9 only.

Unlike those of tests/kernel/module_server.py, the processes belong to the container: they stop and freeze with it.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import io
import json
import os
import sys
import tempfile
from typing import Any


def run_module(module: Any, testing: Any, arguments: str) -> None:
    """Write the answer of the module to standard output."""
    answer = io.StringIO()
    given = testing.patch_module_args(json.loads(arguments))
    with given, contextlib.redirect_stdout(answer), contextlib.suppress(SystemExit):
        module.main()
    os.write(1, (answer.getvalue().strip() + "\n").encode())


def main(name: str) -> None:
    with tempfile.NamedTemporaryFile(suffix=".zip") as packed:
        packed.write(base64.b64decode(sys.stdin.readline()))
        packed.flush()
        sys.path.insert(0, packed.name)
        # Imported once, as it takes long to compile them.
        module, testing = importlib.import_module(name), importlib.import_module("ansible.module_utils.testing")
        while arguments := sys.stdin.readline():
            child = os.fork()
            if child == 0:
                try:
                    run_module(module, testing, arguments)
                finally:
                    os._exit(0)
            os.waitpid(child, 0)


main(sys.argv[1])

# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs ansible-test sanity without a network.

ansible-test makes a virtual environment for each test, with packages of versions that it pins. `make full-setup`
downloads them; pip takes them from there. The pip of the environments is that of Python instead of a download.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
#: docs/contributor/collection.md has the reason.
LEFT_OUT = ("pylint",)
#: The version that ansible-test of ansible-core 2.19 wants.
PIP = "get_pip_24_2.py"


def run_sanity(collection: Path, wheels: Path, home: Path) -> None:
    """Fails with the output of ansible-test. collection: not below another git repository. home: an empty directory."""
    assert [*wheels.glob("*.whl")], f"{wheels} has no packages; make full-setup downloads them"
    cache, settings = home / ".ansible/test/cache", home / ".config/pip"
    for directory in (cache, settings):
        directory.mkdir(parents=True)
    (cache / PIP).write_text("import ensurepip\n\nensurepip.bootstrap()\n")
    (settings / "pip.conf").write_text(f"[global]\nno-index = true\nfind-links = {wheels}\n")
    command = [BIN / "ansible-test", "sanity", "--python", PYTHON, *(f"--skip-test={each}" for each in LEFT_OUT)]
    environment = os.environ | {"HOME": str(home), "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("ANSIBLE_CONFIG", None)
    done = subprocess.run(command, cwd=collection, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"

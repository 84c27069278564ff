# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the Python interpreters of this machine, and makes virtual environments with them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

#: What docs/reference/versions.md promises.
NODE_VERSIONS = ("3.9", "3.10", "3.11", "3.12", "3.13")
CONTROLLER_VERSIONS = ("3.11", "3.12", "3.13")


def find_python(version: str) -> Path | None:
    """The interpreter of a version like "3.9": on PATH, or installed by pyenv. None if there is neither."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = shutil.which(f"python{version}")
    places = [*([named] if named else []), *pyenv.glob(f"versions/{version}.*/bin/python{version}")]
    return next((Path(place) for place in places if _runs(place, version)), None)


def _runs(place: str | Path, version: str) -> bool:
    """A shim of pyenv is on PATH also for versions that it does not start."""
    command = [place, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() == version


def make_environment(python: Path, directory: Path, *packages: str) -> Path:
    """A virtual environment with the newest versions of packages; returns its directory of programs."""
    subprocess.run([python, "-m", "venv", directory], check=True)
    programs = directory / "bin"
    install = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    subprocess.run(install, check=True)
    return programs

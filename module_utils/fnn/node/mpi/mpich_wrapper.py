# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the wrapper library that programs load as MPICH (roles/fnn_mpi/files/mpich_finalize.c gives the reason).

The loader (ld.so(8)) searches the directories of /etc/ld.so.conf.d in the order of the files' names, so it finds the
wrapper before MPICH's own library. The wrapper is linked to a stub whose soname is the full path of that library. With
a plain soname, the loader would find the wrapper again.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from ..apply.build import Build, Program, build, hash_source, write_files
from ..apply.changes import describe

_SOURCE = "mpich_finalize.c"
_LIBRARY = "libmpich.so.12"
_STUB = "mpich.stub"
_ROOT = Path("/")
_LDCONFIG = "/sbin/ldconfig"  # may be outside of PATH


@dataclass(frozen=True)
class Wrapper:
    """directory: of the source and the library. source: content of mpich_finalize.c. loader_conf: see ld.so(8)."""

    directory: str
    source: str
    loader_conf: str

    @property
    def library_directory(self) -> str:
        return f"{self.directory}/mpich-{hash_source(self.source)}"


def install_wrapper(wrapper: Wrapper, check: bool) -> dict[str, Any]:
    """Compiles the library and configures the loader; returns changed, files, mpich and diff for Ansible.

    check: report the changes and make none. Raises FnnError when a compiler fails, and OSError.
    """
    cached = _run_ldconfig("-p")
    mpich = find_mpich(cached, wrapper.directory)
    if mpich is None:
        return {"changed": False, "files": [], "mpich": None, "diff": []}
    written = build(_ROOT, Build(wrapper.directory, {_SOURCE: wrapper.source}), check)
    compiled = build(_ROOT, Build(wrapper.library_directory, programs=list_libraries(wrapper, mpich)), check)
    settings = write_files(_ROOT, [(wrapper.loader_conf, format_loader_conf(wrapper))], check)
    is_stale = bool(settings) or wrapper.library_directory not in cached
    if is_stale and not check:
        _run_ldconfig()
    files = [*written["files"], *compiled["files"], *(each.path for each in settings)]
    diff = [*written["diff"], *describe(settings)]
    return {"changed": bool(files) or is_stale, "files": files, "mpich": mpich, "diff": diff}


def find_mpich(cached: str, directory: str) -> str | None:
    """Path of MPICH's own library; None without MPICH. cached: output of `ldconfig -p`. directory: of the wrapper."""
    paths: list[str] = re.findall(rf"{re.escape(_LIBRARY)} .*=> (/\S+)", cached)
    return next((path for path in paths if not path.startswith(f"{directory}/")), None)


def list_libraries(wrapper: Wrapper, mpich: str) -> list[Program]:
    """The stub with MPICH's path as its soname, and the wrapper library that is linked to it."""
    shared = ["gcc", "-O2", "-shared"]
    source = f"{wrapper.directory}/{_SOURCE}"
    return [
        Program(_STUB, [*shared, "-fPIC", f"-Wl,-soname,{mpich}", "-x", "c", "/dev/null"]),
        Program(
            _LIBRARY,
            [*shared, "-fPIC", f"-Wl,-soname,{_LIBRARY}", "-Wl,--no-as-needed", source, _STUB, "-ldl"],
        ),
    ]


def format_loader_conf(wrapper: Wrapper) -> str:
    return f"# Written by the FNN toolkit. See {wrapper.directory}/{_SOURCE}.\n{wrapper.library_directory}\n"


def _run_ldconfig(*options: str) -> str:
    done = subprocess.run([_LDCONFIG, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise problem(_LDCONFIG, f"ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout

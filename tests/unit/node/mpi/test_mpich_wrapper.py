# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/mpi/mpich_wrapper.py: the wrapper loads MPICH's library by its path."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from ansible.module_utils.fnn.node.apply.build import Build, build
from ansible.module_utils.fnn.node.mpi.mpich_wrapper import Wrapper, find_mpich, format_loader_conf, list_libraries

MPICH = "/lib/x86_64-linux-gnu/libmpich.so.12"
#: Lines of `ldconfig -p`, with the wrapper before MPICH's library.
CACHED = f"""2 libs found in cache `/etc/ld.so.cache'
\tlibmpich.so.12 (libc6,x86-64) => /usr/local/lib/fnn/mpich-0123456789ab/libmpich.so.12
\tlibmpich.so.12 (libc6,x86-64) => {MPICH}
"""


def read_dynamic(library: Path, tag: str) -> list[str]:
    """Values of one tag of the dynamic section."""
    shown = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    return re.findall(rf"\({tag}\).*\[(.*)\]", shown)


def test_the_wrapper_is_not_taken_for_mpich() -> None:
    assert find_mpich(CACHED, "/usr/local/lib/fnn") == MPICH
    assert find_mpich("\n".join(CACHED.splitlines()[:2]), "/usr/local/lib/fnn") is None
    assert find_mpich("", "/usr/local/lib/fnn") is None


def test_the_wrapper_has_the_soname_of_mpich_and_needs_it_by_path(root: Path, tmp_path: Path) -> None:
    directory = tmp_path / "fnn"
    source = (root / "roles/fnn_mpi/files/mpich_finalize.c").read_text()
    wrapper = Wrapper(str(directory), source, "/etc/ld.so.conf.d/00-fnn-mpich.conf")
    build(Path("/"), Build(wrapper.directory, {"mpich_finalize.c": source}), check=False)
    build(Path("/"), Build(wrapper.library_directory, programs=list_libraries(wrapper, MPICH)), check=False)
    library = Path(wrapper.library_directory) / "libmpich.so.12"
    assert read_dynamic(library, "SONAME") == ["libmpich.so.12"]
    assert read_dynamic(library, "NEEDED")[0] == MPICH
    assert format_loader_conf(wrapper).splitlines()[-1] == wrapper.library_directory


def test_another_source_gets_a_directory_of_its_own() -> None:
    first, second = (Wrapper("/d", source, "/c") for source in ("int a;", "int b;"))
    assert first.library_directory != second.library_directory

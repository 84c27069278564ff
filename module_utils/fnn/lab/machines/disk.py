# SPDX-License-Identifier: GPL-3.0-or-later
"""The disk of a machine: a copy of an image with the files of its identity, and a layer on top that qemu writes to.

nodes/k00/disk.ext4    the copy; debugfs(8) writes into it without mounting it
nodes/k00/disk.qcow2   what changed since; without it the machine is as installed
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from ...shared.errors import problem
from ..programs import run_program
from .identity import Entry
from .qemu import DISK

_IMAGE = "disk.ext4"
#: How lines of debugfs begin that are no failure: its version, rm of a missing file, mkdir of an existing directory.
_EXPECTED = ("debugfs ", "rm: ", "mkdir: ", "ext2fs_mkdir: ")


def make_disk(image: Path, directory: Path, entries: Mapping[str, Entry]) -> None:
    """Makes the disk of a new machine. image: the directory of an image. Raises FnnError."""
    directory.mkdir(parents=True, exist_ok=True)
    copy = directory / _IMAGE
    _run(["cp", "--sparse=always", "--reflink=auto", str(image / _IMAGE), f"{copy}.new"])
    with tempfile.TemporaryDirectory() as name:
        script = Path(name, "script")
        script.write_text("\n".join(list_requests(entries, Path(name))) + "\n", encoding="utf-8")
        done = _run(["debugfs", "-w", "-f", str(script), f"{copy}.new"])
    # debugfs exits 0 after a failed request.
    failed = [line for line in done.splitlines() if not line.startswith(_EXPECTED)]
    if failed:
        raise problem(str(copy), failed[0])
    Path(f"{copy}.new").rename(copy)
    reset_disk(directory)


def reset_disk(directory: Path) -> None:
    """Makes the disk of a machine that is off as it was when installed."""
    (directory / DISK).unlink(missing_ok=True)
    _run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", _IMAGE, "-F", "raw", str(directory / DISK)])


def has_disk(directory: Path) -> bool:
    """Whether the machine has been installed."""
    return (directory / DISK).exists()


def list_requests(entries: Mapping[str, Entry], scratch: Path) -> Iterator[str]:
    """Requests of debugfs(8) that write the files; their texts are put into a directory of this machine."""
    for index, (name, entry) in enumerate(entries.items()):
        path = PurePosixPath(name)
        source = scratch / str(index)
        source.write_text(entry.text, encoding="utf-8")
        yield "cd /"
        for parent in path.parent.parts[1:]:
            yield f"mkdir {parent}"
            yield f"cd {parent}"
        yield f"rm {path.name}"
        yield f"write {source} {path.name}"
        yield f"set_inode_field {path.name} mode 0{0o100000 | entry.mode:o}"
        for field in ("uid", "gid"):
            yield f"set_inode_field {path.name} {field} {entry.owner}"
            if entry.owner:
                yield f"set_inode_field {path.parent} {field} {entry.owner}"


def _run(command: list[str]) -> str:
    """The messages of a program; debugfs writes all of them to standard error. Raises FnnError."""
    return run_program(command, purpose="machines").stderr

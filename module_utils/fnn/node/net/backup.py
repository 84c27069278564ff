# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a node before an unconfirmed change: its files, and settings of its kernel.

    /var/lib/fnn/backup/contents.json     paths that existed, with the text of every file, and paths that did not
    /var/lib/fnn/backup/fnn-net.pyz       the fnn-net that restores them, in case the change breaks the installed one

The backup is flushed to disk before anything changes. It has only two files, because each costs a wait for a flush.
While a change is pending, a further change only adds the paths that it touches besides, so the backup always holds the
last confirmed state.
"""

from __future__ import annotations

import base64
import errno
import io
import json
import os
import shutil
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ...shared.atomic import flush_directory, make_link, put_file, write_atomic
from ...shared.node_paths import PACKAGE
from .kernel import read_sysctl
from .place import Place

CONTENTS = "contents.json"
ARCHIVE = "fnn-net.pyz"
BYTECODE = "__pycache__"
START = """import os
import sys

try:
    from fnn.node.net.command import main
except (ImportError, OSError):
    if os.path.exists(sys.path[0]):
        raise
    sys.exit(0)  # the change was confirmed while this program started, and the archive with it is gone
sys.exit(main())
"""
_PATH = PurePosixPath(PACKAGE).parent  # where Python finds it
FILE, LINK, ABSENT = "file", "link", "absent"


@dataclass(frozen=True)
class Entry:
    """One path before the change. content: of a file; the target of a link."""

    path: str
    kind: str
    mode: int = 0
    owner: tuple[int, int] = (0, 0)
    content: bytes = b""

    def to_json(self) -> dict[str, Any]:
        """The entry for JSON; content that is not UTF-8 is in base64."""
        try:
            content = {"text": self.content.decode()}
        except UnicodeDecodeError:
            content = {"base64": base64.b64encode(self.content).decode()}
        return {"path": self.path, "kind": self.kind, "mode": self.mode, "owner": self.owner, **content}

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Entry:
        """The inverse of `to_json`."""
        content = entry["text"].encode() if "text" in entry else base64.b64decode(entry["base64"])
        return cls(entry["path"], entry["kind"], entry["mode"], (entry["owner"][0], entry["owner"][1]), content)


@dataclass(frozen=True)
class BackupScope:
    """Paths and settings of a change. paths: files; links: symbolic links, not followed; sysctls: keys like
    net/ipv4/ip_forward; program: path -> text of the package that does the rollback."""

    paths: Collection[str]
    links: Collection[str]
    sysctls: Collection[str]
    program: Mapping[str, str]


class Backup:
    """The backup of one node, in its state directory."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.directory = place.state / "backup"
        self.entries: dict[str, Entry] = {}
        self.directories: list[str] = []  # that did not exist, parents first
        self.sysctls: dict[str, str] = {}
        if self.exists():
            self._read()

    def exists(self) -> bool:
        return (self.directory / CONTENTS).is_file()

    def had_file(self, path: str) -> bool:
        """Whether that file existed. path: on the node."""
        entry = self.entries.get(str(self._find(path)))
        return entry is not None and entry.kind == FILE

    def keep(self, kept: BackupScope) -> None:
        """Adds paths and settings that the backup does not have yet. Raises OSError."""
        write_atomic(self.directory / ARCHIVE, pack_program(kept.program), 0o600)
        for where in [*(self._find(path) for path in kept.paths), *kept.links]:
            if where not in self.entries:
                self._record_missing_directories(where)
                self.entries[where] = self._take(where)
        for key in kept.sysctls:
            value = read_sysctl(key)
            if value is not None:
                self.sysctls.setdefault(key, value)
        self._write()

    def find_changed(self) -> list[str]:
        """Paths that differ from the backup."""
        return [entry.path for entry in self.entries.values() if self._differs(entry)]

    def copy_changed(self, where: Path) -> list[str]:
        """Copies the paths that differ from the backup, for inspection; returns one message per path that fails.

        Raises OSError when the disk is full.
        """
        messages = []
        for path in self.find_changed():
            source, target = self._place(path), where / path.lstrip("/")
            try:
                if source.exists() or source.is_symlink():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(source, target, follow_symlinks=False)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT):
                    raise
                messages.append(f"{path}: {error.strerror}")
        return messages

    def restore(self, skip: str = "") -> list[str]:
        """Restores all paths except `skip`; returns one message per path that fails."""
        messages = []
        wanted = [each for each in self.entries.values() if each.path != skip]
        # Deletes new files first, which makes room on a full disk.
        for entry in sorted(wanted, key=lambda each: each.kind != ABSENT):
            try:
                if self._differs(entry):
                    self._put(entry)
            except OSError as error:
                messages.append(f"{entry.path}: {error.strerror}")
        for directory in reversed(self.directories):
            remove_if_empty(self._place(directory))
        return messages

    def drop(self) -> None:
        # The table of contents goes first, so that an incomplete backup never counts as one.
        put_file(self.directory / CONTENTS, None, 0, (0, 0))
        shutil.rmtree(self.directory, ignore_errors=True)

    def _find(self, path: str) -> str:
        real = self.place.locate(path)
        return f"/{real.relative_to(self.place.root.resolve())}"

    def _place(self, where: str) -> Path:
        return self.place.root / where.lstrip("/")

    def _record_missing_directories(self, where: str) -> None:
        above = self._place(where).parent
        missing = []
        while not above.exists():
            missing.append(f"/{above.relative_to(self.place.root)}")
            above = above.parent
        self.directories += [each for each in reversed(missing) if each not in self.directories]

    def _take(self, where: str) -> Entry:
        source = self._place(where)
        if source.is_symlink():
            return Entry(where, LINK, content=os.fsencode(source.readlink()))
        if not source.is_file():
            return Entry(where, ABSENT)
        status = source.stat()
        return Entry(where, FILE, status.st_mode & 0o7777, (status.st_uid, status.st_gid), source.read_bytes())

    def _differs(self, entry: Entry) -> bool:
        place = self._place(entry.path)
        if entry.kind == LINK:
            return not place.is_symlink() or os.fsencode(place.readlink()) != entry.content
        if entry.kind == ABSENT:
            return place.is_symlink() or place.is_file()
        if not place.is_file():
            return True
        status = place.stat()
        if (status.st_mode & 0o7777, (status.st_uid, status.st_gid)) != (entry.mode, entry.owner):
            return True
        return place.read_bytes() != entry.content

    def _put(self, entry: Entry) -> None:
        if entry.kind == LINK:
            make_link(self._place(entry.path), os.fsdecode(entry.content))
            return
        content = entry.content if entry.kind == FILE else None
        put_file(self._place(entry.path), content, entry.mode, entry.owner)

    def _read(self) -> None:
        document = json.loads((self.directory / CONTENTS).read_text(encoding="utf-8"))
        entries = (Entry.from_json(each) for each in document["entries"])
        self.entries = {each.path: each for each in entries}
        self.directories, self.sysctls = document["directories"], document["sysctls"]

    def _write(self) -> None:
        document: dict[str, Any] = {
            "entries": [each.to_json() for each in self.entries.values()],
            "directories": self.directories,
            "sysctls": self.sysctls,
        }
        write_atomic(self.directory / CONTENTS, json.dumps(document, indent=2) + "\n", 0o600)
        flush_directory(self.directory.parent)


def remove_if_empty(directory: Path) -> None:
    """Removes a directory that has no entries, or only what Python compiled from files that are gone; links stay."""
    if directory.is_dir() and not directory.is_symlink() and {each.name for each in directory.iterdir()} <= {BYTECODE}:
        shutil.rmtree(directory)


def pack_program(program: Mapping[str, str]) -> bytes:
    """The package as one file that Python runs (PEP 441); the same package gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in sorted(program.items()):
            if path.startswith(f"{PACKAGE}/"):
                archive.writestr(zipfile.ZipInfo(str(PurePosixPath(path).relative_to(_PATH))), text)
        archive.writestr(zipfile.ZipInfo("__main__.py"), START)
    return buffer.getvalue()

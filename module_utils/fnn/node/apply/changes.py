# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the files of this node that differ from a bundle, and writes them.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.atomic import Wanted, put_files
from ...shared.blocks import find_block, remove_block, set_block
from ...shared.bundle import MANIFEST, Bundle, BundledFile, ListedFile
from ...shared.bundle import is_secret as is_secret_mode
from ...shared.errors import FnnError, Problem, problem
from ...shared.hosts_file import NAMES, set_names, take_names

NODE_MANIFEST = f"/etc/fnn/{MANIFEST}"


@dataclass(frozen=True)
class Change:
    """One file that differs. path: on the node. before, after: content; None where there is no file.

    mode and owner (uid, gid) are those the file gets; former_mode and former_owner those it had.
    """

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = 0o644
    owner: tuple[int, int] = (0, 0)
    former_mode: int = 0o644
    former_owner: tuple[int, int] = (0, 0)


class Files:
    """The files of one node below `root`, which is / except in tests and images."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def locate(self, path: str) -> Path:
        """The real place of a path; links such as /etc/hosts -> /run/hosts are followed, not replaced."""
        return (self.root / path.lstrip("/")).resolve()

    def read_content(self, file: ListedFile) -> str | None:
        """What this node has in place of the content of a file: the file, or our block in it; None where it is missing
        or unreadable, or its markers are broken."""
        try:
            text = self.locate(file.path).read_bytes().decode()
            return text if file.kind == "file" else find_block(text)
        except (OSError, UnicodeDecodeError, FnnError):
            return None

    def find_changes(self, bundle: Bundle) -> list[Change]:
        """All files to write or remove so that this node matches the bundle, sorted by path; the manifest is last.

        Raises FnnError with every file that cannot be read or whose markers are broken.
        """
        changes: list[Change] = []
        problems: list[Problem] = []
        wanted = sorted(bundle.files, key=lambda file: file.path)
        wanted.append(BundledFile(NODE_MANIFEST, "file", 0o644, bundle.manifest))
        for file, stays in [
            *((file, False) for file in self.find_removed_files(bundle)),
            *((each, True) for each in wanted),
        ]:
            try:
                change = self.compare(file, stays)
            except (OSError, UnicodeDecodeError) as error:
                problems.append(Problem(file.path, getattr(error, "strerror", None) or str(error)))
            except FnnError as error:
                problems += [Problem(file.path, each.message) for each in error.problems]
            else:
                if change:
                    changes.append(change)
        if problems:
            raise FnnError(problems)
        return changes

    def find_removed_files(self, bundle: Bundle) -> Iterator[BundledFile]:
        """Files in the manifest on this node that are not in the bundle. Raises FnnError."""
        kept = self.locate(NODE_MANIFEST)
        if not kept.exists():
            return
        staying = {file.path for file in bundle.files}
        try:
            entries = json.loads(kept.read_text(encoding="utf-8"))["files"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise problem(NODE_MANIFEST, f"is damaged ({error}); copy another node's or remove it") from None
        for entry in entries:
            if entry["path"] not in staying:
                yield BundledFile(entry["path"], entry["kind"], int(entry["mode"], 8), "")

    def compare(self, file: BundledFile, stays: bool) -> Change | None:
        """The change that one file needs; None when it is as wanted."""
        place = self.locate(file.path)
        before = place.read_bytes() if place.is_file() else None
        status = place.stat() if before is not None else None
        # A file of another program keeps its mode and owner.
        ours = file.kind == "file" or status is None
        mode = file.mode if ours or status is None else status.st_mode & 0o7777
        owner = (0, 0) if ours or status is None else (status.st_uid, status.st_gid)
        after = self.format_with(file, before) if stays else self.format_without(file, before)
        former_mode = status.st_mode & 0o7777 if status else mode
        former_owner = (status.st_uid, status.st_gid) if status else owner
        if before == after and (before is None or not stays or (mode, owner) == (former_mode, former_owner)):
            return None
        return Change(file.path, before, after, mode, owner, former_mode, former_owner)

    @staticmethod
    def format_with(file: BundledFile, before: bytes | None) -> bytes:
        if file.kind == "file":
            return file.content.encode()
        if file.kind == NAMES:
            return set_names((before or b"").decode(), file.content).encode()
        return set_block((before or b"").decode(), file.content, first=file.kind == "first-block").encode()

    @staticmethod
    def format_without(file: BundledFile, before: bytes | None) -> bytes | None:
        """The content without our part: a file of another program without our block, or None if nothing remains."""
        if file.kind == "file" or before is None:
            return None
        take = take_names if file.kind == NAMES else remove_block
        return take(before.decode()).encode() or None

    def make(self, changes: Iterable[Change]) -> None:
        """Makes all changes in their order. Raises OSError; the backup can undo those that are made."""
        put_files(Wanted(self.locate(each.path), each.after, each.mode, each.owner) for each in changes)


def describe(changes: list[Change], hides_secrets: bool = True) -> list[dict[str, Any]]:
    """The entries that Ansible prints with --diff. hides_secrets: whether the text of a secret file is left out."""
    return [
        {
            "before_header": change.path,
            "after_header": change.path,
            "before": format_for_people(change.before, change.former_mode, hides_secrets and is_secret(change)),
            "after": format_for_people(change.after, change.mode, hides_secrets and is_secret(change)),
        }
        for change in changes
    ]


def is_secret(change: Change) -> bool:
    """Whether only the owner may read the file on the node; the controller then does not show its text."""
    return is_secret_mode(change.mode) or is_secret_mode(change.former_mode)


def format_for_people(content: bytes | None, mode: int, secret: bool = False) -> str:
    """The text of a file after a line with its mode, as the mode may be all that differs. secret: length, no text."""
    if content is None:
        return ""
    text = f"{len(content)} octets that are not shown\n" if secret else content.decode(errors="replace")
    return f"mode {mode:04o}\n{text}"

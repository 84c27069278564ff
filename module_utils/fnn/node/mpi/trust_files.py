# SPDX-License-Identifier: GPL-3.0-or-later
"""Our blocks in the two files by which ssh(1) and sshd(8) of this node trust the other nodes.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...shared.blocks import find_block, set_block
from ...shared.errors import FnnError, Problem
from ...shared.trust import Trust
from ..apply.changes import Change, Files
from .account import Account

KNOWN_HOSTS = Path("/etc/ssh/ssh_known_hosts")
_ROOT = Path("/")
_ERRORS = "surrogateescape"  # lines of others stay, to the byte


@dataclass(frozen=True)
class TrustFile:
    """owner: uid and gid; None for those that the file has. text: of our block."""

    path: Path
    mode: int
    owner: tuple[int, int] | None
    text: str

    def read(self) -> str:
        """The content of the file; "" without it. Raises OSError."""
        return self.path.read_bytes().decode(errors=_ERRORS) if self.path.exists() else ""

    def compare(self) -> Change | None:
        """The change that the file needs; None when it is as wanted. Raises FnnError and OSError.

        The target of a symbolic link keeps its mode and owner, as it may be any file.
        """
        status = self.path.stat() if self.path.exists() else None
        before = self.read()
        try:
            after = set_block(before, self.text) if self.text else before
        except FnnError as error:
            raise FnnError(Problem(str(self.path), each.message) for each in error.problems) from None
        former = (status.st_mode & 0o7777, (status.st_uid, status.st_gid)) if status else None
        wanted = former if former and self.path.is_symlink() else (self.mode, self.owner or (former or (0, (0, 0)))[1])
        if (before, former or wanted) == (after, wanted):
            return None
        texts = [text.encode(errors=_ERRORS) for text in (before, after)]
        return Change(str(self.path), texts[0] if status else None, texts[1], *wanted, *(former or wanted))


def list_files(trust: Trust, account: Account | None) -> Iterator[TrustFile]:
    """The files of a node; without the account, as in check mode, only that of the host keys."""
    yield TrustFile(KNOWN_HOSTS, 0o644, None, trust.known_hosts)
    if account:
        path = Path(account.home) / ".ssh/authorized_keys"
        yield TrustFile(path, 0o600, account.owner, trust.authorized_keys)


def read_digest(account: Account | None) -> str:
    """The digest of the installed keys; "" if a file lacks them or has another mode or owner. Raises OSError."""
    files = list(list_files(Trust("", ""), account))
    try:
        texts = [find_block(each.read()) for each in files]
        has_attributes = all(each.compare() is None for each in files)
    except FnnError:  # the installation reports broken markers
        return ""
    found = [text.removesuffix("\n") for text in texts if text is not None]
    return Trust(*found).digest if account and len(found) == len(files) and has_attributes else ""


def install(trust: Trust, account: Account | None, check: bool) -> list[Change]:
    """Writes the files that differ; returns their changes. check: makes none. Raises FnnError and OSError."""
    changes = [change for change in (each.compare() for each in list_files(trust, account)) if change]
    if not check:
        Files(_ROOT).make(changes)
    return changes

# SPDX-License-Identifier: GPL-3.0-or-later
"""The key with which the cluster user of this node logs in to the others.

Every node generates its own key, so that no private key crosses the network or is stored on the controller. A private
key is never replaced: users may have copied its public part elsewhere. Nodes that share the home of the user, as over
NFS, have one key: the first that is complete (link(2) fails where there is one).

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ...shared.atomic import add_filename, flush_directory, write_atomic
from ...shared.errors import problem
from ...shared.trust import strip_comment
from .account import Account
from .command import describe_end, run

PRIVATE, PUBLIC, DIRECTORY = 0o600, 0o644, 0o700  # modes


def provide_key(account: Account, comment: str, check: bool) -> tuple[str, list[str]]:
    """The public key, and the paths that are new or changed.

    check: report the changes and make none; the public key of a missing pair is "". Raises FnnError for a private key
    that is broken or has a passphrase, and OSError.
    """
    directory = Path(account.home) / ".ssh"
    changed = [str(directory)] if provide_directory(directory, account, check) else []
    private = directory / "id_ed25519"
    public = private.with_name(f"{private.name}.pub")
    if private.is_dir():
        raise problem(str(private), "is a directory; expected the private key of the cluster user, or nothing")
    if not private.exists():
        return generate(private, account, comment, check), [*changed, str(private), str(public)]
    with add_filename(private):
        private.read_bytes()  # an unreadable disk is an error of its own, not a broken key
    if fix_attributes(private, account, PRIVATE, check):
        changed.append(str(private))
        if check:  # ssh-keygen refuses a key that others can read
            return read_public(public), changed
    key = derive_public(private)
    if read_public(public) != key:
        changed.append(str(public))
        if not check:
            write_public(public, key, comment, account)
    return key, changed


def provide_directory(path: Path, account: Account, check: bool) -> bool:
    """Whether the directory was missing, or had another mode or owner. Raises OSError."""
    if path.exists():
        return fix_attributes(path, account, DIRECTORY, check)
    if not check:
        with contextlib.suppress(FileExistsError):  # of another node with the same home
            path.mkdir(mode=DIRECTORY)
        os.chown(path, *account.owner)
    return True


def fix_attributes(path: Path, account: Account, mode: int, check: bool) -> bool:
    """Whether owner or mode differed. The target of a symbolic link keeps both, as it may be any file. Raises OSError.

    sshd(8) ignores keys in a directory that others can write to.
    """
    found = path.stat()
    if path.is_symlink() or (found.st_uid, found.st_gid, found.st_mode & 0o7777) == (*account.owner, mode):
        return False
    if not check:
        os.chown(path, *account.owner, follow_symlinks=False)
        path.chmod(mode)
    return True


def generate(private: Path, account: Account, comment: str, check: bool) -> str:
    """Makes a pair of keys; returns the public key, which is that of another node if it was first with this home.

    ssh-keygen writes in place, and a node that loses power meanwhile would keep a part of a private key, which later
    runs must refuse. So it writes elsewhere. Raises FnnError and OSError.
    """
    if check:
        return ""
    with tempfile.TemporaryDirectory(prefix="fnn-") as temporary:
        made = Path(temporary) / private.name
        done = run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", str(made))
        if done.returncode:
            raise problem(str(private), f"ssh-keygen {describe_end(done)}")
        place_first(private, made.read_bytes(), account)
    key = derive_public(private)
    write_public(private.with_name(f"{private.name}.pub"), key, comment, account)
    return key


def place_first(private: Path, content: bytes, account: Account) -> None:
    """Writes a private key unless there is one. Raises OSError."""
    with (
        add_filename(private),
        tempfile.TemporaryDirectory(prefix=f".{private.name}.", dir=private.parent) as directory,
    ):
        new = Path(directory) / private.name
        write_atomic(new, content, PRIVATE, account.owner)
        with contextlib.suppress(FileExistsError):
            os.link(new, private)
        flush_directory(private.parent)


def write_public(public: Path, key: str, comment: str, account: Account) -> None:
    """Writes the public key unless another node with the same home has. Raises OSError."""
    if read_public(public) != key:
        write_atomic(public, f"{key} {comment}\n", PUBLIC, account.owner)


def derive_public(private: Path) -> str:
    """The public key of a private one, without a comment. Raises FnnError and OSError."""
    done = run("ssh-keygen", "-y", "-P", "", "-f", str(private))
    if done.returncode:
        cause = "has a passphrase or is broken, and the toolkit never replaces a key"
        raise problem(str(private), f"{cause}: ssh-keygen {describe_end(done)}; move it away, then run this again")
    return strip_comment(done.stdout)


def read_public(path: Path) -> str:
    """The public key in a file, without a comment; "" without the file. Raises OSError."""
    return strip_comment(path.read_text(encoding="utf-8", errors="replace")) if path.exists() else ""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys of fnn-linkd on the controller: made once, and rotated in three steps without an unsigned or refused frame.

    <site>/.secrets/linkd.keys, mode 0600 in a directory of mode 0700 that git ignores

    step     file before          file after          on the nodes
    ensure   none                 sign A              all sign with A
    accept   sign A               sign A, next B      all sign with A and accept B
    sign     sign A, next B       sign B, old A       each signs with B as soon as it has the file; all accept both
    drop     sign B, old A        sign B              A is refused

Every node must have the file of one step before the next begins. A step that was taken already changes nothing, so an
interrupted rotation is completed by running it again.

A comment in the file records the date on which its key began to sign. The age of the key counts from this date, because
the file's own time is that of the last copy or restore.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from datetime import date, datetime, timezone
from pathlib import Path

from ..shared.bundle import Bundle, add_secret
from ..shared.errors import FnnError, Problem, problem
from ..shared.failed import Failed
from ..shared.linkd_keys import NEXT, OLD, SIGN, identify_key, parse_keys
from ..shared.node_paths import LINKD, LINKD_KEYS
from .common_files import CommonFiles
from .files import write_atomic

DIRECTORY, NAME = ".secrets", "linkd.keys"
STEPS = ("ensure", "accept", "sign", "drop")
OCTETS = 32
_HEAD = "# Keys of fnn-linkd, secret. Made by the FNN toolkit, renewed by playbooks/adhoc/rotate-linkd-keys.yml.\n"
_SINCE = "# Signing since {} (UTC).\n"
_FIND_SINCE = re.compile(r"^# Signing since (\S+) \(UTC\)\.$", re.MULTILINE)

Keys = dict[str, bytes]  # role (sign, next, old) -> key


def read_site_keys(path: Path) -> Keys:
    """The keys of a site; empty where there is no file. Raises FnnError."""
    try:
        return parse_keys(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise problem(str(path), error.strerror or str(error)) from None
    except Failed as failure:
        raise FnnError([Problem(str(path), message) for message in failure.messages]) from None


def read_since(path: Path) -> date | None:
    """The date on which the key of a site began to sign; None without a file, or in a file of an earlier version.

    Raises FnnError and OSError.
    """
    if not path.exists():
        return None
    found = _FIND_SINCE.search(path.read_text(encoding="utf-8", errors="replace"))
    if not found:
        return None
    try:
        return date.fromisoformat(found[1])
    except ValueError:
        raise problem(str(path), f"{found[1]} is not a date, expected one such as 2026-11-24") from None


def read_file_date(path: Path) -> date:
    """The date of the last change of a file. Raises OSError."""
    return datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).date()


def is_due(keys: Keys, since: date, days: int, today: date) -> bool:
    """Whether the key is to be rotated: it has signed for `days`, or a rotation is not complete. days: 0 for never."""
    return bool(days and keys) and (set(keys) != {SIGN} or (today - since).days >= days)


def take_step(keys: Keys, step: str, draw: Callable[[int], bytes] = secrets.token_bytes) -> Keys:
    """The keys after one step of STEPS. Raises FnnError when the step before was not taken."""
    if not keys:
        return {SIGN: draw(OCTETS)}
    if step == "accept" and set(keys) == {SIGN}:
        return {**keys, NEXT: draw(OCTETS)}
    if step == "sign" and NEXT in keys:
        return {SIGN: keys[NEXT], OLD: keys[SIGN]}
    if step == "drop":
        if NEXT in keys:
            raise problem(NAME, "the next key is not in use yet; take the step sign first")
        return {SIGN: keys[SIGN]}
    return keys


def format_keys(keys: Keys, since: date | None) -> str:
    """The file of a site, and that of each node."""
    head = _HEAD + (_SINCE.format(since) if since else "")
    return head + "".join(f"{role} {key.hex()}\n" for role, key in keys.items())


def write_site_keys(path: Path, keys: Keys, since: date | None) -> None:
    """since: see read_since. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    write_atomic(path.parent / ".gitignore", "*\n")
    write_atomic(path, format_keys(keys, since), 0o600)


def list_ids(keys: Keys) -> list[str]:
    """The key ids that `fnn-linkd status` shows, the signing key first."""
    return [identify_key(key) for key in keys.values()]


def runs_linkd(bundle: Bundle, common: CommonFiles) -> bool:
    """Whether the node that gets these files runs fnn-linkd; a satellite does not."""
    return LINKD in {*(file.path for file in bundle.files), *(file.path for file in common.files)}


def add_keys(bundle: Bundle, common: CommonFiles, path: str | None, check: bool) -> Bundle:
    """Return a node's own files with the keys of fnn-linkd, where it runs. Raises FnnError.

    Check mode before the first run finds no keys, as it creates none.
    """
    if path is None or not runs_linkd(bundle, common):
        return bundle
    keys = read_site_keys(Path(path))
    if keys:
        return add_secret(bundle, LINKD_KEYS, format_keys(keys, read_since(Path(path))))
    if check:
        return bundle
    raise problem(path, "is missing; playbooks/network.yml makes it")

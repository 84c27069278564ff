# SPDX-License-Identifier: GPL-3.0-or-later
"""The NICs and nodes that fnn-linkd found dead, in a file that fnn-net reads: /run/fnn/legs-down, one MAC per line.

    02:f0:00:00:02:00 red k02
    dead k02
    lossy 02:f0:00:00:03:00 red k03
    detour k04 blue 02:f0:00:00:05:01
    past 81234.5 blue k01

A line `dead` names a node that is dead on all switches (linkd/echo.py), `lossy` a NIC that loses some frames, and
`detour` a tested path to a node that shares no working switch (linkd/detours.py). `past` names a NIC that was avoided
until this time of the monotonic clock.

Only a running daemon may keep routes off a NIC. So the file is valid only while fnn-linkd holds the lock beside
it. The kernel releases that lock when the process dies, and /run is empty after a reboot.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...shared.failed import Failed
from .locks import open_lock, try_lock
from .plan_files import MAC

RUN = Path("/run/fnn")
_FILE, LOCK = "legs-down", "linkd.lock"
_HEAD = "# Written by fnn-linkd: NICs of all nodes that routes must avoid now. MAC SWITCH NODE\n"
_DEAD, _LOSSY, _DETOUR, _PAST = "dead", "lossy", "detour", "past"


@dataclass(frozen=True)
class Hints:
    """lossy: MACs of NICs that are used only where there is no other path. detours: node -> our switch, and the MAC on
    it over which the node is reached."""

    lossy: frozenset[str] = frozenset()
    detours: Mapping[str, tuple[str, str]] = field(default_factory=dict)


NO_HINTS = Hints()


def read_unusable(run: Path) -> frozenset[str]:
    """MACs of unusable NICs; empty unless fnn-linkd runs."""
    return frozenset(words[0] for words in _read(run) if MAC.fullmatch(words[0]))


def read_avoided(run: Path, since: float = float("inf")) -> list[tuple[str, str]]:
    """(node, switch) of each NIC that is unusable or lossy, or was since, sorted; empty unless fnn-linkd runs.

    since: seconds of the monotonic clock.
    """
    found = set()
    for words in _read(run):
        kind, *rest = words if words[0] in (_LOSSY, _PAST) else ("", *words)
        if len(rest) == 3 and (float(rest[0]) >= since if kind == _PAST else MAC.fullmatch(rest[0])):
            found.add((rest[2], rest[1]))
    return sorted(found)


def read_hints(run: Path) -> Hints:
    """Lossy NICs and tested detours; empty unless fnn-linkd runs."""
    lines = [words for words in _read(run) if len(words) == 4]
    lossy = frozenset(words[1] for words in lines if words[0] == _LOSSY)
    return Hints(lossy, {words[1]: (words[2], words[3]) for words in lines if words[0] == _DETOUR})


def read_dead(run: Path) -> frozenset[str]:
    """Names of nodes that are dead on all switches; empty unless fnn-linkd runs."""
    return frozenset(words[1] for words in _read(run) if words[0] == _DEAD and len(words) == 2)


def _read(run: Path) -> list[list[str]]:
    if not is_linkd_running(run):
        return []
    try:
        lines = (run / _FILE).read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return []
    return [words for words in map(str.split, lines) if words]


def write_unusable(
    run: Path,
    rows: Iterable[tuple[str, str, str]],
    dead: Iterable[str] = (),
    hints: Hints = NO_HINTS,
    past: Iterable[tuple[float, str, str]] = (),
) -> None:
    """Writes the file. Raises OSError.

    rows: (MAC, switch, node) of unusable and lossy NICs; dead: names of nodes; past: (time, switch, node).
    """
    lines = [" ".join((_LOSSY, *row) if row[0] in hints.lossy else row) for row in sorted(rows)]
    lines += [f"{_DEAD} {node}" for node in sorted(dead)]
    lines += [" ".join((_DETOUR, node, *path)) for node, path in sorted(hints.detours.items())]
    lines += [f"{_PAST} {end:.1f} {switch} {node}" for end, switch, node in sorted(past)]
    replace(run / _FILE, _HEAD + "".join(f"{line}\n" for line in lines))


def replace(path: Path, text: str) -> None:
    """Replaces a file atomically. Raises OSError."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def take_daemon_lock(run: Path) -> int | None:
    """The lock, held until it is closed or the process ends; None when another process has it. Raises OSError."""
    lock = open_lock(run / LOCK)
    if try_lock(lock):
        return lock
    os.close(lock)
    return None


def is_linkd_running(run: Path) -> bool:
    """Whether fnn-linkd runs. Raises Failed(1) for users without access to the lock."""
    try:
        handle = os.open(run / LOCK, os.O_RDONLY)
    except PermissionError:
        raise Failed(1, [f"{run / LOCK}: only root can see whether fnn-linkd runs; run this as root"]) from None
    except OSError:
        return False
    try:
        # Shared, so that two concurrent readers do not take each other for the daemon.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False

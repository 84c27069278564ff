# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures a command with all processes that it starts: processor seconds, wall clock, peak memory.

    python -m bench.process_tree [--no-memory] REPORT COMMAND...

The kernel adds the times of a process to those of the parent that waits for it (getrusage(2), RUSAGE_CHILDREN). A
daemon, such as the master of an SSH connection, has no such parent. So this program is their subreaper (prctl(2)): it
inherits them, ends them when the command has ended, and waits for them. Memory is the proportional set size (PSS) of
all processes together, sampled: pages that n processes share count once. It is at least that of the largest process,
which the kernel records (ru_maxrss), as samples miss a short peak. A sample stops each process while the kernel walks
its pages, and costs the processor caches; with --no-memory there are none, and the peak is that of the largest process.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import measure

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_SAMPLE = 0.1  # seconds between two samples of the memory, at least
_NO_MEMORY = "--no-memory"
_SHOWN = 2000  # characters of the output of a command that failed


@dataclass(frozen=True)
class Usage:
    """cpu: user and system seconds. peak: octets of memory."""

    status: int
    cpu: float
    wall: float
    peak: int


class CommandFailed(Exception):
    """A measured command failed: an error of the benchmark or of the toolkit, never a result."""


def measure_tree(
    command: Sequence[str | Path], log: Path, environment: Mapping[str, str] | None = None, memory: bool = True
) -> Usage:
    """Run a command in the root of the toolkit; its output goes to `log`. memory: whether to sample it. Raises
    CommandFailed."""
    report = log.with_suffix(".json")
    words = [sys.executable, "-m", "bench.process_tree", *([] if memory else [_NO_MEMORY]), report, *command]
    with log.open("wb") as output:
        subprocess.run(
            [*map(str, words)],
            cwd=measure.ROOT,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=True,
        )
    usage = Usage(**json.loads(report.read_text()))
    if usage.status:
        text = log.read_text(errors="replace")
        shown = text[max(text.find("[ERROR]"), 0) or -_SHOWN :][:_SHOWN]
        raise CommandFailed(f"{' '.join(map(str, command))}: exit status {usage.status}\n{shown}")
    return usage


def main() -> None:
    words = sys.argv[1:]
    sampled = words[0] != _NO_MEMORY
    report, *command = words if sampled else words[1:]
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    started = time.monotonic()
    process = subprocess.Popen(command)
    peak, ended = [0], threading.Event()
    if not sampled:
        ended.set()
    sampler = threading.Thread(target=_sample, args=(process.pid, peak, ended))
    sampler.start()
    status = process.wait()
    wall = time.monotonic() - started
    ended.set()
    sampler.join()
    _end_orphans()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    usage = Usage(status, used.ru_utime + used.ru_stime, wall, max(peak[0], used.ru_maxrss << 10))
    Path(report).write_text(json.dumps(asdict(usage)) + "\n")


def _sample(root: int, peak: list[int], ended: threading.Event) -> None:
    """Sample the memory of a process tree. The kernel locks it meanwhile, so the samples take a tenth of the time."""
    pause = _SAMPLE
    while not ended.wait(pause):
        started = time.monotonic()
        peak[0] = max(peak[0], sum(map(_read_memory, list_tree(root))))
        pause = max(_SAMPLE, 9 * (time.monotonic() - started))


def _end_orphans() -> None:
    """End the daemons that the command left, and wait for all of them."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for child in _list_children(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGTERM)
            os.waitpid(-1, 0)


def list_tree(root: int) -> Iterator[int]:
    """A process and its descendants, as far as they still exist."""
    yield root
    for child in _list_children(root):
        yield from list_tree(child)


def _list_children(process: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            children += map(int, (thread / "children").read_text().split())
    return children


def _read_memory(process: int) -> int:
    """The proportional set size of a process in octets; 0 if it has ended or belongs to another user."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""A change that waits for confirmation, and the units that roll it back otherwise: a timer, and one at the next boot.

    /var/lib/fnn/pending    {"generation": "8-3f2a9c1b0d2e", "deadline": 5234.5, "connection": "...", "refused": false,
                             "leased": false}

The deadline is in seconds of CLOCK_BOOTTIME, which counts since boot and cannot be set. It may be moved while the timer
runs: the program that the timer starts reads the file and waits for the rest, so a timer is set at all times.
Transient timers do not survive a reboot, hence the unit. Both run the fnn-net in the backup, never the installed one,
which the change may be replacing.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

from ...shared.atomic import make_link, put_file, write_atomic
from ...shared.failed import Failed
from .backup import ARCHIVE
from .place import Place

TIMER = "fnn-rollback"
BOOT_UNIT = "/etc/systemd/system/fnn-rollback-boot.service"
#: Where `systemctl enable` would put the link; made by hand, because systemd has not loaded the unit yet.
BOOT_LINK = "/etc/systemd/system/sysinit.target.wants/fnn-rollback-boot.service"
BOOT_TEXT = """\
# SPDX-License-Identifier: GPL-3.0-or-later
# A change of this node is not confirmed: the next boot rolls it back. `fnn-net confirm` removes this unit.
[Unit]
Description=Restore the former flat neighborhood network
DefaultDependencies=no
RequiresMountsFor={state} /usr/local /etc
After=local-fs.target
# Before all readers of the restored files: our own unit and the network managers start after this target.
Before=network-pre.target systemd-networkd.service NetworkManager.service fnn-net.service sysinit.target
Wants=network-pre.target
ConditionPathExists={state}/pending

[Service]
Type=oneshot
ExecStart={command} --boot

[Install]
WantedBy=sysinit.target
"""


@dataclass(frozen=True)
class Pending:
    """generation: of the pending plan. connection: the SSH_CONNECTION over which the change was made; empty when
    there was none. refused: a rollback has begun and has copied the refused files. leased: the change
    was confirmed, and is kept until the deadline."""

    generation: str
    deadline: float
    connection: str = ""
    refused: bool = False
    leased: bool = False


def read_pending(place: Place) -> Pending | None:
    """None when no change is pending. An unreadable record counts as expired."""
    try:
        return Pending(**json.loads((place.state / "pending").read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return Pending("", 0)


def write_pending(place: Place, pending: Pending) -> None:
    write_atomic(place.state / "pending", json.dumps(asdict(pending)) + "\n", 0o600)


def read_clock() -> float:
    """Seconds since boot, including time in suspend."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def schedule_rollback(place: Place, pending: Pending) -> None:
    """Schedules the rollback. Raises OSError and Failed(1)."""
    if place.has_systemd:
        text = BOOT_TEXT.format(state=place.state, command=format_command(place))
        write_atomic(place.root / BOOT_UNIT.lstrip("/"), text)
        make_link(place.root / BOOT_LINK.lstrip("/"), BOOT_UNIT)
    write_pending(place, pending)
    if place.has_systemd and not is_timer_running():
        start_timer(place, pending.deadline - read_clock())


def start_timer(place: Place, seconds: float) -> None:
    command = ["systemd-run", "--quiet", "--collect", f"--unit={TIMER}", f"--on-active={seconds:.1f}"]
    command += ["--timer-property=AccuracySec=100ms", "--description=Restore the former network"]
    done = subprocess.run(
        [*command, *format_command(place).split(), "--at-deadline"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(1, [f"cannot set the timer that would roll back the change: {done.stderr.strip()}"])


def is_timer_running() -> bool:
    """Whether the timer runs, or the service that it started waits for the rest."""
    units = [f"{TIMER}.timer", f"{TIMER}.service"]
    done = subprocess.run(["systemctl", "is-active", *units], capture_output=True, text=True, check=False)
    return any(word in ("active", "activating") for word in done.stdout.split())


def format_command(place: Place) -> str:
    """By the interpreter's name, because systems with SELinux start no program from /var."""
    return f"{sys.executable or '/usr/bin/python3'} -B {place.state}/backup/{ARCHIVE} rollback"


def cancel_rollback(place: Place) -> None:
    """Cancels the rollback. The file is deleted first: without it neither timer nor unit does anything."""
    put_file(place.state / "pending", None, 0, (0, 0))
    if not place.has_systemd:
        return
    subprocess.run(["systemctl", "stop", f"{TIMER}.timer"], capture_output=True, check=False)
    for path in (BOOT_LINK, BOOT_UNIT):
        put_file(place.root / path.lstrip("/"), None, 0, (0, 0))
    directory = (place.root / BOOT_LINK.lstrip("/")).parent
    if directory.is_dir() and not any(directory.iterdir()):
        directory.rmdir()
    # systemd may have loaded the unit during an earlier daemon-reload.
    subprocess.run(["systemctl", "daemon-reload"], capture_output=True, check=False)

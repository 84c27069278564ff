# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes systemd and the resident network manager reload their changed files.

NetworkManager rereads its unmanaged-devices file on reload, but applies it only to devices that appear later. It keeps
configuring a device that it manages and keeps ignoring an unmanaged one (seen with 1.42). So nmcli sets each device as
well. A device that had addresses before NetworkManager started, as after a boot with fnn-net, is "connected
(externally)": NetworkManager does not configure it, but only an "unmanaged" device gets a profile when set to managed.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from ...shared.failed import Failed

UNITS = "/etc/systemd/system/"
NETWORKD_FILES = "/etc/systemd/network/"
RESOLVED_FILES = "/etc/systemd/resolved.conf.d/"
RESOLVED = "systemd-resolved.service"
NETWORKMANAGER_FILES = "/etc/NetworkManager/"
NETWORKMANAGER = "NetworkManager.service"
UNMANAGED_FILE = Path("/etc/NetworkManager/conf.d/90-fnn-hands-off.conf")
UNMANAGED, EXTERNAL = "unmanaged", "connected (externally)"
_SYSFS = Path("/sys/class/net")
_NETWORKD_STATE = Path("/run/systemd/netif/links")  # by interface index; the source of networkctl's output


def reload_readers(paths: Iterable[str], formerly_managed: Collection[str]) -> list[str]:
    """Reloads the programs that read the changed files; returns one message per reload. Raises Failed(1).

    formerly_managed: MACs of NICs that a network manager configured before a plan took them.
    """
    messages = []
    changed = list(paths)
    if any(path.startswith(UNITS) for path in changed):
        run("systemctl", "daemon-reload")
        messages.append("systemd read its units again")
    if any(path.startswith(NETWORKD_FILES) for path in changed) and is_active("systemd-networkd"):
        run("networkctl", "reload")
        messages.append("systemd-networkd read its files again")
    if any(path.startswith(RESOLVED_FILES) for path in changed) and is_active(RESOLVED):
        run("systemctl", "restart", RESOLVED)  # Debian 12's does not support reload
        messages.append("systemd-resolved read its files again")
    if any(path.startswith(NETWORKMANAGER_FILES) for path in changed) and is_active(NETWORKMANAGER):
        run("systemctl", "reload", NETWORKMANAGER)
        steer_networkmanager(formerly_managed)
        messages.append("NetworkManager read its files again")
    return messages


def steer_networkmanager(formerly_managed: Collection[str]) -> None:
    """Sets each device that is listed, or given back, to unmanaged or managed. Raises Failed(1)."""
    text = UNMANAGED_FILE.read_text(encoding="utf-8") if UNMANAGED_FILE.exists() else ""
    states = read_networkmanager()
    for device, mac in find_devices():
        state = states.get(device, UNMANAGED)
        ours = is_named(text, device, mac)
        given_back = not ours and mac in formerly_managed and state in (UNMANAGED, EXTERNAL)
        if state != UNMANAGED and (ours or given_back):
            run("nmcli", "device", "set", device, "managed", "no")
        if given_back:
            run("nmcli", "device", "set", device, "managed", "yes")


def is_named(text: str, device: str, mac: str) -> bool:
    """Whether an unmanaged-devices file lists a device, by its MAC or by a pattern of its name."""
    patterns = re.findall(r"interface-name:([^;,\s]+)", text)
    return f"mac:{mac}" in text or any(fnmatchcase(device, pattern) for pattern in patterns)


def find_devices() -> list[tuple[str, str]]:
    """(device, MAC) of each network device."""
    return [(path.parent.name, path.read_text(encoding="ascii").strip()) for path in _SYSFS.glob("*/address")]


def list_managed() -> set[str]:
    """Devices that a resident network manager configures. Raises Failed(1)."""
    managed = set()
    if is_active("systemd-networkd"):
        for device in (path.parent for path in _SYSFS.glob("*/ifindex")):
            state = _NETWORKD_STATE / (device / "ifindex").read_text(encoding="ascii").strip()
            text = state.read_text(encoding="utf-8") if state.exists() else ""
            managed |= {device.name} if re.search("^ADMIN_STATE=(?!unmanaged)", text, re.MULTILINE) else set()
    return managed | {device for device, state in read_networkmanager().items() if state not in (UNMANAGED, EXTERNAL)}


def read_networkmanager() -> dict[str, str]:
    """Device -> its state in NetworkManager; empty where that does not run. Raises Failed(1)."""
    if not is_active(NETWORKMANAGER):
        return {}
    command = ["nmcli", "--terse", "--fields", "DEVICE,STATE", "device"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(1, [f"{' '.join(command)}: {done.stderr.strip()}"])
    rows = (line.rpartition(":") for line in done.stdout.splitlines())
    return {device: state for device, _, state in rows}


def is_active(unit: str) -> bool:
    command = ["systemctl", "--quiet", "is-active", unit]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def is_enabled(unit: str) -> bool:
    command = ["systemctl", "--quiet", "is-enabled", unit]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(1, [f"{' '.join(command)}: {done.stderr.strip() or f'exit code {done.returncode}'}"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the search for owners reads of a node: its NICs with all their names, its processes, and lines of files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ...shared.nic_facts import list_names, read_devices, read_driver
from ..net.kernel import to_device

_CLOUD_REMEDY = (
    "; cloud-init wrote the file and may write it again: put `network: {config: disabled}` in "
    "/etc/cloud/cloud.cfg.d/99-fnn.cfg"
)


@dataclass(frozen=True)
class Nic:
    """names: the device's and its alternative ones. macs: the present and the permanent one. path: ID_PATH of udev."""

    device: str
    macs: frozenset[str]
    names: frozenset[str]
    index: int = 0
    driver: str = ""
    path: str = ""

    def fits(self, pattern: str) -> bool:
        """Whether a glob matches one of its names."""
        return any(fnmatchcase(name, pattern) for name in self.names)

    def has_driver(self, pattern: str) -> bool:
        """Whether a glob matches its driver."""
        return bool(self.driver) and fnmatchcase(self.driver, pattern)


class Process(NamedTuple):
    """A process in the network namespace of the node."""

    pid: int
    words: tuple[str, ...]


class Line(NamedTuple):
    """An assignment in a file, of a section "" where the file has none. where: "/etc/dhcpcd.conf:3"."""

    where: str
    section: str
    key: str
    value: str


@dataclass(frozen=True)
class Host:
    """root: the directory that is / of the node. tolerated: MACs of NICs that keep the address by which Ansible comes.

    devices: as `ip -j -d link` describes them.
    """

    root: Path
    nics: tuple[Nic, ...]
    tolerated: frozenset[str] = frozenset()
    devices: tuple[dict[str, Any], ...] = ()

    @property
    def is_live(self) -> bool:
        """Whether the files are those of the running system, so that its programs can be asked about them."""
        return self.root == Path("/")

    def keeps_address(self, nic: Nic) -> bool:
        """Whether Ansible arrives on the NIC, which keeps its address then."""
        return bool(nic.macs & self.tolerated)

    @cached_property
    def processes(self) -> list[Process]:
        """The processes of this network namespace that this user may inspect."""
        found = []
        own = Path("/proc/self/ns/net").readlink()
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if (path / "ns/net").readlink() == own:
                    text = (path / "cmdline").read_text(encoding="utf-8", errors="replace")
                    found.append(Process(int(path.name), tuple(text.replace("\0", " ").split())))
            except OSError:
                continue
        return found

    def runs(self, program: str) -> bool:
        """Whether a process of this name runs, or of a name that continues after a colon as those of dhcpcd do."""
        return self.is_live and any(
            each.words and Path(each.words[0]).name.rstrip(":") == program for each in self.processes
        )

    def starts(self, unit: str) -> bool:
        """Whether systemd starts a unit at boot."""
        return any(self.root.glob(f"etc/systemd/system/*.wants/{unit}"))

    def list_files(self, *patterns: str) -> list[Path]:
        """The files that match, the last directory first for files of the same name, which shadow the others."""
        found = {path.name: path for pattern in patterns for path in self.root.glob(pattern)}
        return [found[name] for name in sorted(found)]

    def read(self, path: Path) -> list[str]:
        """The lines of a file; none if it cannot be read."""
        try:
            return path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []

    def locate(self, path: Path, number: int = 0) -> str:
        """The place of a line in messages: "/etc/network/interfaces:4"."""
        return f"/{path.relative_to(self.root)}" + (f":{number}" if number else "")

    def read_settings(self, path: Path) -> Iterator[Line]:
        """The assignments in a file of sections, or of shell variables."""
        section = ""
        for number, text in enumerate(self.read(path), start=1):
            line = text.strip()
            if line.startswith("[") and line.endswith("]"):
                section = line[1:-1]
            elif "=" in line and line[0] not in "#;":
                key, _, value = line.partition("=")
                yield Line(self.locate(path, number), section, key.strip(), value.strip().strip("\"'()"))

    def find_cloud_remedy(self, path: Path) -> str:
        """What else to do about a file that cloud-init writes; "" for any other file."""
        wrote = "cloud-init" in path.name or any("cloud-init" in line for line in self.read(path)[:20])
        return _CLOUD_REMEDY if wrote else ""

    def ask(self, *command: str) -> str:
        """The output of a program of the running system; "" where it is missing or fails."""
        environment = {**os.environ, "LC_ALL": "C", "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"}
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, env=environment, errors="replace", timeout=10
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout if done.returncode == 0 else ""


def read_host(wanted: Collection[str], tolerated: Iterable[str], root: Path) -> Host:
    """The node with those of its NICs whose MAC or name is wanted. Raises FnnError if `ip` fails."""
    devices = tuple(read_devices())
    nics = (read_nic(each, wanted) for each in devices)
    return Host(root, tuple(each for each in nics if each), frozenset(tolerated), devices)


def read_nic(entry: dict[str, Any], wanted: Collection[str]) -> Nic | None:
    """The NIC of an entry of `ip -j -d link`; None for other devices and other NICs."""
    device = to_device(entry)
    names = frozenset(list_names(entry))
    macs = frozenset(each for each in (device.mac, device.permanent) if each)
    if device.kind not in ("", "veth") or not device.mac or not {device.permanent or device.mac, *names} & {*wanted}:
        return None
    udev = _read_udev(entry["ifindex"])
    return Nic(device.name, macs, names, entry["ifindex"], read_driver(device.name) or device.kind, udev)


def _read_udev(index: int) -> str:
    """The ID_PATH that udev recorded for a device; "" for none."""
    try:
        text = Path(f"/run/udev/data/n{index}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return next((line[10:] for line in text.splitlines() if line.startswith("E:ID_PATH=")), "")

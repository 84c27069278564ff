# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds conflicting configuration of fabric NICs: by netplan, ifupdown, and cloud-init, which writes their files.

networkd and NetworkManager leave a NIC unmanaged when a file of ours says so. netplan and ifupdown have no such file:
the next `netplan apply` or `ifup -a` would give the NIC an address, turn ARP on and drop our routes. So the operator
must remove their lines first, because those files are not ours. The report names each line:

    /etc/netplan/50-cloud-init.yaml:7: netplan configures enp2s0, a NIC of the fabric; remove it there and run ...

A claim names the device or its MAC. The files are searched line by line without a YAML parser, because a node may
lack one: in netplan(5) a claim is a mapping key `enp2s0:`, a value `macaddress: ...` or a glob `name: enp2*`; in
interfaces(5) it is a stanza `iface enp2s0` with a method other than manual.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from ...shared.errors import Problem

_SYSFS = Path("/sys/class/net")
_NETPLAN_KEY = re.compile(r"""\s+["']?(?P<device>[^\s"':]+)["']?:\s*(\{.*)?$""")
_NETPLAN_VALUE = re.compile(r"""(?:^|[\s{,])(?P<key>macaddress|name|set-name):\s*\[?\s*["']?(?P<value>[^\s"',}\]]+)""")
_NETPLAN_REMEDY = "remove it there, then run `netplan generate`"
_CLOUD_REMEDY = (
    "; cloud-init wrote the file and may write it again: put `network: {config: disabled}` in "
    "/etc/cloud/cloud.cfg.d/99-fnn.cfg"
)
_IFUPDOWN_REMEDY = "remove its stanza, or make its method manual"


def find_devices(macs: Iterable[str]) -> dict[str, str]:
    """Device name -> MAC of the given NICs that this node has (sysfs-class-net)."""
    wanted = {mac.lower() for mac in macs}
    addresses = ((path.parent.name, path.read_text(encoding="ascii").strip()) for path in _SYSFS.glob("*/address"))
    return {device: mac for device, mac in addresses if mac in wanted}


def find_conflicts(
    root: Path, nics: Mapping[str, str], tolerated: Collection[str] = (), network: str = "the fabric"
) -> list[Problem]:
    """Every line below `root` that claims one of `nics` (device name -> MAC in lower case).

    tolerated: MACs that netplan may name. network: that of the NICs, in words.
    """
    problems = []
    by_netplan = {device: mac for device, mac in nics.items() if mac not in tolerated}
    for path in sorted(root.glob("etc/netplan/*.yaml")):
        problems += list(_find_netplan_conflicts(path, root, by_netplan, network))
    for path in [root / "etc/network/interfaces", *sorted(root.glob("etc/network/interfaces.d/*"))]:
        problems += list(_find_ifupdown_conflicts(path, root, nics, network))
    return problems


def _find_netplan_conflicts(path: Path, root: Path, nics: Mapping[str, str], network: str) -> Iterator[Problem]:
    lines = _read_lines(path)
    cloud = "cloud-init" in path.name or any("cloud-init" in line for line in lines)
    for number, line in enumerate(lines, start=1):
        for device in _find_devices_of_line(line.split(" #")[0], nics):
            remedy = f"{_NETPLAN_REMEDY}{_CLOUD_REMEDY if cloud else ''}"
            text = f"netplan configures {device}, a NIC of {network}; {remedy}"
            yield Problem(_place(path, root, number), text)


def _find_devices_of_line(line: str, nics: Mapping[str, str]) -> list[str]:
    if line.lstrip().startswith("#"):
        return []
    key, value = _NETPLAN_KEY.match(line), _NETPLAN_VALUE.search(line)
    if value and value["key"] == "macaddress":
        return [device for device, mac in nics.items() if mac == value["value"].lower()]
    if value:
        return [device for device in nics if fnmatchcase(device, value["value"])]
    return [device for device in nics if key and key["device"] == device]


def _find_ifupdown_conflicts(path: Path, root: Path, nics: Mapping[str, str], network: str) -> Iterator[Problem]:
    for number, line in enumerate(_read_lines(path), start=1):
        words = line.split()
        if len(words) < 2 or words[0] != "iface" or words[3:4] == ["manual"]:
            continue
        # A stanza may be a pattern, as in interfaces(5): `iface eth* inet dhcp`, or /eth*=lan/ of newer ifupdown.
        if any(fnmatchcase(device, words[1].strip("/").partition("=")[0]) for device in nics):
            text = f"ifupdown configures {words[1]}, a NIC of {network}; {_IFUPDOWN_REMEDY}"
            yield Problem(_place(path, root, number), text)


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except (FileNotFoundError, IsADirectoryError):
        return []


def _place(path: Path, root: Path, number: int) -> str:
    return f"/{path.relative_to(root)}:{number}"

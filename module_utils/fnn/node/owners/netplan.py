# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of netplan(5), which writes files for networkd or NetworkManager and runs them.

    ethernets:
      enp2s0: {dhcp4: true}                         by its name
      lan: {match: {driver: e1000e}, dhcp4: true}   by a property; all properties of a match must fit
    bridges:
      br0: {interfaces: [lan]}                      as a port, by its name or by the key of its definition

Files are in /lib, /etc and /run; one in a later directory replaces one of the same name. JSON is YAML. They are read
with PyYAML, which netplan itself depends on. Where another Python runs, or a file is no valid YAML, each line is
searched for the NIC instead: this finds too much rather than too little.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Any

from .claim import NIC, Claim, claim_port, claim_vlan
from .host import Host, Nic

_FILES = ("lib/netplan/*.yaml", "usr/lib/netplan/*.yaml", "etc/netplan/*.yaml", "run/netplan/*.yaml")
_REMEDY = "remove it there, then run `netplan generate`"


def find_claims(host: Host) -> Iterator[Claim]:
    """The claims of all files, except on NICs that keep their address where networkd obeys our file."""
    obeys = host.runs("systemd-networkd") or host.starts("systemd-networkd.service")
    nics = [nic for nic in host.nics if not (obeys and host.keeps_address(nic))]
    for path in host.list_files(*_FILES):
        text = "\n".join(host.read(path))
        root = compose(text)
        search = _search_lines(text, nics) if root is None else _search(root, nics)
        for number, nic, upper, is_vlan in search:
            where, remedy = host.locate(path, number), _REMEDY + host.find_cloud_remedy(path)
            if is_vlan:
                yield claim_vlan("netplan", nic.device, where, upper, remedy)
            elif upper:
                remedy = f"remove it there, then run `netplan generate` and `ip link set {nic.device} nomaster`"
                yield claim_port("netplan", nic.device, where, upper, remedy + host.find_cloud_remedy(path))
            else:
                yield Claim("netplan", nic.device, where, f"netplan configures {nic.device}, {NIC}", remedy)


#: Line number, NIC, the device above it or "", and whether that is a VLAN.
Found = tuple[int, Nic, str, bool]


def compose(text: str) -> Any | None:
    """The nodes of a YAML document, which have line numbers; None without PyYAML and for invalid documents."""
    try:
        yaml = importlib.import_module("yaml")  # not of the standard library, and not on every node
    except ImportError:
        return None
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader) or yaml.compose("{}")
    except yaml.YAMLError:
        return None


def _search(root: Any, nics: list[Nic]) -> Iterator[Found]:
    sections = {
        key: node for key, _, network in _list_items(root) if key == "network" for key, _, node in _list_items(network)
    }
    ids: dict[str, list[Nic]] = {}
    for key, number, definition in _list_items(sections.get("ethernets")):
        ids[key] = [nic for nic in nics if _is_defined(nic, key, definition)]
        yield from ((number, nic, "", False) for nic in ids[key])
    for section in sections.values():
        for upper, _, definition in _list_items(section):
            for key, _, value in _list_items(definition):
                for name, number in _list_scalars(value) if key in ("interfaces", "link") else ():
                    for nic in ids.get(name) or [each for each in nics if name in each.names]:
                        yield number, nic, upper, key == "link"


def _is_defined(nic: Nic, name: str, definition: Any) -> bool:
    """Whether a definition of `ethernets` is about a NIC."""
    settings = {key: value for key, _, value in _list_items(definition)}
    renamed = [value for value, _ in _list_scalars(settings.get("set-name"))]
    if "match" not in settings or nic.names & {*renamed}:
        return bool(nic.names & {name, *renamed})
    match = {key: [value for value, _ in _list_scalars(node)] for key, _, node in _list_items(settings["match"])}
    fits = {
        "name": nic.fits,
        "macaddress": lambda value: value.lower() in nic.macs,
        "driver": nic.has_driver,
    }
    return all(any(map(fits[key], values)) for key, values in match.items() if key in fits)


def _list_items(node: Any) -> Iterator[tuple[str, int, Any]]:
    """Key, line and value of a mapping."""
    pairs = node.value if node is not None and node.id == "mapping" else ()
    return ((str(key.value), key.start_mark.line + 1, value) for key, value in pairs)


def _list_scalars(node: Any) -> Iterator[tuple[str, int]]:
    """Value and line of a scalar, or of each in a list."""
    nodes = () if node is None else (node.value if node.id == "sequence" else [node])
    return ((str(each.value), each.start_mark.line + 1) for each in nodes if each.id == "scalar")


def _search_lines(text: str, nics: list[Nic]) -> Iterator[Found]:
    for number, line in enumerate(text.splitlines(), start=1):
        code = "" if line.lstrip().startswith("#") else line.split(" #")[0].lower()
        macs = set(re.findall(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", code))
        words = set(re.split(r"[\s{}\[\],:\"']+", line.split(" #")[0])) if code else set()
        globs = {word for word in words if re.search(r"[*?]", word)}
        for nic in nics:
            by_driver = "driver" in words and any(nic.has_driver(word) for word in words - {"", "driver"})
            if nic.names & words or nic.macs & macs or any(map(nic.fits, globs)) or by_driver:
                yield number, nic, "", False

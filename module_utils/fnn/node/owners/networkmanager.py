# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of NetworkManager that its unmanaged-devices file for our NICs does not end.

A connection on a NIC alone is none, because NetworkManager leaves an unmanaged device without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ..net.managers import EXTERNAL, UNMANAGED, UNMANAGED_FILE, is_named
from .claim import NIC, Claim, claim_port, claim_vlan
from .host import Host, Nic

_OWNER = "NetworkManager"
_CONNECTIONS = tuple(f"{each}/NetworkManager/system-connections/*" for each in ("usr/lib", "etc", "run"))


def find_claims(host: Host) -> Iterator[Claim]:
    """The claims of connections with ports and VLANs, of later files, and of NetworkManager itself."""
    connections = {path: _read_connection(host, path) for path in host.list_files(*_CONNECTIONS)}
    names = {
        each.get("connection.uuid", ""): each.get("connection.interface-name", "") for each in connections.values()
    }
    for path, settings in connections.items():
        yield from _find_in_connection(host, path, settings, names)
    for path in host.list_files("etc/NetworkManager/conf.d/*.conf"):
        for line in host.read_settings(path) if path.name > UNMANAGED_FILE.name else ():
            if (line.section, line.key) == ("keyfile", "unmanaged-devices"):
                for nic in (each for each in host.nics if not _is_named(line.value, each)):
                    what = f"NetworkManager manages {nic.device}, {NIC}, as this line replaces {UNMANAGED_FILE.name}"
                    yield Claim(_OWNER, nic.device, line.where, what, "write `unmanaged-devices+=` there")
    yield from _ask(host)


def _is_named(text: str, nic: Nic) -> bool:
    return any(is_named(text, nic.device, mac) for mac in nic.macs)


def _read_connection(host: Host, path: Path) -> dict[str, str]:
    """The settings of a keyfile, as "connection.id"."""
    return {f"{line.section}.{line.key}": line.value for line in host.read_settings(path)}


def _find_in_connection(
    host: Host, path: Path, settings: Mapping[str, str], names: Mapping[str, str]
) -> Iterator[Claim]:
    """names: UUID -> device of each connection, by which a port may name its master."""
    connection, own = settings.get("connection.id", path.stem), settings.get("connection.interface-name", "")
    mac = settings.get("ethernet.mac-address", settings.get("802-3-ethernet.mac-address", "")).lower()
    master = settings.get("connection.controller", settings.get("connection.master", ""))
    parent = next((value for key, value in settings.items() if key.endswith(".parent")), "")
    remedy, where = f"run `nmcli connection delete '{connection}'`", host.locate(path)
    for nic in host.nics:
        if master and (own in nic.names or mac in nic.macs):
            more = f"{remedy}, then `ip link set {nic.device} nomaster`{host.find_cloud_remedy(path)}"
            yield claim_port(_OWNER, nic.device, where, names.get(master) or master, more)
        elif parent in nic.names or parent.lower() in nic.macs:
            yield claim_vlan(_OWNER, nic.device, where, own or connection, remedy)


def _ask(host: Host) -> Iterator[Claim]:
    """The claims of NICs that NetworkManager manages although our file lists them."""
    ours = "\n".join(host.read(host.root / str(UNMANAGED_FILE).lstrip("/")))
    if not ours or not host.runs(_OWNER):
        return
    rows = (line.rpartition(":") for line in host.ask("nmcli", "-t", "-f", "DEVICE,STATE", "device").splitlines())
    states = {device: state for device, _, state in rows}
    for nic in host.nics:
        if _is_named(ours, nic) and states.get(nic.device, UNMANAGED) not in (UNMANAGED, EXTERNAL):
            what = f"NetworkManager still manages {nic.device}, {NIC}"
            remedy = f"run `nmcli device set {nic.device} managed no`"
            yield Claim(_OWNER, nic.device, "", what, remedy, blocks=False)

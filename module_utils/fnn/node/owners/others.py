# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of dhcpcd (Raspberry Pi OS up to 11), ConnMan, files ifcfg-* (network-scripts, wicked), netctl, DHCP clients,
and cloud-init, which writes files for all of them.

dhcpcd and ConnMan take every device that their configuration does not exclude, also fnn0 with the identity
address, which fnn-net makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .claim import NIC, Claim, claim_port, claim_vlan
from .host import Host, Nic

_CLIENTS = ("dhclient", "udhcpc", "dhcpcd", "pump", "dhcp6c")
_IDENTITY = Nic("fnn0", frozenset(), frozenset({"fnn0"}))
_IFCFG = ("etc/sysconfig/network-scripts/ifcfg-*", "etc/sysconfig/network/ifcfg-*")


def find_claims(host: Host) -> Iterator[Claim]:
    """The claims of all these programs, those of running clients excepted."""
    yield from _find_dhcpcd(host)
    yield from _find_connman(host)
    yield from _find_ifcfg(host)
    yield from _find_netctl(host)
    yield from _find_units(host)
    yield from _find_cloud_init(host)


def find_clients(host: Host) -> Iterator[Claim]:
    """The claims of DHCP clients that run on a NIC."""
    for process in host.processes:
        words = {word.rstrip(":") for word in process.words}
        name = next((each for each in _CLIENTS if any(word.rpartition("/")[2] == each for word in words)), "")
        for nic in host.nics if name else ():
            if nic.names & words:
                what = f"{name}, process {process.pid}, runs on {nic.device}, {NIC}"
                remedy = f"stop the service that starts it (`systemctl status {process.pid}` names it)"
                yield Claim(name, nic.device, "", what, remedy, blocks=not host.keeps_address(nic))


def _find_dhcpcd(host: Host) -> Iterator[Claim]:
    if not (host.starts("dhcpcd.service") or host.runs("dhcpcd")):
        return
    path = host.root / "etc/dhcpcd.conf"
    lines = [line.split() for line in host.read(path)]
    lists = {
        key: [word for words in lines if words[:1] == [key] for word in re.split(r"[,\s]+", " ".join(words[1:]))]
        for key in ("allowinterfaces", "denyinterfaces")
    }
    for nic in _list_devices(host):
        allowed = not lists["allowinterfaces"] or any(map(nic.fits, lists["allowinterfaces"]))
        if allowed and not any(map(nic.fits, lists["denyinterfaces"])):
            remedy = f"write `denyinterfaces {nic.device}` at its beginning, then run `systemctl restart dhcpcd`"
            yield Claim("dhcpcd", nic.device, host.locate(path), f"dhcpcd configures {_name(nic)}", remedy)


def _find_connman(host: Host) -> Iterator[Claim]:
    if not (host.starts("connman.service") or host.runs("connmand")):
        return
    path = host.root / "etc/connman/main.conf"
    values = [line.value for line in host.read_settings(path) if line.key == "NetworkInterfaceBlacklist"]
    prefixes = [each.strip() for value in values[-1:] for each in value.split(",") if each.strip()]
    for nic in _list_devices(host):
        if not nic.device.startswith(tuple(prefixes)):
            remedy = f"add {nic.device} to NetworkInterfaceBlacklist there, then run `systemctl restart connman`"
            yield Claim("ConnMan", nic.device, host.locate(path), f"ConnMan configures {_name(nic)}", remedy)


def _list_devices(host: Host) -> list[Nic]:
    """The NICs, and the device of the identity address, which fnn-net may not have made yet."""
    return [*host.nics, _IDENTITY] if host.nics else []


def _name(nic: Nic) -> str:
    return f"{nic.device}, {'the device of the identity address' if nic is _IDENTITY else NIC}"


def _find_ifcfg(host: Host) -> Iterator[Claim]:
    """Files of one interface each. NetworkManager, where it reads them, obeys its unmanaged-devices file."""
    for path in host.list_files(*_IFCFG):
        settings = {line.key: line.value for line in host.read_settings(path)}
        name = settings.get("DEVICE") or path.name[len("ifcfg-") :]
        if (
            "network-scripts" in path.parts
            and host.starts("NetworkManager.service")
            and settings.get("NM_CONTROLLED") != "no"
        ):
            continue
        if settings.get("ONBOOT") == "no" or settings.get("STARTMODE") in ("off", "manual"):
            continue
        remedy = "remove the NIC from this file" + host.find_cloud_remedy(path)
        ports = {
            word
            for key, value in settings.items()
            if re.match(r"BRIDGE_PORTS|BONDING_SLAVE", key)
            for word in value.split()
        }
        below = {
            settings.get("ETHERDEVICE", ""),
            settings.get("PHYSDEV", ""),
            name.partition(".")[0] if "." in name else "",
        }
        for nic in host.nics:
            master = next((settings[key] for key in ("MASTER", "BRIDGE", "OVS_BRIDGE") if settings.get(key)), "")
            if name in nic.names or settings.get("HWADDR", "").lower() in nic.macs:
                if master:
                    yield claim_port("ifcfg", nic.device, host.locate(path), master, remedy)
                elif settings.get("BOOTPROTO", "none") != "none" or "IPADDR" in settings:
                    yield Claim("ifcfg", nic.device, host.locate(path), f"ifcfg configures {nic.device}, {NIC}", remedy)
            elif nic.names & ports:
                yield claim_port("ifcfg", nic.device, host.locate(path), name, remedy)
            elif nic.names & below:
                yield claim_vlan("ifcfg", nic.device, host.locate(path), name, remedy)


def _find_netctl(host: Host) -> Iterator[Claim]:
    for path in (each for each in host.list_files("etc/netctl/*") if each.is_file()):
        for line in host.read_settings(path):
            if line.key in ("Interface", "BindsToInterfaces"):
                words = {word.strip("'\"") for word in line.value.split()}
                for nic in (each for each in host.nics if each.names & words):
                    what = f"netctl configures {nic.device}, {NIC}, by its profile {path.name}"
                    yield Claim(
                        "netctl", nic.device, line.where, what, f"run `netctl disable {path.name}` and remove it"
                    )


def _find_units(host: Host) -> Iterator[Claim]:
    """Units as dhclient@enp2s0.service that systemd starts at boot."""
    for path in host.root.glob("etc/systemd/system/*.wants/*@*.service"):
        program, _, instance = path.name[: -len(".service")].partition("@")
        for nic in host.nics if program in (*_CLIENTS, "netctl-ifplugd") else ():
            if instance in nic.names:
                what = f"systemd starts {program} on {nic.device}, {NIC}"
                yield Claim(
                    "systemd", nic.device, host.locate(path), what, f"run `systemctl disable --now {path.name}`"
                )


def _find_cloud_init(host: Host) -> Iterator[Claim]:
    """Warnings of network settings from which cloud-init writes files for a network manager."""
    files = host.list_files("etc/cloud/cloud.cfg.d/*.cfg", "var/lib/cloud/seed/nocloud*/network-config")
    texts = {path: host.read(path) for path in files}
    if any(re.search(r"config:\s*[\"']?disabled", line) for lines in texts.values() for line in lines):
        return
    for path, lines in texts.items():
        starts = [number for number, line in enumerate(lines) if line.startswith(("network:", "version:"))]
        for nic in host.nics if starts else ():
            for number, line in enumerate(lines[starts[0] :], start=starts[0] + 1):
                words = re.split(r"[\s{}\[\],\"']+", line)
                names = {word.rstrip(":") for word in words} if not line.lstrip().startswith("#") else set()
                if nic.names & names or any(mac in line.lower() for mac in nic.macs):
                    what = f"cloud-init may configure {nic.device}, {NIC}, at a boot"
                    remedy = "put `network: {config: disabled}` in /etc/cloud/cloud.cfg.d/99-fnn.cfg"
                    yield Claim("cloud-init", nic.device, host.locate(path, number), what, remedy, blocks=False)
                    break

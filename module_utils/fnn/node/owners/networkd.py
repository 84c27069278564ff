# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of systemd-networkd and of udev's .link files.

networkd uses the first .network file, in the order of the names, whose [Match] fits. So our file 05-fnn-hands-off has
no effect on a NIC that an earlier file matches, such as 00-lan.network: networkd and fnn-linkd then undo each other's
work. Files are in /usr/lib, /run and /etc; one in a later directory replaces one of the same name, and drop-ins in
<name>.d/*.conf add to it. What networkd itself recorded for a NIC completes this search.

A .link file that gives a NIC another MAC makes its peers send to a MAC that it no longer has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from .claim import NIC, Claim
from .host import Host, Line, Nic

UNMANAGED_FILE = "/etc/systemd/network/05-fnn-hands-off.network"
_NAME = Path(UNMANAGED_FILE).name
_DIRECTORIES = tuple(f"{each}/systemd/network" for each in ("lib", "usr/lib", "usr/local/lib", "run", "etc"))
_STATE = "run/systemd/netif/links"  # by interface index; the source of networkctl's output
_REMEDY = (
    f"rename the file, so that it sorts after {_NAME}, or take the NIC out of its [Match]; then run `networkctl reload`"
)


def find_claims(host: Host) -> Iterator[Claim]:
    """The claims of .network files before ours, of networkd itself, and of .link files."""
    networks = [each for each in _list_files(host, "network") if each.name < _NAME]
    links = _list_files(host, "link")
    for nic in host.nics:
        found = _find_first(host, nic, networks)
        unmanaged = any(each.key == "Unmanaged" and each.value.lower() in _TRUE for each in found)
        if found and not unmanaged:
            yield Claim("networkd", nic.device, found[0].where, _describe(nic), _REMEDY)
        elif not found:
            yield from _find_recorded(host, nic)
        yield from _find_other_mac(nic, _find_first(host, nic, links))


_TRUE = ("yes", "true", "1", "on")


def _describe(nic: Nic) -> str:
    return f"networkd configures {nic.device}, {NIC}, by this file, which precedes {_NAME}"


def _find_recorded(host: Host, nic: Nic) -> Iterator[Claim]:
    """The claim that follows from networkd's record of a NIC: by which file it configures it."""
    record = read_record(host, nic)
    name = record.get("NETWORK_FILE", "")
    if record.get("ADMIN_STATE") in (None, "unmanaged") or not name:
        return
    ours = "\n".join(host.read(host.root / UNMANAGED_FILE.lstrip("/"))).lower()
    if Path(name).name < _NAME:
        yield Claim("networkd", nic.device, name, _describe(nic), _REMEDY)
    elif any(mac in ours for mac in nic.macs):
        what = f"networkd still configures {nic.device}, {NIC}, although {_NAME} excludes it"
        remedy = f"run `networkctl reload` and `networkctl reconfigure {nic.device}`"
        yield Claim("networkd", nic.device, name, what, remedy, blocks=False)


def read_record(host: Host, nic: Nic) -> Mapping[str, str]:
    """What networkd recorded for a NIC, as ADMIN_STATE and NETWORK_FILE; empty where it has not run."""
    lines = (line.partition("=") for line in host.read(host.root / _STATE / str(nic.index)))
    return {key: value for key, _, value in lines}


def _find_other_mac(nic: Nic, link: list[Line]) -> Iterator[Claim]:
    for each in link:
        changes = (each.key == "MACAddressPolicy" and each.value == "random") or (
            each.key == "MACAddress" and each.value.lower().replace("-", ":") not in nic.macs
        )
        if each.section == "Link" and changes:
            what = f"udev gives {nic.device}, {NIC}, another MAC at the next boot ({each.key}={each.value})"
            yield Claim("udev", nic.device, each.where, what, "remove this line; its peers send to its own MAC")


def _list_files(host: Host, suffix: str) -> list[Path]:
    return host.list_files(*(f"{each}/*.{suffix}" for each in _DIRECTORIES))


def _find_first(host: Host, nic: Nic, files: list[Path]) -> list[Line]:
    """The settings of the first file that matches a NIC, those of its [Match] first; empty without one."""
    for path in files:
        parts = [path, *host.list_files(*(f"{each}/{path.name}.d/*.conf" for each in _DIRECTORIES))]
        lines = [line for each in parts for line in host.read_settings(each)]
        match = [line for line in lines if line.section == "Match"]
        if match and _matches(nic, match):
            return match + [line for line in lines if line.section != "Match"]
    return []


def _matches(nic: Nic, match: list[Line]) -> bool:
    """Whether a [Match] fits a NIC. Conditions of the host, as Virtualization=, count as fulfilled."""
    wanted: dict[str, list[str]] = {}
    for line in match:
        wanted[line.key] = [*wanted.get(line.key, ()), *line.value.split()] if line.value else []
    return all(_fits(_get_facts(nic, key), words) for key, words in wanted.items() if words)


def _get_facts(nic: Nic, key: str) -> frozenset[str] | None:
    """The properties of a NIC that a key of [Match] is about; None for a key of the host."""
    macs = frozenset(each.replace(":", "-") for each in nic.macs) | nic.macs
    facts = {"Type": "ether", "Driver": nic.driver, "Path": nic.path}
    by_name = {"Name": nic.names, "OriginalName": nic.names, "MACAddress": macs, "PermanentMACAddress": macs}
    if key in ("Kind", "WLANInterfaceType", "SSID", "BSSID"):
        return frozenset()
    return frozenset({facts[key]}) if key in facts else by_name.get(key)


def _fits(facts: frozenset[str] | None, words: list[str]) -> bool:
    if facts is None:
        return True
    inverted = words[0].startswith("!")
    patterns = [words[0].lstrip("!"), *words[1:]]
    if any(":" in fact for fact in facts):
        patterns = [each.lower() for each in patterns]
    return inverted != any(fnmatchcase(fact, pattern) for fact in facts for pattern in patterns)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of ifupdown, ifupdown2 (as Proxmox has it) and ifupdown-ng, in files of interfaces(5).

    iface enp2s0 inet dhcp              an address
    iface enp2s0 inet manual            none; harmless, unless `auto enp2s0` makes ifupdown bring the NIC up and down
    iface vmbr1 inet manual
        bridge-ports enp2s0             a port, though the NIC's own stanza is manual
    iface enp2s0.50 inet static         a VLAN on the NIC
    up ip addr add ... dev enp2s0       an address from a command

What `auto` does to a manual stanza was tried: ifupdown2 removes all addresses of the NIC, at boot and with each
`ifreload -a`; ifupdown does so, and takes the NIC down, when networking.service stops or restarts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .claim import NIC, Claim, claim_port, claim_vlan
from .host import Host, Nic

_OWNER = "ifupdown"
_BEGINS = re.compile(r"iface|auto|allow-\S+|mapping|template|no-auto-down|no-scripts|rename")
_SOURCES = ("source", "source-directory", "source-dir")
_PORTS = ("bridge-ports", "bond-slaves", "slaves", "ovs-ports")
_MASTERS = ("bond-master", "ovs-bridge", "vrf", "master")
_ADDRESSES = ("address", "hwaddress", "gateway")
_HOOKS = ("pre-up", "up", "post-up")
_PROGRAMS = {"brctl", "dhclient", "dhcpcd", "udhcpc", "ovs-vsctl", "route", "ifenslave"}
_OBJECTS = {"a", "addr", "address", "r", "ro", "route", "n", "neigh", "neighbor", "master"}


@dataclass
class Stanza:
    """words: of its first line. options: (where, key with hyphens, words) of the others."""

    where: str
    words: list[str]
    options: list[tuple[str, str, list[str]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.words[1] if len(self.words) > 1 else ""


def find_claims(host: Host) -> Iterator[Claim]:
    """The claims of the files, and of ifquery where the files show none."""
    stanzas = list(read_stanzas(host))
    named = {each.name: each for each in stanzas if each.words[0] in ("iface", "template")}
    started = [
        word for each in stanzas if each.words[0] in ("auto", "allow-auto", "allow-hotplug") for word in each.words[1:]
    ]
    for nic in host.nics:
        found = [claim for each in stanzas for claim in find_in_stanza(host, nic, each, named, started)]
        yield from found or ask_ifquery(host, nic)


def read_stanzas(host: Host) -> Iterator[Stanza]:
    """The stanzas of all files, in the order in which ifup reads them."""
    stanza = None
    for where, words in _read_lines(host, host.root / "etc/network/interfaces", set()):
        if _BEGINS.fullmatch(words[0]):
            if stanza:
                yield stanza
            stanza = Stanza(where, words)
        elif stanza:
            stanza.options.append((where, words[0].replace("_", "-"), words[1:]))
    if stanza:
        yield stanza


def _read_lines(host: Host, path: Path, seen: set[Path]) -> Iterator[tuple[str, list[str]]]:
    """Place and words of each line of a file and of those that it names. seen: files that were read."""
    seen.add(path)
    text = ""
    for number, line in enumerate(host.read(path), start=1):
        text += line
        if text.endswith("\\"):
            text = text[:-1]
            continue
        words, text = [] if text.lstrip().startswith("#") else text.split(), ""
        if words and words[0] in _SOURCES:
            for each in _list_sources(host.root, path, words):
                if each not in seen:
                    yield from _read_lines(host, each, seen)
        elif words:
            yield host.locate(path, number), words


def _list_sources(root: Path, path: Path, words: list[str]) -> Iterator[Path]:
    for pattern in words[1:]:
        place = root / pattern.lstrip("/") if pattern.startswith("/") else path.parent / pattern
        for found in sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor)))):
            if found.is_dir():
                yield from (each for each in sorted(found.iterdir()) if re.fullmatch(r"[\w-]+", each.name))
            else:
                yield found


def find_in_stanza(
    host: Host, nic: Nic, stanza: Stanza, named: dict[str, Stanza], started: list[str]
) -> Iterator[Claim]:
    """The claims of one stanza on one NIC. started: the words behind `auto` and `allow-hotplug`."""
    kind, name = stanza.words[0], stanza.name
    if kind in ("auto", "allow-auto", "allow-hotplug"):
        for word in stanza.words[1:]:
            if _fits(nic, word) and _get_logical(word):
                yield _claim_stanza(host, nic, stanza.where, f"gives {nic.device} the stanza {_get_logical(word)}")
    elif kind == "mapping" and any(_fits(nic, word) for word in stanza.words[1:]):
        yield _claim_stanza(host, nic, stanza.where, f"maps {nic.device} to another stanza")
    elif kind == "iface" and _fits(nic, name):
        yield from _find_in_own_stanza(host, nic, stanza, named, started)
    elif kind == "iface" and name.partition(".")[0] in nic.names and "." in name:
        yield _claim_vlan(nic, stanza.where, name)
    for where, key, words in stanza.options:
        if key in _PORTS:
            for port in _list_ports(nic, words):
                vlan = port.partition(".")[2]
                yield _claim_vlan(nic, where, port) if vlan else _claim_member(nic, where, name, key)
        elif key == "vlan-raw-device" and nic.names & {*words}:
            yield _claim_vlan(nic, where, name)
        elif key in _HOOKS and _changes(nic, words, kind == "iface" and _fits(nic, name)):
            what = f"ifupdown runs a command that configures {nic.device}, {NIC}"
            yield Claim(_OWNER, nic.device, where, what, "remove this line")


def _find_in_own_stanza(
    host: Host, nic: Nic, stanza: Stanza, named: dict[str, Stanza], started: list[str]
) -> Iterator[Claim]:
    for where, key, words in stanza.options:
        if key in _MASTERS and words:
            yield _claim_member(nic, where, words[0], key)
    options, words = list(stanza.options), stanza.words[2:]
    for template in _list_templates(stanza):
        options += named[template].options if template in named else []
        words = words + (named[template].words[2:] if template in named else [])
    methods = {
        word for word in words if word in ("static", "dhcp", "auto", "ppp", "tunnel", "v4tunnel", "6to4", "bootp")
    }
    if methods or any(key in _ADDRESSES for _, key, _ in options):
        yield _claim_stanza(host, nic, stanza.where, f"configures {nic.device}")
    elif any(_fits(nic, word) for word in started):
        two = (host.root / "usr/share/ifupdown2").exists()
        when = "with each `ifreload -a`" if two else "when networking.service restarts"
        what = f"ifupdown brings {nic.device}, {NIC}, up and removes its addresses {when}"
        yield Claim(_OWNER, nic.device, stanza.where, what, f"remove {nic.device} from the line `auto`", blocks=two)


def _list_templates(stanza: Stanza) -> list[str]:
    """The stanzas from which a stanza inherits: a word of its first line, or an option."""
    words = stanza.words
    first = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("inherits", "inherit")]
    return first + [name for _, key, names in stanza.options if key in ("inherits", "inherit") for name in names]


def _fits(nic: Nic, word: str) -> bool:
    """Whether a name or a pattern as `enp*`, `enp2s0=lan`, `/enp*` or `/enp*=lan/` is about a NIC."""
    return nic.fits(word.strip("/").partition("=")[0])


def _get_logical(word: str) -> str:
    return word.strip("/").partition("=")[2]


def _list_ports(nic: Nic, words: list[str]) -> Iterator[str]:
    """The words of a list of ports that are a NIC or a VLAN on it; bridge-utils-interfaces(5) has `all` and `regex`."""
    is_regex = False
    for word in words:
        if word in ("regex", "noregex", "glob"):
            is_regex = word == "regex"
        elif any(_matches(word, name) for name in nic.names) if is_regex else word == "all" or nic.fits(word):
            yield nic.device
        elif word.partition(".")[0] in nic.names:
            yield word


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.fullmatch(pattern, name) is not None
    except re.error:
        return False


def _changes(nic: Nic, words: list[str], own: bool) -> bool:
    """Whether a command gives a NIC an address, a route or a master. own: it is in the stanza of the NIC."""
    parts = set(re.split(r"[^\w.:@-]+", " ".join(words)))
    if not (nic.names & parts or (own and parts & {"IFACE"})):
        return False
    has_address = any(re.fullmatch(r"\d+(\.\d+){3}", part) for part in parts)
    return bool(parts & _PROGRAMS or ("ip" in parts and parts & _OBJECTS) or ("ifconfig" in parts and has_address))


def _claim_stanza(host: Host, nic: Nic, where: str, what: str) -> Claim:
    remedy = f"run `ifdown {nic.device}`, then remove this stanza, and {nic.device} from the line `auto`"
    if host.keeps_address(nic):  # it carries the connection, which `ifdown` would cut
        remedy = f"make its method manual, and remove {nic.device} from the line `auto`"
    return Claim(_OWNER, nic.device, where, f"ifupdown {what}, {NIC}", remedy)


def _claim_member(nic: Nic, where: str, master: str, key: str) -> Claim:
    done = f"ovs-vsctl del-port {nic.device}" if key.startswith("ovs") else f"ip link set {nic.device} nomaster"
    remedy = f"take {nic.device} out of `{key}` there, then run `{done}`; a stanza with the method manual may stay"
    return claim_port(_OWNER, nic.device, where, master, remedy)


def _claim_vlan(nic: Nic, where: str, vlan: str) -> Claim:
    return claim_vlan(_OWNER, nic.device, where, vlan, f"run `ifdown {vlan}`, then remove it there")


def ask_ifquery(host: Host, nic: Nic) -> Iterator[Claim]:
    """The claim of a stanza that only ifupdown's own parser finds, as one from a template of ifupdown2."""
    answer = host.ask("ifquery", nic.device) if host.is_live else ""
    if re.search(r"\b(address|static|dhcp)\b", answer):
        yield _claim_stanza(host, nic, "", f"(see `ifquery {nic.device}`) configures {nic.device}")

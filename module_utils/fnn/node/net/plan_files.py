# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the plan: node, links, nics, neighbors, routes and one sysctl file. Reports all bad lines at once."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...shared.failed import Failed
from .egress import WORDS
from .plan import (
    DEFAULT,
    MOST_WEIGHT,
    Access,
    Broadcast,
    Identity,
    Leg,
    Link,
    Maintenance,
    Neighbor,
    Plan,
    Route,
    Upper,
)

MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")
SWITCH = re.compile(r"[a-z][a-z0-9-]{0,14}")
GENERATION = re.compile(r"[1-9][0-9]*-[0-9a-f]{12}")
DEVICE = re.compile(r"[^\s/]{1,15}")


class Reader:
    """Collects errors, so that one run reports all bad lines."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.problems: list[str] = []
        self.faulty_switches: set[str] = set()  # switches with a bad line in links: no errors for lines that use them
        self._at = ""

    def lines(self, name: str) -> Iterator[list[str]]:
        """The fields of each line of `name` that is neither blank nor a comment."""
        path = self.directory / name
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self.problems.append(f"{path}: {getattr(error, 'strerror', None) or error}")
            return
        for number, line in enumerate(text.splitlines(), start=1):
            self._at = f"{path}:{number}"
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.split()

    def add_problem(self, message: str) -> None:
        self.problems.append(f"{self._at}: {message}")

    def check(self, holds: object, message: str) -> bool:
        if not holds:
            self.add_problem(message)
        return bool(holds)


def is_address(text: str) -> bool:
    try:
        return str(ipaddress.IPv4Address(text)) == text
    except ValueError:
        return False


def read_plan(directory: Path, sysctl: Path, mixed: bool = False) -> Plan:
    """The plan in `directory`. Raises Failed(2) with every bad line; a missing sysctl file means no settings.

    mixed: during a cutover between two addressings, when a NIC has neighbors in both.
    """
    reader = Reader(directory)
    node = read_node(reader)
    links = read_links(reader)
    neighbors = read_neighbors(reader, links, node or {}, mixed)
    routes = read_routes(reader, neighbors)
    sysctls = read_sysctls(sysctl, reader)
    if reader.problems or node is None:
        raise Failed(2, reader.problems)
    return Plan(links=tuple(links), neighbors=tuple(neighbors), routes=tuple(routes), sysctls=sysctls, **node)


NODE_KEYS = {"cluster": 1, "node": 1, "rank": 1, "identity": 3, "protocol": 1}
OPTIONAL_NODE_KEYS = {
    "access": 5,
    "broadcast": None,
    "egress": None,
    "forwards": 1,
    "gateway": 1,
    "generation": 1,
    "maintenance": 2,
    "mptcp": 1,
    "tree": 1,
    "upper": None,
}  # None: any number of fields


def read_node(reader: Reader) -> dict[str, Any] | None:
    """Lines `cluster six`, `node k00`, `rank 0`, `identity fnn0 dummy 10.78.0.1`, `protocol 196`, and so on."""
    values: dict[str, list[str]] = {}
    fields = {**NODE_KEYS, **OPTIONAL_NODE_KEYS}
    for key, *rest in reader.lines("node"):
        if key not in fields:
            reader.add_problem(f"unknown key {key}, expected one of {', '.join(sorted(fields))}")
        elif reader.check(key not in values, f"{key} is given twice"):
            values[key] = rest
            if reader.check(fields[key] in (None, len(rest)), f"{key} takes {fields[key]} fields, not {len(rest)}"):
                check_node_value(reader, key, rest)
    missing = [key for key in NODE_KEYS if key not in values]
    if missing and (reader.directory / "node").is_file():
        reader.problems.append(f"{reader.directory / 'node'}: missing {', '.join(missing)}")
    if reader.problems:
        return None
    return {
        "cluster": values["cluster"][0],
        "node": values["node"][0],
        "protocol": int(values["protocol"][0]),
        "identity": Identity(*values["identity"]),
        "mptcp": values.get("mptcp") == ["on"],
        "forwards": values.get("forwards") == ["on"],
        "rank": int(values["rank"][0]),
        "generation": values.get("generation", [""])[0],
        "broadcast": make_broadcast(*values["broadcast"]) if "broadcast" in values else None,
        "access": make_access(*values["access"]) if "access" in values else None,
        "gateway": values.get("gateway", [""])[0],
        "egress": make_egress(values["egress"]) if "egress" in values else None,
        "upper": make_upper(*values["upper"]) if "upper" in values else None,
        "maintenance": Maintenance(*values["maintenance"]) if "maintenance" in values else None,
        "tree": values.get("tree", [""])[0],
    }


def make_broadcast(switch: str, *subnets: str) -> Broadcast:
    pairs = (each.partition("=") for each in subnets)
    return Broadcast(switch, tuple((where, address) for where, _, address in pairs))


def make_egress(rest: list[str]) -> dict[str, tuple[str, ...]]:
    pairs = (each.partition("=") for each in rest)
    return {switch: tuple(words.split("+")) for switch, _, words in pairs}


def make_access(device: str, nic: str, address: str, mtu: str, gateway: str) -> Access:
    return Access(device, nic, address, int(mtu), "" if gateway == "-" else gateway)


def make_upper(device: str, kind: str, mac: str, priority: str, *nics: str) -> Upper:
    return Upper(device, kind, mac, None if priority == "-" else int(priority), nics)


def check_node_value(reader: Reader, key: str, rest: list[str]) -> None:
    if key == "identity":
        device, kind, address = rest
        reader.check(DEVICE.fullmatch(device) and len(device) <= 10, f"{device} is no device name (10 letters)")
        reader.check(kind in ("dummy", "veth"), f"{kind} is neither dummy nor veth")
        reader.check(is_address(address), f"{address} is no IPv4 address")
    elif key == "protocol":
        reader.check(rest[0].isdecimal() and 4 < int(rest[0]) < 256, f"{rest[0]} is no number from 5 to 255")
    elif key == "rank":
        reader.check(rest[0].isdecimal(), f"{rest[0]} is no rank")
    elif key == "generation":
        reader.check(GENERATION.fullmatch(rest[0]), f"{rest[0]} is no generation such as 8-3f2a9c1b0d2e")
    elif key == "broadcast":
        switch, subnets = rest[:1], [each.partition("=") for each in rest[1:]]
        good = [SWITCH.fullmatch(where) and is_address(address) for where, _, address in subnets]
        reader.check(
            switch and SWITCH.fullmatch(switch[0]) and all(good),
            "broadcast takes a switch, and SWITCH=ADDRESS for each subnet",
        )
    elif key == "egress":
        pairs = [each.partition("=") for each in rest]
        fit = [SWITCH.fullmatch(switch) and set(words.split("+")) <= set(WORDS) for switch, _, words in pairs]
        reader.check(all(fit), f"egress takes SWITCH=WORD+WORD, words of {', '.join(WORDS)}")
    elif key == "access":
        device, nic, address, mtu, gateway = rest
        reader.check(DEVICE.fullmatch(device), f"{device} is no device name (15 letters)")
        reader.check(MAC.fullmatch(nic), f"{nic} is no MAC in lower case")
        reader.check(is_interface(address), f"{address} is no IPv4 ADDRESS/LENGTH")
        reader.check(is_mtu(mtu), f"{mtu} is no MTU from 68 to 65535")
        reader.check(gateway == "-" or is_address(gateway), f"{gateway} is neither an IPv4 address nor -")
    elif key == "upper":
        check_upper(reader, rest)
    elif key == "tree":
        reader.check(SWITCH.fullmatch(rest[0]), f"{rest[0]} is no switch name")
    elif key == "gateway":
        reader.check(DEVICE.fullmatch(rest[0]), f"{rest[0]} is no device name (15 letters)")
    elif key == "maintenance":
        mac, address = rest
        reader.check(MAC.fullmatch(mac), f"{mac} is no MAC in lower case")
        reader.check(is_interface(address), f"{address} is no IPv4 ADDRESS/LENGTH")
    elif key in ("mptcp", "forwards"):
        reader.check(rest[0] in ("on", "off"), f"{rest[0]} is neither on nor off")


def check_upper(reader: Reader, rest: list[str]) -> None:
    if not reader.check(len(rest) > 4, "upper takes DEVICE KIND MAC PRIORITY NIC..."):
        return
    device, kind, mac, priority, *nics = rest
    reader.check(DEVICE.fullmatch(device), f"{device} is no device name (15 letters)")
    reader.check(kind in ("bridge", "bond"), f"{kind} is neither bridge nor bond")
    for each in (mac, *nics):
        reader.check(MAC.fullmatch(each), f"{each} is no MAC in lower case")
    reader.check(len({mac, *nics}) == len(nics) + 1, "a MAC is named twice")
    good = priority == "-" or (priority.isdecimal() and int(priority) <= 61440 and int(priority) % 4096 == 0)
    reader.check(good, f"{priority} is neither a multiple of 4096 up to 61440 nor -")


def read_links(reader: Reader) -> list[Link]:
    """Lines SWITCH MAC ADDRESS/LENGTH MTU; the address is - where NICs are unnumbered."""
    links: list[Link] = []
    for fields in reader.lines("links"):
        if not reader.check(len(fields) == 4, f"expected SWITCH MAC ADDRESS/LENGTH MTU, not {len(fields)} fields"):
            continue
        switch, mac, address, mtu = fields
        good = [
            reader.check(SWITCH.fullmatch(switch), f"{switch} is no switch name"),
            reader.check(MAC.fullmatch(mac), f"{mac} is no MAC in lower case"),
            reader.check(address == "-" or is_interface(address), f"{address} is neither IPv4 ADDRESS/LENGTH nor -"),
            reader.check(is_mtu(mtu), f"{mtu} is no MTU from 68 to 65535"),
            reader.check(all(switch != each.switch for each in links), f"{switch} has a line already"),
            reader.check(all(mac != each.mac for each in links), f"{mac} has a line already"),
            reader.check(all(address != each.address for each in links), f"{address} has a line already"),
        ]
        if all(good):
            links.append(Link(switch, mac, "" if address == "-" else address, int(mtu)))
        else:
            reader.faulty_switches.add(switch)
    return links


def is_mtu(text: str) -> bool:
    return text.isdecimal() and 68 <= int(text) <= 65535


def is_interface(text: str) -> bool:
    try:
        return str(ipaddress.IPv4Interface(text)) == text and not text.endswith("/0")
    except ValueError:
        return False


def read_neighbors(reader: Reader, links: list[Link], node: dict[str, Any], mixed: bool) -> list[Neighbor]:
    """The neighbors of this node: NICs on the switches of its links, in the order of the links, then others.

    A former plan has no nics, but all in one file (plan_format.py); so had the plans of former versions. Where routes
    lead over a tree, one of the others may replace a NIC: the peer is then reached by its tree NIC on another switch.
    """
    entries = NeighborReader(reader, links, mixed, node.get("tree", ""))
    nics: list[Neighbor] = []
    if (reader.directory / "nics").exists():
        order = {link.switch: number for number, link in enumerate(links)}
        nics = sorted(entries.read_nics(node.get("node", "")), key=lambda each: order[each.switch])
    others = entries.read_others()
    replaced = {(each.switch, each.address) for each in others}
    return [*(each for each in nics if (each.switch, each.address) not in replaced), *others]


class NeighborReader:
    """Reads lines SWITCH ADDRESS MAC NODE, where unnumbered NICs have the address of their node.

    mixed: as of read_plan. tree: the switch over which all routes lead; there others are neighbors by their identity.
    """

    def __init__(self, reader: Reader, links: list[Link], mixed: bool, tree: str = "") -> None:
        self._reader = reader
        self._tree = tree
        self._subnets = {each.switch: ipaddress.IPv4Interface(each.address) if each.address else None for each in links}
        self._ignored = reader.faulty_switches - self._subnets.keys()  # their lines in links are reported
        self._mixed = mixed
        self._seen: set[tuple[str, str]] = set()

    def read_nics(self, node: str) -> list[Neighbor]:
        """The NICs on the switches of this node, without its own, from the file that all nodes have alike."""
        lines = self._reader.lines("nics")
        return self._read(each for each in lines if len(each) != 4 or (each[0] in self._subnets and each[3] != node))

    def read_others(self) -> list[Neighbor]:
        """The neighbors of this node alone, as over the uplink."""
        if self._tree in self._subnets:
            self._subnets[self._tree] = None
            self._seen = {each for each in self._seen if each[0] != self._tree}
        return self._read(self._reader.lines("neighbors"))

    def _read(self, lines: Iterable[list[str]]) -> list[Neighbor]:
        neighbors = []
        for fields in lines:
            if not self._reader.check(len(fields) == 4, f"expected SWITCH ADDRESS MAC NODE, not {len(fields)} fields"):
                continue
            neighbor = Neighbor(*fields)
            if neighbor.switch not in self._ignored and self._check(neighbor):
                self._seen.add((neighbor.switch, neighbor.address))
                neighbors.append(neighbor)
        return neighbors

    def _check(self, neighbor: Neighbor) -> bool:
        switch, address = neighbor.switch, neighbor.address
        good = [
            self._reader.check(switch in self._subnets, f"{switch} is not in links"),
            self._reader.check(MAC.fullmatch(neighbor.mac), f"{neighbor.mac} is no MAC in lower case"),
            self._reader.check(is_address(address), f"{address} is no IPv4 address"),
            self._reader.check((switch, address) not in self._seen, f"{address} on {switch} has a line already"),
        ]
        return all(good) and self._check_subnet(switch, address)

    def _check_subnet(self, switch: str, address: str) -> bool:
        subnet = self._subnets[switch]
        if subnet is None or self._mixed:
            return True
        message = f"{address} is no other address of {subnet.network}, the subnet of {switch}"
        return self._reader.check(is_other(address, subnet), message)


def is_other(address: str, subnet: ipaddress.IPv4Interface) -> bool:
    return ipaddress.IPv4Address(address) in subnet.network and address != str(subnet.ip)


def read_routes(reader: Reader, neighbors: list[Neighbor]) -> list[Route]:
    """Lines ADDRESS NODE SWITCH=VIA ..., or SWITCH alone for an unnumbered NIC; a leg needs its neighbor entry.

    A weight other than 1 follows: red=10.77.0.2*3. The address of the route to hosts outside is DEFAULT, and its node
    the gateway.
    """
    known = {(each.switch, each.address) for each in neighbors}
    seen: set[str] = set()
    routes: list[Route] = []
    for fields in reader.lines("routes"):
        if not reader.check(len(fields) >= 3, f"expected ADDRESS NODE SWITCH=VIA..., not {len(fields)} fields"):
            continue
        address, node, *vias = fields
        legs = tuple(read_leg(reader, each) for each in vias)
        good = [
            reader.check(
                address == DEFAULT or is_address(address), f"{address} is neither an IPv4 address nor {DEFAULT}"
            ),
            reader.check(address not in seen, f"{address} has a line already"),
            reader.check(len({leg[:2] for leg in legs}) == len(legs), "a leg is named twice"),
            all(leg.weight for leg in legs),
            *(
                reader.check(
                    (leg.switch, leg.via or address) in known,
                    f"{leg.switch}={leg.via or address} has no valid line in nics or neighbors",
                )
                for leg in legs
                if leg.switch not in reader.faulty_switches
            ),
        ]
        seen.add(address)
        if all(good):
            routes.append(Route(address, legs, node))
    return routes


def read_leg(reader: Reader, text: str) -> Leg:
    """SWITCH=VIA*WEIGHT, where only SWITCH must be given. A wrong weight is reported, and read as 0."""
    hop, star, weight = text.partition("*")
    switch, _, via = hop.partition("=")
    if not star:
        return Leg(switch, via)
    good = weight.isdecimal() and 1 <= int(weight) <= MOST_WEIGHT
    reader.check(good, f"{text}: the weight is no number from 1 to {MOST_WEIGHT}")
    return Leg(switch, via, int(weight) if good else 0)


def read_sysctls(path: Path, reader: Reader) -> dict[str, str]:
    """Lines `key = value` as in sysctl.d(5); returns keys with slashes, as below /proc/sys."""
    settings: dict[str, str] = {}
    if not path.exists():
        return settings
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text[0] in "#;":
            continue
        key, equals, value = (each.strip() for each in text.partition("="))
        if not equals or not key or not value:
            reader.problems.append(f"{path}:{number}: expected KEY = VALUE")
        else:
            settings[slashed(key)] = " ".join(value.split())
    return settings


def slashed(key: str) -> str:
    """The first of . and / in a key is its separator; the other is part of a name (sysctl.d(5))."""
    first = re.search(r"[./]", key)
    if first and first.group() == ".":
        return key.translate(str.maketrans("./", "/."))
    return key

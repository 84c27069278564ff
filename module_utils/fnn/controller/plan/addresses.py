# SPDX-License-Identifier: GPL-3.0-or-later
"""Derives every address of the cluster from its prefixes (controller only; needs netaddr).

    fnn_prefix              10.77.0.0/16   cut into one equal subnet per switch
    fnn_identity_prefix     10.78.0.0/16   one address per node, which programs use
    fnn_management_prefix   10.79.0.0/16   one address per node, which Ansible uses
    fnn_maintenance_prefix  10.80.0.0/16   one address per node, if there is a maintenance network (maintenance.py)

The host part is always rank + 1, so all addresses of a node end alike: k04 is 10.77.0.5 on the first switch,
10.77.2.5 on the third, and its identity address is 10.78.0.5. A subnet is a /24, or shorter where the nodes and the
two reserved addresses (network, broadcast) need it. A cable between two nodes has a /31 (RFC 3021): 10.77.0.0 and
10.77.0.1, the lower rank first.

Prefixes that are too small or overlap are refused, all in one error, each with a prefix that fits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from netaddr import AddrFormatError, IPAddress, IPNetwork

from ...shared.errors import FnnError, Problem, count
from .outside import NIC, Outside, find_conflicting_addresses
from .prefixes import read_prefix
from .settings import PlanSettings

IDENTITY_DEVICE = "fnn0"
_PREFIXES = ("fnn_prefix", "fnn_identity_prefix", "fnn_management_prefix")
_MAINTENANCE = "fnn_maintenance_prefix"
_USUAL_LENGTH = 24
_CABLE_LENGTH = 31
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")


@dataclass(frozen=True)
class Addresses:
    """The address plan of one cluster. Ranks and switch indexes count from 0. numbered: whether NICs have addresses."""

    fabric: str
    identity_prefix: str
    management_prefix: str
    length: int
    numbered: bool
    _subnets: Sequence[int]
    _identity: int
    _management: Sequence[str]
    outside: Outside | None = None
    _ends: Sequence[Sequence[int]] | None = None  # per cable, the ranks of its two nodes
    _maintenance: IPNetwork | None = None

    def link(self, switch: int, rank: int) -> str | None:
        """Address of a node's NIC on a switch, if NICs have any."""
        if not self.numbered:
            return None
        host = rank + 1 if self._ends is None else self._ends[switch].index(rank)
        return _format(self._subnets[switch] + host)

    def identity(self, rank: int) -> str:
        """The node's own address."""
        return _format(self._identity + rank + 1)

    def maintenance(self, rank: int) -> tuple[str, int]:
        """Address and prefix length of the node's maintenance NIC. Only with a maintenance network."""
        assert self._maintenance is not None
        return _format(self._maintenance.first + rank + 1), self._maintenance.prefixlen

    def management(self, rank: int) -> str:
        """The address by which Ansible reaches the node."""
        return self._management[rank]


def plan_addresses(
    nodes: Sequence[str],
    segments: int | Sequence[Sequence[int]],
    settings: PlanSettings,
    outside: Outside | None = None,
    outside_problems: Iterable[Problem] = (),
) -> Addresses:
    """The address plan for `nodes` (names in rank order).

    segments: the number of switches; where nodes are joined by cables, the ranks of the two nodes of each.
    outside, outside_problems: the outside network and its problems, from outside.py; it has the management addresses of
    nodes without a management NIC. Raises FnnError with all problems, each with the name of its variable.
    """
    problems: list[Problem] = []
    ends = None if isinstance(segments, int) else segments
    switches = segments if isinstance(segments, int) else len(segments)
    prefixes = _read_prefixes(
        [*_PREFIXES, *([] if settings.maintenance is None else [_MAINTENANCE])], settings, problems
    )
    problems += outside_problems
    by_nic = outside is not None and outside.access == NIC
    known_by = outside.addresses if outside and by_nic else settings.management
    overrides = _read_overrides(nodes, known_by, problems)
    if problems:
        raise FnnError(problems)
    length = length_for(len(nodes)) if ends is None else _CABLE_LENGTH
    used = _select_used(prefixes, settings, all(name in overrides for name in nodes))
    spans = _Spans(used, _list_lengths(used, len(nodes), switches, length), settings.defaults, length)
    _find_small_prefixes(spans, len(nodes), switches, problems)
    _find_overlaps(spans, problems)
    _find_conflicts(spans, settings, outside, {} if by_nic else overrides, problems)
    if problems:
        raise FnnError(problems)
    fabric, identity = prefixes["fnn_prefix"], prefixes["fnn_identity_prefix"]
    return Addresses(
        fabric=str(fabric),
        identity_prefix=str(identity),
        management_prefix=settings.fnn_management_prefix,
        length=length,
        numbered=settings.numbered,
        _subnets=[fabric.first + (index << 32 - length) for index in range(switches)],
        _identity=identity.first,
        _management=_place_management(nodes, prefixes["fnn_management_prefix"], overrides),
        outside=outside,
        _ends=ends,
        _maintenance=prefixes.get(_MAINTENANCE),
    )


def _select_used(
    prefixes: Mapping[str, IPNetwork], settings: PlanSettings, management_known: bool
) -> dict[str, IPNetwork]:
    """The prefixes from which the plan takes addresses. management_known: those of all nodes are given."""
    unused = set() if settings.numbered else {"fnn_prefix"}
    if management_known:
        unused.add("fnn_management_prefix")
    return {name: prefix for name, prefix in prefixes.items() if name not in unused}


def _find_conflicts(
    spans: _Spans,
    settings: PlanSettings,
    outside: Outside | None,
    management: Mapping[str, IPAddress],
    problems: list[Problem],
) -> None:
    """Adds the conflicts with the outside network, the arrival of Ansible and other networks of the nodes.

    management: known addresses of a management network, by node.
    """
    if outside:
        problems += _find_outside(outside, spans.prefixes, management)
        problems += find_conflicting_addresses(outside, settings.facts.networks)
    reached = {**_read_arrivals(_list_arrivals(settings), spans.prefixes), **management}
    _find_covered(spans, reached, settings.maintenance or (), problems)
    _find_taken(spans, settings.facts.networks, set(reached.values()), problems)


def length_for(nodes: int) -> int:
    """Prefix length of a switch's subnet: /24, or shorter when the nodes and two reserved addresses need it."""
    return min(_USUAL_LENGTH, 32 - (nodes + 1).bit_length())


def _list_lengths(variables: Iterable[str], nodes: int, switches: int, length: int) -> dict[str, int]:
    """The longest prefix length that is enough for each variable. length: of the subnet of a switch."""
    of_nodes, of_fabric = 32 - (nodes + 1).bit_length(), length - (switches - 1).bit_length()
    return {variable: of_fabric if variable == "fnn_prefix" else of_nodes for variable in variables}


def _read_prefixes(variables: Iterable[str], settings: PlanSettings, problems: list[Problem]) -> dict[str, IPNetwork]:
    prefixes = {}
    for variable in variables:
        prefix = read_prefix(variable, getattr(settings, variable), settings.defaults[variable], problems)
        if prefix:
            prefixes[variable] = prefix
    return prefixes


def _read_overrides(
    nodes: Sequence[str], addresses: Mapping[str, Any], problems: list[Problem]
) -> dict[str, IPAddress]:
    overrides: dict[str, IPAddress] = {}
    owner: dict[IPAddress, str] = {}
    for name in nodes:
        if addresses.get(name) is None:
            continue
        try:
            address = IPAddress(addresses[name], version=4)
        except (AddrFormatError, TypeError, ValueError):
            problems.append(Problem(_name_variable(name), f'"{addresses[name]}" is not an IPv4 address'))
            continue
        if address in owner:
            problems.append(Problem(_name_variable(name), f"{address} is already that of {owner[address]}"))
        overrides[name] = address
        owner.setdefault(address, name)
    return overrides


def _list_arrivals(settings: PlanSettings) -> dict[str, str]:
    """The addresses by which Ansible reached the nodes, other than over the fabric.

    A controller on a node of the cluster connects over the fabric itself, which the plan does not cut off.
    """
    arrivals = {name: each for name, each in settings.facts.arrived_on.items() if each}
    return {name: each["address"] for name, each in arrivals.items() if each["device"] != IDENTITY_DEVICE}


def _read_arrivals(addresses: Mapping[str, str], prefixes: Mapping[str, IPNetwork]) -> dict[str, IPAddress]:
    """The IPv4 addresses that the fabric could cover; other checks find overlaps with the management prefix."""
    management = prefixes.get("fnn_management_prefix")
    arrivals = {name: IPAddress(address) for name, address in addresses.items() if ":" not in address}
    return {name: each for name, each in arrivals.items() if management is None or each not in management}


def _place_management(nodes: Sequence[str], prefix: IPNetwork, overrides: Mapping[str, IPAddress]) -> list[str]:
    """Each node's management address by rank. Raises FnnError where an explicit one equals a derived one."""
    placed = [
        str(overrides[name]) if name in overrides else _format(prefix.first + rank + 1)
        for rank, name in enumerate(nodes)
    ]
    owner = {placed[rank]: name for rank, name in enumerate(nodes) if name not in overrides}
    problems = [
        Problem(_name_variable(name), f"{overrides[name]} is already that of {owner[str(overrides[name])]}")
        for name in overrides
        if str(overrides[name]) in owner
    ]
    if problems:
        raise FnnError(problems)
    return placed


@dataclass(frozen=True)
class _Spans:
    """The prefixes by variable, with the longest length that fits and the default of each variable.

    subnet: the length of the subnet of a switch.
    """

    prefixes: Mapping[str, IPNetwork]
    needed: Mapping[str, int]
    defaults: Mapping[str, str]
    subnet: int


def _find_small_prefixes(spans: _Spans, nodes: int, switches: int, problems: list[Problem]) -> None:
    length = spans.subnet
    for variable, prefix in spans.prefixes.items():
        if prefix.prefixlen <= spans.needed[variable]:
            continue
        if variable == "fnn_prefix":
            subnets = 2 ** max(0, length - prefix.prefixlen) if prefix.prefixlen <= length else 0
            need = "needs" if switches == 1 else "need"
            noun = "cable" if length == _CABLE_LENGTH else "switch"
            holds = f"{count(subnets, 'subnet')} of /{length}, but {count(switches, noun)} {need} {switches}"
        else:
            holds = f"{count(max(0, prefix.size - 2), 'node')}, but the cluster has {nodes}"
        better = _suggest(variable, spans)
        problems.append(Problem(variable, f"{prefix} holds {holds}{better}"))


def _find_overlaps(spans: _Spans, problems: list[Problem]) -> None:
    prefixes, variables = spans.prefixes, list(spans.prefixes)
    for index, later in enumerate(variables):
        for earlier in variables[:index]:
            if _overlap(prefixes[earlier], prefixes[later]):
                better = _suggest(later, spans, prefixes[later].prefixlen)
                text = f"{prefixes[later]} overlaps {earlier} {prefixes[earlier]}{better}"
                problems.append(Problem(later, text))
                break


def _find_outside(
    outside: Outside, prefixes: Mapping[str, IPNetwork], management: Mapping[str, IPAddress]
) -> list[Problem]:
    """Overlaps of the outside network with the prefixes of the plan, and with the addresses of management NICs."""
    at, prefix = "fnn_outside_prefix", outside.prefix
    overlaps = [f"{name} {each}" for name, each in prefixes.items() if _overlap(prefix, each)]
    problems = [Problem(at, f"{prefix} overlaps {each}") for each in overlaps]
    inside = [(name, address) for name, address in management.items() if address in prefix]
    if inside:
        text = f"{prefix} has {inside[0][1]}, by which Ansible reaches {inside[0][0]}"
        problems.append(Problem(at, f"{text}; if that is on a fabric NIC, set fnn_access: nic"))
    return problems


def _find_covered(
    spans: _Spans, overrides: Mapping[str, IPAddress], kept: Collection[str], problems: list[Problem]
) -> None:
    """Management addresses inside a prefix of the plan: the kernel would route them into the fabric.

    kept: addresses that belong to the maintenance network.
    """
    for variable, prefix in spans.prefixes.items():
        if variable == "fnn_management_prefix":
            continue
        own = kept if variable == _MAINTENANCE else ()
        inside = [(name, each) for name, each in overrides.items() if each in prefix and str(each) not in own]
        if inside:
            name, address = inside[0]
            more = f" and {len(inside) - 1} more" if len(inside) > 1 else ""
            better = _suggest(variable, spans, addresses=overrides.values())
            text = f"{prefix} covers the management address {address} of {name}{more}{better}"
            problems.append(Problem(variable, text))


def _find_taken(
    spans: _Spans,
    networks: Mapping[str, Sequence[Mapping[str, str]]],
    known: Collection[IPAddress],
    problems: list[Problem],
) -> None:
    """Other addresses of nodes inside a prefix of the plan, which would cut off their networks. known: reported."""
    taken = [
        (node, each["device"], IPNetwork(each["address"])) for node, addresses in networks.items() for each in addresses
    ]
    for variable, prefix in spans.prefixes.items():
        if variable == "fnn_management_prefix":
            continue
        inside = [each for each in taken if each[2].ip in prefix and each[2].ip not in known]
        if inside:
            node, device, address = inside[0]
            more = f", and {len(inside) - 1} more" if len(inside) > 1 else ""
            better = _suggest(variable, spans, addresses=[network.cidr for _, _, network in taken])
            problems.append(Problem(variable, f"{prefix} covers {address}, which {device} of {node} has{more}{better}"))


def _suggest(variable: str, spans: _Spans, length: int = 32, addresses: Iterable[IPAddress | IPNetwork] = ()) -> str:
    """ "; 10.80.0.0/16 would do": a free prefix of at most that length, around the given one if possible, else a
    private one. Empty when there is none.
    """
    prefixes, length = spans.prefixes, min(length, spans.needed[variable])
    others = [prefix for name, prefix in prefixes.items() if name != variable]
    others += [IPNetwork(address) for address in addresses]
    around = IPNetwork(f"{prefixes[variable].network}/{length}").cidr
    candidates = [around, IPNetwork(f"{IPNetwork(spans.defaults[variable]).network}/{length}").cidr]
    for block in _PRIVATE:
        if IPNetwork(block).prefixlen <= length:
            candidates += list(_first_subnets(IPNetwork(block), length))
    free = (each for each in candidates if not any(_overlap(each, other) for other in others))
    best = next(free, None)
    return f"; {best} would do" if best else ""


def _first_subnets(block: IPNetwork, length: int) -> Iterable[IPNetwork]:
    # Few prefixes are taken, but one may cover many small subnets. So candidates lie at least a /16 apart.
    step = IPNetwork(f"{block.network}/{min(length, 16)}").cidr
    for index in range(min(2 ** (step.prefixlen - block.prefixlen), 256)):
        yield IPNetwork(f"{_format(block.first + index * step.size)}/{length}")


def _overlap(one: IPNetwork, other: IPNetwork) -> bool:
    return bool(one.first <= other.last and other.first <= one.last)


def _name_variable(name: str) -> str:
    return f"fnn_management_address of {name}"


def _format(address: int) -> str:
    # Faster than str(IPAddress(...)): a plan of a thousand nodes formats thousands of addresses.
    return f"{address >> 24}.{address >> 16 & 255}.{address >> 8 & 255}.{address & 255}"

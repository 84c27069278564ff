# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers to the questions of `./fnn init`: nodes with their NICs, switches with their ports."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...shared.errors import FnnError, Problem
from ..host_names import is_host_name
from ..labels.jackets import COMMON
from ..schema import HOST_NAME, describe_pattern

#: Prefixes of a new inventory, by variable: the defaults of schemas/variables.yml.
PREFIXES = {
    "fnn_prefix": "10.77.0.0/16",
    "fnn_identity_prefix": "10.78.0.0/16",
    "fnn_management_prefix": "10.79.0.0/16",
}
#: Those that only the toolkit uses; a management address in one of them would be ambiguous.
FABRIC = ("fnn_prefix", "fnn_identity_prefix")
#: Kinds of sockets (schemas/fnn-spec.schema.json).
MEDIA = (
    "rj45", "sfp", "sfp+", "sfp28", "sfp56", "qsfp", "qsfp+", "qsfp28", "qsfp56", "qsfp-dd", "osfp", "usb4",
)  # fmt: skip

#: The ranges of numbers. Those of nodes and NICs are the ranges of `./fnn advise`; 256 subnets fit into fnn_prefix.
NODES, NICS, SWITCHES, PORTS, SPEED = (2, 2048), (1, 16), (1, 256), (2, 1024), (1, 1_000_000)
#: The same by the names of the answers that every cluster needs.
RANGES = {"nodes": NODES, "nics": NICS, "switches": SWITCHES, "ports": PORTS}
_UNITS = {"nodes": "nodes", "nics": "NICs of each node", "switches": "switches", "ports": "ports of each switch"}

#: Names of switches, which are also the colors of their cables: first those that most people can name.
_FIRST = ("red", "blue", "green", "yellow", "orange", "purple", "white", "black")
COLORS = (*_FIRST, *(each.name for each in COMMON if each.name not in _FIRST))

CLUSTER = "^[a-z][a-z0-9-]{0,31}$"
_USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.@-]*")
# The kernel forbids "/", ":" and white space, and allows 15 bytes (dev_valid_name).
_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@+-]{0,14}")


@dataclass(frozen=True)
class Group:
    """Equal ports of a switch, or NICs of a node: their number, Mb/s and socket."""

    count: int
    speed_mbps: int = 1000
    media: str = "rj45"


@dataclass(frozen=True)
class Nic:
    """A fabric NIC. name: of its device; None for natural order. twin: the second device of its plug."""

    name: str | None = None
    speed_mbps: int = 1000
    media: str = "rj45"
    twin: str | None = None


@dataclass(frozen=True)
class Answers:
    """A cluster.

    name: of the cluster, and of its directory inventory/NAME.
    nodes: their number. nics: the fabric NICs of a node, in the order of the design.
    others: rank of a node with other NICs -> those.
    switches: of each, its ports.
    node_prefix: the nodes are k00, k01 and so on, unless node_names has their names in rank order.
    user: the login of Ansible; "" for the name of the user who runs it. become: whether it uses sudo on the nodes.
    addresses: management addresses of the nodes in rank order; () if the names of the nodes resolve.
    """

    name: str
    nodes: int
    nics: tuple[Nic, ...]
    switches: tuple[tuple[Group, ...], ...]
    others: Mapping[int, tuple[Nic, ...]] = field(default_factory=dict)
    node_prefix: str = "k"
    node_names: tuple[str, ...] = ()
    user: str = ""
    become: bool = True
    addresses: tuple[str, ...] = ()


def list_nodes(answers: Answers) -> list[str]:
    """The names of the nodes in rank order: k00 to k15 for sixteen."""
    if answers.node_names:
        return list(answers.node_names)
    width = max(2, len(str(answers.nodes - 1)))
    return [f"{answers.node_prefix}{rank:0{width}}" for rank in range(answers.nodes)]


def list_switches(answers: Answers) -> list[str]:
    """The names of the switches: colors, then colors with a white stripe; s000 and so on if these do not suffice."""
    striped = [f"{color}-white" for color in COLORS if color != "white"]
    number = len(answers.switches)
    names = [*COLORS, *striped][:number]
    return names if len(names) == number else [f"s{each:03}" for each in range(number)]


def check_answers(answers: Answers) -> None:
    """Raises FnnError with all problems of the answers. Each names the option of `./fnn init` and what is expected."""
    problems = list(_find_problems(answers))
    if problems:
        raise FnnError(problems)


def check_name(name: str) -> None:
    """Raises FnnError for a name that a cluster cannot have."""
    problems = list(_find_wrong_cluster(name))
    if problems:
        raise FnnError(problems)


def check_numbers(numbers: Mapping[str, int]) -> None:
    """Raises FnnError for numbers that are out of their RANGES, all at once."""
    problems = list(_find_wrong_numbers(numbers))
    if problems:
        raise FnnError(problems)


def _find_wrong_numbers(numbers: Mapping[str, int]) -> Iterator[Problem]:
    for key, number in numbers.items():
        least, most = RANGES[key]
        if not least <= number <= most:
            yield Problem(f"--{key}", f"{number} is out of range, expected {least} to {most} {_UNITS[key]}")


def _find_wrong_cluster(name: str) -> Iterator[Problem]:
    if not re.fullmatch(CLUSTER, name):
        yield Problem("NAME", f"{name!r} is not {describe_pattern(CLUSTER)}")


def _find_problems(answers: Answers) -> Iterator[Problem]:
    yield from _find_wrong_cluster(answers.name)
    yield from _find_wrong_numbers({"nodes": answers.nodes})
    for nics in (answers.nics, *answers.others.values()):
        yield from _find_wrong_numbers({"nics": len(nics)})
    yield from _find_wrong_numbers({"switches": len(answers.switches)})
    for ports in dict.fromkeys(answers.switches):
        yield from _find_wrong_numbers({"ports": sum(group.count for group in ports)})
    yield from _find_wrong_speeds(answers)
    if answers.user and not _USER.fullmatch(answers.user):
        yield Problem("--user", f"{answers.user!r} is no name of a user")
    yield from _find_wrong_names(answers)
    yield from _find_wrong_addresses(answers)


def _find_wrong_speeds(answers: Answers) -> Iterator[Problem]:
    sockets: list[Nic | Group] = [*answers.nics, *(group for ports in answers.switches for group in ports)]
    least, most = SPEED
    for speed in dict.fromkeys(each.speed_mbps for each in sockets):
        if not least <= speed <= most:
            yield Problem("--speed", f"{speed} is out of range, expected {least} to {most} Mb/s")
    for media in dict.fromkeys(each.media for each in sockets):
        if media not in MEDIA:
            yield Problem("--media", f"{media!r} is no kind of socket, expected one of {', '.join(MEDIA)}")


def _find_wrong_names(answers: Answers) -> Iterator[Problem]:
    what = f"is not {describe_pattern(HOST_NAME)}"
    if answers.node_names:
        yield from _check_list("--node-names", answers.node_names, "--nodes", answers.nodes)
        yield from (
            Problem("--node-names", f"{name!r} {what}") for name in answers.node_names if not is_host_name(name)
        )
    elif NODES[0] <= answers.nodes <= NODES[1] and not is_host_name(list_nodes(answers)[-1]):
        yield Problem("--node-prefix", f"the name {list_nodes(answers)[-1]!r} {what}")
    names = [nic.name for nic in answers.nics if nic.name is not None]
    if names:
        yield from _check_list("--nic-names", names, "--nics", len(answers.nics))
        for name in names:
            if not _DEVICE.fullmatch(name):
                yield Problem("--nic-names", f"{name!r} is no name of a network device, expected one such as enp2s0")


def _find_wrong_addresses(answers: Answers) -> Iterator[Problem]:
    if not answers.addresses:
        return
    yield from _check_list("--addresses", answers.addresses, "--nodes", answers.nodes)
    for text in answers.addresses:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            yield Problem("--addresses", f"{text!r} is no IP address, expected one such as 192.168.1.20")
            continue
        for variable in FABRIC:
            if address in ipaddress.ip_network(PREFIXES[variable]):
                yield Problem(
                    "--addresses",
                    f"{text} is in {PREFIXES[variable]} ({variable}), which the fabric uses; expected an address of the"
                    " management network",
                )


def _check_list(option: str, given: Sequence[str], number_option: str, number: int) -> Iterator[Problem]:
    """Problems of a list with one entry for each of a number of things."""
    if len(given) != number:
        yield Problem(option, f"has {len(given)}, expected {number}, as {number_option} says")
    yield from (Problem(option, f"{each} is given twice") for each in dict.fromkeys(given) if given.count(each) > 1)

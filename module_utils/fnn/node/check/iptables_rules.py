# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains of iptables, from the table `filter` as iptables-save(8) prints it.

    :INPUT DROP [0:0]
    -A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
    -A INPUT -s 10.77.0.0/16 -p tcp -m tcp --dport 1024:65535 -j ACCEPT

iptables-extensions(8) has far more matches than are known here. An unknown option makes its rule neither true nor
false.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from .firewall import ACCEPT, DROP, FORWARD, GOTO, INPUT, JUMP, RETURN, Chain, Condition, Packet, Rule, Truth, is_within

_HOOKS = {"INPUT": INPUT, "FORWARD": FORWARD}
_TARGETS = {"ACCEPT": ACCEPT, "DROP": DROP, "REJECT": DROP, "RETURN": RETURN}
#: Targets after which the next rule follows.
_CONTINUE = ("LOG", "NFLOG", "ULOG", "MARK", "CONNMARK", "TRACE", "AUDIT", "CT", "SET")
#: Options without influence on whether the rule applies.
_NEUTRAL = ("-m", "--match", "--comment", "--reject-with")


def read_chains(text: str, table: str) -> list[Chain]:
    """The chains of the table `filter`. table: its name in reports. Raises ValueError."""
    chains: dict[str, Chain] = {}
    section = ""
    for line in text.splitlines():
        if line.startswith("*"):
            section = line[1:].strip()
        elif section == "filter" and line.startswith(":"):
            name, policy = line[1:].split()[:2]
            hook = _HOOKS.get(name, "")
            chains[name] = Chain(table, name, hook, _TARGETS.get(policy, "") if hook else "")
        elif section == "filter" and line.startswith("-A "):
            words = shlex.split(line)
            chains[words[1]].rules.append(read_rule(words[2:], frozenset(chains)))
    return list(chains.values())


def read_rule(words: Sequence[str], chains: Iterable[str]) -> Rule:
    """One rule, from the words behind its chain. chains: names of all chains, which may be targets."""
    conditions: list[Condition] = []
    verdict, target = "", ""
    for option, value in split_options(words):
        if option in ("-j", "-g"):
            verdict, target = read_target(option, value.partition(" ")[0], chains)
        elif option not in _NEUTRAL:
            conditions.append(make_condition(option, value))
    return Rule(tuple(conditions), verdict, target)


def split_options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options with their values; a negated one begins with "! "."""
    index, negated = 0, ""
    while index < len(words):
        if words[index] == "!":
            index, negated = index + 1, "! "
            continue
        end = index + 1
        while end < len(words) and not words[end].startswith("-") and words[end] != "!":
            end += 1
        yield f"{negated}{words[index]}", " ".join(words[index + 1 : end])
        index, negated = end, ""


def read_target(option: str, name: str, chains: Iterable[str]) -> tuple[str, str]:
    """The verdict and its target. A program that decides, as of NFQUEUE, is like a chain that is unknown."""
    if name in chains or name not in (*_TARGETS, *_CONTINUE):
        return (GOTO if option == "-g" else JUMP), name
    return _TARGETS.get(name, ""), ""


def make_condition(option: str, value: str) -> Condition:
    """An option as a function of a packet."""
    negated, name = option.startswith("! "), option[2:] if option.startswith("! ") else option
    known = _MATCHES.get(name)

    def is_met(packet: Packet) -> Truth:
        found = known(packet, value) if known else None
        return found if found is None or not negated else not found

    return is_met


def _match_port(packet: Packet, value: str) -> bool:
    return any(_is_in_range(packet.port, each) for each in value.split(","))


def _is_in_range(port: int, text: str) -> bool:
    low, colon, high = text.partition(":")
    return int(low or 0) <= port <= int((high or 65535) if colon else low)


def _match_device(device: Callable[[Packet], str]) -> Callable[[Packet, str], Truth]:
    def match(packet: Packet, value: str) -> bool:
        return fnmatchcase(device(packet), f"{value[:-1]}*" if value.endswith("+") else value)

    return match


def _match_type(packet: Packet, value: str) -> Truth:
    """The destination is the node itself, or in the chain FORWARD a peer."""
    kinds = value.split(",")
    if packet.hook == FORWARD:
        return "UNICAST" in kinds
    return "LOCAL" in kinds


def _match_network(address: Callable[[Packet], str]) -> Callable[[Packet, str], Truth]:
    def match(packet: Packet, value: str) -> bool:
        return any(is_within(address(packet), each) for each in value.split(","))

    return match


_MATCHES: dict[str, Callable[[Packet, str], Truth]] = {
    "-i": _match_device(lambda packet: packet.device),
    "-o": _match_device(lambda packet: packet.out),
    "-s": _match_network(lambda packet: packet.source),
    "-d": _match_network(lambda packet: packet.destination),
    "-p": lambda packet, value: value in (packet.protocol, "all"),
    "--dport": _match_port,
    "--dports": _match_port,
    "--ctstate": lambda packet, value: packet.state.upper() in value.split(","),
    "--state": lambda packet, value: packet.state.upper() in value.split(","),
    "--dst-type": _match_type,
}

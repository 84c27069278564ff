# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the packet filter of a node would drop packets of the fabric, before the fabric exists.

The rules are evaluated for one packet per NIC: the first packet of a TCP connection to a high port, as MPI opens it.
nft_rules.py and iptables_rules.py make the same chains of the tables of nft(8) and iptables(8), as of:

    chain input { type filter hook input priority 0; policy drop; ct state established accept; tcp dport 22 accept }

The packet matches no rule here, so the policy drops it. A condition that those files do not know (an owner, a rate, a
time) is neither true nor false, as in Kleene's three-valued logic. So a chain has a set of possible verdicts, and
{accept, drop} means that it may drop the packet.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Optional

ACCEPT, DROP, RETURN, JUMP, GOTO = "accept", "drop", "return", "jump", "goto"
INPUT, FORWARD = "input", "forward"
#: The kernel allows as many nested calls of chains (nft(8), NFT_JUMP_STACK_SIZE).
_DEPTH = 16

#: True, False, or None where the condition is unknown.
Truth = Optional[bool]


@dataclass(frozen=True)
class Packet:
    """device: the NIC that receives it. out: the NIC that sends it on, where the node forwards it."""

    device: str
    source: str
    destination: str
    hook: str = INPUT
    out: str = ""
    protocol: str = "tcp"
    port: int = 40000
    state: str = "new"


Condition = Callable[[Packet], Truth]


@dataclass(frozen=True)
class Rule:
    """verdict: one of the constants above; "" for a rule that only counts or logs. target: of JUMP and GOTO."""

    conditions: Sequence[Condition]
    verdict: str
    target: str = ""

    def matches(self, packet: Packet) -> Truth:
        """Whether all conditions are true."""
        found = [condition(packet) for condition in self.conditions]
        return False if False in found else None if None in found else True


@dataclass
class Chain:
    """hook, policy: of a base chain, which the kernel calls; "" for others."""

    table: str
    name: str
    hook: str = ""
    policy: str = ""
    rules: list[Rule] = field(default_factory=list)


def find_dropping(chains: Iterable[Chain], packets: Iterable[Packet]) -> Iterator[dict[str, Any]]:
    """Base chains that drop a packet: {"table", "chain", "hook", "device", "certain"}, the first packet of each chain.

    certain: false where only unknown conditions decide.
    """
    tables: dict[str, dict[str, Chain]] = {}
    for chain in chains:
        tables.setdefault(chain.table, {})[chain.name] = chain
    every = list(packets)
    for table, own in tables.items():
        for chain in own.values():
            found = ((each, find_verdicts(chain, each, own)) for each in every if each.hook == chain.hook)
            dropped = next(((each, verdicts == {DROP}) for each, verdicts in found if DROP in verdicts), None)
            if dropped:
                place = {"table": table, "chain": chain.name, "hook": chain.hook}
                yield {**place, "device": dropped[0].device, "certain": dropped[1]}


def find_verdicts(chain: Chain, packet: Packet, chains: Mapping[str, Chain], depth: int = 0) -> set[str]:
    """The possible verdicts of a chain for a packet: ACCEPT, DROP, and RETURN from a chain that was called.

    chains: of its table, by name. depth: of calls.
    """
    at_end = chain.policy or RETURN
    found: set[str] = set()
    for rule in chain.rules:
        truth = rule.matches(packet)
        if truth is False or not rule.verdict:
            continue
        verdicts = {rule.verdict}
        if rule.verdict in (JUMP, GOTO):
            called = chains.get(rule.target) if depth < _DEPTH else None
            verdicts = find_verdicts(called, packet, chains, depth + 1) if called else {ACCEPT, DROP}
        goes_on = rule.verdict == JUMP and RETURN in verdicts
        found |= verdicts - {RETURN} if goes_on else {at_end if each == RETURN else each for each in verdicts}
        if truth and not goes_on:
            return found
    return found | {at_end}


def list_packets(devices: Iterable[str], prefixes: Iterable[str], hook: str) -> list[Packet]:
    """For each prefix, a packet from its first to its second host over each NIC, or each pair of NICs if forwarded."""
    own = list(devices)
    paths = [(each, "") for each in own]
    if hook == FORWARD:
        paths = list(permutations(own, 2)) or [(each, each) for each in own]
    starts = [ipaddress.ip_network(prefix).network_address for prefix in prefixes]
    return [Packet(into, str(start + 1), str(start + 2), hook, out) for into, out in paths for start in starts]


def is_within(address: str, network: str) -> bool:
    """Whether a network in text, or a single address, contains an address. Raises ValueError."""
    return ipaddress.ip_address(address) in ipaddress.ip_network(network, strict=False)

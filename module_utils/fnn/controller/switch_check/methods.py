# SPDX-License-Identifier: GPL-3.0-or-later
"""Each trait in words: what it is, the step that measures it, how, and the source of the method."""

from __future__ import annotations

from dataclasses import dataclass

from ...shared.frames.switch_check import LLDP_ADDRESSES

_TYPES = "IEEE 802 (local experimental EtherTypes); IEEE 802.1Q, 8.6 (forwarding)"
_LLDP = "IEEE 802.1Q, table 8-1; IEEE 802.1AB, 7.1"
_CACHE = "RFC 2889, 5.7 (address caching capacity)"
_PAUSE = "IEEE 802.3, annex 31B"


@dataclass(frozen=True)
class Method:
    """what: the trait as the subject of a sentence. step: of fnn_switch_probe; empty for what all stations receive."""

    what: str
    step: str
    method: str
    source: str


_SENDS = "each node sends five frames; every other node must receive one"
METHODS = {
    "forwards_experimental_broadcast": Method(
        "whether the switch forwards broadcasts of EtherType 0x88B5", "forwarding", f"broadcast: {_SENDS}", _TYPES
    ),
    "forwards_experimental_unicast": Method(
        "whether the switch forwards unicast frames of EtherType 0x88B5",
        "forwarding",
        "each node sends five frames to the next one, which must receive one",
        _TYPES,
    ),
    "forwards_ip": Method("whether the switch forwards IP", "forwarding", f"IPv4 to all: {_SENDS}", _TYPES),
    **{
        f"forwards_lldp_{name}": Method(
            f"whether the switch forwards LLDP to {mac}", "forwarding", f"LLDP: {_SENDS}", _LLDP
        )
        for name, mac in LLDP_ADDRESSES.items()
    },
    "isolated_pairs": Method(
        "the number of pairs of ports that pass no frames to each other",
        "",
        "all nodes broadcast; two that receive a third node and not each other are on isolated ports",
        "RFC 5517 (isolated ports)",
    ),
    "largest_frame": Method(
        "the largest frame",
        "sizes",
        "broadcasts of full size between all nodes, bisection of the payload; NICs with their largest MTU",
        "RFC 2544, 9 (frame sizes)",
    ),
    "accepts_invented_addresses": Method(
        "whether the switch accepts frames from invented addresses",
        "learning",
        "a node sends to another from addresses that no host has",
        _CACHE,
    ),
    "floods_unknown_addresses": Method(
        "whether the switch floods frames for unknown addresses",
        "learning",
        "a node sends to an address that no host has; a third node must receive it",
        "IEEE 802.1Q, 8.8",
    ),
    "learns_addresses": Method(
        "whether the switch learns addresses",
        "learning",
        "a node sends from an invented address, another to it; a third must not receive that",
        _CACHE,
    ),
    "ageing": Method(
        "the ageing time",
        "ageing",
        "invented addresses, all learned at once; each is asked for once, later and later, until a frame is flooded; "
        "then the interval is divided",
        "IEEE 802.1Q, 8.8.3 (default: 300 s)",
    ),
    "table_size": Method(
        "the size of the address table",
        "table",
        "ever more invented addresses, four times as many each round; frames for those that did not fit are flooded",
        _CACHE,
    ),
    "follows_moves": Method(
        "whether the switch follows an address that moves to another port",
        "moves",
        "an address is learned at one port, then sends at another, while frames for it are sent 500 times a second",
        "IEEE 802.1Q, 8.7",
    ),
    "move_delay": Method(
        "the time until frames follow an address that moves",
        "moves",
        "the slowest of three moves, on the clock of the new node; it resolves 2 ms",
        "IEEE 802.1Q, 8.7",
    ),
    "survives_many_moves": Method(
        "whether the switch tolerates an address that moves often",
        "moves",
        "an address moves twenty times; frames must follow it, and all nodes must answer",
        "IEEE 802.1Q, 8.7",
    ),
    "pause_advertised": Method(
        "what the switch advertises about pause frames",
        "pause",
        "the result of autonegotiation that the drivers of the NICs show (ethtool)",
        _PAUSE,
    ),
    "pause_obeyed": Method(
        "whether the switch obeys pause frames",
        "pause",
        "a node sends pause frames for 0.3 s; frames to it must stop for as long",
        _PAUSE,
    ),
    "pause_sent": Method(
        "whether the switch sends pause frames",
        "incast",
        "counters of received pause frames of the sending NICs, while all send to one (ethtool -S)",
        _PAUSE,
    ),
    "broadcast_limit": Method(
        "the limit of broadcasts from one port",
        "storm",
        "a node broadcasts for a second each at 30 to 30000 frames a second; at the first rate that is cut, again for "
        "three seconds, which shows the limit without the burst that it allows",
        "RFC 2889, 5.10 (broadcast frame forwarding)",
    ),
    "ring_rate": Method(
        "the rate of all ports at once",
        "ring",
        "each node sends to the next one at the speed of its link for 2 s; the slowest flow",
        "RFC 2889, 5.1; RFC 8239, 2",
    ),
    "ring_loss": Method(
        "the loss with all ports busy", "ring", "frames sent and received in the same test", "RFC 2889, 5.1"
    ),
    "incast_loss": Method(
        "the loss when all ports send to one",
        "incast",
        "all nodes but one send to that one at the speed of their links for 1 s",
        "RFC 2889, 5.2 (many-to-one); RFC 8239, 6 (incast)",
    ),
    "incast_fairness": Method(
        "how evenly that loss is shared",
        "incast",
        "Jain's index of the frames received from each sender: 1 if equal, 1/n if all are of one of n",
        "Jain, Chiu, Hawe: DEC-TR-301 (1984)",
    ),
    "start_delay": Method(
        "the time until a port passes frames after its link comes up",
        "start_delay",
        "one link goes down for a second; the time from its carrier to the first of 20 frames a second",
        "IEEE 802.1D-1998, table 8-3 (forward delay)",
    ),
}

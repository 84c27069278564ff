# SPDX-License-Identifier: GPL-3.0-or-later
"""Why do two nodes not talk although their cables are right? Something drops IP: a firewall.

To whoever uses the network a firewall looks like a dead cable. Docker, for one, makes a machine drop what it forwards,
bridged frames too where br_netfilter is loaded. What tells it apart: verify's beacons are no IP and pass, so it found
the cables right (findings.json); and frames are seen to come where nobody takes them on. Example, k00 to k02 over red:

    requests leave k00, and           something drops them        because
    the answers are seen at its NIC   in k00                      only what comes in after the NIC can
    they enter red and leave it nowhere   at red                  its ports are watched
    they leave red at the port of k02     in k02                  it got them and says nothing
    nobody watches red                in k02 or at red            no more can be told
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .proof import Evidence

Pair = tuple[str, str]
#: Where it is: (a node or a switch, whether that is a switch); both when it cannot be told.
Place = tuple[tuple[str, bool], ...]


def find_causes(seen: Evidence, silent: Iterable[Pair]) -> list[dict[str, Any]]:
    """One entry per place where IP is dropped: {"kind": "filter", "at", "pairs", "says"}, the most pairs first.

    silent: pairs of which the first has a route and gets no answer. Those whose cables are not known to be right are
    left out: a cable may be all that is wrong.
    """
    places: dict[Place, int] = {}
    for pair in silent:
        place = find_place(pair, seen)
        if place:
            places[place] = places.get(place, 0) + 1
    return [
        {"kind": "filter", "at": place[0][0] if len(place) == 1 else None, "pairs": pairs, "says": tell(place, pairs)}
        for place, pairs in sorted(places.items(), key=lambda entry: (-entry[1], entry[0]))
    ]


def find_place(pair: Pair, seen: Evidence) -> Place | None:
    sender, receiver = pair
    sighting = seen.reach[sender]["peers"][seen.identities[receiver]]
    if sighting["replies"]:
        return ((sender, False),)
    used = find_used(sighting, seen)
    if not all((node, switch) in seen.right for node in pair for switch in used):
        return None
    if not used:
        return ((sender, False),) if seen.right else None
    if seen.capture is None:
        return ((receiver, False), (min(used), True))
    for ends in (pair, (receiver, sender)):
        for switch in sorted(find_swallowing(ends, seen, seen.capture)):
            return ((switch, True),)
    return ((receiver, False),)


def find_used(sighting: Mapping[str, Any], seen: Evidence) -> set[str]:
    """The switches over which requests left; none where none was seen."""
    return {seen.nics[macs[0]][1] for macs in sighting.get("requests", []) if macs[0] in seen.nics}


def find_swallowing(pair: Pair, seen: Evidence, capture: Mapping[str, Any]) -> Iterator[str]:
    """Switches into which frames of a pair went and which they did not leave."""
    ends = tuple(seen.identities[node] for node in pair)
    for flow in capture["flows"]:
        if (flow["src"], flow["dst"]) == ends and flow["in"] and not flow["out"]:
            yield capture["ports"][flow["in"][0]]


def tell(place: Place, pairs: int) -> str:
    where = " or ".join(f"at {name}" if is_switch else f"in {name}" for name, is_switch in place)
    advice = (
        "what forwards there filters bridged frames (`nft list ruleset`, `iptables -S FORWARD`, "
        "net.bridge.bridge-nf-call-iptables)"
        if place[-1][1]
        else "look for a firewall there (`nft list ruleset`, `iptables -S`)"
    )
    return f"IP is dropped {where}, and no cable is to blame ({pairs} pairs): {advice}"

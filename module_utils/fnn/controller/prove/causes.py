# SPDX-License-Identifier: GPL-3.0-or-later
"""Locates a firewall that drops IP between two nodes whose cables are right, and a dead cable between switches or
between nodes that bridge.

For a user of the network, a firewall looks like a dead cable. Docker, for one, makes a machine drop the packets it
forwards, and bridged frames as well where br_netfilter is loaded. Two facts rule out the cable. The beacons of
verify are not IP and pass, so findings.json lists the cables as right; and frames arrive at a device that does not
pass them on. Example, k00 sends requests to k02 over red:

    evidence                           location of the filter    reason
    replies arrive at the NIC of k00   in k00                    only a filter behind the NIC can drop them
    they enter red, leave at no port   at red                    its ports are captured
    they leave red at the port of k02  in k02                    k02 receives them and sends no reply
    red is not captured                in k02 or at red          the evidence allows either

Where frames cross trunks or uplinks, this holds for each switch on their path. Example, red - root - blue:

    they enter root, leave red only    at root                   the ports of all switches are captured
    no switch is captured              in k02, at red, root or blue

Verify checks the cables of a tree while those between its switches are out. So if no node on one side of such a cable
reaches any on the other, the cable is the cause.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from typing import Any

from ...shared.errors import count
from ..verify.words import name_some
from .evidence import Evidence
from .trunks import Cut, find_owner

Pair = tuple[str, str]
#: Location of a filter: (node or switch, whether it is a switch); several entries when each is possible.
Place = tuple[tuple[str, bool], ...]


def find_causes(evidence: Evidence, silent: Collection[Pair]) -> list[dict[str, Any]]:
    """Dead cables, then places where IP is dropped, the most pairs first: {"kind", "at", "pairs", "says"}.

    silent: pairs whose first node has a route and gets no answer. Pairs without verified cables are left out, since a
    cable may be the cause.
    """
    places: dict[Place, int] = {}
    unexplained = set(silent)
    cut = list(evidence.paths.find_cut(evidence.nodes, unexplained))
    for each in cut:
        unexplained -= each.pairs
    for pair in (each for each in silent if each in unexplained):
        place = find_place(pair, evidence)
        if place:
            places[place] = places.get(place, 0) + 1
    return [
        *map(describe_cut, cut),
        *describe_filters(places),
    ]


def find_avoided(evidence: Evidence) -> list[dict[str, Any]]:
    """An entry for each NIC that fnn-linkd avoided during the proof, with which a problem is no fault of the wiring."""
    observers: dict[tuple[str, str], list[str]] = {}
    for node in evidence.nodes:
        for owner, switch in evidence.reach[node].get("avoided", []):
            observers.setdefault((owner, switch), []).append(node)
    return [
        {
            "kind": "avoided",
            "at": owner,
            "pairs": len(nodes),
            "says": (
                f"fnn-linkd avoided {owner} on {switch} while the proof ran (on {name_some(nodes)}), so frames took "
                f"other paths: run ./fnn prove again; if it says this again, see `fnn-linkd status` on {owner}"
            ),
        }
        for (owner, switch), nodes in sorted(observers.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    ]


def describe_cut(cut: Cut) -> dict[str, Any]:
    """The entry of a dead cable in the proof."""
    says = f"no frame passes between {' and '.join(cut.ends)}: check the cable between them and its ports"
    return {"kind": cut.kind, "at": None, "pairs": len(cut.pairs), "says": says}


def describe_filters(places: Mapping[Place, int]) -> list[dict[str, Any]]:
    """places: place -> number of pairs."""
    return [
        {
            "kind": "filter",
            "at": place[0][0] if len(place) == 1 else None,
            "pairs": pairs,
            "says": describe_filter(place, pairs),
        }
        for place, pairs in sorted(places.items(), key=lambda entry: (-entry[1], entry[0]))
    ]


def find_place(pair: Pair, evidence: Evidence) -> Place | None:
    sender, receiver = pair
    observation = evidence.reach[sender]["peers"][evidence.identities[receiver]]
    if observation["replies"]:
        return ((sender, False),)
    used = find_used(observation, evidence)
    if not all(leg in evidence.verified for leg in list_legs(pair, used, evidence)):
        return None
    if not used:
        return ((sender, False),) if evidence.verified else None
    if evidence.capture is None:
        switches = evidence.paths.list_switches(pair) or sorted(used)
        return ((receiver, False), *((switch, True) for switch in switches))
    for ends in (pair, (receiver, sender)):
        for switch in sorted(find_dropping_switches(ends, evidence, evidence.capture)):
            return ((switch, True),)
    return ((receiver, False),)


def list_legs(pair: Pair, used: Set[str], evidence: Evidence) -> list[Pair]:
    """(node, switch) of the cables that frames of a pair pass. used: the switches over which requests left."""
    homes = evidence.tree.homes if evidence.tree else {}
    return [(node, homes.get(node, switch)) for node in pair for switch in used]


def find_used(observation: Mapping[str, Any], evidence: Evidence) -> set[str]:
    """The switches over which requests left; empty if no request was seen."""
    return {evidence.nics[macs[0]][1] for macs in observation.get("requests", []) if macs[0] in evidence.nics}


def find_dropping_switches(pair: Pair, evidence: Evidence, capture: Mapping[str, Any]) -> Iterator[str]:
    """Switches on the path of a pair that received its frames and did not forward them.

    Others may receive frames that a switch floods.
    """
    for flow in evidence.find_flows(pair):
        entered, left = ({capture["ports"][port] for port in flow[side]} for side in ("in", "out"))
        first = {capture["ports"][port] for port in flow["in"] if find_owner(port) == pair[0]}
        yield from (entered - left) & (first | {*evidence.paths.list_switches(pair)})


def describe_filter(place: Place, pairs: int) -> str:
    where = " or ".join(f"at {name}" if is_switch else f"in {name}" for name, is_switch in place)
    advice = (
        "check the filters for bridged frames there (`nft list ruleset`, `iptables -S FORWARD`, "
        "net.bridge.bridge-nf-call-iptables)"
        if place[-1][1]
        else "check for a firewall there (`nft list ruleset`, `iptables -S`)"
    )
    return f"IP is dropped {where} and the cables are right ({count(pairs, 'pair')}): {advice}"

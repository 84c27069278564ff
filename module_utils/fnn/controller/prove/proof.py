# SPDX-License-Identifier: GPL-3.0-or-later
"""The proof that every ordered pair of nodes communicates over exactly one switch, without ARP, and that the MPIs run
over the fabric.

Only pairs of a node and a satellite use the uplink switch (over_uplink.py).

A sparse design (`coverage: patterns`) leaves pairs without a common switch; the proof ignores those. Where nodes are
joined by cables, other nodes forward between such pairs (forwarding.py).

Each ordered pair has two independent sources of evidence:

- the *sender* reports whether its peer answered, and with which MACs its frames left (node/reach/reach.py). A frame
  from a NIC on red to a NIC on red needs no other switch;
- a capture at the *switch ports*, where possible (the lab; a mirror port), reports where the frames went in and out.
  The pair uses one switch if its frames enter at the sender's port, leave at the receiver's port of the same switch,
  and appear at no other port, uplinks included.

Example. k00 and k01 share red and blue, k00 and k02 only red. Requests k00 to k02 with the MACs of (k00 red, k02
red) are right; (k00 blue, k02 red) means that the frame crossed the uplink, and is a problem of that pair.

An MPI may succeed over the management network, so each host also counts the octets that its fabric NICs send meanwhile.

The proof reports a check that could not run, and never counts it as passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...shared.errors import count
from ..plan.generation import split
from ..verify.words import name_some
from .causes import find_avoided, find_causes, find_used
from .evidence import Evidence
from .forwarding import ShortestPaths, find_wrong_hops
from .outside import OutsideHosts, count_allowed
from .over_uplink import find_detours, is_crossing, list_pairs

VERSION = 1


@dataclass
class _Tally:
    reached: int = 0
    one_switch: int = 0
    over_tree: int = 0
    across_uplinks: int = 0
    captured: int = 0
    crossing: int = 0
    forwarded: int = 0
    problems: list[str] = field(default_factory=list)
    silent: list[tuple[str, str]] = field(default_factory=list)


def make_proof(cluster: str, evidence: Evidence) -> dict[str, Any]:
    """The proof document (format "fnn-proof"); its verdict is "proved", "failed" or "incomplete"."""
    tally = _Tally()
    _compare_routing(evidence, tally)
    pairs = _check_pairs(evidence, tally)
    _compare_generations(evidence, tally)
    arp_at_nodes = _count_arp_at_nodes(evidence, tally)
    arp_at_ports = _count_arp_at_ports(evidence.capture, evidence.outside, tally)
    mpi = [_evaluate_mpi(run, evidence, tally) for run in evidence.mpi]
    causes = find_causes(evidence, tally.silent)
    causes += find_avoided(evidence) if tally.problems else []
    return {
        "format": "fnn-proof",
        "version": VERSION,
        "cluster": cluster,
        "verdict": _verdict(evidence, tally),
        "nodes": list(evidence.nodes),
        "missing": list(evidence.missing),
        "pairs": pairs,
        "arp": {"nodes": arp_at_nodes, "ports": arp_at_ports},
        "mpi": mpi,
        **({"egress": egress} if (egress := list_egress(evidence)) else {}),
        **({"owners": owners} if (owners := list_owners(evidence)) else {}),
        "causes": causes,
        "problems": [*(cause["says"] for cause in causes), *tally.problems],
    }


def _check_pairs(evidence: Evidence, tally: _Tally) -> dict[str, Any]:
    """Checks every ordered pair of the queried nodes; returns the key `pairs` of the proof."""
    ordered = [(one, other) for one in evidence.nodes for other in evidence.nodes if one != other]
    pairs = [pair for pair in ordered if pair not in evidence.apart and pair not in evidence.forwarded]
    for pair in pairs:
        _check_sender(pair, evidence, tally)
        if evidence.capture is not None:
            _check_switches(pair, evidence, evidence.capture, tally)
    crossings = [] if evidence.tree else list_pairs(evidence)
    for pair in crossings:
        _check_satellite(pair, evidence, tally)
    forwarded, paths = [pair for pair in ordered if pair in evidence.forwarded], ShortestPaths(evidence)
    for pair in forwarded:
        _check_forwarded(pair, evidence, tally, paths)
    return {
        "expected": len(pairs),
        "reached": tally.reached,
        "one_switch": tally.one_switch,
        "captured": tally.captured if evidence.capture is not None else None,
        **({"tree": _describe_tree(len(pairs), tally)} if evidence.tree else {}),
        **({"over_uplink": {"expected": len(crossings), "right": tally.crossing}} if crossings else {}),
        **({"forwarded": {"expected": len(forwarded), "right": tally.forwarded}} if forwarded else {}),
    }


def _describe_tree(expected: int, tally: _Tally) -> dict[str, int]:
    """across_uplinks: pairs whose frames cross a cable to the uplink switch, as they should."""
    return {"expected": expected, "right": tally.over_tree, "across_uplinks": tally.across_uplinks}


def list_egress(evidence: Evidence) -> list[dict[str, Any]]:
    """Nodes whose egress filters have dropped frames: [{"node", "dropped", "total", "senders"}]; not a problem.

    dropped: frames during the run; total: since the filters were set.
    """
    rows = [{"node": node, **evidence.reach[node].get("egress", {"total": 0})} for node in evidence.nodes]
    return [row for row in rows if row["total"]]


def describe_egress(row: Mapping[str, Any]) -> str:
    """One line for the operator."""
    frames = count(row["total"], "frame")
    senders = f"; possible senders: {', '.join(row['senders'])}" if row["senders"] else ""
    return (
        f"{row['node']}: the egress filters of its fabric NICs dropped {frames} of broadcast or multicast, "
        f"{row['dropped']} of them during this run{senders}"
    )


def list_owners(evidence: Evidence) -> list[dict[str, Any]]:
    """Nodes on which other programs own NICs: [{"node", "claims"}]; a problem of the next change, not of the proof."""
    rows = [{"node": node, "claims": evidence.reach[node].get("owners", [])} for node in evidence.nodes]
    return [row for row in rows if row["claims"]]


def _compare_routing(evidence: Evidence, tally: _Tally) -> None:
    """Report nodes that route over a tree although the plan has shared switches for them, and the reverse."""
    over_tree = [node for node in evidence.nodes if evidence.reach[node].get("tree")]
    others = [node for node in evidence.nodes if node not in over_tree]
    if evidence.tree and others:
        tally.problems.append(
            f"{', '.join(others)}: routes do not lead over the tree; run playbooks/network.yml with fnn_routing: tree"
        )
    if over_tree and not evidence.tree:
        tally.problems.append(
            f"{', '.join(over_tree)}: routes lead over the uplink switch as a tree; run playbooks/network.yml to "
            "return to shared switches, or prove it with fnn_routing: tree"
        )


def _compare_generations(evidence: Evidence, tally: _Tally) -> None:
    """Report nodes with a different plan as a problem: their peers reach them as before, not as designed."""
    nodes: dict[str, list[str]] = {}  # by generation
    for node in evidence.nodes:
        nodes.setdefault(evidence.reach[node].get("generation", ""), []).append(node)
    counts = {generation: _count(generation) for generation in nodes}
    latest = [generation for generation, count in counts.items() if count == max(counts.values())]
    outdated = sorted(node for generation in nodes.keys() - latest for node in nodes[generation])
    if outdated:
        tally.problems.append(f"older plan than that of other nodes: {', '.join(outdated)}; run playbooks/network.yml")
    if len(latest) > 1:
        plans = "; ".join(f"{generation} on {', '.join(nodes[generation])}" for generation in sorted(latest))
        tally.problems.append(f"different plans of the same number: {plans}; run playbooks/network.yml for all nodes")


def _count(generation: str) -> int:
    """The number of a generation; 0 for a node that reports none."""
    try:
        return split(generation)[0]
    except ValueError:
        return 0


def _verdict(evidence: Evidence, tally: _Tally) -> str:
    if tally.problems:
        return "failed"
    # An MPI cannot run where a sparse design leaves pairs without a common switch.
    untried = set() if evidence.apart else set(evidence.wanted) - {run["flavor"] for run in evidence.mpi}
    return "incomplete" if evidence.missing or len(evidence.nodes) < 2 or untried else "proved"


def _check_sender(pair: tuple[str, str], evidence: Evidence, tally: _Tally) -> None:
    sender, receiver = pair
    observation = evidence.reach[sender]["peers"].get(evidence.identities[receiver])
    if observation is None:
        tally.problems.append(f"{sender} has no route to {receiver}")
        return
    if not observation["reached"]:
        tally.problems.append(f"{sender} gets no answer from {receiver}")
        tally.silent.append(pair)
        return
    tally.reached += 1
    if not observation.get("full", True):
        tally.problems.append(_describe_small_mtu(pair, observation, evidence))
    tree = evidence.tree
    wrong = _find_wrong_requests(pair, observation["requests"], evidence)
    if wrong:
        shown = ", ".join(f"{_name(source, evidence)} to {_name(target, evidence)}" for source, target in wrong)
        why, path = _describe_avoided(pair, evidence), "the tree" if tree else "a single switch"
        tally.problems.append(f"{sender} does not send to {receiver} over {path}: {shown}{why}")
    elif detours := _find_detours(pair, observation["requests"], evidence):
        words = f"{' and '.join(detours)}, not over {evidence.planned[pair]} as planned"
        tally.problems.append(f"{sender} sends to {receiver} over {words}")
    elif observation["requests"]:
        tally.one_switch += not (tree and tree.crosses(pair))
        tally.over_tree += tree is not None
        tally.across_uplinks += bool(tree and tree.crosses(pair))
    else:
        tally.problems.append(f"{sender} reaches {receiver}, but no frame to it was seen on its fabric NICs")


def _find_wrong_requests(
    pair: tuple[str, str], requests: Sequence[Sequence[str]], evidence: Evidence
) -> Sequence[Sequence[str]]:
    """The pairs of MACs that are not on the path of the pair: one switch that it shares, or the tree."""
    if evidence.tree:
        return evidence.tree.find_wrong(pair, requests, evidence.nics)
    return [macs for macs in requests if _shared_switch(macs, pair, evidence) is None]


def _describe_avoided(pair: tuple[str, str], evidence: Evidence) -> str:
    """Why a pair does not use its common switch: fnn-linkd of the sender avoids a NIC of either node."""
    legs = [f"{node} on {switch}" for node, switch in evidence.reach[pair[0]].get("avoided", []) if node in pair]
    return f"; fnn-linkd on {pair[0]} avoids {' and '.join(legs)}" if legs else ""


def _describe_small_mtu(pair: tuple[str, str], observation: Mapping[str, Any], evidence: Evidence) -> str:
    """Describe a pair whose short packets pass and whose full-size packets do not; every MPI fails over it."""
    switches = sorted({switch for macs in observation["requests"] if (switch := _shared_switch(macs, pair, evidence))})
    over = f" over {' and '.join(switches)}" if switches else ""
    return (
        f"packets of full size do not pass between {pair[0]} and {pair[1]}{over}, short ones do: check the MTU of "
        "these ports and NICs; ./fnn verify names the cable"
    )


def _check_satellite(pair: tuple[str, str], evidence: Evidence, tally: _Tally) -> None:
    """Check one pair: it has an answer, over NICs on the path to the uplink switch, and no frame at other ports."""
    sender, receiver = pair
    observation = evidence.reach[sender]["peers"].get(evidence.identities[receiver])
    if observation is None or not observation["reached"]:
        what = "gets no answer from" if observation else "has no route to"
        tally.problems.append(f"{sender} {what} {receiver}")
        return
    problems = [
        f"{sender} does not send to {receiver} over the uplink: {detour}"
        for detour in find_detours(pair, observation["requests"], evidence)
    ]
    problems += [] if observation.get("full", True) else [_describe_small_mtu(pair, observation, evidence)]
    if evidence.capture is not None:
        flows = evidence.find_flows(pair)
        stray = [flow for flow in flows if not is_crossing(flow, pair, evidence.capture["ports"])]
        ports = sorted({port for flow in stray for port in (*flow["in"], *flow["out"])})
        problems += [f"frames from {sender} to {receiver} were seen on the ports {', '.join(ports)}"] if stray else []
        problems += [] if flows else [f"no frame from {sender} to {receiver} was captured on the switches"]
    tally.crossing += not problems
    tally.problems += problems


def _check_forwarded(pair: tuple[str, str], evidence: Evidence, tally: _Tally, paths: ShortestPaths) -> None:
    """Check one pair: it has an answer, and its frames take a shortest path over nodes that forward."""
    sender, receiver = pair
    observation = evidence.reach[sender]["peers"].get(evidence.identities[receiver])
    if observation is None or not observation["reached"]:
        what = "gets no answer from" if observation else "has no route to"
        tally.problems.append(f"{sender} {what} {receiver}")
        return
    problems = list(find_wrong_hops(pair, evidence, paths))
    problems += [] if observation.get("full", True) else [_describe_small_mtu(pair, observation, evidence)]
    tally.forwarded += not problems
    tally.problems += problems


def _find_detours(pair: tuple[str, str], requests: Sequence[Sequence[str]], evidence: Evidence) -> list[str]:
    """Switches that frames of a pair used although basic routing gives it another."""
    if pair not in evidence.planned:
        return []
    used = {switch for macs in requests if (switch := _shared_switch(macs, pair, evidence))}
    return sorted(used - {evidence.planned[pair]})


def _shared_switch(macs: Sequence[str], pair: tuple[str, str], evidence: Evidence) -> str | None:
    """The switch of source and destination MAC, if they are this pair's NICs on one switch."""
    (source, from_switch), (target, to_switch) = (evidence.nics.get(mac, ("", "")) for mac in macs)
    return from_switch if (source, target) == pair and from_switch == to_switch else None


def _name(mac: str, evidence: Evidence) -> str:
    return "-".join(evidence.nics[mac]) if mac in evidence.nics else mac


def _check_switches(pair: tuple[str, str], evidence: Evidence, capture: Mapping[str, Any], tally: _Tally) -> None:
    sender, receiver = pair
    flows = evidence.find_flows(pair)
    if not flows:
        tally.problems.append(f"no frame from {sender} to {receiver} was captured on the switches")
        return
    stray = [flow for flow in flows if not evidence.paths.is_path(flow, pair, capture["ports"])]
    if stray:
        ports = sorted({port for flow in stray for port in (*flow["in"], *flow["out"])})
        tally.problems.append(f"frames from {sender} to {receiver} were seen on the ports {', '.join(ports)}")
    else:
        tally.captured += 1


def _count_arp_at_nodes(evidence: Evidence, tally: _Tally) -> int:
    arp = {
        node: int(evidence.reach[node]["arp"]) - count_allowed(evidence.outside, evidence.reach[node].get("arps", []))
        for node in evidence.nodes
    }
    for node in evidence.nodes:
        if arp[node]:
            tally.problems.append(f"{node} saw {count(arp[node], 'ARP frame')} on its fabric NICs")
        if evidence.reach[node]["dropped"]:
            unread = count(evidence.reach[node]["dropped"], "frame")
            tally.problems.append(f"{node} could not read {unread}; its count of ARP frames is incomplete")
    return sum(arp.values())


def leave_out_arp(capture: Mapping[str, Any], switches: Collection[str]) -> dict[str, Any]:
    """The capture without ARP at the ports of these switches, as of a maintenance network, where ARP is usual.

    Flows are kept. Each such port is a switch of its own, so that no frame of the fabric may pass between two of them.
    """
    left_out = {port for port, switch in capture["ports"].items() if switch in switches}
    return {
        **capture,
        "ports": {port: port if port in left_out else switch for port, switch in capture["ports"].items()},
        "arp": {port: frames for port, frames in capture["arp"].items() if port not in left_out},
        "arps": [each for each in capture.get("arps", ()) if each["port"] not in left_out],
    }


def _count_arp_at_ports(capture: Mapping[str, Any] | None, outside: OutsideHosts | None, tally: _Tally) -> int | None:
    if capture is None:
        return None
    frames_at: dict[str, list[Mapping[str, Any]]] = {}
    for frame in capture.get("arps", []):
        frames_at.setdefault(frame["port"], []).append(frame)
    arp = {
        port: int(frames) - count_allowed(outside, frames_at.get(port, [])) for port, frames in capture["arp"].items()
    }
    tally.problems.extend(
        f"{count(frames, 'ARP frame')} on the switch port {port}" for port, frames in sorted(arp.items()) if frames
    )
    if capture["dropped"]:
        tally.problems.append(f"the capture lost {count(capture['dropped'], 'frame')} and is incomplete")
    return sum(arp.values())


def _evaluate_mpi(run: Mapping[str, Any], evidence: Evidence, tally: _Tally) -> dict[str, Any]:
    """`ok` when all ordered pairs of ranks carried a correct message over the fabric, and a rank ran on every node."""
    expected = run["ranks"] * (run["ranks"] - 1)
    elsewhere = _list_elsewhere(run)
    silent = [node for node in evidence.nodes if node not in run["hosts"] and node not in evidence.satellites]
    if run["error"]:
        lost = "; ".join(_describe_lost(one, other, evidence) for one, other in run.get("lost", []))
        tally.problems.append(f"{run['flavor']}: {run['error']}{lost and f'. Messages do not arrive: {lost}'}")
    elif silent:
        tally.problems.append(f"{run['flavor']}: no rank ran on {', '.join(silent)}")
    elif run["pairs"] != expected:
        tally.problems.append(f"{run['flavor']}: {run['pairs']} of {expected} pairs of ranks carried a correct message")
    elif elsewhere:
        tally.problems.append(
            f"{run['flavor']}: messages bypassed the fabric from {name_some(elsewhere)}; run "
            "playbooks/network.yml, which writes the MPI settings for the fabric"
        )
    right = not run["error"] and not silent and run["pairs"] == expected and not elsewhere
    return {**run, "expected": expected, "ok": right}


def _list_elsewhere(run: Mapping[str, Any]) -> list[str]:
    """Hosts whose fabric NICs sent fewer octets than their ranks' messages to other hosts; each with both numbers."""
    ranks = Counter(run["hosts"])
    sent: dict[str, int] = {}
    for host, octets in zip(run["hosts"], run["sent"], strict=True):
        sent[host] = max(octets, sent.get(host, 0))
    needed = {host: own * (run["ranks"] - own) * run["message"] for host, own in ranks.items()}
    return [
        f"{host} ({sent[host]} of {needed[host]} octets sent over it)" for host in ranks if sent[host] < needed[host]
    ]


def _describe_lost(one: str, other: str, evidence: Evidence) -> str:
    """`k00 to k02 over red`: the switch that requests of the reach test used, else those that the two share."""
    observation = evidence.reach.get(one, {}).get("peers", {}).get(evidence.identities.get(other, ""), {})
    used = find_used(observation, evidence)
    switches = [{switch for node, switch in evidence.nics.values() if node == name} for name in (one, other)]
    return f"{one} to {other} over {' or '.join(sorted(used or set.intersection(*switches))) or 'the uplink'}"

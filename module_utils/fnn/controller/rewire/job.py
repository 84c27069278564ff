# SPDX-License-Identifier: GPL-3.0-or-later
"""A rewiring as a document, rewire.json beside the inventory: its moves, its batches and its progress.

    planned ── begin ──► resting ── finish ──► planned, one batch further ── ... ──► done
                 the batch's cables        its cables are moved, verified,
                 are not used              in design.json, and used again

`design.json` always describes the cables as they are plugged, or will be when the current batch is verified. Every
other playbook therefore works during a rewiring. Going back is a rewiring to the start of this one.

From a ring, star, mesh or tree, the first batch makes `design.json` an incomplete flat neighborhood network, in which a
cable between nodes is a switch of two ports (between.py). Until the rewiring is complete, nodes forward for each other
if there were such cables, and pairs use the cables between switches until these are pulled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from ..segments import get_document, has_bridges, is_neighborhood_network
from ..spec.ports import count_ports
from .align import align_ends
from .batches import Batch, count_trunk_ports, make_batches, order_walk
from .between import Between, End, find_peer, list_between, read_between, write_between
from .connections import Site, Trunk
from .match import match_switches
from .moves import Move, find_kept, find_moves, list_plugged, list_slots
from .purchases import Handled, list_purchases
from .wiring import find_spec, list_trunks_in, read_trunks

Document = Mapping[str, Any]
Pair = tuple[str, str]

#: Person-minutes per cable: KASY0's rewiring took three people about five hours for its 384 cables.
MINUTES_PER_CABLE = 2.3
#: Most pairs that the document names per batch; it counts all.
SHOWN_PAIRS = 20


@dataclass(frozen=True)
class _Extra:
    """Parts of a rewiring that flat neighborhood networks do not have.

    between: cables between nodes. kept: each of them that keeps one of its ends -> that end. pulled, plugged: trunks
    that leave and come. lasting: trunks that stay.
    """

    between: Between
    kept: Mapping[str, End]
    pulled: list[Trunk]
    plugged: list[Trunk]
    lasting: list[Trunk]


def plan_job(
    old: Document,
    new: Document,
    size: int,
    wanted: Iterable[Pair] | None = None,
    former: Document | None = None,
) -> dict[str, Any]:
    """The rewire.json that leads from the standing design to another.

    size: cables per batch. wanted: the pairs that must share a switch by either design; None: all. former: an earlier
    rewiring, of which the standing design is a state. Raises FnnError when one design is no rewiring of the other.
    """
    check_together(old, new)
    between = {**read_between(former), **list_between(old), **list_between(new)}
    _check_names(between, new)
    played_by = match_switches(old, new)
    moves = find_moves(old, new, played_by, between)
    if between and is_neighborhood_network(new["spec"]):
        moves = align_ends(moves, between, list_slots(new["spec"]))
    extra = _find_extra(old, new, between, moves, former)
    site = make_site(old, new["spec"], wanted, extra)
    batches = list(_write_batches(site, list_plugged(old), moves, size, extra))
    if extra.plugged:
        batches.append({**_write_batch(site, Batch([]), {}, extra), "trunks": "plug"})
    return {
        "format": "fnn-rewire",
        "version": 1,
        "cluster": new["cluster"],
        "start": dict(get_document(old)),
        "goal": get_document(new)["spec"],
        "roles": {role: box for role, box in played_by.items() if role != box},
        "cables": _count_cables(new),
        "moves": len(moves),
        "minutes": round(MINUTES_PER_CABLE * (len(moves) + len(extra.pulled) + len(extra.plugged))),
        "batches": batches,
        "done": 0,
        "resting": False,
        **list_purchases(old["spec"], new["spec"], between, _list_handled(moves, extra)),
        **({} if is_neighborhood_network(new["spec"]) else {"end": dict(get_document(new))}),
        **({"between": write_between(between)} if between else {}),
        **({"trunks": _write_trunks(extra.pulled)} if extra.pulled else {}),
        **({"lasting": _write_trunks(extra.lasting)} if extra.lasting else {}),
    }


def check_together(old: Document, new: Document) -> None:
    """Raises FnnError unless both are designs of one cluster whose nodes do not bridge, the new one of all pairs."""
    if old["cluster"] != new["cluster"]:
        raise problem("/cluster", f"{new['cluster']} is not {old['cluster']}, the cluster of the present design")
    if new["verdict"] != "found":
        raise problem("/verdict", "not a design that covers every pair; rewire only to one that does")
    for which, design in (("present", old), ("new", new)):
        if has_bridges(design["spec"]):
            text = f"the {which} design is one whose nodes bridge, and between batches nodes have to route"
            raise problem(
                "/spec/mode", f"{text}; set fnn_mode: routed and fnn_redesign: true first, which moves no cable"
            )
    if not {node["name"] for node in old["nodes"]} & {node["name"] for node in new["nodes"]}:
        text = f"no node of the present design is in it, such as {old['nodes'][0]['name']}; rewire keeps a cluster"
        raise problem("/nodes", text)


def _check_names(between: Between, new: Document) -> None:
    """Raises FnnError for switches of the new design with the name of a cable between nodes."""
    switches = enumerate(get_document(new)["spec"]["switches"])
    wrong = [(index, each["name"]) for index, each in switches if each["name"] in between]
    if wrong:
        text = "is the name of a cable between nodes of the present design; choose another name"
        raise FnnError(Problem(f"/spec/switches/{index}/name", f'"{name}" {text}') for index, name in wrong)


def _find_extra(old: Document, new: Document, between: Between, moves: list[Move], former: Document | None) -> _Extra:
    before = read_trunks(old["spec"].get("trunks", ()))
    if former is not None:
        before += list_trunks_in(former, former["done"])
    after = read_trunks(new["spec"].get("trunks", ()))
    return _Extra(
        between,
        find_kept(moves, between),
        pulled=[each for each in before if each not in after],
        plugged=[each for each in after if each not in before],
        lasting=[each for each in before if each in after],
    )


def make_site(old: Document, goal: Document, wanted: Iterable[Pair] | None, extra: _Extra | None = None) -> Site:
    """goal: the new spec."""
    extra = extra or _Extra({}, {}, [], [], [])
    racks = {node["name"]: node["rack"] for node in goal["nodes"] if node["rack"]}
    taken = count_trunk_ports(extra.lasting)
    room = {
        each["name"]: count_ports(each) - each["reserved"] - taken[each["name"]]
        for each in find_spec(old, goal, [*extra.pulled, *extra.lasting])["switches"]
    }
    return Site(
        [node["name"] for node in goal["nodes"]],
        racks,
        room,
        None if wanted is None else frozenset(wanted),
        between=extra.between,
        trunks=extra.pulled,
        lasting=extra.lasting,
        grows=old["spec"].get("topology", "fnn") != "fnn" or bool(extra.between or extra.pulled),
    )


def _write_batches(
    site: Site, plugged: Mapping[str, Mapping[int, str]], moves: list[Move], size: int, extra: _Extra
) -> Iterator[dict[str, Any]]:
    free = Counter(site.room)
    free.subtract(switch for nics in plugged.values() for switch in nics.values())
    trunk_ports = count_trunk_ports(site.trunks)
    free.subtract(trunk_ports)
    for batch in make_batches(site, {node: dict(nics) for node, nics in plugged.items()}, moves, size):
        if batch.pulls_trunks:
            free.update(trunk_ports)
        yield {**_write_batch(site, batch, free, extra), **({"trunks": "pull"} if batch.pulls_trunks else {})}
        free.update(move.source for move in batch.moves if move.source)
        free.subtract(move.target for move in batch.moves if move.target)


def _write_batch(site: Site, batch: Batch, free: Mapping[str, int], extra: _Extra) -> dict[str, Any]:
    return {
        "moves": [
            {
                "node": move.node,
                "nic": move.nic,
                "from": move.source,
                "to": move.target,
                "rack": site.racks.get(move.node),
                "hold": held,
                **_describe_cable(move, extra),
            }
            for move, held in order_walk(site, batch.moves, free)
        ],
        "apart": len(batch.apart),
        "apart_after": batch.after,
        "pairs": [list(pair) for pair in batch.apart[:SHOWN_PAIRS]],
        "cut_off": batch.cut_off,
    }


def _describe_cable(move: Move, extra: _Extra) -> dict[str, Any]:
    """{"cable", "peer"} where the NIC has a cable to another node before or after the move.

    cable: "kept" in this NIC, its other plug moves; "peer": in the NIC of the peer, its other plug leaves this NIC or
    comes to it; "new"; "removed"; "none", if the peer is asked to place or remove the cable of both.
    """
    name = move.source if move.source in extra.between else move.target
    peer = find_peer(extra.between, name, move.end)
    if name is None or peer is None:
        return {}
    return {"cable": _classify(name, move, extra), "peer": {"node": peer[0], "nic": peer[1]}}


def _classify(name: str, move: Move, extra: _Extra) -> str:
    keeper = extra.kept.get(name)
    if keeper == move.end:
        return "kept"
    if name == move.source and move.target is not None:
        return "new"
    if keeper is not None:
        return "peer"
    if move.end == extra.between[name][1]:
        return "none"
    return "new" if name == move.target else "removed"


def _list_handled(moves: list[Move], extra: _Extra) -> Handled:
    new, removed = [], []
    for move in moves:
        cable = _describe_cable(move, extra).get("cable")
        to_switch, from_switch = move.target is not None, move.source is not None
        if cable == "new" or (cable is None and not from_switch):
            new.append(move.end)
        if cable == "removed" or (cable is None and not to_switch) or (cable == "peer" and to_switch and from_switch):
            removed.append(move.end)
    trunks = [*extra.pulled, *((one, other, -cables) for one, other, cables in extra.plugged)]
    return Handled(new, removed, trunks)


def _count_cables(design: Document) -> int:
    """The cables of a design to nodes; one between nodes counts once."""
    ends = sum(len(node["links"]) for node in design["nodes"])
    return ends - len(list_between(design))


def _write_trunks(trunks: Iterable[Trunk]) -> list[dict[str, Any]]:
    return [{"a": one, "b": other, "count": cables} for one, other, cables in trunks]

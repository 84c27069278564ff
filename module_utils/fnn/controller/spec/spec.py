# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the spec, the parts list of the cluster, from inventory variables, and normalizes it (controller only).

The inventory has cluster-wide variables (`fnn_switches`) and one set per node (`fnn_nics`). This file turns them into
one document, checks it, and writes out every default. So later stages need no defaults, and the digest of a spec
changes exactly when its meaning does.

The designer also reads specs, even without Ansible. It has the same checks with the same messages and the same normal
form; tests/unit/controller/spec/test_spec.py and tests/errors compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem, count, in_document_order
from ..documents import Documents
from ..schema import format_value
from .patterns import normalize_patterns
from .pins import count_ports, find_wrong_pins

#: Parts of the spec that one cluster-wide variable gives, `fnn_<part>`.
CLUSTER_PARTS = (
    "cluster",
    "topology",
    "switches",
    "uplink",
    "coverage",
    "redundancy",
    "patterns",
    "goals",
    "racks",
    "pinned",
    "mtu",
    "prices",
)
#: Parts of a node that a variable of its host gives, `fnn_<part>`.
NODE_PARTS = ("nics", "rack", "spare")

_PLAIN_SPEED_MBPS = 1000
_PLAIN_MEDIA = "rj45"
_LARGEST_EXACT = 2**53


def build_spec(variables: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The spec as the inventory gives it, unchecked and without defaults.

    variables: the cluster-wide parts by name without the prefix; None means not given.
    nodes: {"name", "nics", "rack", "spare"} in rank order, as `describe_nodes` returns them.
    """
    spec = {part: variables[part] for part in CLUSTER_PARTS if variables.get(part) is not None}
    return {"format": "fnn-spec", "version": 1, "topology": "fnn", "nodes": list(nodes), **spec}


def describe_nodes(names: Iterable[str], hostvars: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The nodes of a spec, in the order of `names`, from the variables of their hosts."""
    return [
        {
            "name": name,
            **{part: hostvars[name][f"fnn_{part}"] for part in NODE_PARTS if f"fnn_{part}" in hostvars[name]},
        }
        for name in names
    ]


def load_spec(spec: Mapping[str, Any], documents: Documents, directory: Path | None = None) -> dict[str, Any]:
    """The normal form of `spec`. Raises FnnError with all its problems.

    directory: of the files that `spec` names; without one, files are refused.

    Contradictions between parts are only checked once the document fits its schema.
    """
    documents.check(spec, "fnn-spec")
    normal = normalise(spec)
    problems = in_document_order([*find_contradictions(normal), *normalize_patterns(normal, directory)])
    if problems:
        raise FnnError(problems)
    result: dict[str, Any] = _with_integers(normal)
    return result


def normalise(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A valid spec with every optional part written out and every whole number an integer.

    Racks and pins are left out when there are none, as in all documents older than these keys.
    """
    spec = _with_integers(spec)
    uplink = spec.get("uplink")
    normal = {
        "format": "fnn-spec",
        "version": 1,
        "cluster": spec["cluster"],
        "topology": spec["topology"],
        "nodes": [_normalise_node(node) for node in spec["nodes"]],
        "switches": [_normalise_switch(switch, uplink is not None) for switch in spec["switches"]],
        "uplink": None if uplink is None else {"spares": [], "hosts": [], **uplink},
        "coverage": spec.get("coverage", "all"),
        "redundancy": spec.get("redundancy", 1),
        "patterns": [_normalise_pattern(pattern) for pattern in spec.get("patterns", [])],
        "goals": {goal: value for goal, value in spec.get("goals", {}).items() if value},
        "mtu": spec.get("mtu"),
        "prices": spec.get("prices", {}),
    }
    return normal | {part: spec[part] for part in ("racks", "pinned") if spec.get(part)}


def find_contradictions(spec: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of a normalised spec that no schema can detect: repeated names, too few ports, unknown references."""
    yield from _find_repeated(_list_names(spec))
    for index in range(len(spec["nodes"])):
        yield from _find_repeated(_list_nic_names(spec, index))
    for index, switch in enumerate(spec["switches"]):
        ports = count_ports(switch)
        if switch["reserved"] > ports:
            reserved = count(switch["reserved"], "port")
            yield Problem(f"/switches/{index}/reserved", f"{reserved} reserved, but the switch has only {ports}")
    if spec["uplink"] is not None:
        yield from _find_small_uplink(spec)
    if "racks" in spec:
        yield from _find_unknown_racks(spec)
    yield from find_wrong_pins(spec)
    if spec["coverage"] == "patterns" and not spec["patterns"]:
        yield Problem("/coverage", '"patterns", but there are no patterns')


def name_sources(error: FnnError, spec: Mapping[str, Any]) -> FnnError:
    """The same problems of an unchecked spec, each with the inventory variable to correct."""
    return FnnError(Problem(each.at, f"{each.message} ({_name_source(each.at, spec)})") for each in error.problems)


def _name_source(at: str, spec: Mapping[str, Any]) -> str:
    """The inventory variable behind a pointer: "fnn_nics of k02", "fnn_switches"."""
    parts = at.split("/")[1:]
    if parts[0] != "nodes":
        return f"fnn_{parts[0]}"
    if len(parts) == 1:
        return "the hosts of group fnn_nodes"
    host = spec["nodes"][int(parts[1])]["name"]
    return f"fnn_{parts[2]} of {host}" if parts[2] in NODE_PARTS else f"host {host}"


def _find_small_uplink(spec: Mapping[str, Any]) -> Iterator[Problem]:
    uplink = spec["uplink"]
    switches = sum(switch["reserved"] > 0 for switch in spec["switches"])
    spares, hosts = len(uplink["spares"]), len(uplink["hosts"])
    if switches + spares + hosts > uplink["ports"]:
        needs = f"{count(switches, 'switch')}, {count(spares, 'spare')} and {count(hosts, 'host')}"
        yield Problem("/uplink/ports", f"{count(uplink['ports'], 'port')}, but {needs} need one each")


def _find_unknown_racks(spec: Mapping[str, Any]) -> Iterator[Problem]:
    racks = [(f"/racks/{index}/name", f"/racks/{index}", rack["name"]) for index, rack in enumerate(spec["racks"])]
    yield from _find_repeated(racks)
    known = {name for _, _, name in racks}
    for part in ("nodes", "switches"):
        for index, each in enumerate(spec[part]):
            if each["rack"] is not None and each["rack"] not in known:
                yield Problem(f"/{part}/{index}/rack", f"{format_value(each['rack'])} is not the name of a rack")


def _find_repeated(names: Iterable[tuple[str, str, str]]) -> Iterator[Problem]:
    """names: (pointer to the name, pointer to its owner, name)."""
    first: dict[str, str] = {}
    for at, owner, name in names:
        if name in first:
            yield Problem(at, f"{format_value(name)} is already the name of {first[name]}")
        first.setdefault(name, owner)


def _list_nic_names(spec: Mapping[str, Any], index: int) -> Iterator[tuple[str, str, str]]:
    for nic, each in enumerate(spec["nodes"][index]["nics"]):
        if each["name"] is not None:
            owner = f"/nodes/{index}/nics/{nic}"
            yield f"{owner}/name", owner, each["name"]


def _list_names(spec: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Nodes, switches, the uplink and the machines on it share one namespace."""
    for part in ("nodes", "switches"):
        for index, each in enumerate(spec[part]):
            yield f"/{part}/{index}/name", f"/{part}/{index}", each["name"]
    if spec["uplink"] is not None:
        yield "/uplink/name", "/uplink", spec["uplink"]["name"]
        for part in ("spares", "hosts"):
            for index, name in enumerate(spec["uplink"][part]):
                yield f"/uplink/{part}/{index}", f"/uplink/{part}/{index}", name


def _normalise_pattern(pattern: Mapping[str, Any]) -> dict[str, Any]:
    defaults = {"weight": 1, "reach": "nearest"} if pattern["kind"] == "torus" else {"weight": 1}
    return defaults | dict(pattern)


def _normalise_node(node: Mapping[str, Any]) -> dict[str, Any]:
    nics = node["nics"]
    if isinstance(nics, int):
        nics = [{"speed_mbps": _PLAIN_SPEED_MBPS, "media": _PLAIN_MEDIA}] * nics
    return {
        "name": node["name"],
        "nics": [{"name": None, **nic} for nic in nics],
        "rack": node.get("rack"),
        "spare": node.get("spare", False),
    }


def _normalise_switch(switch: Mapping[str, Any], with_uplink: bool) -> dict[str, Any]:
    ports = switch["ports"]
    if isinstance(ports, int):
        ports = [{"count": ports, "speed_mbps": _PLAIN_SPEED_MBPS, "media": _PLAIN_MEDIA}]
    return {
        "name": switch["name"],
        "color": switch.get("color", switch["name"]),
        "ports": ports,
        "reserved": switch.get("reserved", int(with_uplink)),
        "price": switch.get("price"),
        "rack": switch.get("rack"),
        "internal_gbps": switch.get("internal_gbps"),
    }


def _with_integers(value: Any) -> Any:
    """The same value, with 2.0 as 2: JSON does not distinguish them, so they must have the same digest."""
    if isinstance(value, Mapping):
        return {key: _with_integers(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_integers(each) for each in value]
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value)
    return value

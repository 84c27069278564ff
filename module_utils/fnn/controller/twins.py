# SPDX-License-Identifier: GPL-3.0-or-later
"""Twins: two network devices of one plug, each with a MAC and about half of the rate (controller only).

    fnn_nics: [{name: enp1s0f0np0, twin: enP2p1s0f0np0, speed_mbps: 200000, media: qsfp56}]

Design, labels, verify and moves see one NIC with one cable. Addresses, neighbors, routes and fnn-linkd see two. A
kernel cannot use two devices with addresses in one subnet, so the second devices are on switches of their own there:

    k0  NICs 0 and 1 on red and blue    becomes    k0  NICs 0 to 3 on red, blue, red-b and blue-b

Their frames pass the same port of the same switch. Where nodes bridge, the second devices stay unused: two ports of a
bridge on one cable would close a loop.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .segments import get_document, has_bridges

Document = Mapping[str, Any]
#: The longest name of a switch in a document, without "-b".
_LONGEST = 13


def split_twins(design: Document, macs: Document) -> tuple[Document, Document]:
    """Design and MACs with a NIC for each second device; unchanged without any. The results are no documents.

    design: with segments as switches (join_segments). A switch for second devices has the name of the other as `first`.
    """
    seconds = name_seconds(design)
    if not seconds:
        return design, macs
    spec = design["spec"]
    numbers = {node["name"]: len(node["nics"]) for node in spec["nodes"]}
    links = {node["name"]: list(_list_links(node, own, seconds)) for node, own in zip(design["nodes"], spec["nodes"])}
    switches = [
        {**each, "name": seconds[each["name"]], "reserved": 0, "first": each["name"]}
        for each in spec["switches"]
        if each["name"] in seconds
    ]
    members = [
        {"name": second, "nodes": [name for name, own in links.items() if second in {each["switch"] for each in own}]}
        for second in seconds.values()
    ]
    split = {
        **design,
        "nodes": [{**node, "links": [*node["links"], *links[node["name"]]]} for node in design["nodes"]],
        "switches": [*design["switches"], *members],
        "spec": {**spec, "switches": [*spec["switches"], *switches]},
        "document": get_document(design),
    }
    nodes = [
        {
            **node,
            "nics": [
                *node["nics"],
                *(
                    {**nic["twin"], "nic": numbers.get(node["name"], 0) + nic["nic"]}
                    for nic in node["nics"]
                    if "twin" in nic
                ),
            ],
        }
        for node in macs["nodes"]
    ]
    return split, {**macs, "nodes": nodes}


def name_seconds(design: Document) -> dict[str, str]:
    """Switch -> the switch of its second devices, of the switches with any, in the order of the design."""
    spec = design["spec"]
    names = [each["name"] for each in spec["switches"]]
    has_twins = any("twin" in nic for node in spec["nodes"] for nic in node["nics"])
    if not has_twins or has_bridges(spec) or any("first" in each for each in spec["switches"]):
        return {}
    wanted = {
        link["switch"]
        for node, own in zip(design["nodes"], spec["nodes"])
        for link in node["links"]
        if "twin" in own["nics"][link["nic"]]
    }
    seconds: dict[str, str] = {}
    for name in names:
        if name in wanted:
            taken = {*names, *seconds.values()}
            candidates = (f"{name[:_LONGEST]}-{letter}" for letter in string.ascii_lowercase[1:])
            seconds[name] = next(each for each in candidates if each not in taken)
    return seconds


def find_firsts(design: Document) -> dict[str, str]:
    """The switch of second devices -> the switch of the first ones. design: of split_twins, or any other."""
    return {each["name"]: each["first"] for each in design["spec"]["switches"] if "first" in each}


def rest_seconds(design: Document, resting: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The NICs that stay unused, [{"node", "nic"}], with the second devices of their plugs."""
    numbers = {node["name"]: len(node["nics"]) for node in design["spec"]["nodes"]}
    also = [{**each, "nic": numbers[each["node"]] + each["nic"]} for each in resting if each["node"] in numbers]
    return [*resting, *also]


def share_mtus(macs: Document, mtus: Mapping[str, int]) -> dict[str, int]:
    """MAC -> MTU, with that of each first device for the second. macs: the document."""
    nics = [nic for node in macs["nodes"] for nic in node["nics"] if "twin" in nic and nic["mac"] in mtus]
    return {**mtus, **{nic["twin"]["mac"]: mtus[nic["mac"]] for nic in nics}}


def list_second_macs(macs: Document) -> set[str]:
    """The MACs of all second devices, which are heard on the ports of the first ones. macs: the document."""
    return {nic["twin"]["mac"] for node in macs["nodes"] for nic in node["nics"] if "twin" in nic}


def find_second(
    nic: Mapping[str, Any], before: Mapping[str, Any] | None, links: Iterable[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """The second device of a NIC among the links of its node: by its MAC, or else by its name in the spec.

    nic: of the spec. before: its entry in macs.json.
    """
    links = list(links)
    mac = (before or {}).get("twin", {}).get("mac")
    by_mac = [link for link in links if link["mac"] == mac]
    by_name = [link for link in links if nic["twin"] in (link["device"], *link.get("altnames", ()))]
    return next(iter([*by_mac, *by_name]), None)


def pair_devices(links: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """First device -> second device of the plugs with two, as the drivers report them; by place on the PCI bus."""
    by_port: dict[str, list[Mapping[str, Any]]] = {}
    for link in links:
        if link.get("port") and not link.get("reserved"):
            by_port.setdefault(link["port"], []).append(link)
    pairs = [sorted(each, key=lambda link: (link["pci"] or "", link["device"])) for each in by_port.values()]
    return {pair[0]["device"]: pair[1]["device"] for pair in pairs if len(pair) == 2}


def _list_links(node: Document, own: Document, seconds: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The links of the second devices of a node. own: the node in the spec."""
    for link in node["links"]:
        if "twin" in own["nics"][link["nic"]]:
            yield {**link, "nic": len(own["nics"]) + link["nic"], "switch": seconds[link["switch"]]}

# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/plan/gateway.py and its effect on the plan of the six PCs; the files are in tests/golden/gateway."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.plan.render import check_views
from ansible.module_utils.fnn.controller.plan.views import Plan
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with

Document = dict[str, Any]
NODES = [f"k0{rank}" for rank in range(6)]
GATEWAY: Document = {"fnn_gateway": "k00", "fnn_gateway_interface": "eno1", "fnn_gateway_dns": ["9.9.9.9"]}
FACTS: Document = {
    "default_route": {"k00": "eno1", "k02": "mg0", **dict.fromkeys(("k01", "k03", "k04"), "")},
    "networks": {"k00": [{"device": "eno1", "address": "192.0.2.7/24"}, {"device": "mg0", "address": "10.79.0.1/16"}]},
}


def plan(design: Document, macs: Document, **variables: Any) -> Plan:
    return plan_with(design, macs, FACTS, **{**GATEWAY, **variables})


def find_default(made: Plan, name: str) -> list[Document]:
    return [route for route in made.views[name]["routes"] if route["to"] == "default"]


def complain(design: Document, macs: Document, facts: Document = FACTS, inputs: Any = None, **more: Any) -> list[str]:
    with pytest.raises(FnnError) as caught:
        plan_with(design, macs, facts, inputs, **{**GATEWAY, **more})
    return str(caught.value).splitlines()


def test_nodes_without_another_default_route_have_one_over_the_gateway(
    design: Document, macs: Document, documents: Documents
) -> None:
    made = plan(design, macs)
    check_views(made, documents)
    assert [name for name in NODES if find_default(made, name)] == ["k01", "k03", "k04"]
    for name in ("k01", "k03", "k04"):
        routes = made.views[name]["routes"]
        assert routes[-1]["to"] == "default", "fnn-linkd takes the address of a peer from its first route"
        assert routes[-1]["via"] == next(route["via"] for route in routes if route["node"] == "k00")


def test_nodes_behind_the_gateway_ask_it_for_names(design: Document, macs: Document) -> None:
    dns = {name: view["dns"] for name, view in plan(design, macs).views.items()}
    assert dns == {name: ["10.78.0.1"] if name in ("k01", "k03", "k04") else [] for name in NODES}


def test_an_alternative_name_of_the_interface_stands_for_its_name(design: Document, macs: Document) -> None:
    networks = {"k00": [{"device": "eno1", "altnames": ["enp0s31f6"], "address": "192.0.2.7/24"}]}
    variables = {**GATEWAY, "fnn_gateway_interface": "enp0s31f6"}
    made = plan_with(design, macs, {**FACTS, "networks": networks}, **variables)
    assert made.views["k00"]["gateway"]["interface"] == "eno1"


def test_only_the_gateway_has_its_files(design: Document, macs: Document) -> None:
    views = plan(design, macs).views
    assert [name for name in NODES if "gateway" in views[name]] == ["k00"]
    assert views["k00"]["gateway"] == {"interface": "eno1", "dns": ["9.9.9.9"]}


def test_without_a_gateway_nothing_changes(design: Document, macs: Document) -> None:
    off = plan_with(design, macs, FACTS, fnn_gateway_interface="eno1", fnn_gateway_dns=["9.9.9.9"])
    assert off.views == plan_with(design, macs).views


def test_a_node_that_was_never_read_keeps_its_routes(design: Document, macs: Document) -> None:
    assert not find_default(plan(design, macs), "k05")


def test_all_problems_are_reported_at_once(design: Document, macs: Document) -> None:
    assert complain(
        design, macs,
        fnn_gateway="k9", fnn_gateway_interface="", fnn_gateway_dns=["one", "9.9.9.9"], fnn_addressing="unnumbered",
        fnn_outside_prefix="192.168.7.0/24",
    ) == [
        'fnn_gateway: "k9" is no node of fnn_nodes, there are: k00, k01, k02, k03, k04, k05',
        "fnn_gateway: needs fnn_addressing: subnets, as its next hops are addresses of NICs",
        "fnn_gateway: excludes fnn_outside_prefix, by which every node is outside by itself",
        "fnn_gateway_interface: missing; fnn_gateway needs the interface of k9 to the outside",
        'fnn_gateway_dns: "one" is not an IPv4 address',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("interface", "problem"),
    [
        ("a device", '"a device" is no device name (up to 15 letters, without space, / or ")'),
        ("eno2", "k00 has no IPv4 address on eno2; it has some on eno1, mg0"),
    ],
)
def test_an_unsuitable_interface_is_refused(design: Document, macs: Document, interface: str, problem: str) -> None:
    assert complain(design, macs, fnn_gateway_interface=interface) == [f"fnn_gateway_interface: {problem}"]


def test_a_nic_of_the_fabric_is_no_interface_to_the_outside(design: Document, macs: Document) -> None:
    nic = macs["nodes"][0]["nics"][0]["name"]
    problems = complain(design, macs, {"default_route": {}}, fnn_gateway_interface=nic)
    assert problems == [f"fnn_gateway_interface: {nic} of k00 is a NIC of the fabric"]


@pytest.mark.parametrize(("topology", "mode"), [("ring", "stp"), ("ring", "bonded"), ("star", "bridged")])
def test_nodes_that_bridge_are_refused(design: Document, macs: Document, topology: str, mode: str) -> None:
    design["spec"] |= {"topology": topology, "mode": mode}
    assert complain(design, macs) == [
        "fnn_gateway: needs nodes that route, as in fnn, switch, tree, mesh, or a routed ring or star; this is a "
        f"{mode} {topology}"
    ]


def test_a_node_without_a_path_to_the_gateway_is_named(design: Document, macs: Document) -> None:
    only_green = next(each for each in design["nodes"] if each["name"] == "k04")
    only_green["links"] = [link for link in only_green["links"] if link["switch"] == "green"]
    first = next(each for each in design["nodes"] if each["name"] == "k00")
    first["links"] = [link for link in first["links"] if link["switch"] != "green"]
    assert complain(design, macs) == ["fnn_gateway: k04: no path to k00"]
    resting = {"resting": [{"node": "k05", "nic": 0}]}
    assert not find_default(plan_with(design, macs, FACTS, resting, **GATEWAY), "k04"), "a rewiring goes on"


def test_a_gateway_with_a_stand_in_is_refused(root: Any, documents: Documents) -> None:
    design, macs = (
        documents.read(root / f"tests/golden/satellites/{each}.json", f"fnn-{each}") for each in ("design", "macs")
    )
    problems = complain(design, macs, {}, {"stand_ins": [{"node": "k00", "spare": "hot1"}]})
    assert problems == ["fnn_gateway: hot1 stands in for k00; name a node that runs, or none"]

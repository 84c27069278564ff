# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/layout.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.lab.layout import Layout, make_layout
from ansible.module_utils.fnn.lab.wiring import Device, complete, move
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import make_settings


def test_everything_is_named_after_the_design(layout: Layout) -> None:
    assert layout.namespaces() == ["lbt-sw", "lbt-mg", "lbt-k00", "lbt-k01", "lbt-k02"]
    assert layout.bridges() == ["red", "blue", "green", "uplink"]
    first = layout.cables[0]
    assert (first.label, first.device, first.port, first.switch) == ("k00:0", "nic0", "k00.0", "red")
    assert [(each.port, each.far) for each in layout.uplinks] == [
        ("red.up", "up.red"), ("blue.up", "up.blue"), ("green.up", "up.green"),
    ]  # fmt: skip


def test_a_mac_contains_rank_and_nic(layout: Layout) -> None:
    assert [cable.mac for cable in layout.cables if cable.node == "k02"] == [
        "02:f0:00:00:02:00", "02:f0:00:00:02:01", "02:f0:00:00:02:02",
    ]  # fmt: skip


def test_a_nic_without_a_link_has_a_cable_that_goes_nowhere(layout: Layout) -> None:
    assert layout.cables[-1].switch is None


def test_addresses_are_rank_plus_one_and_ours_is_the_last(layout: Layout) -> None:
    assert [str(node.address) for node in layout.nodes] == ["10.79.0.1/16", "10.79.0.2/16", "10.79.0.3/16"]
    assert str(layout.gateway) == "10.79.255.254/16"


def test_an_address_of_ones_own_goes_before_the_rank(design: dict[str, Any]) -> None:
    layout = make_layout(
        design, "lbt", make_settings(fnn_management_prefix="10.79.0.0/24", fnn_management_address={"k01": "10.79.0.77"})
    )
    assert str(layout.nodes[1].address) == "10.79.0.77/24"


def test_a_name_in_the_spec_is_the_device_name(design: dict[str, Any]) -> None:
    design["spec"]["nodes"][0]["nics"][1]["name"] = "fabric1"
    assert make_layout(design, "lbt", make_settings()).cables[1].device == "fabric1"


def test_the_second_device_of_a_plug_is_beside_the_first_and_moves_with_it(design: dict[str, Any]) -> None:
    design["spec"]["nodes"][0]["nics"][1].update(name="nic1", twin="nic1b")
    layout = make_layout(design, "lbt", make_settings())
    numbers = range(len(design["spec"]["nodes"][0]["nics"]))
    own = [(each.label, each.device, each.port, each.switch) for each in layout.cables if each.node == "k00"]
    assert own[len(numbers) :] == [(f"k00:{len(numbers) + 1}", "nic1b", "k00.1b", own[1][3])]
    found = {"lbt-sw": {name: Device(name, True, at) for _, _, name, at in own}}
    moved = move(layout, found, "k00:1", "green").lines["lbt-sw"]
    assert [line.split()[3] for line in moved if "master green" in line] == ["k00.1", "k00.1b"]


def test_a_cluster_without_uplink_has_no_uplink_cables(design: dict[str, Any]) -> None:
    design["spec"]["uplink"] = None
    layout = make_layout(design, "lbt", make_settings())
    assert (layout.bridges(), layout.uplinks) == (["red", "blue", "green"], ())


def test_a_satellite_is_a_node_with_one_cable_into_the_uplink_switch(design: dict[str, Any]) -> None:
    design["spec"]["uplink"].update(hosts=["tape", "head"], spares=["hot1"])
    layout = make_layout(design, "lbt", make_settings(), ["hot1", "head"])
    assert [(node.name, str(node.address)) for node in layout.nodes[3:]] == [
        ("head", "10.79.0.4/16"), ("hot1", "10.79.0.5/16"),
    ]  # fmt: skip
    cables = [(each.label, each.device, each.mac, each.port, each.switch) for each in layout.cables[-2:]]
    assert cables == [
        ("head:0", "nic0", "02:f0:00:00:03:00", "head.0", "uplink"),
        ("hot1:0", "nic0", "02:f0:00:00:04:00", "hot1.0", "uplink"),
    ]


def rename(design: dict[str, Any], old: str, new: str) -> None:
    """Renames a node or switch everywhere in a design."""
    for part in (*design["nodes"], *design["switches"], *design["spec"]["nodes"], *design["spec"]["switches"]):
        if part["name"] == old:
            part["name"] = new


def test_all_names_that_are_too_long_are_reported_at_once(design: dict[str, Any]) -> None:
    rename(design, "k01", "workstation-07")  # 14 characters and ".0", ".1", ".mg"
    rename(design, "green", "chartreuse-two")  # 14 characters and ".up" on either side
    with pytest.raises(FnnError) as error:
        make_layout(design, "lbt", make_settings())
    assert [str(problem) for problem in error.value.problems] == [
        f"{at}: the lab would call a device {device}, {len(device)} characters; the kernel allows 15"
        for at, device in [
            ("cable workstation-07:0", "workstation-07.0"),
            ("cable workstation-07:1", "workstation-07.1"),
            ("uplink of chartreuse-two", "chartreuse-two.up"),
            ("uplink of chartreuse-two", "up.chartreuse-two"),
            ("node workstation-07", "workstation-07.mg"),
        ]
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("k00", "sw", "node sw: the lab reserves the namespace lbt-sw"),
        ("red", "lo", "switch lo: the kernel reserves the device name lo"),
        ("red", "up", "uplink of up: another device of lbt-sw is called up.up too"),
    ],
)
def test_a_name_that_the_lab_or_the_kernel_uses_is_refused(
    design: dict[str, Any], old: str, new: str, message: str
) -> None:
    rename(design, old, new)
    with pytest.raises(FnnError) as error:
        make_layout(design, "lbt", make_settings())
    assert message in [str(problem) for problem in error.value.problems]


@pytest.mark.parametrize("lab", ["", "Lab", "two-words", "averylongname", "1st"])
def test_a_lab_name_that_could_be_mistaken_is_refused(design: dict[str, Any], lab: str) -> None:
    with pytest.raises(FnnError, match="is not 1 to 8 letters and digits, a letter first"):
        make_layout(design, lab, make_settings())


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        ("10.79.0.0/30", "10.79.0.0/30 holds 4 addresses, but the lab needs 6 of them"),
        ("10.79.0.1/16", r"10.79.0.1/16 is not an IPv4 prefix \(.*host bits set\)"),
    ],
)
def test_a_management_prefix_that_does_not_fit_is_refused(design: dict[str, Any], prefix: str, message: str) -> None:
    with pytest.raises(FnnError, match=f"^fnn_management_prefix: {message}$"):
        make_layout(design, "lbt", make_settings(fnn_management_prefix=prefix))


@pytest.mark.parametrize("address", ["192.0.2.1", "10.79.255.254"])
def test_a_management_address_that_is_no_nodes_is_refused(design: dict[str, Any], address: str) -> None:
    with pytest.raises(FnnError, match=f"^fnn_management_address: {address} of k01 is not one for nodes in"):
        make_layout(design, "lbt", make_settings(fnn_management_address={"k01": address}))


OUTSIDE: dict[str, Any] = {
    "fnn_access": "nic",
    "fnn_outside_prefix": "192.168.7.0/24",
    "fnn_outside_gateway": "192.168.7.254",
}


def test_without_a_management_network_there_is_a_router(design: dict[str, Any]) -> None:
    layout = make_layout(design, "lbt", make_settings(**OUTSIDE))
    assert layout.namespaces() == ["lbt-sw", "lbt-mg", "lbt-router", "lbt-k00", "lbt-k01", "lbt-k02"]
    assert layout.router is not None
    assert (str(layout.router.lan), str(layout.router.wan)) == ("192.168.7.254/24", "10.79.255.253/16")
    assert [(str(node.address), node.device) for node in layout.nodes] == [
        ("192.168.7.1/24", "nic0"), ("192.168.7.2/24", "nic0"), ("192.168.7.3/24", "nic0"),
    ]  # fmt: skip


def test_settings_that_the_plan_refuses_make_no_lab(design: dict[str, Any]) -> None:
    with pytest.raises(FnnError, match="fnn_outside_prefix: missing"):
        make_layout(design, "lbt", make_settings(fnn_access="nic"))
    design["spec"]["uplink"] = None
    with pytest.raises(FnnError, match="fnn_uplink: missing"):
        make_layout(design, "lbt", make_settings(**OUTSIDE))


def test_an_address_outside_besides_changes_nothing_in_a_lab(design: dict[str, Any], layout: Layout) -> None:
    settings = make_settings(**{**OUTSIDE, "fnn_access": "management"})
    assert make_layout(design, "lbt", settings) == layout


def test_switches_of_a_tree_are_joined_by_cables(root: Path) -> None:
    layout = make_layout(read_json(root / "inventory/two-switches/design.json"), "lbt", make_settings())
    assert (layout.bridges(), [each.label for each in layout.uplinks]) == (["red", "blue"], ["red:blue"])
    lines = complete(layout, {}).lines["lbt-sw"]
    assert [line for line in lines if "red.blue" in line or "blue.red" in line] == [
        "link add name red.blue mtu 9216 type veth peer name blue.red mtu 9216",
        "link set dev red.blue master red up",
        "link set dev blue.red master blue up",
    ]


def test_a_maintenance_network_has_bridges_and_a_cable_after_the_nics_of_each_node(root: Path) -> None:
    site = root / "inventory/two-networks"
    design, own = (read_json(site / f"{name}.json") for name in ("design", "maintenance-design"))
    layout = make_layout(design, "lbt", make_settings(), maintenance=own)
    assert layout.switches == ("red", "blue", "green", "grey", "white")
    cables = [cable for cable in layout.cables if cable.device == "nicm"]
    assert [(cable.label, cable.port, cable.switch) for cable in cables[2:4]] == [
        ("k02:2", "k02.2", "grey"),
        ("k03:2", "k03.2", "white"),
    ]
    assert cables[3].mac == "02:f0:00:00:03:02"
    assert [uplink.label for uplink in layout.uplinks] == ["grey:white"]
    assert len(make_layout(design, "lbt", make_settings()).cables) == 12


@pytest.mark.parametrize("name", ["one-switch", "two-switches", "mesh", "ring", "ring-stp", "star", "star-bridged"])
def test_a_maintenance_network_is_beside_every_topology(root: Path, documents: Documents, name: str) -> None:
    design = documents.read(root / "inventory" / name / "design.json", "fnn-design")
    nodes = [node["name"] for node in design["nodes"]]
    own = {
        "nodes": [{"name": node, "links": [{"nic": 0, "switch": "grey"}]} for node in nodes],
        "spec": {"nodes": [{"nics": [{"name": "nicm"}]} for _ in nodes], "switches": [{"name": "grey"}]},
    }
    alone, both = (make_layout(design, "lbt", make_settings(), maintenance=each) for each in (None, own))
    assert both.cables[: len(alone.cables)] == alone.cables
    added = both.cables[len(alone.cables) :]
    assert [(cable.node, cable.device, cable.switch) for cable in added] == [(node, "nicm", "grey") for node in nodes]
    assert both.switches == (*alone.switches, "grey")
    assert len({cable.port for cable in both.cables}) == len(both.cables)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of nodes that bridge: one NIC per node, the upper device, and one segment for all cables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.plan.render import list_unmanaged
from ansible.module_utils.fnn.controller.plan.upper_devices import plan_upper_devices
from test_cables import plan


def read(root: Path, site: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A design, and MACs for all its NICs."""
    design = Documents(root / "schemas").read(root / "inventory" / site / "design.json", "fnn-design")
    nodes = [
        {
            "name": node["name"],
            "nics": [{"nic": nic, "name": f"nic{nic}", "mac": f"02:f0:00:00:{rank:02x}:{nic:02x}"} for nic in range(3)],
        }
        for rank, node in enumerate(design["nodes"])
    ]
    return design, {"nodes": nodes}


def test_each_node_of_a_ring_with_spanning_tree_is_a_bridge_with_one_address(root: Path) -> None:
    views = plan(root, "ring-stp").views
    assert views["k1"]["upper"] == {
        "device": "fnn-bridge",
        "kind": "bridge",
        "mac": "0e:f0:00:00:01:00",
        "priority": 8192,
        "nics": [
            {"nic": 0, "device": "nic0", "mac": "02:f0:00:00:01:00"},
            {"nic": 1, "device": "nic1", "mac": "02:f0:00:00:01:01"},
        ],
    }
    (link,) = views["k1"]["links"]
    assert (link["device"], link["mac"], link["switch"], link["address"]) == (
        *("fnn-bridge", "0e:f0:00:00:01:00", "ring"),
        "10.77.0.2",
    )
    assert [each["mac"] for each in views["k1"]["neighbors"]] == [f"0e:f0:00:00:0{rank}:00" for rank in (0, 2, 3)]
    assert "forwards" not in views["k1"]


def test_only_the_center_of_a_star_is_a_bridge(root: Path) -> None:
    made = plan(root, "star-bridged")
    assert [name for name, view in made.views.items() if "upper" in view] == ["k0"]
    assert made.views["k0"]["upper"]["priority"] is None
    assert [each["mac"] for each in made.views["k1"]["neighbors"]] == [
        *("0e:f0:00:00:00:00", "02:f0:00:00:02:00", "02:f0:00:00:03:00")
    ]


def test_the_last_node_of_a_bonded_ring_has_a_bond(root: Path) -> None:
    views = plan(root, "ring-bonded").views
    assert [view["upper"]["kind"] for view in views.values()] == ["bridge", "bridge", "bridge", "bond"]
    assert {view["upper"]["priority"] for view in views.values()} == {None}


def test_no_node_has_a_second_path_for_fnn_linkd(root: Path) -> None:
    assert plan(root, "ring-stp", fnn_linkd=True).cluster["linkd"] is None
    assert plan(root, "ring", fnn_linkd=True).cluster["linkd"] is not None


def test_network_managers_leave_the_bridge_and_its_ports_alone(root: Path) -> None:
    unmanaged = list_unmanaged(plan(root, "ring-stp").views["k0"])
    assert unmanaged["nics"] == ["02:f0:00:00:00:00", "02:f0:00:00:00:01"]
    assert unmanaged["macs"] == [*unmanaged["nics"], "0e:f0:00:00:00:00"]
    assert unmanaged["devices"] == ["fnn0*", "fnn-bridge"]


def test_a_nic_whose_mac_is_unknown_is_no_port_yet(root: Path) -> None:
    design, macs = read(root, "ring-stp")
    del macs["nodes"][1]["nics"][0]
    (port,) = plan_upper_devices(design, macs)["k1"].nics
    assert port["nic"] == 1
    del macs["nodes"][1]["nics"][0]
    assert "k1" not in plan_upper_devices(design, macs)


def test_the_bridge_keeps_the_smallest_mtu_of_its_ports(root: Path) -> None:
    kept = {"02:f0:00:00:01:00": 1500, "02:f0:00:00:01:01": 4000, "02:f0:00:00:02:01": 4000}
    views = plan(root, "ring-stp", inputs={"kept_mtus": kept}).views
    assert [view["links"][0]["mtu"] for view in views.values()] == [1500, 1500, 4000, 1500]


@pytest.mark.parametrize("site", ["ring", "mesh", "one-switch", "two-switches"])
def test_other_networks_have_no_upper_device(root: Path, site: str) -> None:
    assert plan_upper_devices(*read(root, site)) == {}

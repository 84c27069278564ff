# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/wiring.py where nodes are joined by cables: a ring, beside it a maintenance network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.lab.faults import inject
from ansible.module_utils.fnn.lab.layout import Layout, make_layout
from ansible.module_utils.fnn.lab.state import LabState
from ansible.module_utils.fnn.lab.wiring import PULLED, complete, plug, pull, swap
from plan_settings import make_settings
from whole_lab import make_whole


@pytest.fixture
def layout(root: Path, documents: Documents) -> Layout:
    design = documents.read(root / "inventory/ring/design.json", "fnn-design")
    # Each node has one NIC in grey, but for k3, which is alone in white.
    maintenance: dict[str, Any] = {
        "nodes": [
            {"name": f"k{rank}", "links": [{"nic": 0, "switch": "white" if rank == 3 else "grey"}]} for rank in range(4)
        ],
        "spec": {
            "nodes": [{"name": f"k{rank}", "nics": [{"name": "nicm"}]} for rank in range(4)],
            "switches": [{"name": "grey"}, {"name": "white"}],
            "trunks": [{"a": "grey", "b": "white", "count": 1}],
        },
    }
    return make_layout(design, "lbt", make_settings(), maintenance=maintenance)


def test_a_bridge_that_stands_for_a_cable_learns_nothing_and_passes_beacons(layout: Layout) -> None:
    lines = complete(layout, {}).lines["lbt-sw"]
    made = {line.split()[3]: line.partition("mcast_snooping 0")[2] for line in lines if "type bridge" in line}
    assert {made[f"cable{number}"] for number in range(4)} == {" ageing_time 0 group_fwd_mask 16384"}
    assert {made[name] for name in ("grey", "white")} == {""}


def test_a_port_has_carrier_if_both_ends_of_its_cable_are_plugged_in(layout: Layout) -> None:
    found = make_whole(layout)
    assert not complete(layout, found).lines
    assert pull(layout, found, ["k1:0"]).lines["lbt-sw"] == [
        "link set dev k0.1 master cable0 down",
        "link set dev k1.0 down nomaster",
        'link set dev k1.0 alias "pulled"',
    ]
    ports = found["lbt-sw"]
    ports["k0.1"] = replace(ports["k0.1"], up=False)
    ports["k1.0"] = replace(ports["k1.0"], up=False, master=None, alias=PULLED)
    assert not complete(layout, found).lines
    assert plug(layout, found, ["k1:0"]).lines["lbt-sw"] == [
        "link set dev k0.1 master cable0 up",
        "link set dev k1.0 master cable0 up",
        'link set dev k1.0 alias ""',
    ]


def test_swapped_plugs_lose_their_carrier_and_get_it_again(layout: Layout) -> None:
    assert swap(layout, make_whole(layout), "k2:0", "k3:0").lines["lbt-sw"] == [
        "link set dev k2.0 down",
        "link set dev k2.0 master cable2 up",
        "link set dev k3.0 down",
        "link set dev k3.0 master cable1 up",
    ]


def test_a_switch_of_the_maintenance_network_with_one_cable_gives_carrier(layout: Layout) -> None:
    assert "link set dev k3.2 master white up" in complete(layout, {}).lines["lbt-sw"]


# --- Faults ---


def test_a_flapping_cable_loses_its_carrier_at_both_ends(layout: Layout) -> None:
    *marks, loop = inject(LabState(layout, make_whole(layout)), "flapping", ["k1:0"]).commands()
    assert marks == [f'ip -n lbt-sw link set dev {port} alias "flapping"' for port in ("k1.0", "k0.1")]
    assert "ip link set dev k1.0 down; ip link set dev k0.1 down; sleep" in loop


def test_a_nic_in_the_house_lan_takes_the_carrier_from_the_other_end(layout: Layout) -> None:
    lines = inject(LabState(layout, make_whole(layout)), "foreign-network", ["k1:0"]).lines["lbt-sw"]
    plugged = ["link set dev k1.0 down", "link set dev k1.0 master house up"]
    assert lines[-3:] == ["link set dev k0.1 master cable0 down", *plugged]

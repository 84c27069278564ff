# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/maintenance.py, on the golden six PCs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.plan.maintenance import find_maintenance_nics
from ansible.module_utils.fnn.controller.plan.render import Renderer, check_views, list_unmanaged
from ansible.module_utils.fnn.controller.plan.views import Plan
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import make_settings, plan_with, read_case

NODES = [f"k0{rank}" for rank in range(6)]
MACS = {
    "nodes": [
        {"name": node, "nics": [{"nic": 0, "name": "eno1", "mac": f"02:f2:00:00:0{rank}:00"}]}
        for rank, node in enumerate(NODES)
    ]
}


def arrive(device: str, address: str, rests_on: tuple[str, ...] = ()) -> dict[str, Any]:
    mac = "02:f2:00:00:00:00" if device == "eno1" else "02:0c:00:00:00:01"
    return {"device": device, "mac": mac, "address": address, "rests_on": [*rests_on], "access": False}


def plan(root: Path, documents: Documents, facts: dict[str, Any] | None = None, **variables: Any) -> Plan:
    case = root / "tests/golden/six"
    design, macs = (documents.read(case / f"{name}.json", f"fnn-{name}") for name in ("design", "macs"))
    nics = find_maintenance_nics(MACS, make_settings(facts, **variables), {})
    return plan_with(design, macs, facts, {"maintenance": nics}, **variables)


def name_addresses(made: Plan) -> dict[str, str]:
    return {name: host["address"] for host in made.cluster["hosts"] for name in host["names"] if "maintenance" in name}


def test_every_nic_gets_the_address_of_its_rank_and_a_name(root: Path, documents: Documents) -> None:
    made = plan(root, documents)
    check_views(made, documents)
    own = {"device": "eno1", "mac": "02:f2:00:00:03:00", "address": "10.80.0.4", "length": 16}
    assert made.views["k03"]["maintenance"] == own
    assert name_addresses(made) == {f"{node}-maintenance": f"10.80.0.{rank + 1}" for rank, node in enumerate(NODES)}


def test_the_node_gets_a_line_and_no_manager_touches_the_nic(root: Path, documents: Documents) -> None:
    made = plan(root, documents)
    files = {str(each.path): each.content.decode() for each in Renderer(root).render(made)}
    assert "\nmaintenance 02:f2:00:00:01:00 10.80.0.2/16\n" in files["nodes/k01/etc/fnn/node"]
    assert "02:f2:00:00:01:00" in list_unmanaged(made.views["k01"])["macs"]


def test_mpi_routes_and_neighbors_never_use_the_network(root: Path, documents: Documents) -> None:
    made, without = plan(root, documents), plan_without(root, documents)
    for part in ("links", "neighbors", "routes", "prefixes"):
        assert [view[part] for view in made.views.values()] == [view[part] for view in without.views.values()]
    assert made.cluster["mpi"] == without.cluster["mpi"]
    assert made.cluster["linkd"] == without.cluster["linkd"]


def plan_without(root: Path, documents: Documents) -> Plan:
    case = root / "tests/golden/six"
    return plan_with(*(documents.read(case / f"{name}.json", f"fnn-{name}") for name in ("design", "macs")))


@pytest.mark.parametrize(
    "arrival",
    [arrive("eno1", "192.168.1.11"), arrive("br0", "192.168.1.11", ("eno1",))],
    ids=["on the NIC", "on a bridge over it"],
)
def test_a_nic_over_which_ansible_arrives_is_left_alone(root: Path, documents: Documents, arrival: Any) -> None:
    facts = {"arrived_on": dict.fromkeys(NODES) | {"k00": arrival}}
    made = plan(root, documents, facts)
    check_views(made, documents)
    assert made.views["k00"]["maintenance"]["length"] is None
    assert name_addresses(made)["k00-maintenance"] == "192.168.1.11"
    files = {str(each.path): each.content.decode() for each in Renderer(root).render(made)}
    assert "maintenance" not in files["nodes/k00/etc/fnn/node"]
    assert (
        list_unmanaged(made.views["k00"])["macs"] == list_unmanaged(plan_without(root, documents).views["k00"])["macs"]
    )


def test_ansible_may_arrive_at_the_planned_address(root: Path, documents: Documents) -> None:
    facts = {"arrived_on": {"k00": arrive("eno1", "10.80.0.1")}, "ansible_host": {"k00": "10.80.0.1"}}
    made = plan(root, documents, facts)
    assert made.views["k00"]["maintenance"]["length"] == 16


def test_the_nic_of_a_node_that_did_not_answer_keeps_its_address() -> None:
    recalled = {"k02": {"kept": "192.168.1.13"}}
    found = find_maintenance_nics(MACS, make_settings({"arrived_on": {"k00": None}}), recalled)
    assert [found[node]["kept"] for node in ("k00", "k01", "k02")] == [None, None, "192.168.1.13"]


def test_the_former_address_of_the_nic_conflicts_with_no_prefix(root: Path, documents: Documents) -> None:
    networks = {"k01": [{"device": "eno1", "address": "10.77.0.9/24"}]}
    assert plan(root, documents, {"networks": networks}).views["k01"]["maintenance"]["address"] == "10.80.0.2"


def test_prefixes_that_do_not_fit_are_refused(root: Path, documents: Documents) -> None:
    for prefix, message in (
        ("10.77.0.0/16", "fnn_maintenance_prefix: 10.77.0.0/16 overlaps fnn_prefix 10.77.0.0/16"),
        ("10.80.0.0/30", "fnn_maintenance_prefix: 10.80.0.0/30 holds 2 nodes, but the cluster has 6"),
        ("10.80.0.1/16", "fnn_maintenance_prefix: "),
    ):
        with pytest.raises(FnnError, match=f"^{message}"):
            plan(root, documents, fnn_maintenance_prefix=prefix)


def test_an_address_that_ansible_uses_elsewhere_is_refused(root: Path, documents: Documents) -> None:
    facts = {"ansible_host": {"k04": "10.80.0.2"}, "arrived_on": {"k04": arrive("eth9", "10.80.0.2")}}
    with pytest.raises(FnnError, match=r"10\.80\.0\.0/16 covers the management address 10\.80\.0\.2"):
        plan(root, documents, facts)


def test_a_planned_address_that_another_nic_keeps_is_refused(root: Path, documents: Documents) -> None:
    facts = {"arrived_on": {"k00": arrive("eno1", "10.80.0.3")}, "ansible_host": {"k00": "10.80.0.3"}}
    with pytest.raises(FnnError, match=r"^fnn_maintenance_prefix: 10\.80\.0\.3 of k02 is already"):
        plan(root, documents, facts)


@pytest.mark.parametrize("case", ["six", "tree", "ring", "unnumbered"])
def test_it_is_beside_every_kind_of_fabric(root: Path, documents: Documents, case: str) -> None:
    settings = read_case(root / "tests/golden" / case)
    source = root / "tests/golden" / settings.get("documents", case)
    design, macs = (documents.read(source / f"{name}.json", f"fnn-{name}") for name in ("design", "macs"))
    own = {**MACS, "nodes": [{**node, "name": each["name"]} for node, each in zip(MACS["nodes"], design["nodes"])]}
    inputs = {**settings["inputs"], "maintenance": find_maintenance_nics(own, make_settings(), {})}
    made = plan_with(design, macs, settings["facts"], inputs, **settings["variables"])
    check_views(made, documents)
    addresses = [view["maintenance"]["address"] for view in made.views.values()]
    assert addresses == [f"10.80.0.{rank + 1}" for rank in range(len(design["nodes"]))]
    assert all("10.80." not in route["to"] for view in made.views.values() for route in view["routes"])


def test_without_a_maintenance_network_its_prefix_is_not_used(root: Path, documents: Documents) -> None:
    case = root / "tests/golden/six"
    read = (documents.read(case / f"{name}.json", f"fnn-{name}") for name in ("design", "macs"))
    assert "maintenance" not in plan_with(*read, fnn_maintenance_prefix="nonsense").views["k00"]


def test_the_interface_of_a_gateway_to_the_outside_is_another(root: Path, documents: Documents) -> None:
    with pytest.raises(FnnError, match="eno1 is the NIC of k00 in the maintenance network; the outside"):
        plan(root, documents, fnn_gateway="k00", fnn_gateway_interface="eno1", fnn_gateway_dns=["9.9.9.9"])

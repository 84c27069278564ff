# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/twins.py: the six PCs, with plugs of two devices in k00 to k03.

The six PCs: k00, k01 on red and blue, k02, k03 on red and green, k04, k05 on blue and green.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.legs import list_legs
from ansible.module_utils.fnn.controller.discover.bind import replace_nic
from ansible.module_utils.fnn.controller.discover.discovery import Discovery, discover
from ansible.module_utils.fnn.controller.documents import Documents, check_macs, read_json
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling
from ansible.module_utils.fnn.controller.plan.render import Renderer
from ansible.module_utils.fnn.controller.plan.upper_devices import join_nics
from ansible.module_utils.fnn.controller.plan.weights import Weights
from ansible.module_utils.fnn.controller.segments import show_cables
from ansible.module_utils.fnn.controller.verify.half_plugs import find_half_plugs
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.shared.errors import FnnError
from node_root import write_node_root
from plan_settings import plan_with
from wirings import Cluster

Document = dict[str, Any]
WITH_TWINS = ("k00", "k01", "k02", "k03")


def name_second(nic: int) -> str:
    return f"nic{nic}b"


@pytest.fixture
def design(root: Path) -> Document:
    document: Document = read_json(root / "tests/golden/six/design.json")
    for node in document["spec"]["nodes"]:
        for index, nic in enumerate(node["nics"]):
            nic["name"] = f"nic{index}"
            nic.update({"twin": name_second(index)} if node["name"] in WITH_TWINS else {})
    return document


@pytest.fixture
def macs(root: Path) -> Document:
    document: Document = read_json(root / "tests/golden/six/macs.json")
    for node in document["nodes"]:
        for nic in node["nics"] if node["name"] in WITH_TWINS else ():
            nic["twin"] = {"name": name_second(nic["nic"]), "mac": give_mac(nic["mac"]), "permanent": False}
    return document


def give_mac(mac: str) -> str:
    """The MAC of the second device of a plug. mac: of the first."""
    return mac.replace("02:f0", "06:f0")


# --- Plan ---


def test_each_second_device_has_an_address_in_a_subnet_of_its_own(design: Document, macs: Document) -> None:
    links = plan_with(design, macs).views["k00"]["links"]
    assert [(link["nic"], link["device"], link["switch"], link["address"]) for link in links] == [
        (0, "nic0", "red", "10.77.0.1"),
        (1, "nic1", "blue", "10.77.1.1"),
        (2, "nic0b", "red-b", "10.77.3.1"),
        (3, "nic1b", "blue-b", "10.77.4.1"),
    ]
    assert links[2]["color"] == links[0]["color"], "one cable"


def test_a_pair_uses_both_devices_of_the_plugs_that_it_shares(design: Document, macs: Document) -> None:
    routes = {each["node"]: each["via"] for each in plan_with(design, macs).views["k00"]["routes"]}
    assert [via["switch"] for via in routes["k02"]] == ["red", "red-b"]
    assert [via["switch"] for via in routes["k04"]] == ["blue"], "k04 has no twins"


def test_second_devices_have_neighbors_and_names(design: Document, macs: Document) -> None:
    plan = plan_with(design, macs)
    neighbors = [each for each in plan.views["k00"]["neighbors"] if each["switch"] == "red-b"]
    assert [(each["node"], each["mac"][:5]) for each in neighbors] == [
        (name, "06:f0") for name in ("k01", "k02", "k03")
    ]
    assert {"address": "10.77.3.1", "names": ["k00-red-b"]} in plan.cluster["hosts"]


def test_linkd_watches_second_devices_as_nics(design: Document, macs: Document) -> None:
    nodes = plan_with(design, macs, fnn_linkd=True).cluster["linkd"]["nodes"]
    assert [nic["switch"] for nic in nodes[0]["nics"]] == ["red", "blue", "red-b", "blue-b"]
    assert [nic["switch"] for nic in nodes[4]["nics"]] == ["blue", "green"]


def test_the_view_is_a_document(design: Document, macs: Document, documents: Documents) -> None:
    plan = plan_with(design, macs, fnn_linkd=True)
    documents.check(plan.views["k00"], "fnn-view")
    documents.check(plan.cluster, "fnn-cluster")


def test_a_node_reads_second_devices_from_its_files(
    design: Document, macs: Document, root: Path, tmp_path: Path
) -> None:
    write_node_root(list(Renderer(root).render(plan_with(design, macs))), "k00", tmp_path)
    plan = read_plan(tmp_path / "etc/fnn", tmp_path / "etc/sysctl.d/90-fnn.conf")
    assert [(link.switch, link.mac[:5]) for link in plan.links] == [
        ("red", "02:f0"), ("blue", "02:f0"), ("red-b", "06:f0"), ("blue-b", "06:f0"),
    ]  # fmt: skip
    assert [leg.switch for leg in plan.routes[1].legs] == ["red", "red-b"]


def test_an_unknown_second_device_leaves_the_first_alone(design: Document, macs: Document) -> None:
    del macs["nodes"][0]["nics"][0]["twin"]
    assert [link["device"] for link in plan_with(design, macs).views["k00"]["links"]] == ["nic0", "nic1", "nic1b"]


def test_both_devices_of_a_plug_rest_while_its_cable_moves(design: Document, macs: Document) -> None:
    view = plan_with(design, macs, inputs={"resting": [{"node": "k00", "nic": 0}]}).views["k00"]
    assert [link["device"] for link in view["links"]] == ["nic1", "nic1b"]
    assert len(view["resting"]) == 2


def test_both_devices_of_a_plug_keep_their_mtu(design: Document, macs: Document) -> None:
    mac = macs["nodes"][0]["nics"][0]["mac"]
    links = plan_with(design, macs, inputs={"kept_mtus": {mac: 1400}}).views["k00"]["links"]
    assert [link["mtu"] for link in links] == [1400, 1500, 1400, 1500]


def test_the_name_of_another_switch_is_not_taken(design: Document, macs: Document) -> None:
    blue = {"old": "blue", "new": "red-b"}
    for each in (*design["switches"], *design["spec"]["switches"]):
        each["name"] = blue["new"] if each["name"] == blue["old"] else each["name"]
    for node in design["nodes"]:
        for link in node["links"]:
            link["switch"] = blue["new"] if link["switch"] == blue["old"] else link["switch"]
    switches = [each["name"] for each in join_nics(design, macs)[0]["switches"]]
    assert switches == ["red", "red-b", "green", "red-c", "red-b-b", "green-b"]


def test_weights_are_divided_over_both_devices_of_a_plug(design: Document, macs: Document) -> None:
    split = join_nics(design, macs)[0]
    weights = {"weights": [{"code": "0", "weights": [1, 3]}], "rows": {"k00": ".0====", "k04": "=====0"}}
    assert Weights(weights, split).find("k00")["k01"] == {"red": 1, "blue": 3, "red-b": 1, "blue-b": 3}
    assert Weights(weights, split).find("k04")["k05"] == {"blue": 1, "green": 3}


def test_a_design_without_twins_stays_as_it_is(root: Path) -> None:
    design, macs = (read_json(root / f"tests/golden/six/{name}.json") for name in ("design", "macs"))
    assert join_nics(design, macs) == (design, macs)


def test_both_devices_of_a_plug_are_legs_of_half_its_speed(design: Document, macs: Document) -> None:
    legs = [leg for of_segment in list_legs(design, macs).values() for leg in of_segment if leg.node == "k00"]
    assert [(leg.nic, leg.device, leg.segment, leg.switch, leg.mbps) for leg in legs] == [
        (0, "nic0", "red", "red", 500),
        (1, "nic1", "blue", "blue", 500),
        (2, "nic0b", "red-b", "red", 500),
        (3, "nic1b", "blue-b", "blue", 500),
    ]


# --- Labels, verify ---


def test_a_plug_of_two_devices_has_one_cable(design: Document) -> None:
    assert [str(cable.near) for cable in make_cabling(design).cables if cable.near.device == "k00"] == [
        "k00:nic0",
        "k00:nic1",
    ]


def test_the_macs_of_both_devices_are_expected_on_one_port(design: Document) -> None:
    cluster = Cluster(design)
    observed = cluster.observe()
    for node in cluster.macs["nodes"]:
        for nic in node["nics"]:
            nic["twin"] = {"name": name_second(nic["nic"]), "mac": give_mac(nic["mac"]), "permanent": False}
    for answer in observed.values():
        own = [each["mac"] for each in answer["links"]]
        for each in answer["heard"]:
            each["hears"] += [give_mac(mac) for mac in (*each["hears"], each["mac"])]
            each["strangers"] = [{"kind": "mac", "mac": give_mac(mac), "detail": ""} for mac in own]
    verification = cluster.compare(observed)
    assert (verification.verdict, verification.findings) == ("match", ())


def find_halves(design: Document, **changes: Any) -> list[tuple[str, str]]:
    """(action, evidence) of the findings about NIC 0 of k00. changes: of its second device, gone with carrier=None."""
    cluster = Cluster(design)
    observed = cluster.observe()["k00"]
    nic = cluster.macs["nodes"][0]["nics"][0]
    nic["twin"] = {"name": "nic0b", "mac": give_mac(nic["mac"]), "permanent": False}
    link, heard = ({**observed[key][0], "device": "nic0b", "mac": nic["twin"]["mac"]} for key in ("links", "heard"))
    if changes.get("carrier", True) is not None:
        observed["links"].append({**link, **changes})
        observed["heard"].append({**heard, **changes})
    findings = find_half_plugs(cluster.macs, {"k00": observed})
    return [(each.describe({}), each.evidence) for each in findings if each.kind == "half-plug" and each.breaks]


def test_verify_reports_a_plug_of_which_one_half_is_missing(design: Document) -> None:
    assert find_halves(design) == []
    assert find_halves(design, carrier=None) == [
        (
            "k00: nic0b (06:f0:00:00:00:00) is gone, and nic0, the other half of its plug, is there; boot the node, or "
            "remove `twin` from its NIC in the inventory and use the plug at half of its rate",
            "links: the node has no NIC with this MAC",
        )
    ]
    assert find_halves(design, carrier=False) == [
        (
            "k00: nic0b has no carrier, and nic0, the other half of its plug, has; set it up, or boot the node",
            "links: nic0b has no carrier, nic0 has",
        )
    ]


def test_verify_reports_two_devices_that_are_on_different_switches(design: Document) -> None:
    assert find_halves(design, hears=["02:f0:00:00:04:00"]) == [
        (
            "k00: nic0b and nic0 are in two switches, so they are no halves of one plug; give each an entry of its own "
            "in the inventory",
            "beacons: nic0b hears none of the NICs that nic0 hears",
        )
    ]


# --- Discover ---


def discover_with(design: Document, macs: Document | None, **missing: list[str]) -> Discovery:
    """The discovery of all devices. missing: node -> devices that are not there."""
    bound = read_json(Path(__file__).parents[2] / "golden/six/macs.json")["nodes"]
    seen = {}
    for node in bound:
        devices = [(nic["name"], nic["mac"]) for nic in node["nics"]]
        devices += [(f"{name}b", give_mac(mac)) for name, mac in devices if node["name"] in WITH_TWINS]
        gone = missing.get(node["name"], [])
        links = [{"device": name, "mac": mac, "permanent": False} for name, mac in devices if name not in gone]
        seen[node["name"]] = {"links": links}
    found = discover(design, macs, seen)
    check_macs(found.macs)
    return found


def test_the_second_device_is_bound_to_the_plug(design: Document, macs: Document, documents: Documents) -> None:
    found = discover_with(design, None)
    assert found.macs["nodes"] == macs["nodes"]
    documents.check(found.macs, "fnn-macs")
    assert found.document["findings"] == []


def test_a_second_device_that_never_was_there_is_an_error(design: Document) -> None:
    with pytest.raises(FnnError) as error:
        discover_with(design, None, k01=["nic1b"])
    assert str(error.value) == (
        "/nodes/1/nics/1/twin: no NIC is called nic1b, the second half of the plug of nic1, there are: nic0, nic0b, "
        "nic1 (fnn_nics of k01)"
    )


def test_a_second_device_that_is_gone_is_reported_as_half_of_a_plug(design: Document, macs: Document) -> None:
    found = discover_with(design, macs, k01=["nic1b"])
    assert found.must_stop
    assert found.macs["nodes"] == macs["nodes"]
    (finding,) = found.document["findings"]
    assert (finding["kind"], finding["action"]) == (
        "vanished-mac",
        "k01: nic1b (06:f0:00:00:01:01) is gone, and nic1, the other half of its plug, is there; boot the node, or "
        "remove `twin` from its NIC in the inventory and use the plug at half of its rate",
    )


def test_a_first_device_that_is_gone_is_reported_with_its_other_half(design: Document, macs: Document) -> None:
    (finding,) = discover_with(design, macs, k01=["nic1"]).document["findings"]
    assert (
        finding["evidence"] == "links: the node has no NIC with this MAC; nic1b, the other half of its plug, is there"
    )


def test_the_second_devices_of_other_plugs_are_no_replacement(design: Document, macs: Document) -> None:
    devices = [("nic0", "06:f1:00:00:01:00"), *((f"nic{nic}b", give_mac(f"02:f0:00:00:01:0{nic}")) for nic in (0, 1))]
    links = [{"device": name, "mac": mac, "permanent": False} for name, mac in devices]
    replaced = replace_nic(macs, "k01", "0", {"links": links})["nodes"][1]["nics"]
    assert (replaced[0]["name"], replaced[0]["mac"]) == devices[0]
    assert replaced[1] == macs["nodes"][1]["nics"][1]


def test_a_plug_without_a_twin_in_the_inventory_forgets_its_second_device(design: Document, macs: Document) -> None:
    for nic in design["spec"]["nodes"][1]["nics"]:
        del nic["twin"]
    found = discover_with(design, macs, k01=["nic1b"])
    assert [list(nic) for nic in found.macs["nodes"][1]["nics"]] == [["nic", "name", "mac", "permanent"]] * 2
    assert found.document["findings"] == []


# --- Cables between nodes ---


def add_twins(document: Document) -> None:
    for node in document["spec"]["nodes"]:
        for index, nic in enumerate(node["nics"]):
            nic.update(name=f"nic{index}", twin=name_second(index))


@pytest.mark.parametrize("topology", ["ring", "mesh"])
def test_both_devices_of_a_cable_between_nodes_have_a_subnet(root: Path, topology: str) -> None:
    document = read_json(root / f"inventory/{topology}/design.json")
    add_twins(document)
    cluster = Cluster(show_cables(document))
    for node in cluster.macs["nodes"]:
        for nic in node["nics"]:
            nic["twin"] = {"name": name_second(nic["nic"]), "mac": give_mac(nic["mac"]), "permanent": False}
    views = plan_with(cluster.design, cluster.macs).views
    first, *_ = views.values()
    cables = len(first["links"]) // 2
    assert [link["device"] for link in first["links"]] == [
        *(f"nic{index}" for index in range(cables)),
        *(f"nic{index}b" for index in range(cables)),
    ]
    assert len({(link["address"], link["length"]) for view in views.values() for link in view["links"]}) == len(
        [link for view in views.values() for link in view["links"]]
    )
    assert all(len(route["via"]) % 2 == 0 for view in views.values() for route in view["routes"])
    assert not any(view["unreached"] for view in views.values())


def test_where_nodes_bridge_the_second_devices_stay_unused(root: Path) -> None:
    document = read_json(root / "inventory/ring-stp/design.json")
    add_twins(document)
    design = show_cables(document)
    assert [each["name"] for each in join_nics(design, Cluster(design).macs)[0]["switches"]] == ["ring"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node offers is compared with what its cluster needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.check.check import Cluster, check_nodes
from ansible.module_utils.fnn.controller.check.connection import Target
from ansible.module_utils.fnn.controller.check.model import CHECKS, LEVELS, Answers
from ansible.module_utils.fnn.controller.check.needs import find_needs
from ansible.module_utils.fnn.controller.check.show import show, write_report
from ansible.module_utils.fnn.controller.documents import Documents
from offered import FREE, OFFERED
from plan_settings import make_settings


def read_cluster(root: Path, variables: Mapping[str, Any] | None = None, site: str = "lab", **changes: Any) -> Cluster:
    spec = {**json.loads((root / f"inventory/{site}/spec.json").read_text()), **changes}
    settings = make_settings(**(variables or {}))
    return Cluster(spec, None, find_needs(spec, settings, ["mpich"]), settings)


def check(cluster: Cluster, documents: Documents, /, **changes: Any) -> dict[str, Any]:
    """check.json of one node with these facts."""
    return check_all(cluster, documents, {"k00": {**OFFERED, **changes}})


def check_all(cluster: Cluster, documents: Documents, offered: Mapping[str, Any]) -> dict[str, Any]:
    answers = {name: Answers(facts, {}) for name, facts in offered.items()}
    document: dict[str, Any] = check_nodes(cluster, answers, {name: Target(name) for name in answers})
    documents.check(document, "fnn-check")
    return document


def test_the_schema_has_the_names_of_all_checks_and_levels(root: Path) -> None:
    schema = json.loads((root / "schemas/fnn-check.schema.json").read_text())
    finding = schema["properties"]["nodes"]["items"]["properties"]["findings"]["items"]["properties"]
    assert finding["check"]["enum"] == [*CHECKS]
    assert finding["level"]["enum"] == [*LEVELS]


PLUG = [{**link, "pci": f"000{n}:01:00.0", "port": "4e5f p0"} for n, link in enumerate(OFFERED["links"])]
THIRD = {**PLUG[0], "device": "eth3", "mac": "02:f0:00:00:00:03", "port": "4e5f p1"}


def find_twins(
    root: Path, documents: Documents, links: list[dict[str, Any]], *twins: str, **facts: Any
) -> list[tuple[str, ...]]:
    """The findings about a node with these links. The spec has eth1 with a twin, or else eth1 and eth2."""
    cluster = read_cluster(root)
    nics = [{"name": f"eth{n}", "speed_mbps": 1000, "media": "rj45"} for n in (1, 2)]
    if twins:
        nics = [{**nics[0], "twin": twins[0]}]
    spec = {**cluster.spec, "nodes": [{**each, "nics": nics} for each in cluster.spec["nodes"]]}
    found = check(replace(cluster, spec=spec), documents, links=links, **facts)["nodes"][0]["findings"]
    return [(each["level"], each["text"], each["remedy"]) for each in found]


def test_two_devices_of_one_plug_are_one_nic_of_the_inventory(root: Path, documents: Documents) -> None:
    text = "eth1 and eth2 are two devices of one plug"
    remedy = "write `{name: eth1, twin: eth2}` in fnn_nics: one NIC with one cable"
    assert find_twins(root, documents, PLUG) == [("problem", text, remedy)]
    assert find_twins(root, documents, PLUG, "eth2") == []


def test_a_second_device_belongs_to_the_fabric(root: Path, documents: Documents) -> None:
    owner = {**OWNER, "nic": "eth2", "blocks": True}
    text, remedy = OWNER["text"], OWNER["remedy"]
    assert find_twins(root, documents, PLUG, "eth2", owners=[owner]) == [("problem", text, remedy)]


def test_a_twin_on_another_port_is_refused(root: Path, documents: Documents) -> None:
    text = "eth1 and eth3 have different ports, so they are not two halves of one plug"
    remedy = "correct `twin` in fnn_nics, or give each device an entry of its own"
    assert find_twins(root, documents, [PLUG[0], THIRD], "eth3") == [("problem", text, remedy)]


def test_a_twin_that_is_not_there_is_named(root: Path, documents: Documents) -> None:
    text = "no NIC is called eth2, the second half of the plug of eth1, there are: eth1 (fnn_nics of k00)"
    remedy = "correct fnn_nics, or the NICs of the node (`ip -br link` shows them)"
    assert find_twins(root, documents, PLUG[:1], "eth2") == [("problem", text, remedy)]


@pytest.mark.parametrize(("mbps", "planned"), [(2500, ()), (1000, ()), (100, (1000,))])
def test_a_nic_may_run_at_the_speed_of_any_port(
    mbps: int, planned: tuple[int, ...], root: Path, documents: Documents
) -> None:
    """The design may have a NIC of 2.5 Gb/s at a port of 1 Gb/s; verify compares the link with the design."""
    cluster = read_cluster(root)
    nics = [{"name": f"eth{n}", "speed_mbps": 2500, "media": "rj45"} for n in (1, 2)]
    spec = {**cluster.spec, "nodes": [{**each, "nics": nics} for each in cluster.spec["nodes"]]}
    links = [{**OFFERED["links"][0], "speed_mbps": mbps}, {**OFFERED["links"][1], "speed_mbps": 2500}]
    found = check(replace(cluster, spec=spec), documents, links=links)["nodes"][0]["findings"]
    texts = [f"eth1 runs at {mbps} Mbit/s, but {each} are planned" for each in planned]
    assert [each["text"] for each in found] == texts


def test_a_node_that_has_everything_is_ready(root: Path, documents: Documents) -> None:
    document = check(read_cluster(root), documents)
    assert document["verdict"] == "ready"
    assert document["nodes"][0]["nics"] == ["eth1", "eth2"]
    assert show(document, "text") == "k00  ready    Debian 12, Python 3.11.2, NICs eth1, eth2\n1 node ready\n"
    assert json.loads(show(document, "json")) == document


LINK = OFFERED["links"][0]
OWNER = {
    "owner": "ifupdown",
    "nic": "eth1",
    "text": "/etc/network/interfaces:4: ifupdown configures eth1",
    "remedy": "remove this stanza",
}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"system": {**OFFERED["system"], "systemd": False}}, ("problem", "systemd does not run", "boot with it")),
        ({"system": {**OFFERED["system"], "iproute2": ""}}, ("problem", "the program ip is missing", "iproute2")),
        (
            {"lacking": ["multipath"]},
            ("problem", "kernel 6.1.0 has no routes with several", "CONFIG_IP_ROUTE_MULTIPATH"),
        ),
        ({"cluster": "klat2"}, ("problem", "the node is configured for the cluster klat2", "remove.yml")),
        ({"links": [LINK]}, ("problem", "2 NICs planned, but k00 has 1: eth1 (fnn_nics of k00)", "correct fnn_nics")),
        (
            {"links": [*OFFERED["links"], {**LINK, "device": "eth3", "mac": "02:f0:00:00:00:03"}]},
            ("warning", "3 NICs found, but 2 planned; eth1, eth2 would be used", "fnn_nic_match"),
        ),
        (
            {"links": [{**LINK, "speed_mbps": 100}, OFFERED["links"][1]]},
            ("warning", "eth1 runs at 100 Mbit/s, but 1000 are planned", "check cable"),
        ),
        (
            {"owners": [{**OWNER, "blocks": True}]},
            ("problem", "/etc/network/interfaces:4: ifupdown configures eth1", "remove this stanza"),
        ),
        (
            {"owners": [{**OWNER, "blocks": False}]},
            ("warning", "/etc/network/interfaces:4: ifupdown configures eth1", "remove this stanza"),
        ),
        (
            {"networks": [{"device": "docker0", "address": "10.77.9.1/24"}]},
            ("problem", "docker0 has the address 10.77.9.1/24, which fnn_prefix 10.77.0.0/16 covers", "set fnn_prefix"),
        ),
        (
            {"routes": [{"device": "wg0", "to": "10.0.0.0/8"}]},
            ("problem", "wg0 has a route to 10.0.0.0/8, which fnn_prefix 10.77.0.0/16 covers", "set fnn_prefix"),
        ),
        (
            {"filters": [{"table": "inet f", "chain": "input", "hook": "input", "device": "eth1", "certain": True}]},
            (
                "problem",
                "chain input of the table inet f drops packets from eth1",
                "accept packets from 10.77.0.0/16, 10.78.0.0/16 there",
            ),
        ),
        (
            {"filters": [{"table": "ip f", "chain": "FORWARD", "hook": "forward", "device": "eth1", "certain": False}]},
            ("warning", "chain FORWARD of the table ip f may drop packets from eth1", "Docker"),
        ),
        (
            {"filters": [{"table": "", "chain": "", "hook": "input", "device": "", "certain": False}]},
            ("warning", "the rules of the packet filter could not be read", "see that they accept packets from"),
        ),
        ({"storage": {"/etc": {**FREE, "free_mb": 3}}}, ("problem", "/etc has 3 MB free, and 20 are needed", "df -h")),
        ({"storage": {"/etc": {**FREE, "free_inodes": 3}}}, ("problem", "/etc has no free inodes", "df -i")),
        ({"storage": {"/etc": {**FREE, "read_only": True}}}, ("problem", "/etc is read-only", "findmnt")),
        ({"storage": {"/usr/local": {**FREE, "noexec": True}}}, ("problem", "/usr/local is mounted noexec", "findmnt")),
        ({"without_carrier": ["eth2"]}, ("warning", "eth2 has no carrier", "plug in its cable")),
        ({"packages": {"missing": ["a"], "unknown": ["a"]}}, ("problem", "no package list has a", "apt-get update")),
        ({"clock_ahead": -86400 * 1.2}, ("problem", "the clock is 1 day behind that of the controller", "set-ntp")),
        ({"clock_ahead": 47.0}, ("warning", "the clock is 47 seconds ahead of that of the controller", "set-ntp")),
    ],
)
def test_each_fault_is_one_finding_with_its_remedy(
    root: Path, documents: Documents, changes: Any, expected: tuple[str, str, str]
) -> None:
    """expected: level, a part of the text, a part of the text or remedy."""
    level, text, remedy = expected
    node = check(read_cluster(root), documents, **changes)["nodes"][0]
    found = [each for each in node["findings"] if text in each["text"]]
    assert [each["level"] for each in found] == [level], node["findings"]
    assert remedy in found[0]["remedy"] + found[0]["text"]
    assert node["verdict"] == ("refused" if level == "problem" else "ready")


def test_an_owner_of_another_nic_is_no_finding(root: Path, documents: Documents) -> None:
    owners = [{**OWNER, "nic": nic, "blocks": True} for nic in ("eth0", "eth3")]
    assert check(read_cluster(root), documents, owners=owners)["nodes"][0]["findings"] == []


def test_without_the_program_ip_nothing_of_the_network_is_compared(root: Path, documents: Documents) -> None:
    known = ("packages", "storage", "clock_ahead", "cluster", "generation")
    system = {**OFFERED["system"], "iproute2": "", "python": "3.8.10"}
    facts = {**{key: OFFERED[key] for key in known}, "system": system}
    node = check_all(read_cluster(root), documents, {"k00": facts})["nodes"][0]
    assert [each["text"] for each in node["findings"]] == ["Python 3.8 is older than 3.9", "the program ip is missing"]


@pytest.mark.parametrize("missing", [["a"], []])
def test_space_for_packages_is_needed_only_where_they_are_missing(
    root: Path, documents: Documents, missing: list[str]
) -> None:
    storage = {**OFFERED["storage"], "/usr": {**FREE, "free_mb": 100}}
    packages = {"missing": missing, "unknown": []}
    node = check(read_cluster(root), documents, storage=storage, packages=packages)["nodes"][0]
    assert [each["check"] for each in node["findings"]] == (["disk"] if missing else [])


@pytest.mark.parametrize(("gateway", "level"), [("", "problem"), ("k00", "problem"), ("k01", "warning")])
def test_behind_a_gateway_package_lists_may_come_later(
    root: Path, documents: Documents, gateway: str, level: str
) -> None:
    packages = {"missing": ["mpich"], "unknown": ["mpich"]}
    node = check(read_cluster(root, {"fnn_gateway": gateway}), documents, packages=packages)["nodes"][0]
    assert [(each["check"], each["level"]) for each in node["findings"]] == [("packages", level)]


def test_other_package_managers_are_left_alone(root: Path, documents: Documents) -> None:
    assert check(read_cluster(root), documents, packages=None)["verdict"] == "ready"


def test_a_nic_that_macs_json_has_but_the_node_lacks_is_gone(root: Path, documents: Documents) -> None:
    """A node of a configured cluster; discover keeps the entry of a vanished NIC."""
    nics = [{"nic": n, "name": link["device"], "mac": link["mac"]} for n, link in enumerate(OFFERED["links"])]
    cluster = read_cluster(root)
    macs = {"cluster": cluster.spec["cluster"], "nodes": [{"name": "k00", "nics": nics}]}
    found = check(replace(cluster, macs=macs), documents, links=OFFERED["links"][:1])
    assert show(found, "text").splitlines()[1:-1] == [
        "     problem  NIC 1, eth2 with the MAC 02:f0:00:00:00:02, is gone; "
        "put it back, or put another in its place and run `./fnn replace-nic k00 1`"
    ]
    other = {**OFFERED["links"][1], "mac": "02:f0:00:00:99:02"}
    replaced = check(replace(cluster, macs=macs), documents, links=[OFFERED["links"][0], other])
    assert replaced["verdict"] == "ready"


def test_the_interface_of_the_connection_is_no_nic(root: Path, documents: Documents) -> None:
    cluster = read_cluster(root)
    nics = [{**nic, "name": name} for nic, name in zip(cluster.spec["nodes"][0]["nics"], ("eth0", "eth1"), strict=True)]
    cluster = read_cluster(root, nodes=[{**cluster.spec["nodes"][0], "nics": nics}])
    (finding,) = check(cluster, documents)["nodes"][0]["findings"]
    assert finding["text"].startswith("eth0 carries the SSH connection from 10.79.255.1, so it cannot be a NIC")


def change_link(**changes: Any) -> list[dict[str, Any]]:
    return [OFFERED["links"][0], {**OFFERED["links"][1], **changes}]


USB = {"device": "aaa0", "mac": "02:f0:00:00:00:09", "reserved": "has the USB driver cdc_ether, as the NIC of a BMC"}


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"links": [*OFFERED["links"], {**LINK, **USB}]},
            "left out: aaa0 has the USB driver cdc_ether, as the NIC of a BMC; name a NIC in fnn_nics if it is of the "
            "fabric",
        ),
        (
            {"links": change_link(random=True)},
            "the MAC of eth2 is random, another one at each boot, so macs.json cannot recognize the NIC; give it a "
            "permanent one (MACAddress= in a file of systemd.link), or use another NIC",
        ),
        (
            {
                "arrived_on": None,
                "protected": [{"device": "eth0", "names": ["eth0"], "mac": None, "reason": "has a default route"}],
                "links": [*OFFERED["links"], {**LINK, **USB, "reserved": "is up with the address 192.0.2.5"}],
            },
            "the interface that carries the connection of Ansible is unknown; aaa0 is up with the address 192.0.2.5; "
            "eth0 has a default route; name the NICs of the fabric in fnn_nics, and connect over SSH where you can",
        ),
    ],
)
def test_nics_that_only_the_operator_may_choose_are_one_warning(
    root: Path, documents: Documents, changes: dict[str, Any], line: str
) -> None:
    document = check(read_cluster(root), documents, **changes)
    assert document["verdict"] == "ready"
    assert document["nodes"][0]["nics"] == ["eth1", "eth2"]
    assert show(document, "text").splitlines()[1:-1] == [f"     warning  {line}"]


def test_a_maintenance_nic_that_would_lose_a_default_route_is_refused(root: Path, documents: Documents) -> None:
    """Ansible arrives over eth0; eth9 is the maintenance NIC, under an alternative name."""
    cluster = read_cluster(root, maintenance={"nic": "eno9", "switches": [{"name": "grey", "ports": 8}]})
    route = {
        "device": "eth9",
        "names": ["eth9", "eno9"],
        "mac": None,
        "reason": "has a default route (IPv6, table main)",
    }
    facts = {"protected": [*OFFERED["protected"], route], "networks": []}
    (finding,) = check(cluster, documents, **facts)["nodes"][0]["findings"]
    assert finding["text"] == (
        "eth9, the maintenance NIC, has a default route (IPv6, table main), which it would lose with its address"
    )
    assert check(cluster, documents, **facts, generation="8-3f2a9c1b0d2e")["nodes"][0]["findings"] == []
    assert check(cluster, documents, networks=[])["nodes"][0]["findings"] == []


def test_a_task_that_enters_a_container_needs_no_device(root: Path, documents: Documents) -> None:
    assert check(read_cluster(root), documents, arrived_on=None, entered=True)["nodes"][0]["findings"] == []


def test_names_that_moved_are_named_with_the_line_of_the_inventory(root: Path, documents: Documents) -> None:
    cluster = read_cluster(root)
    nics = [{**nic, "name": name} for nic, name in zip(cluster.spec["nodes"][0]["nics"], ("eth1", "eth2"), strict=True)]
    cluster = read_cluster(root, nodes=[{**cluster.spec["nodes"][0], "nics": nics}])
    old = [{"nic": n, "name": f"eth{n + 1}", "mac": f"02:f0:00:00:00:0{n + 1}", "permanent": True} for n in (0, 1)]
    macs = {"cluster": cluster.spec["cluster"], "nodes": [{"name": "k00", "nics": old}]}
    links = [{**link, "device": f"eth{n}"} for n, link in enumerate(OFFERED["links"], 2)]
    new = {**LINK, "device": "eth1", "mac": "02:f0:00:00:00:99"}
    document = check(replace(cluster, macs=macs), documents, links=[new, *links])
    assert (document["verdict"], document["nodes"][0]["nics"]) == ("ready", ["eth2", "eth3"])
    (finding,) = document["nodes"][0]["findings"]
    assert finding["text"].endswith("macs.json binds eth2, eth3 by MAC")
    assert finding["remedy"].startswith("write `fnn_nics: [eth2, eth3]`")


def test_a_fault_of_one_node_is_none_of_another(root: Path, documents: Documents) -> None:
    other = [{**link, "mac": link["mac"].replace(":00:0", ":01:0")} for link in OFFERED["links"]]
    offered = {"k00": {**OFFERED, "links": [LINK]}, "k01": {**OFFERED, "links": other}}
    document = check_all(read_cluster(root), documents, offered)
    assert [node["verdict"] for node in document["nodes"]] == ["refused", "ready"]
    assert [*write_report(document)][-1] == "1 of 2 nodes refused: k00"


def test_a_node_without_an_answer_is_refused_and_the_others_are_compared(root: Path, documents: Documents) -> None:
    silent = {"unreachable": True, "msg": "ssh: connect to host k01 port 22: No route to host"}
    document = check_all(read_cluster(root), documents, {"k00": OFFERED, "k01": silent})
    assert [node["verdict"] for node in document["nodes"]] == ["ready", "refused"]
    assert [each["check"] for each in document["nodes"][1]["findings"]] == ["connection"]
    assert document["nodes"][1]["system"] is None


def test_problems_come_before_warnings(root: Path, documents: Documents) -> None:
    storage = {**OFFERED["storage"], "/etc": {**FREE, "read_only": True}}
    links = [{**LINK, "speed_mbps": 100}, OFFERED["links"][1]]
    node = check(read_cluster(root), documents, links=links, storage=storage)["nodes"][0]
    assert [each["level"] for each in node["findings"]] == ["problem", "warning"]


@pytest.mark.parametrize(
    ("site", "variables", "expected"),
    [
        ("lab", {}, (["identity", "multipath"], 0, "")),
        ("lab", {"fnn_routing": "basic"}, (["identity"], 0, "")),
        ("lab", {"fnn_mptcp": True}, (["identity", "multipath", "mptcp"], 0, "")),
        ("lab", {"fnn_gateway": "k00"}, (["identity", "multipath"], 1, "")),
        ("ring", {}, (["identity", "multipath"], 4, "")),
        ("ring-stp", {}, (["identity", "multipath", "bridge"], 0, "fnn-bridge")),
        ("ring-bonded", {}, (["identity", "multipath", "bridge", "bond"], 0, "fnn-bridge")),
    ],
)
def test_a_cluster_needs_what_its_topology_uses(
    root: Path, site: str, variables: Any, expected: tuple[list[str], int, str]
) -> None:
    """expected: features of the kernel, number of nodes that forward, name of the bridge."""
    needs = read_cluster(root, variables, site).needs
    assert (list(needs.features), len(needs.forwards), needs.bridge) == expected


def test_the_maintenance_nic_may_have_an_address_of_its_network(root: Path, documents: Documents) -> None:
    cluster = read_cluster(root, site="two-networks")
    name = cluster.spec["nodes"][0]["name"]
    nic = cluster.spec["maintenance"]["nic"]
    networks = [{"device": nic, "address": "10.80.0.1/16"}, {"device": "br0", "address": "10.80.3.1/24"}]
    document = check_all(cluster, documents, {name: {**OFFERED, "networks": networks}})
    texts = [each["text"] for each in document["nodes"][0]["findings"] if each["check"] == "addresses"]
    assert texts == ["br0 has the address 10.80.3.1/24, which fnn_maintenance_prefix 10.80.0.0/16 covers"]


def test_two_nodes_with_one_host_name_are_refused_with_the_remedy(root: Path, documents: Documents) -> None:
    names = {"k00": "raspberrypi", "k01": "raspberrypi", "k02": "box2"}
    macs = {name: f"02:00:00:00:0{rank}:" for rank, name in enumerate(names)}
    offered = {
        name: {
            **OFFERED,
            "host_name": host_name,
            "links": [{**link, "mac": f"{macs[name]}0{number}"} for number, link in enumerate(OFFERED["links"])],
        }
        for name, host_name in names.items()
    }
    document = check_all(read_cluster(root), documents, offered)
    verdicts = {node["name"]: node["verdict"] for node in document["nodes"]}
    assert verdicts == {"k00": "refused", "k01": "refused", "k02": "ready"}
    (finding,) = document["nodes"][0]["findings"]
    assert finding["check"] == "names"
    assert "its host name raspberrypi is that of k01 too" in finding["text"]
    assert "`hostnamectl set-hostname k00` on k00" in finding["remedy"]


def test_a_host_name_that_an_unreached_node_has_is_refused(root: Path, documents: Documents) -> None:
    cluster = read_cluster(root)
    macs = {**json.loads((root / "inventory/lab/macs.json").read_text()), "nodes": []}
    document = check_all(replace(cluster, macs=macs), documents, {"k01": {**OFFERED, "host_name": "box0.lan"}})
    assert "its host name box0.lan is that of k00 too" in document["nodes"][0]["findings"][0]["text"]


def test_faults_that_a_node_found_itself_are_findings(root: Path, documents: Documents) -> None:
    fault = {"check": "mpi", "level": "warning", "text": "/tmp is mounted noexec", "remedy": "mount it without noexec"}
    document = check(read_cluster(root), documents, mpi_faults=[fault])
    assert document["verdict"] == "ready"
    assert document["nodes"][0]["findings"] == [fault]

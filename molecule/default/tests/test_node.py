# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of every node of the converged cluster, read on the node itself."""

from __future__ import annotations

import json
from typing import Any

from testinfra.host import Host

from .conftest import BUILD, NODES, read_json


def ip(host: Host, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(host.check_output("ip -json -details " + " ".join(words)))
    return found


def test_fabric_nics_are_up_with_arp_and_ipv6_off(host: Host, view: dict[str, Any]) -> None:
    links = {link["address"]: link for link in ip(host, "address", "show")}
    for planned in view["links"]:
        link = links[planned["mac"]]
        assert {"UP", "NOARP"} <= set(link["flags"])
        addresses = [f"{each['local']}/{each['prefixlen']}" for each in link["addr_info"]]
        assert addresses == [f"{planned['address']}/{planned['length']}"]


def test_exactly_the_peers_on_shared_switches_have_permanent_neighbors(host: Host, view: dict[str, Any]) -> None:
    fabric = {link["ifname"] for link in ip(host, "link", "show") if link.get("ifalias", "").startswith("fnn:")}
    found = {
        (each["dst"], each["lladdr"], tuple(each["state"]))
        for each in ip(host, "-4", "neighbor", "show", "nud", "all")
        if each.get("dev") in fabric and "NOARP" not in each["state"]
    }
    assert found == {(each["address"], each["mac"], ("PERMANENT",)) for each in view["neighbors"]}
    assert len(found) == 6  # two switches with four nodes each: three others on each


def test_a_route_leads_to_each_of_the_five_others(host: Host, view: dict[str, Any]) -> None:
    routes = [each for each in ip(host, "-4", "route", "show") if str(each.get("protocol")) == "196"]
    assert sorted(each["dst"] for each in routes) == sorted(each["to"] for each in view["routes"])
    assert len(routes) == 5


def test_names_resolve_to_identity_nic_and_management_addresses(host: Host) -> None:
    planned = {
        each: entry["address"] for entry in read_json(BUILD / "cluster.json")["hosts"] for each in entry["names"]
    }
    answers = host.check_output("getent hosts " + " ".join(planned)).splitlines()
    assert [line.split()[0] for line in answers] == list(planned.values())
    # Six nodes with a name each, two for their NICs, one for management; k00 also has a host name of its own.
    assert len(planned) == 26


def test_the_host_name_of_a_machine_has_no_other_address(host: Host, view: dict[str, Any]) -> None:
    answers = host.check_output("getent ahosts $(uname -n)").splitlines()
    assert {line.split()[0] for line in answers} == {view["identity"]["address"]}
    assert "# fnn: 127.0.1.1 " in host.file("/etc/hosts").content_string


def test_names_return_after_another_program_wrote_the_file(host: Host) -> None:
    before = host.file("/etc/hosts").content_string
    # As cloud-init does at boot, with manage_etc_hosts.
    host.check_output("printf '127.0.1.1 %s\\n127.0.0.1 localhost\\n' $(uname -n) > /etc/hosts")
    (fault,) = json.loads(host.check_output("fnn-net status"))["names"]
    assert "lacks the names of the cluster" in fault
    host.check_output("systemctl restart fnn-hosts")
    assert json.loads(host.check_output("fnn-net status"))["names"] == []
    after = host.file("/etc/hosts").content_string
    assert after[: after.index("# END fnn")] == before[: before.index("# END fnn")]
    host.check_output(f"cat > /etc/hosts << 'EOF'\n{before.rstrip()}\nEOF")


def test_hostfiles_are_in_rank_order(host: Host) -> None:
    lines = host.file("/etc/fnn/hosts.openmpi").content_string.splitlines()
    assert [line for line in lines if not line.startswith("#")] == [f"{name} slots=1" for name in NODES]
    lines = host.file("/etc/fnn/hosts.mpich").content_string.splitlines()
    assert [line for line in lines if not line.startswith("#")] == [f"{name}:1" for name in NODES]


def test_mpi_settings_name_the_identity_network(host: Host) -> None:
    openmpi = host.file("/etc/openmpi/openmpi-mca-params.conf").content_string
    assert "btl_tcp_if_include = 10.78.0.0/" in openmpi
    assert "oob_tcp_if_include = 10.78.0.0/" in openmpi
    ucx = host.file("/etc/ucx/ucx.conf").content_string
    assert "UCX_NET_DEVICES=fnn0" in ucx


def test_the_kernel_matches_the_plan_and_the_unit_is_enabled(host: Host) -> None:
    assert host.service("fnn-net").is_enabled
    assert json.loads(host.check_output("fnn-net diff"))["changed"] is False


def test_the_cluster_user_logs_in_to_every_node_without_a_prompt(host: Host) -> None:
    login = "ssh -n -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=5"
    logins = " ".join(f"{login} {peer} hostname &" for peer in NODES)
    names = sorted(["box0.lan", *NODES[1:]])
    assert sorted(host.check_output(f"runuser -u fnn -- sh -c '{logins} wait'").split()) == names


def test_management_is_as_the_lab_made_it(host: Host, view: dict[str, Any]) -> None:
    (link,) = ip(host, "-4", "address", "show", "dev", "mg0")
    assert [each["local"] for each in link["addr_info"]] == [view["management"]]
    assert "NOARP" not in link["flags"]
    assert "ifalias" not in link

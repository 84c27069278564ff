# SPDX-License-Identifier: GPL-3.0-or-later
"""The pure parts of fnn-net: reading files with all their mistakes, and the difference without a kernel."""

from __future__ import annotations

import importlib.util
import sys
import time
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

FNN_NET = Path(__file__).resolve().parents[2] / "roles/fnn_network/files/fnn-net"


def load() -> ModuleType:
    loader = SourceFileLoader("fnn_net", str(FNN_NET))
    spec = importlib.util.spec_from_loader("fnn_net", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules["fnn_net"] = module
    sys.dont_write_bytecode, former = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = former
    return module


net = load()

GOOD = {
    "node": "cluster six\nnode k00\nrank 0\nidentity fnn0 veth 10.78.0.1\nprotocol 196\n",
    "links": "red 02:f0:00:00:00:00 10.77.0.1/24 1500\n\n# a comment\nblue 02:f0:00:00:00:01 10.77.1.1/24 1500\n",
    "neighbors": "red 10.77.0.2 02:f0:00:00:01:00 k01\nblue 10.77.1.2 02:f0:00:00:01:01 k01\n",
    "routes": "10.78.0.2 k01 red=10.77.0.2 blue=10.77.1.2\n",
}


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    for name, text in GOOD.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def problems(etc: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (etc / name).write_text(text)
    with pytest.raises(net.Failed) as failure:
        net.read_plan(etc, etc / "sysctl")
    assert failure.value.code == 2
    return [message.replace(f"{etc}/", "") for message in failure.value.messages]


def test_good_files_become_a_plan(etc: Path) -> None:
    (etc / "sysctl").write_text("# x\nnet.ipv4.fib_multipath_hash_policy = 1\nnet/ipv4/conf/eth0.5/arp_filter=1\n")
    plan = net.read_plan(etc, etc / "sysctl")
    assert plan.links[1] == net.Link("blue", "02:f0:00:00:00:01", "10.77.1.1/24", 1500)
    assert plan.routes == (net.Route("10.78.0.2", (("red", "10.77.0.2"), ("blue", "10.77.1.2"))),)
    assert plan.identity.peer == "fnn0-peer"
    assert plan.sysctls == {"net/ipv4/fib_multipath_hash_policy": "1", "net/ipv4/conf/eth0.5/arp_filter": "1"}


def test_every_wrong_line_is_told_at_once(etc: Path) -> None:
    told = problems(
        etc,
        node="cluster six\nnode k00\nrank x\nidentity fnn0 bond 10.78.0.1\nprotocol 4\ncolor red\n",
        links="red 02:F0:00:00:00:00 10.77.0.1 1500\nblue 02:f0:00:00:00:01 10.77.1.1/24 9\n\ngreen\n",
        neighbors="red 10.77.0.2 02:f0:00:00:01:00 k01\npink 10.77.1.2 02:f0:00:00:01:01 k01\n",
        routes="10.78.0.2 k01\n10.78.0.3 k02 red=10.77.0.2 grey=10.77.9.9\n",
        sysctl="net.ipv4.ip_forward\n",
    )
    assert told == [
        "node:3: x is no rank",
        "node:4: bond is neither dummy nor veth",
        "node:5: 4 is no number from 5 to 255",
        "node:6: unknown key color, expected one of cluster, identity, mptcp, node, protocol, rank",
        "links:1: 02:F0:00:00:00:00 is no MAC in lower case",
        "links:1: 10.77.0.1 is neither IPv4 ADDRESS/LENGTH nor -",
        "links:2: 9 is no MTU from 68 to 65535",
        "links:4: expected SWITCH MAC ADDRESS/LENGTH MTU, not 1 fields",
        "neighbors:2: pink is not in links",
        "routes:1: expected ADDRESS NODE SWITCH=VIA..., not 2 fields",
        "routes:2: grey=10.77.9.9 has no good line in neighbors",
        "sysctl:1: expected KEY = VALUE",
    ]


def test_missing_file_and_missing_keys_are_told(etc: Path) -> None:
    (etc / "links").unlink()
    assert problems(etc, node="cluster six\n", neighbors="", routes="") == [
        "node: missing node, rank, identity, protocol",
        "links: No such file or directory",
    ]


def test_neighbor_outside_its_subnet_and_own_address_are_told(etc: Path) -> None:
    lines = "red 10.77.1.2 02:f0:00:00:01:00 k01\nblue 10.77.1.1 02:f0:00:00:01:01 k01\n"
    assert problems(etc, neighbors=lines, routes="") == [
        "neighbors:1: 10.77.1.2 is no other address of 10.77.0.0/24, the subnet of red",
        "neighbors:2: 10.77.1.1 is no other address of 10.77.1.0/24, the subnet of blue",
    ]


def test_repeated_lines_are_told(etc: Path) -> None:
    told = problems(
        etc,
        node=GOOD["node"] + "rank 1\n",
        links=GOOD["links"] + "red 02:f0:00:00:00:05 10.77.5.1/24 1500\n",
        neighbors=GOOD["neighbors"] + "red 10.77.0.2 02:f0:00:00:01:00 k01\n",
        routes=GOOD["routes"] * 2,
    )
    assert told == [
        "node:6: rank is given twice",
        "links:5: red has a line already",
        "neighbors:3: 10.77.0.2 on red has a line already",
        "routes:2: 10.78.0.2 has a line already",
    ]


# --- The difference ---

QUIET = {net.quiet_key(device): "1" for device in ("nic0", "nic1", "fnn0", "fnn0-peer")}


def settled() -> net.Kernel:
    """The kernel that GOOD asks for."""
    nic = {"up": True, "arp": False, "mtu": 1500}
    return net.Kernel(
        devices={
            "nic0": net.Device("nic0", mac="02:f0:00:00:00:00", alias="fnn:red", **nic),
            "nic1": net.Device("nic1", mac="02:f0:00:00:00:01", alias="fnn:blue", **nic),
            "fnn0": net.Device("fnn0", mac="02:00:00:00:00:01", kind="veth", alias="fnn-identity", **nic),
            "fnn0-peer": net.Device("fnn0-peer", mac="02:00:00:00:00:02", kind="veth", **nic),
        },
        addresses={"nic0": ["10.77.0.1/24"], "nic1": ["10.77.1.1/24"], "fnn0": ["10.78.0.1/32"]},
        neighbors={"nic0": {"10.77.0.2": "02:f0:00:00:01:00"}, "nic1": {"10.77.1.2": "02:f0:00:00:01:01"}},
        routes={"10.78.0.2": net.Path4(frozenset({("nic0", "10.77.0.2"), ("nic1", "10.77.1.2")}), "10.78.0.1")},
        sysctls=dict(QUIET),
    )


def change(kernel: net.Kernel, device: str, **values: object) -> None:
    kernel.devices[device] = net.Device(**{**kernel.devices[device].__dict__, **values})


def difference(etc: Path, kernel: net.Kernel) -> net.Difference:
    return net.find_difference(net.read_plan(etc, etc / "sysctl"), kernel)


def test_settled_kernel_needs_nothing(etc: Path) -> None:
    assert not difference(etc, settled())


def test_empty_kernel_gets_everything_in_order(etc: Path) -> None:
    kernel = net.Kernel(
        devices={
            "eth5": net.Device("eth5", mac="02:f0:00:00:00:00"),
            "eth6": net.Device("eth6", mac="02:f0:00:00:00:01"),
        }
    )
    todo = difference(etc, kernel)
    assert todo.lines == [
        "link add dev fnn0 type veth peer name fnn0-peer",
        "link set dev fnn0 arp off alias fnn-identity up",
        "link set dev fnn0-peer arp off up",
        "address replace 10.78.0.1/32 dev fnn0",
        "link set dev eth5 arp off alias fnn:red up",
        "address replace 10.77.0.1/24 dev eth5",
        "link set dev eth6 arp off alias fnn:blue up",
        "address replace 10.77.1.1/24 dev eth6",
        "neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev eth5 nud permanent",
        "neigh replace 10.77.1.2 lladdr 02:f0:00:00:01:01 dev eth6 nud permanent",
        "route replace 10.78.0.2/32 proto 196 src 10.78.0.1 "
        "nexthop via 10.77.0.2 dev eth5 weight 1 nexthop via 10.77.1.2 dev eth6 weight 1",
    ]


def test_stale_address_of_the_same_subnet_takes_routes_and_neighbors_with_it(etc: Path) -> None:
    kernel = settled()
    kernel.addresses["nic0"] = ["10.77.0.7/24"]
    lines = difference(etc, kernel).lines
    assert lines[:2] == ["address del 10.77.0.7/24 dev nic0", "address replace 10.77.0.1/24 dev nic0"]
    assert [line.split()[0] for line in lines[2:]] == ["neigh", "route"]


def test_second_foreign_address_goes_and_the_rest_stays(etc: Path) -> None:
    kernel = settled()
    kernel.addresses["nic0"] = ["10.77.0.1/24", "192.0.2.1/24"]
    assert difference(etc, kernel).lines == ["address del 192.0.2.1/24 dev nic0"]


def test_nic_moved_to_another_switch_swaps_alias_and_address(etc: Path) -> None:
    (etc / "links").write_text("red 02:f0:00:00:00:01 10.77.0.1/24 1500\nblue 02:f0:00:00:00:00 10.77.1.1/24 1500\n")
    lines = difference(etc, settled()).lines
    assert "link set dev nic1 alias fnn:red" in lines
    assert "address del 10.77.1.1/24 dev nic1" in lines
    assert lines[-1].endswith("nexthop via 10.77.0.2 dev nic1 weight 1 nexthop via 10.77.1.2 dev nic0 weight 1")


def test_permanent_mac_counts_where_there_is_one(etc: Path) -> None:
    kernel = settled()
    change(kernel, "nic0", permanent="02:f0:00:00:00:00", mac="02:aa:aa:aa:aa:aa")
    assert not difference(etc, kernel)


def test_bridge_with_the_same_mac_is_not_taken_for_the_nic(etc: Path) -> None:
    kernel = settled()
    kernel.devices["br0"] = net.Device("br0", mac="02:f0:00:00:00:00", kind="bridge")
    assert not difference(etc, kernel)


def test_two_nics_with_one_mac_are_refused(etc: Path) -> None:
    kernel = settled()
    kernel.devices["nic7"] = net.Device("nic7", mac="02:f0:00:00:00:00")
    with pytest.raises(net.Failed, match="nic0 and nic7 have the same MAC 02:f0:00:00:00:00"):
        difference(etc, kernel)


def test_former_identity_of_another_kind_is_replaced(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"].replace("veth", "dummy"))
    todo = difference(etc, settled())
    assert todo.first == ["link del dev fnn0", "link add dev fnn0 type dummy"]
    assert todo.then[:2] == ["link set dev fnn0 arp off alias fnn-identity up", "address replace 10.78.0.1/32 dev fnn0"]
    assert todo.then[-1].startswith("route replace")


def test_foreign_device_of_the_identity_name_is_refused(etc: Path) -> None:
    kernel = settled()
    change(kernel, "fnn0", kind="bridge", alias="")
    with pytest.raises(net.Failed, match="fnn0, planned as the identity, is a bridge of somebody else"):
        difference(etc, kernel)


def test_touched_devices_are_those_of_the_lines(etc: Path) -> None:
    kernel = settled()
    kernel.neighbors["nic1"] = {}
    assert difference(etc, kernel).touched == {"nic1"}


def test_a_thousand_peers_are_compared_quickly(etc: Path) -> None:
    """1023 routes and neighbors, as on a node of the largest cluster."""
    count = 1023
    peers = [f"10.77.{i >> 8}.{i & 255}" for i in range(2, count + 2)]
    macs = [f"02:f0:00:01:{i >> 8:02x}:{i & 255:02x}" for i in range(count)]
    (etc / "links").write_text("red 02:f0:00:00:00:00 10.77.0.1/16 1500\n")
    (etc / "neighbors").write_text("".join(f"red {peer} {mac} n\n" for peer, mac in zip(peers, macs)))
    (etc / "routes").write_text("".join(f"{peer.replace('77', '78', 1)} n red={peer}\n" for peer in peers))
    begin = time.perf_counter()
    todo = difference(etc, settled())
    assert len(todo.lines) > 2 * count
    assert time.perf_counter() - begin < 1

# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/faults.py: each fault leaves a difference that `repair` finds."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from ansible.module_utils.fnn.lab.faults import FAULTS, corrupt_hosts, inject
from ansible.module_utils.fnn.lab.lan_host import make_discover
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.repair import repair, repair_hosts
from ansible.module_utils.fnn.lab.state import COMMENT, LabState
from ansible.module_utils.fnn.lab.wiring import DEAD, Device, Work, complete, pull_uplinks
from ansible.module_utils.fnn.shared.errors import FnnError

Lab = dict[str, dict[str, Device]]
HOSTS = "127.0.0.1 localhost\n10.78.0.1 k00 # a node\n10.78.0.2 k01 one\n"


@pytest.fixture
def state(layout: Layout, whole: Lab) -> LabState:
    return LabState(layout, whole, house=Path("lan_host.py"))


def change(state: LabState, name: str, **changes: object) -> None:
    """Changes one device of the switches' namespace, or creates it."""
    devices = state.found["lbt-sw"]
    devices[name] = replace(devices.get(name, Device(name)), **changes)  # type: ignore[arg-type,index]


def commands(work: Work) -> list[str]:
    return [command.replace("ip -n lbt-sw link set dev ", "") for command in work.commands()]


def move(**plugs: str) -> list[str]:
    """The commands that move a port, as k00_0, into another switch; it loses its carrier on the way."""
    ports = [(port.replace("_", "."), switch) for port, switch in plugs.items()]
    return [line for port, switch in ports for line in (f"{port} down", f"{port} master {switch} up")]


def test_a_lab_without_faults_needs_no_repair(state: LabState) -> None:
    assert repair(state).commands() == []


def test_in_a_cycle_each_cable_goes_where_the_next_one_was(state: LabState) -> None:
    moved = move(k00_0="blue", k00_1="green", k01_1="red")
    assert commands(inject(state, "cycle", ["k00:0", "k00:1", "k01:1"])) == moved


def test_a_nic_joins_another_of_its_node(state: LabState) -> None:
    assert commands(inject(state, "same-switch", ["k00:1"])) == move(k00_1="red")


def test_nodes_and_switches_exchange_all_they_have(state: LabState) -> None:
    moved = move(k00_0="blue", k02_0="red", k00_1="green", k02_1="blue")
    assert commands(inject(state, "shifted-node", ["k00", "k02"])) == moved
    moved = move(k00_0="blue", k01_0="blue", red_up="blue", k00_1="red", k02_0="red", blue_up="red")
    assert sorted(commands(inject(state, "relabeled", ["red", "blue"]))) == sorted(moved)


def test_a_dead_switch_takes_every_carrier_and_stays_dead_until_it_is_repaired(layout: Layout, state: LabState) -> None:
    assert commands(inject(state, "dead-switch", ["red"])) == [
        'red down alias "dead"', "k00.0 down", "k01.0 down", "red.up down"
    ]  # fmt: skip
    change(state, "red", up=False, alias=DEAD)
    for port in ("k00.0", "k01.0", "red.up"):
        change(state, port, up=False)
    assert complete(layout, state.found).commands() == []
    assert set(commands(repair(state))) == {
        "red up", 'red alias ""', "k00.0 master red up", "k01.0 master red up", "red.up master red up"
    }  # fmt: skip


def test_an_unexpected_cable_has_a_limit_before_it_is_plugged_in(state: LabState) -> None:
    ran = inject(state, "loop", ["red"]).commands()
    assert [line.split()[0] for line in ran] == ["ip", "tc", "tc", "ip", "ip"]
    assert ran[-1] == "ip -n lbt-sw link set dev stray0.b alias red master red up"


def test_unexpected_cables_are_numbered_pulled_with_the_uplinks_and_deleted_by_repair(
    layout: Layout, state: LabState
) -> None:
    change(state, "stray0.a", up=True, master="red", alias="red", queue="tbf")
    change(state, "stray0.b", up=True, master="uplink", alias="uplink", queue="tbf")
    assert "stray1.a" in inject(state, "joined", ["red", "blue"]).commands()[0]
    assert commands(pull_uplinks(layout, state.found))[-1] == "stray0.b down nomaster"
    assert repair(state).commands() == ["ip -n lbt-sw link delete dev stray0.a"]


def test_an_uplink_that_was_pulled_or_moved_stays_so_until_it_is_repaired(layout: Layout, state: LabState) -> None:
    assert commands(inject(state, "uplink-missing", ["red"])) == ["red.up down nomaster", 'red.up alias "pulled"']
    change(state, "red.up", up=False, master=None, alias="pulled")
    change(state, "blue.up", master="green", queue="tbf")
    assert complete(layout, state.found).commands() == []
    assert commands(repair(state)) == [
        "red.up master red up",
        'red.up alias ""',
        *move(blue_up="blue"),
        "tc -n lbt-sw qdisc delete dev blue.up root",
    ]


def test_repair_removes_the_house_lan_and_its_programs(state: LabState) -> None:
    work = inject(state, "foreign-network", ["k00:0"])
    assert work.namespaces == ["lbt-house"]
    assert "ip -n lbt-sw link set dev k00.0 master house up" in work.commands()
    assert any("dnsmasq" in line for line in work.commands())
    for name in ("house", "house.lan", "house.pc"):
        change(state, name, up=True)
    state.found["lbt-house"] = {}  # type: ignore[index]
    assert repair(state).commands() == ["ip -n lbt-sw link delete dev house", "ip netns delete lbt-house"]


def test_a_second_nic_in_the_house_needs_no_second_house(state: LabState) -> None:
    change(state, "house", up=True)
    assert commands(inject(state, "foreign-network", ["k01:0"])) == move(k01_0="house")
    change(state, "k01.0", master="house")
    assert commands(inject(state, "foreign-network", ["k01:0"])) == []


def test_a_copied_mac_is_given_back(state: LabState) -> None:
    line = "ip -n lbt-k01 link set dev nic1 address 02:f0:00:00:00:00"
    assert inject(state, "duplicate-mac", ["k01:1", "k00:0"]).commands() == [line]
    state.found["lbt-k01"]["nic1"] = Device("nic1", mac="02:f0:00:00:00:00")  # type: ignore[index]
    assert repair(state).commands() == ["ip -n lbt-k01 link set dev nic1 address 02:f0:00:00:01:01"]


def test_a_cable_loses_frames_by_a_table_at_its_port_that_repair_deletes(state: LabState) -> None:
    (ran,) = inject(state, "lossy", ["k00:0"]).commands()
    assert ran.startswith("ip netns exec lbt-sw nft 'table netdev fnn_lab_fault_k00_0 { chain ingress { type filter ")
    assert ran.count("device k00.0 priority 0; numgen random mod 100 < 30 drop;") == 2
    assert repair(replace(state, tables=["fnn_lab_fault_k00_0"])).commands() == [
        "ip netns exec lbt-sw nft 'delete table netdev fnn_lab_fault_k00_0'"
    ]


def test_a_small_mtu_is_raised_again(state: LabState) -> None:
    assert commands(inject(state, "small-mtu", ["k00:0"])) == ["k00.0 mtu 1400"]
    change(state, "k00.0", mtu=1400)
    change(state, "k00.1", mtu=9216)
    assert commands(repair(state)) == ["k00.0 mtu 9216"]


def test_a_flapping_port_is_marked_and_its_process_ends_with_the_mark(state: LabState) -> None:
    mark, loop = inject(state, "flapping", ["k00:0"]).commands()
    assert mark == 'ip -n lbt-sw link set dev k00.0 alias "flapping"'
    assert "while ip link show dev k00.0 | grep -q" in loop
    change(state, "k00.0", alias="flapping")
    assert commands(repair(state)) == ['k00.0 alias ""', "k00.0 up"]


def test_ports_are_isolated_until_the_lab_is_repaired(state: LabState) -> None:
    assert commands(inject(state, "isolated", ["k00:0", "k01:0"])) == [
        "k00.0 type bridge_slave isolated on",
        "k01.0 type bridge_slave isolated on",
    ]
    change(state, "k01.0", isolated=True)
    assert commands(repair(state)) == ["k01.0 type bridge_slave isolated off"]


def test_a_bridge_on_a_node_is_marked_and_deleted_by_its_mark(state: LabState) -> None:
    assert inject(state, "bridged", ["k01:0", "k01:1"]).commands() == [
        "ip -n lbt-k01 link add name br0 type bridge mcast_snooping 0",
        f'ip -n lbt-k01 link set dev br0 alias "{COMMENT}" up',
        "ip -n lbt-k01 link set dev nic0 master br0 up",
        "ip -n lbt-k01 link set dev nic1 master br0 up",
    ]
    state.found["lbt-k01"]["br0"] = Device("br0", alias=COMMENT)  # type: ignore[index]
    state.found["lbt-k00"]["br0"] = Device("br0")  # type: ignore[index]
    assert repair(state).commands() == ["ip -n lbt-k01 link delete dev br0"]


def test_only_firewall_rules_of_ours_are_taken_away(state: LabState) -> None:
    ran = inject(state, "firewall", ["k00:0"]).commands()
    assert ran == [f"ip netns exec lbt-k00 iptables -A INPUT -i nic0 -m comment --comment {COMMENT} -j DROP"]
    rule = f"-A INPUT -i nic0 -m comment --comment {COMMENT} -j DROP"
    assert repair(replace(state, rules={"lbt-k00": [rule]})).commands() == [ran[0].replace("-A", "-D")]


def test_a_wrong_hosts_entry_is_put_right_and_everything_else_is_left_alone(state: LabState) -> None:
    spoiled = corrupt_hosts(HOSTS, "k01", "k00")
    assert "10.78.0.1 k01 one # " in spoiled
    assert repair_hosts(spoiled) == repair_hosts(HOSTS) == HOSTS
    work = repair(replace(state, hosts={"lbt-k00": spoiled, "lbt-k01": HOSTS}))
    assert work.hosts == {"lbt-k00": HOSTS}
    with pytest.raises(FnnError, match="k07: is in no hosts file yet"):
        corrupt_hosts(HOSTS, "k07", "k00")


def test_a_lab_that_is_down_has_no_faults_to_inject_or_repair(layout: Layout) -> None:
    for work in (lambda state: inject(state, "loop", ["red"]), repair):
        with pytest.raises(FnnError, match="lab lbt: does not exist; bring it up first"):
            work(LabState(layout, {}))


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_with_too_few_arguments_names_those_it_takes(state: LabState, kind: str) -> None:
    with pytest.raises(FnnError, match=f"fault {kind}: takes .*, not nothing"):
        inject(state, kind, [])


@pytest.mark.parametrize(
    ("kind", "what", "message"),
    [
        ("joined", ["red", "pink"], "pink: no such switch, expected one of red, blue, green, uplink"),
        ("crossed", ["k09"], "k09: no such node, expected one of k00, k01, k02"),
        ("firewall", ["k09:0"], "k09:0: no such cable, expected NODE:NIC like k00:0"),
        ("duplicate-mac", ["red:up", "k00:0"], "red:up k00:0: is no cable of a node"),
        ("bridged", ["k00:0", "k01:0"], "k00:0 k01:0: expected NICs of one node"),
        ("uplink-wrong", ["uplink", "red"], "uplink: has no cable to an uplink switch"),
    ],
)
def test_a_fault_of_an_unknown_cable_or_node_is_refused(
    state: LabState, kind: str, what: list[str], message: str
) -> None:
    with pytest.raises(FnnError, match=message):
        inject(state, kind, what)


def test_every_fault_is_explained_to_people_and_to_ansible(root: Path) -> None:
    page = (root / "docs/how-to/lab.md").read_text()
    source = (root / "library/fnn_lab_fault.py").read_text()
    options = yaml.safe_load(re.search(r'DOCUMENTATION = r"""\n(.*?)"""', source, re.DOTALL)[1])["options"]  # type: ignore[index]
    assert options["kind"]["choices"] == list(FAULTS)
    assert [kind for kind in FAULTS if f"`{kind} " not in page] == []
    assert [kind for kind in FAULTS if f"V({kind})" not in " ".join(options["kind"]["description"])] == []


def test_the_house_pc_asks_as_dhcp_clients_do() -> None:
    frame = make_discover(bytes.fromhex("02aa00000007"), 1)
    assert frame[:14] == b"\xff" * 6 + bytes.fromhex("02aa00000007") + b"\x08\x00"
    head = frame[14:34]
    total = sum(int.from_bytes(head[at : at + 2], "big") for at in range(0, 20, 2))
    assert (total & 0xFFFF) + (total >> 16) == 0xFFFF  # a header with its checksum adds up to this
    assert frame[34:38] == (68).to_bytes(2, "big") + (67).to_bytes(2, "big")
    assert b"\x63\x82\x53\x63\x35\x01\x01\xff" in frame

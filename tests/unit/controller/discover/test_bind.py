# SPDX-License-Identifier: GPL-3.0-or-later
"""Which MAC becomes which NIC of the design, and which input is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.discover.bind import bind_macs, replace_nic
from ansible.module_utils.fnn.controller.documents import Documents, check_macs
from ansible.module_utils.fnn.shared.errors import FnnError

Links = dict[str, str]  # device -> MAC

ARRIVAL = "carries the SSH connection from 10.79.0.9, so it cannot be a NIC of the fabric"


def design(*nodes: tuple[str, list[str | None]]) -> dict[str, Any]:
    return {
        "cluster": "six",
        "spec": {"nodes": [{"name": n, "nics": [{"name": x} for x in nics]} for n, nics in nodes]},
    }


def seen(links: Links, **protected: tuple[str, str]) -> dict[str, Any]:
    """protected: device -> MAC and reason."""
    return {
        "links": [{"device": d, "mac": m, "permanent": True} for d, m in links.items()],
        "protected": [{"device": d, "names": [d], "mac": m, "reason": r} for d, (m, r) in protected.items()],
    }


def arrive(mac: str = "02:00:00:00:00:ff") -> tuple[str, str]:
    return mac, "carries the SSH connection from 10.79.0.9"


def mac(number: int) -> str:
    return f"02:f0:00:00:00:{number:02x}"


def bound(macs: dict[str, Any], node: int = 0) -> list[tuple[str, str]]:
    return [(nic["name"], nic["mac"]) for nic in macs["nodes"][node]["nics"]]


ONE = design(("k00", [None, None]))


def problems(*arguments: Any) -> list[str]:
    return [str(each) for each in bind_macs(*arguments).problems]


def bind(*arguments: Any) -> dict[str, Any]:
    binding = bind_macs(*arguments)
    assert binding.problems == []
    check_macs(binding.macs)
    return binding.macs


def test_unnamed_nics_are_bound_in_natural_order(root: Path) -> None:
    macs = bind(ONE, None, {"k00": seen({"eth10": mac(3), "eth2": mac(2), "eth1": mac(1)})})
    assert bound(macs) == [("eth1", mac(1)), ("eth2", mac(2))]
    Documents(root / "schemas").check(macs, "fnn-macs")


def test_named_nics_are_bound_by_name() -> None:
    named = design(("k00", ["eth2", None, "eth0"]))
    macs = bind(named, None, {"k00": seen({"eth0": mac(0), "eth1": mac(1), "eth2": mac(2)})})
    assert bound(macs) == [("eth2", mac(2)), ("eth1", mac(1)), ("eth0", mac(0))]


def test_bound_macs_stay_under_a_new_name_and_in_adopted_order() -> None:
    old = bind(ONE, None, {"k00": seen({"a": mac(1), "b": mac(2)})})
    old["nodes"][0]["nics"][0]["mac"], old["nodes"][0]["nics"][1]["mac"] = mac(2), mac(1)
    macs = bind(ONE, old, {"k00": seen({"enp1": mac(1), "enp2": mac(2)})})
    assert bound(macs) == [("enp2", mac(2)), ("enp1", mac(1))]


def test_only_the_replaced_nic_gets_a_new_binding() -> None:
    old = bind(ONE, None, {"k00": seen({"a": mac(1), "b": mac(2)})})
    macs = bind(ONE, old, {"k00": seen({"a": mac(9), "b": mac(2)})})
    assert bound(macs) == [("a", mac(9)), ("b", mac(2))]


def test_nodes_that_did_not_answer_keep_their_bindings() -> None:
    both = design(("k00", [None]), ("k01", [None]))
    old = bind(both, None, {"k00": seen({"a": mac(1)}), "k01": seen({"a": mac(2)})})
    assert bind(both, old, {"k00": None, "k01": {"failed": True}}) == old
    assert [node["name"] for node in bind(both, None, {"k01": seen({"a": mac(2)})})["nodes"]] == ["k01"]


def test_all_problems_are_reported_together() -> None:
    many = design(("k00", [None, None]), ("k01", ["eth0", "eth7"]), ("k02", [None]), ("k03", [None]), ("k04", ["mg0"]))
    found = problems(
        many,
        None,
        {
            "k00": seen({"eth0": mac(0)}),
            "k01": seen({"eth0": mac(1)}),
            "k02": seen({"eth0": mac(2)}),
            "k03": seen({"eth0": mac(3)}),
            "k04": seen({"eth0": mac(4)}, mg0=arrive()),
        },
    )
    assert found == [
        "/nodes/0/nics: 2 NICs planned, but k00 has 1: eth0 (fnn_nics of k00)",
        "/nodes/1/nics/1/name: no NIC is called eth7, there are: eth0 (fnn_nics of k01)",
        f"/nodes/4/nics/0/name: mg0 {ARRIVAL} (fnn_nics of k04)",
    ]


def test_too_few_unnamed_nics_are_a_problem() -> None:
    named = design(("k00", ["eth0", None]))
    assert problems(named, None, {"k00": seen({"eth0": mac(0)})}) == [
        "/nodes/0/nics: 2 NICs planned, but k00 has 1: eth0 (fnn_nics of k00)"
    ]


def test_a_member_of_the_bond_that_ansible_arrives_on_is_refused() -> None:
    below = mac(9), "is below bond0, which carries the SSH connection from 10.79.0.9"
    found = problems(design(("k00", ["eth9"])), None, {"k00": seen({"eth1": mac(1)}, bond0=arrive(mac(9)), eth9=below)})
    assert found == [
        "/nodes/0/nics/0/name: eth9 is below bond0, which carries the SSH connection from 10.79.0.9, so it cannot be a "
        "NIC of the fabric (fnn_nics of k00)"
    ]


def test_bound_nic_that_ansible_now_arrives_on_is_refused() -> None:
    old = bind(ONE, None, {"k00": seen({"a": mac(1), "b": mac(2)})})
    found = problems(ONE, old, {"k00": seen({"b": mac(2), "c": mac(3)}, a=arrive(mac(1)))})
    assert found == [f"/nodes/0/nics/0: a {ARRIVAL} (fnn_nics of k00)"]


def test_macs_of_another_cluster_are_refused() -> None:
    old = {**bind(ONE, None, {}), "cluster": "seven"}
    with pytest.raises(FnnError, match="/cluster: seven is not six, the cluster of the design"):
        bind_macs(ONE, old, {})


ROUTE = "has a default route (IPv4, table main)"


def test_a_nic_with_a_default_route_is_named_and_what_to_do(root: Path) -> None:
    whose = "(fnn_nics of k00)"
    node = seen({"eth1": mac(1)}, eno1=(mac(0), ROUTE))
    assert problems(design(("k00", ["eno1"])), None, {"k00": node}) == [
        f"/nodes/0/nics/0/name: eno1 {ROUTE}, so it cannot be a NIC of the fabric until that route is deleted {whose}"
    ]
    assert problems(ONE, None, {"k00": node}) == [
        f"/nodes/0/nics: 2 NICs planned, but k00 has 1: eth1 {whose}; eno1 {ROUTE}"
    ]


def reserve(observation: dict[str, Any], device: str, reason: str) -> dict[str, Any]:
    links = [{**link, "reserved": reason if link["device"] == device else None} for link in observation["links"]]
    return {**observation, "links": links}


def test_a_reserved_nic_is_bound_only_if_it_is_named_or_was_bound() -> None:
    """eno1 sorts first; it may carry the connection of Ansible."""
    links = {"eno1": mac(0), "enp2s0": mac(1), "enp3s0": mac(2)}
    node = reserve(seen(links), "eno1", "is up with the address 192.0.2.5")
    assert bound(bind(ONE, None, {"k00": node})) == [("enp2s0", mac(1)), ("enp3s0", mac(2))]
    named = bind(design(("k00", ["eno1", "enp2s0"])), None, {"k00": node})
    assert bound(named) == [("eno1", mac(0)), ("enp2s0", mac(1))]
    assert bound(bind(ONE, named, {"k00": node})) == [("eno1", mac(0)), ("enp2s0", mac(1))]
    assert problems(design(("k00", [None] * 3)), None, {"k00": node}) == [
        "/nodes/0/nics: 3 NICs planned, but k00 has 2: enp2s0, enp3s0 (fnn_nics of k00); "
        "eno1 is up with the address 192.0.2.5"
    ]


# --- Names that move ---


def test_a_bound_mac_keeps_its_place_when_a_card_shifts_the_names() -> None:
    named = design(("k00", ["nic0", "nic1"]))
    old = bind(named, None, {"k00": seen({"nic0": mac(0), "nic1": mac(1)})})
    shifted = {"k00": seen({"nic1": mac(0), "nic2": mac(1), "nic0": mac(0x99)})}
    moved = bind(named, old, shifted)
    assert bound(moved) == [("nic1", mac(0)), ("nic2", mac(1))]
    assert bind(named, moved, shifted) == moved, "the names of the inventory are still the former ones"


def test_all_names_may_change_at_once() -> None:
    named = design(("k00", ["eth0", "eth1"]))
    old = bind(named, None, {"k00": seen({"eth0": mac(0), "eth1": mac(1)})})
    assert bound(bind(named, old, {"k00": seen({"enp1s0": mac(0), "enp2s0": mac(1)})})) == [
        ("enp1s0", mac(0)),
        ("enp2s0", mac(1)),
    ]


def test_the_nics_of_a_new_mainboard_are_bound_by_name() -> None:
    named = design(("k00", ["eth1", "eth0"]))
    old = bind(named, None, {"k00": seen({"eth0": mac(0), "eth1": mac(1)})})
    assert bound(bind(named, old, {"k00": seen({"eth0": mac(8), "eth1": mac(9)})})) == [
        ("eth1", mac(9)),
        ("eth0", mac(8)),
    ]


def test_alternative_names_are_names() -> None:
    named = design(("k00", ["enp3s0", "enp2s0"]))
    node = seen({"eth0": mac(0), "eth1": mac(1), "eth2": mac(2)})
    for link, name in zip(node["links"], ("enp2s0", "enp3s0", "enp4s0")):
        link["altnames"] = [name, f"enx{link['mac'].replace(':', '')}"]
    assert bound(bind(named, None, {"k00": node})) == [("eth1", mac(1)), ("eth0", mac(0))]
    node["protected"] = [{"device": "eth9", "names": ["eth9", "enp3s0"], "mac": mac(9), "reason": ROUTE}]
    assert problems(named, None, {"k00": node})[0].startswith(f"/nodes/0/nics/0/name: eth9 {ROUTE}")


# --- Repairs ---


def repaired() -> dict[str, Any]:
    """The MACs of two nodes; the NICs of k01 are adopted in reverse order."""
    both = design(("k00", [None, None]), ("k01", [None, None]))
    links = {"k00": seen({"a": mac(1), "b": mac(2)}), "k01": seen({"a": mac(3), "b": mac(4)})}
    macs = bind(both, None, links)
    macs["nodes"][1]["nics"] = [{**nic, "nic": 1 - nic["nic"]} for nic in reversed(macs["nodes"][1]["nics"])]
    return macs


@pytest.mark.parametrize("nic", ["1", "a"])
def test_one_nic_is_replaced_and_nothing_else_is_touched(nic: str) -> None:
    macs = repaired()
    after = replace_nic(macs, "k01", nic, seen({"eth5": mac(9), "b": mac(4), "new": mac(4)}))
    assert after["nodes"][0] == macs["nodes"][0]
    assert [(each["nic"], each["name"], each["mac"]) for each in after["nodes"][1]["nics"]] == [
        (0, "b", mac(4)),
        (1, "eth5", mac(9)),
    ]


def test_of_several_new_nics_one_must_be_named() -> None:
    links = seen({"b": mac(4), "c": mac(8), "d": mac(9)})
    with pytest.raises(
        FnnError, match=r"k01 1: expected one new NIC in the node, found c \(.*08\), d \(.*09\); select"
    ):
        replace_nic(repaired(), "k01", "1", links)
    assert replace_nic(repaired(), "k01", "1", links, "d")["nodes"][1]["nics"][1]["mac"] == mac(9)


def test_a_reserved_nic_replaces_another_only_if_it_is_named() -> None:
    links = reserve(seen({"b": mac(4), "c": mac(8), "usb0": mac(9)}), "usb0", "has the USB driver cdc_ncm")
    links["links"][2]["altnames"] = ["enx0250"]
    assert replace_nic(repaired(), "k01", "1", links)["nodes"][1]["nics"][1]["mac"] == mac(8)
    for name in ("usb0", "enx0250"):
        assert replace_nic(repaired(), "k01", "1", links, name)["nodes"][1]["nics"][1]["mac"] == mac(9)


NONE_NEW = "k01 1: expected one new NIC in the node, found none; select it by its device name"
TAKEN = f"/nodes/1/nics/1/mac: {mac(1)} is already the MAC of /nodes/0/nics/0 (k01 c and k00 a)"


@pytest.mark.parametrize(
    ("node", "nic", "links", "message"),
    [
        ("k07", "0", {}, "k07: its MACs are not known yet; known are those of: k00, k01"),
        ("k01", "5", {}, "k01 5: no such NIC, there are: 0 (b), 1 (a)"),
        ("k01", "1", {"a": mac(3), "b": mac(4)}, f"k01 1: {mac(3)} is still there, so nothing was replaced"),
        ("k01", "1", {"b": mac(4)}, NONE_NEW),
        ("k01", "1", {"b": mac(4), "c": mac(1)}, TAKEN),
    ],
)
def test_an_invalid_replacement_is_refused(node: str, nic: str, links: Links, message: str) -> None:
    with pytest.raises(FnnError) as error:
        replace_nic(repaired(), node, nic, seen(links))
    assert str(error.value) == message

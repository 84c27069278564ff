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

ARRIVAL = "carries the connection of Ansible, so it cannot be a NIC of the fabric"


def design(*nodes: tuple[str, list[str | None]]) -> dict[str, Any]:
    return {
        "cluster": "six",
        "spec": {"nodes": [{"name": n, "nics": [{"name": x} for x in nics]} for n, nics in nodes]},
    }


def seen(links: Links, arrived_on: str | None = None, arrival_mac: str = "02:00:00:00:00:ff") -> dict[str, Any]:
    arrival = {"device": arrived_on, "mac": arrival_mac, "address": "10.79.0.1", "rests_on": ["eth9"]}
    return {
        "links": [{"device": d, "mac": m, "permanent": True} for d, m in links.items()],
        "arrived_on": arrived_on and arrival,
    }


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
            "k04": seen({"eth0": mac(4)}, arrived_on="mg0"),
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
    found = problems(design(("k00", ["eth9"])), None, {"k00": seen({"eth1": mac(1)}, arrived_on="bond0")})
    assert found == [
        "/nodes/0/nics/0/name: eth9 is part of bond0, which carries the connection of Ansible (fnn_nics of k00)"
    ]


def test_bound_nic_that_ansible_now_arrives_on_is_refused() -> None:
    old = bind(ONE, None, {"k00": seen({"a": mac(1), "b": mac(2)})})
    found = problems(ONE, old, {"k00": seen({"b": mac(2), "c": mac(3)}, arrived_on="a", arrival_mac=mac(1))})
    assert found == [f"/nodes/0/nics/0: a {ARRIVAL} (fnn_nics of k00)"]


def test_macs_of_another_cluster_are_refused() -> None:
    old = {**bind(ONE, None, {}), "cluster": "seven"}
    with pytest.raises(FnnError, match="/cluster: seven is not six, the cluster of the design"):
        bind_macs(ONE, old, {})


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

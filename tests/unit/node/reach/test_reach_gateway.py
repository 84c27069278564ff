# SPDX-License-Identifier: GPL-3.0-or-later
"""node/reach/gateway.py: what a node reports about the gateway."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ansible.module_utils.fnn.node.net.plan import Identity, Leg, Plan, Route
from ansible.module_utils.fnn.node.reach import gateway as tested

APART = Plan("six", "k01", 196, Identity("fnn0", "dummy", "10.78.0.2"), (), (), (), {})
TO_GATEWAY = Route("10.78.0.1", (Leg("red", "10.77.0.1"),), "k00")
BEHIND = replace(APART, routes=(TO_GATEWAY, replace(TO_GATEWAY, address="default")))
ROUTER = [{"dst": "default", "gateway": "192.0.2.1", "dev": "out0"}]


@pytest.fixture(autouse=True)
def working(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway in order, and a name service with two names."""
    names = {"k01": ["10.78.0.2"], "www.test": ["198.51.100.80"]}
    monkeypatch.setattr(tested, "query_addresses", lambda server, name: names.get(name, []))
    monkeypatch.setattr(tested, "resolves", lambda name: name in names)
    monkeypatch.setattr(tested, "ping", lambda address, tries: address in ("198.51.100.80", "192.0.2.1"))
    monkeypatch.setattr(tested, "run_ip", lambda *_: ROUTER)
    monkeypatch.setattr(tested, "read_sysctl", lambda _: "1")
    monkeypatch.setattr(tested.managers, "is_active", lambda _: True)
    monkeypatch.setattr(tested.gateway, "is_loaded", lambda: True)


def test_a_working_gateway_has_a_router() -> None:
    seen = tested.observe(replace(APART, gateway="out0"), "")
    assert (seen.place, seen.router, seen.problems) == ("gateway", "192.0.2.1", [])


def test_each_fault_of_a_gateway_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "read_sysctl", lambda _: "0")
    monkeypatch.setattr(tested.managers, "is_active", lambda unit: unit != "fnn-names.service")
    monkeypatch.setattr(tested.gateway, "is_loaded", lambda: False)
    monkeypatch.setattr(tested, "run_ip", lambda *_: [])
    assert tested.observe(replace(APART, gateway="out0"), "").problems == [
        "fnn-names.service does not run; systemctl status fnn-names.service shows why",
        "the table ip fnn_gateway is not loaded; run playbooks/network.yml",
        "out0 does not forward; run playbooks/network.yml",
        "no default route leads over out0, the interface to the outside",
    ]


def test_a_node_with_its_own_default_route_tests_nothing() -> None:
    assert tested.observe(APART, "www.test") == tested.Observation("apart")


@pytest.mark.parametrize(
    ("probe", "reached"),
    [
        ("", []),
        ("192.0.2.1", ["ping 192.0.2.1"]),
        ("www.test", ["www.test by 10.78.0.1", "ping 198.51.100.80"]),
    ],
)
def test_a_node_behind_the_gateway_tests_names_and_the_host_outside(probe: str, reached: list[str]) -> None:
    seen = tested.observe(BEHIND, probe)
    assert (seen.place, seen.tested, seen.problems) == ("behind", ["k01 by 10.78.0.1", *reached], [])


def test_a_wrong_name_and_a_silent_host_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "query_addresses", lambda server, name: ["203.0.113.9"])
    monkeypatch.setattr(tested, "resolves", lambda name: False)
    assert tested.observe(BEHIND, "www.test").problems == [
        "the name service at 10.78.0.1 answers 203.0.113.9 for k01, not 10.78.0.2",
        "the resolver of this node finds no address for www.test; see /etc/resolv.conf",
        "203.0.113.9 outside does not answer to ping over the gateway",
    ]


def test_a_silent_name_service_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "query_addresses", lambda server, name: [])
    assert tested.observe(BEHIND, "www.test").problems == [
        "the name service at 10.78.0.1 answers no address for k01, not 10.78.0.2",
        "the name service at 10.78.0.1 finds no address for www.test",
    ]

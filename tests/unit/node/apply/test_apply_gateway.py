# SPDX-License-Identifier: GPL-3.0-or-later
"""What a change of files does to the gateway of a node: rules, name service, forwarding of the outside interface."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply import gateway, system
from ansible.module_utils.fnn.node.apply.changes import Files
from ansible.module_utils.fnn.node.net import gateway as on_node
from ansible.module_utils.fnn.node.net.kernel import forwarding_key
from ansible.module_utils.fnn.node.net.originals import Originals, read_originals, write_originals
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile
from ansible.module_utils.fnn.shared.errors import FnnError

KEY = forwarding_key("out0")


def make_bundle(interface: str) -> Bundle:
    """interface: "" for a node that is no gateway."""
    node = BundledFile("/etc/fnn/node", "file", 0o644, f"node k00\n{f'gateway {interface}' if interface else ''}\n")
    units = [BundledFile(path, "file", 0o644, "") for path in on_node.UNIT_FILES] if interface else []
    return Bundle({}, [node, *units])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A node that is a gateway over out0, with running units and loaded rules."""
    for path in ("etc/fnn/node", *(each.lstrip("/") for each in on_node.UNIT_FILES)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("gateway out0\n")
    write_originals(Place(tmp_path), Originals(sysctls={KEY: "0", "net/ipv4/x": "1"}), [])
    monkeypatch.setattr(Place, "has_systemd", True)
    monkeypatch.setattr(system, "is_enabled", lambda unit: True)
    monkeypatch.setattr(system, "is_active", lambda unit: True)
    monkeypatch.setattr(on_node, "is_loaded", lambda: True)
    monkeypatch.setattr(on_node, "read_sysctl", {KEY: "1", forwarding_key("all"): "0"}.get)
    return Place(tmp_path)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    done: list[str] = []
    monkeypatch.setattr(system, "run", lambda *command: done.append(" ".join(command)))
    monkeypatch.setattr(on_node, "forget_failures", lambda: None)
    monkeypatch.setattr(on_node, "run", lambda *command: done.append(" ".join(command)))
    monkeypatch.setattr(on_node, "write_sysctls", lambda settings: done.extend("=".join(each) for each in settings))
    return done


def find(place: Place, interface: str, *changed: str) -> gateway.Transition:
    return gateway.find_transition(make_bundle(interface), Files(place.root), changed, place)


def test_nothing_happens_to_a_gateway_that_is_as_wanted(place: Place, steps: list[str]) -> None:
    transition = find(place, "out0", "/etc/fnn/routes")
    assert not transition
    assert gateway.release(transition, place) + gateway.load(transition) == []
    assert steps == []


def test_changed_rules_are_loaded_without_a_gap(place: Place, steps: list[str]) -> None:
    transition = find(place, "out0", "/etc/fnn/gateway.nft")
    gateway.load(transition)
    assert "systemctl reload-or-restart fnn-gateway.service" in steps
    assert not any("stop" in each for each in steps)


def test_the_name_service_reads_changed_names_of_the_cluster(place: Place) -> None:
    assert find(place, "out0", "/etc/fnn/hosts").loads


def test_flushed_rules_are_loaded_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_node, "is_loaded", lambda: False)
    assert find(place, "out0").loads


def test_a_former_gateway_stops_forwarding_before_its_rules_go(place: Place, steps: list[str]) -> None:
    transition = find(place, "")
    assert (transition.settings, transition.stops, transition.loads) == (((KEY, "0"),), True, False)
    assert gateway.release(transition, place) == [
        "out0 no longer forwards for the cluster",
        "stopped and disabled fnn-gateway.service and fnn-names.service",
    ]
    assert steps == [f"{KEY}=0", "systemctl --quiet disable --now fnn-gateway.service fnn-names.service"]
    assert read_originals(place).sysctls == {"net/ipv4/x": "1"}, "a later removal leaves the interface alone"


def test_another_interface_takes_over_from_the_former(place: Place, steps: list[str]) -> None:
    transition = find(place, "out1", "/etc/fnn/gateway.nft")
    assert (transition.leaves, transition.loads, transition.stops) == ("out0", True, False)
    gateway.release(transition, place)
    assert steps == [f"{KEY}=0"]


def test_a_node_that_never_was_a_gateway_is_left_alone(place: Place) -> None:
    for path in on_node.UNIT_FILES:
        (place.root / path.lstrip("/")).unlink()
    (place.root / "etc/fnn/node").write_text("node k00\n")
    assert not find(place, "")


def test_all_missing_programs_are_named_before_anything_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None)
    gateway.refuse_missing_programs(gateway.Transition(stops=True))
    with pytest.raises(FnnError) as caught:
        gateway.refuse_missing_programs(gateway.Transition(loads=True))
    assert str(caught.value).splitlines() == [
        "this gateway needs /usr/sbin/nft, of the package nftables",
        "this gateway needs /usr/sbin/dnsmasq, of the package dnsmasq-base",
    ]


def test_the_removal_of_the_toolkit_stops_the_units(steps: list[str]) -> None:
    assert gateway.stop_if_leaving(["/etc/fnn/node"]) == []
    assert gateway.stop_if_leaving([on_node.UNIT_FILES[0]]) == [
        "stopped and disabled fnn-gateway.service and fnn-names.service"
    ]
    assert steps == ["systemctl --quiet disable --now fnn-gateway.service fnn-names.service"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a cluster die, are replaced, leave and join: each case to the proof, and to a second run without changes.

The tests share one lab and run in order: each leaves it as the next one needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from labsite import find_changed
from repairs_site import LAB, NODES, PORTS, SPARE, SWITCHES, RepairsSite

NEW_MAC = "02:f0:00:00:99:01"
#: Run by an operator after a change of the design: cables first, then all stages from discover on.
STAGES = tuple(f"playbooks/{stage}.yml" for stage in ("discover", "verify", "network", "mpi"))
GROW = ("playbooks/design.yml", "-e", "fnn_redesign=true", "-e", "fnn_grow=true")


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[RepairsSite]:
    """Booted, configured and proved, as a cluster in use."""
    site = RepairsSite(root)
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"):
        site.play(*STAGES)
        yield site


def test_a_replaced_nic_comes_into_use(site: RepairsSite) -> None:
    site.replace_nic("k01", 0, NEW_MAC)
    site.fnn("replace-nic", "k01", "0")
    (nics,) = [each["nics"] for each in site.read("macs.json")["nodes"] if each["name"] == "k01"]
    assert nics[0]["mac"] == NEW_MAC
    site.play("playbooks/network.yml")
    assert NEW_MAC in site.inside("k01", "cat", "/etc/fnn/links")
    site.check_proved(*NODES, SPARE, whole=True)


def test_a_smaller_switch_takes_the_place_of_a_dead_one(site: RepairsSite) -> None:
    switches = [{"name": color, "ports": PORTS - (color == "green")} for color in SWITCHES]
    site.tune(fnn_switches=switches)
    site.play(*GROW)
    site.fnn("lab", "recable")
    site.play(*STAGES)
    site.check_proved(*NODES, SPARE, whole=True)


def test_a_removed_node_leaves_no_entries_on_the_others(site: RepairsSite) -> None:
    *there, gone = NODES
    site.fnn("lab", "unplug", f"{gone}:0", f"{gone}:1")
    site.run("podman", "stop", "--time=0", f"{LAB}-{gone}")
    site.list_nodes(*there)
    site.play(*GROW)
    site.play(*STAGES)
    site.check_proved(*there, SPARE, whole=True)
    for node in there:
        assert gone not in site.inside(node, "cat", "/etc/fnn/nics", "/etc/fnn/neighbors", "/etc/hosts")


def test_an_added_node_is_reached_by_all_others(site: RepairsSite) -> None:
    site.run("podman", "start", f"{LAB}-{NODES[-1]}")
    site.list_nodes(*NODES)
    site.play(*GROW)
    site.play("playbooks/lab.yml")
    site.fnn("lab", "recable")
    site.play(*STAGES)
    site.check_proved(*NODES, SPARE, whole=True)


def test_a_stand_in_takes_over_and_hands_back(site: RepairsSite) -> None:
    dead = "k02"
    site.fnn("lab", "unplug", f"{dead}:0", f"{dead}:1")
    site.run("podman", "stop", "--time=0", f"{LAB}-{dead}")
    site.fnn("stand-in", dead, SPARE)
    alive = tuple(name for name in NODES if name != dead)
    site.check_proved(*alive, SPARE)
    site.run("podman", "start", f"{LAB}-{dead}")
    site.fnn("lab", "plug", f"{dead}:0", f"{dead}:1")
    site.play("playbooks/lab.yml")  # waits until the node answers
    site.fnn("stand-in", dead, "--end")
    assert find_changed(site.play("playbooks/network.yml")) == []
    site.check_proved(*NODES, SPARE, whole=True)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of a switch on the converged cluster: its passport is true, verify reads it, and all else is as before.

tests/kernel/test_switch_check_kernel.py measures every trait on a switch of its own.
"""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from testinfra.host import Host
from waiting import wait_until

from .cabling import lab
from .conftest import BUILD, LAB, NODES, PROJECT, Outcome, ask_all, look, read_json

PASSPORT = BUILD / "site/switch-passport.json"
#: The steps that take a few seconds. Others than these do not run.
STEPS = ("forwarding", "sizes", "learning")
PLAN = [{"step": step, "what": f"the step {step}", "seconds": 30} for step in STEPS]
SWITCH = json.dumps({"fnn_switch_check_switch": "red", "__fnn_switch_check_plan": PLAN})
#: Whether a station has left its files.
STATION = "ls /run/fnn-switch-check 2>/dev/null || true"


@pytest.fixture
def without_passport() -> Iterator[None]:
    """Later tests verify without one."""
    yield
    PASSPORT.unlink(missing_ok=True)


@pytest.fixture
def hub(without_passport: None) -> Iterator[None]:
    """The switch red learns no addresses. `repair` also plugs all cables as in the first design, so these tests precede
    those of test_rewire.py."""
    lab("fault", "no-learning", "red")
    yield
    lab("repair")


def read_cables() -> dict[str, Any]:
    """Each port of the switches, those of the uplinks included, and the switch that it is in."""
    listed = subprocess.run(["ip", "-n", f"{LAB}-sw", "-json", "link"], check=True, capture_output=True).stdout
    return {link["ifname"]: link.get("master") for link in json.loads(listed)}


def test_the_passport_is_true_and_verify_reads_it(
    hub: None, nodes: dict[str, Host], play: Callable[..., Outcome]
) -> None:
    before, cables = look(nodes), read_cables()
    outcome = play("playbooks/switch-check.yml", "--extra-vars", SWITCH)
    assert outcome.status == 0, outcome.output
    assert "red: 4 nodes" in outcome.output
    assert (look(nodes), read_cables()) == (before, cables)
    (entry,) = read_json(PASSPORT)["switches"]
    traits = entry["traits"]
    passed = ("forwards_experimental_broadcast", "forwards_ip", "accepts_invented_addresses", "learns_addresses")
    assert [traits[name]["value"] for name in passed] == [True, True, True, False]
    assert traits["largest_frame"]["at_least"] >= 1500
    assert (traits["ageing"]["value"], traits["ageing"]["reason"]) == ("unknown", "this was not measured")
    verified = play("playbooks/verify.yml", "-e", "fnn_verify_evidence=relearn")
    assert verified.status == 2
    assert "red: the switch learns no addresses (switch-passport.json), so the relearn probe" in verified.output


@pytest.mark.long
def test_a_good_switch_has_a_good_passport(
    without_passport: None, nodes: dict[str, Host], play: Callable[..., Outcome]
) -> None:
    """All steps; the time that a port is blocked is unknown, as the NICs are in use."""
    before, cables = look(nodes), read_cables()
    variables = {"fnn_switch_check_switch": "blue", "fnn_switch_check_ageing": 5, "fnn_switch_check_mbps": 50}
    outcome = play("playbooks/switch-check.yml", "--extra-vars", json.dumps(variables))
    assert outcome.status == 0, outcome.output
    assert (look(nodes), read_cables()) == (before, cables)
    traits = read_json(PASSPORT)["switches"][0]["traits"]
    good = ("learns_addresses", "follows_moves", "survives_many_moves", "floods_unknown_addresses")
    assert [traits[name]["value"] for name in good] == [True] * len(good)
    assert traits["ageing"]["at_least"] == 5
    assert traits["start_delay"]["reason"] == "the NICs were in use before, so their links stay up"


@pytest.mark.long
def test_an_interrupted_check_leaves_nothing(without_passport: None, nodes: dict[str, Host], inventory: Path) -> None:
    """By SIGTERM, which ./fnn treats as SIGINT: a job in the background of a shell ignores that."""
    before, cables = look(nodes), read_cables()
    command = [str(PROJECT / "fnn"), "switch-check", "red", "-i", str(inventory)]
    with subprocess.Popen(command, cwd=PROJECT, start_new_session=True) as process:
        try:
            two = {name: nodes[name] for name in NODES[:2]}
            wait_until(lambda: all(ask_all(two, STATION).values()), 60, every=0.2)
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 130
    assert not any(ask_all(nodes, STATION).values())
    assert (look(nodes), read_cables()) == (before, cables)
    assert not PASSPORT.exists()

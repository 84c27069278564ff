# SPDX-License-Identifier: GPL-3.0-or-later
"""People plug cables on a running lab, and ./fnn wire reports each at once."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testinfra.host import Host
from waiting import excusing, wait_until

from .cabling import read_plugged
from .conftest import BUILD, LAB, NODES, ask_all, look, read_json
from .live import LiveCommand

Event = dict[str, Any]
SOON = 2.0  # seconds from link-up to the verdict
PULLED = ["k00:0", "k03:1"]
#: Lists what reporters may leave behind, without this command itself.
#: fnn-linkd writes linkd.known when it learns of a fault, here of the cables that are pulled, and forks for a moment to
#: compare routes.
TRACES = (
    "ls -A /run/fnn 2> /dev/null | grep -vx linkd.known;"
    " ps -eo args | grep '[f]nn' | grep -v 'ps -eo' | sort -u || true"
)


def handle(label: str, *words: str) -> None:
    """Plugs or pulls a cable at once: ./fnn lab takes seconds to start, and these tests measure seconds."""
    port = label.replace(":", ".")
    subprocess.run(["ip", "-n", f"{LAB}-sw", "link", "set", "dev", port, *words], check=True, capture_output=True)


def pull(label: str) -> None:
    """Pulls a cable and waits until the node detects it, a moment later."""
    handle(label, "down", "nomaster")
    wait_until(lambda: show_link(label)["operstate"] != "UP", 20)


def plug(label: str, switch: str) -> None:
    handle(label, "master", switch, "up")


@pytest.fixture
def wants() -> Iterator[dict[str, str]]:
    """Cable -> its switch. Some cables are out; afterwards all are where they were."""
    design = read_json(BUILD / "site" / "design.json")
    wanted = {f"{node['name']}:{link['nic']}": link["switch"] for node in design["nodes"] for link in node["links"]}
    assert read_plugged() == wanted
    for label in PULLED:
        pull(label)
    yield wanted
    for label in PULLED:
        plug(label, wanted[label])


def read_events(lines: list[str]) -> list[Event]:
    return [json.loads(line) for line in lines if line.startswith('{"')]


class Rack:
    """The person at the rack, with `./fnn wire --json` in view."""

    def __init__(self, wire: LiveCommand) -> None:
        self.wire = wire

    def wait_for(self, label: str, verdict: str, since: float = 0) -> Event:
        def find(lines: list[str]) -> Event | None:
            events = (event for event in read_events(lines) if event["event"] == "cable" and event["time"] >= since)
            return next((each for each in events if (format_label(each), each["verdict"]) == (label, verdict)), None)

        return self.wire.wait_for(find)

    def plug(self, label: str, switch: str, verdict: str) -> Event:
        """Plugs a cable; returns its event, which must come in time."""
        start = time.time()
        plug(label, switch)
        wait_until(lambda: "LOWER_UP" in show_link(label)["flags"], 20)
        up = time.time()
        with excusing() as excused:
            event = self.wait_for(label, verdict, start)
        assert event["time"] - up < SOON + excused()
        return event


def format_label(event: Event) -> str:
    return f"{event['node']}:{event['nic']}"


def show_link(label: str) -> dict[str, Any]:
    """The NIC at the other end of the cable."""
    node, nic = label.split(":")
    shown = subprocess.run(
        ["ip", "-n", f"{LAB}-{node}", "-json", "link", "show", "dev", f"nic{nic}"], check=True, capture_output=True
    )
    link: dict[str, Any] = json.loads(shown.stdout)[0]
    return link


def test_each_cable_gets_its_verdict_at_once_and_the_full_verification_follows(
    inventory: Path, nodes: dict[str, Host], wants: dict[str, str]
) -> None:
    right = wants["k03:1"]
    (wrong,) = set(wants.values()) - {wants["k03:0"], right}
    traces = ask_all(nodes, TRACES)
    with LiveCommand(inventory, "wire", "--json") as wire:
        rack = Rack(wire)
        for label in wants:
            rack.wait_for(label, "to-plug" if label in PULLED else "right")
        assert rack.plug("k00:0", wants["k00:0"], verdict="right")["seen"] == wants["k00:0"]
        event = rack.plug("k03:1", wrong, verdict="wrong")
        assert (event["expected"], event["seen"]) == (right, wrong)
        assert event["text"] == f"k03 nic1: belongs to {right.upper()}, is in {wrong.upper()}"
        pull("k03:1")
        rack.wait_for("k03:1", "to-plug", event["time"])
        rack.plug("k03:1", right, verdict="right")
        assert wire.end() == 0
    # Before it are events, and on standard error the stages of verify.
    report = json.loads("\n".join(wire.lines[wire.lines.index("{") :]))
    assert (report["format"], report["verdict"], report["findings"]) == ("fnn-findings", "match", [])
    assert {f"{link['node']}:{link['nic']}" for link in report["links"] if link["state"] == "ok"} == set(wants)
    assert read_plugged() == wants
    assert ask_all(nodes, TRACES) == traces


@pytest.mark.long
@pytest.mark.usefixtures("wants")
def test_ctrl_c_stops_the_session_and_leaves_no_traces(inventory: Path, nodes: dict[str, Host], tmp_path: Path) -> None:
    before, plugged, traces = look(nodes), read_plugged(), ask_all(nodes, TRACES)
    files = set((BUILD.parent).glob("wire-*"))
    with LiveCommand(inventory, "wire", "--log", str(tmp_path / "log")) as wire:
        wire.wait_for(
            lambda lines: sum(": right, in " in line for line in lines) == len(NODES) * 2 - len(PULLED) or None
        )
        assert ask_all(nodes, TRACES) != traces, "there is something to leave behind"
        assert wire.interrupt() == 130
    assert (look(nodes), read_plugged(), ask_all(nodes, TRACES)) == (before, plugged, traces)
    assert set((BUILD.parent).glob("wire-*")) == files
    assert wire.lines[-1].startswith(f"{LAB}: 10 of 12 cables right, 2 to plug")
    events = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {format_label(each) for each in events if each.get("verdict") == "to-plug"} == set(PULLED)

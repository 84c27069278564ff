# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent as a process of its own, on the NICs of this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.bench import agent
from waiting import wait_until

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def process(node: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-u", "-c", node, "60"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture
def ask(process: subprocess.Popen[str]) -> Ask:
    def ask(**command: Any) -> dict[str, Any]:
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(command) + "\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        return answer

    return ask


def test_it_reads_the_node_and_the_counters_of_its_nics(ask: Ask) -> None:
    answer = ask(do="read", devices=["lo", "nic9"])
    assert (answer["kernel"], answer["iperf3"]) == (os.uname().release, "3.12")
    assert list(answer["nics"]) == ["lo"]
    counters = answer["nics"]["lo"]["counters"]
    assert {"rx_errors", "tx_dropped", "rx_packets"} <= counters.keys()
    assert "rx_bytes" not in counters


def test_a_server_listens_for_the_client_of_another_nic(ask: Ask) -> None:
    (server,) = ask(do="serve", tests=[{"device": "lo"}])["tests"]
    assert server["address"] == "127.0.0.1"
    test = {"device": "lo", "options": ["--bidir"], **server}
    (result,) = ask(do="send", seconds=1, tests=[test])["tests"]
    assert json.loads(result["output"])["end"]["sum_sent"]["bytes"] == 492699648
    assert ask(do="stop") == {}


def test_servers_of_earlier_rounds_have_ended(ask: Ask, process: subprocess.Popen[str]) -> None:
    """A server prints more than a pipe holds, so that it does not end by itself."""
    for _ in range(3):
        (server,) = ask(do="serve", tests=[{"device": "lo"}])["tests"]
        assert len(list_children(process.pid)) == 1
        ask(do="send", seconds=1, tests=[{"device": "lo", "options": ["--bidir"], **server}])
    ask(do="stop")
    assert list_children(process.pid) == []


def test_each_test_that_cannot_run_has_its_reason(ask: Ask) -> None:
    answers = ask(do="serve", tests=[{"device": "nic9"}, {"device": "lo"}])["tests"]
    assert answers[0] == {"error": "there is no device nic9; ./fnn discover reads the present names"}
    assert "port" in answers[1]
    assert ask(do="stop") == {}


def test_a_server_that_does_not_listen_has_the_reason_of_iperf3(
    ask: Ask, write_program: Callable[[str, str], Path]
) -> None:
    error = '{"start": {},\\n "error":\\t"unable to start listener"\\n}'
    write_program("iperf3", f"[ $1 = --version ] && exec echo iperf 3.12\nprintf '{error}'; exit 1")
    (answer,) = ask(do="serve", tests=[{"device": "lo"}])["tests"]
    assert answer == {"error": "iperf3 does not listen: unable to start listener"}
    assert ask(do="serve", tests=[]) == {"tests": []}


def test_a_client_that_does_not_end_is_killed() -> None:
    with subprocess.Popen(["sleep", "60"], stdout=subprocess.PIPE, text=True) as client:
        answer = agent.finish_client({"process": client}, time.monotonic())
        assert answer == {"error": "iperf3 did not end within 10 s after the test"}
        assert client.returncode == -signal.SIGKILL


def test_intervals_are_not_sent_and_other_outputs_are_as_printed() -> None:
    both = {"intervals": [1], "end": {}, "server_output_json": {"intervals": [2], "end": {}}}
    assert json.loads(agent.leave_out_intervals(json.dumps(both))) == {"end": {}, "server_output_json": {"end": {}}}
    assert agent.leave_out_intervals("iperf3: error - busy\n") == "iperf3: error - busy\n"


def test_its_source_has_as_many_octets_as_characters(source: str) -> None:
    """Its length is sent before it, and the locale of a node may have any encoding."""
    assert source.isascii()


def test_a_wrong_command_does_not_end_it(ask: Ask) -> None:
    assert ask(do="dance") == {"error": "KeyError: 'dance'"}
    assert "kernel" in ask(do="read", devices=[])


def list_children(process: int) -> list[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(word) for word in text.split()]


@pytest.mark.parametrize("end", ["closed", "killed"])
def test_no_server_outlives_it(end: str, ask: Ask, process: subprocess.Popen[str]) -> None:
    ask(do="serve", tests=[{"device": "lo"}])
    (server,) = list_children(process.pid)
    if end == "closed":
        assert process.stdin
        process.stdin.close()
        assert process.wait(100) == 0
    else:
        process.send_signal(signal.SIGKILL)
        process.wait(100)
    wait_until(lambda: not Path(f"/proc/{server}").exists(), 10)


def test_it_ends_after_its_seconds_though_its_connection_stays(node: str) -> None:
    command = [sys.executable, "-c", node, "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.wait(100) == 0


ETHTOOL = """NIC statistics:
     rx_packets: 1234
     rx_crc_errors: 7
     tx_queue_0_drops: 2
     rx_pause: 9
     [0]: rx_ucast_packets: 5
     rx_no_buffer_count: 3
     name: text
"""


def test_counters_of_the_driver_are_those_of_errors_and_losses() -> None:
    assert agent.parse_driver_counters(ETHTOOL) == {"rx_crc_errors": 7, "tx_queue_0_drops": 2, "rx_no_buffer_count": 3}


def test_a_nic_with_an_address_is_used_by_it_and_another_by_its_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for device, mac in {"nic0": "02:f0:00:00:00:00", "nic1": "02:f0:00:00:00:01"}.items():
        (tmp_path / device).mkdir()
        (tmp_path / device / "address").write_text(f"{mac}\n")
    (tmp_path / "links").write_text("red 02:f0:00:00:00:00 10.77.0.1/24 1500\nblue 02:f0:00:00:00:01 - 1500\n")
    (tmp_path / "node").write_text("cluster six\nidentity fnn0 dummy 10.78.0.1\n")
    for name in ("links", "node"):
        monkeypatch.setattr(agent, name.upper(), tmp_path / name)
    monkeypatch.setattr(agent, "SYSFS", tmp_path)
    monkeypatch.setattr(agent, "read_iperf_version", lambda: "3.12")
    assert agent.find_binding("nic0") == ["--bind", "10.77.0.1"]
    assert agent.find_binding("nic1") == ["--bind", "10.78.0.1", "--bind-dev", "nic1"]
    monkeypatch.setattr(agent, "read_iperf_version", lambda: "3.9")
    with pytest.raises(agent.Refused, match=r"iperf3 3\.9 cannot bind to a NIC without an address; 3\.10 can"):
        agent.find_binding("nic1")
    (tmp_path / "node").write_text("")
    with pytest.raises(agent.Refused, match="has no identity address"):
        agent.find_binding("nic1")

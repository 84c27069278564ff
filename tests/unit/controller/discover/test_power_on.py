# SPDX-License-Identifier: GPL-3.0-or-later
"""How the front of the power-on discovery handles the output of the head; here the head is a small program."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.discover.power_on import PowerOnSession, write_leaser
from ansible.module_utils.fnn.controller.discover.power_on_order import PowerOnState
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError

DESIGN = {"cluster": "six", "spec": {"nodes": [{"name": "k00", "nics": [{"name": None}]}]}}
LEASE = '{"action": "add", "mac": "54:e1:ad:00:00:01", "address": "10.90.0.10", "name": ""}'


@pytest.fixture
def session(documents: Documents, tmp_path: Path) -> PowerOnSession:
    return PowerOnSession(documents, tmp_path, tmp_path / "power-on.json", PowerOnState(DESIGN), io.StringIO())


def write_head(*lines: str) -> list[str]:
    """A head that prints these lines and then waits for the end of its input."""
    return [sys.executable, "-IS", "-c", f"import sys; print({chr(10).join(lines)!r}, flush=True); sys.stdin.read()"]


def shown(session: PowerOnSession) -> list[str]:
    assert isinstance(session.out, io.StringIO)
    return session.out.getvalue().splitlines()


def test_output_of_a_login_shell_is_no_lease(session: PowerOnSession) -> None:
    assert session.run(write_head("Welcome to head!", '{"ready": true}', LEASE), None)
    assert shown(session) == [
        "power on k00",
        "k00: 1 NIC seen, all 1 node seen",
        "macs.json: has the MACs of 1 of 1 nodes",
    ]


def test_an_error_of_the_head_ends_the_session_with_its_message(session: PowerOnSession) -> None:
    with pytest.raises(FnnError, match=r"^dnsmasq ended: no memory$"):
        session.run(write_head('{"ready": true}', '{"error": "dnsmasq ended: no memory"}', LEASE), None)
    assert shown(session) == ["power on k00"]


def test_an_unreachable_head_is_an_error(session: PowerOnSession) -> None:
    with pytest.raises(FnnError, match="the head cannot be reached: the connection ended or was never made"):
        session.run(["false"], None)


class Typing(io.StringIO):
    """A terminal at which a person types u as soon as a node was seen."""

    def __init__(self) -> None:
        super().__init__()
        reading, self.keys = os.pipe()
        self.orders = os.fdopen(reading)

    def write(self, text: str) -> int:
        if text.startswith("k00: 1 NIC seen"):
            os.write(self.keys, b"u\n")
        return super().write(text)


def test_undo_with_a_lost_head_reports_the_lost_head(session: PowerOnSession) -> None:
    session.state.wants["k01"] = 1
    deaf = f"import os, time; os.close(0); print({LEASE!r}, flush=True); time.sleep(5)"
    session.out = terminal = Typing()
    with terminal.orders, pytest.raises(FnnError, match="the head cannot be reached"):
        session.run([sys.executable, "-IS", "-c", deaf], terminal.orders)
    os.close(terminal.keys)
    assert shown(session)[:2] == [
        "k00: 1 NIC seen, power on k01",
        "k00: removed with 1 NIC; switch that machine off, then power on k00",
    ]


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        ("10.90.0.0/99", "fnn_discover_prefix: 10.90.0.0/99 is not an IPv4 prefix"),
        ("10.90.0.0/27", "fnn_discover_prefix: 10.90.0.0/27 holds 32 addresses, 36 are needed"),
    ],
)
def test_a_prefix_that_will_not_do_is_refused(prefix: str, message: str) -> None:
    head = {"reach": {"host": "head"}, "device": "eno1", "namespace": "", "prefix": prefix}
    with pytest.raises(FnnError) as caught:
        write_leaser(head, 20)
    assert str(caught.value).startswith(message)

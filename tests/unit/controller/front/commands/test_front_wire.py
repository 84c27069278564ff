# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn wire with its page: small programs replace ssh, and the rack is plugged while the command runs."""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.front.run import process
from ansible.module_utils.fnn.controller.wire import page_server, session
from ansible.module_utils.fnn.controller.wire import watch as watch_module
from ansible.module_utils.fnn.controller.wire.page_address import Place, bind
from rack import Rack
from waiting import wait_until

#: In place of ssh: prints the state of the host, its last argument but one, until its input ends.
SSH = """#!{python}
import pathlib, select, sys
state = pathlib.Path({states!r}) / sys.argv[-2]
while not select.select([sys.stdin], [], [], 0.05)[0]:
    print(state.read_text(), flush=True)
"""
TOKEN = "abcdefghijklmnopqrstuvwxyz"


class Site:
    """The lab's inventory with reachable nodes. playbooks: as the fixture `ansible` records them."""

    def __init__(self, root: Path, place: Path, playbooks: Any) -> None:
        self.rack, self._place, self._playbooks, self._lab = Rack(root), place, playbooks, root / "inventory/lab"
        (place / "states").mkdir()
        (place / "ssh").write_text(SSH.format(python=sys.executable, states=str(place / "states")))
        (place / "ssh").chmod(0o755)
        self.write_states()

    def write_states(self) -> None:
        for node in {node for node, _ in self.rack.nics}:
            beside = self._place / f"{node}.new"
            beside.write_text(json.dumps(self.rack.read_state(node)))
            beside.rename(self._place / "states" / node)

    def execute(self, *command: Any) -> Any:
        """playbooks/wire.yml: writes the connections, and removes them at the end."""
        outcome = self._playbooks.execute(*command)
        name, variables = self._playbooks.asked[-1]
        if name == "wire" and variables["fnn_wire"] == "start":
            nodes = {node: {"host": node, "program": str(self._place / "ssh")} for node, _ in self.rack.nics}
            places = {"site": str(self._lab), "build": str(self._place / "build")}
            wire = {"format": "fnn-wire", "version": 1, "cluster": "six", **places, "nodes": nodes}
            Path(variables["fnn_wire_file"]).parent.mkdir(exist_ok=True)
            Path(variables["fnn_wire_file"]).write_text(json.dumps(wire))
        elif name == "wire":
            Path(variables["fnn_wire_file"]).unlink()
        return outcome


@pytest.fixture
def site(root: Path, tmp_path: Path, ansible: Any, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(root, tmp_path, ansible)
    monkeypatch.setattr(process, "execute", made.execute)
    monkeypatch.setattr(page_server, "make_token", lambda: TOKEN)
    monkeypatch.setattr(watch_module, "DONE", 0.5)
    return made


@pytest.fixture
def port() -> int:
    with bind(Place(port=0)) as listening:
        return int(listening.getsockname()[1])


def read_board(port: int) -> dict[str, Any] | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{TOKEN}/board.json", timeout=60) as answer:
            document: dict[str, Any] = json.load(answer)
            return document
    except urllib.error.URLError:
        return None


def plug_while_watched(site: Site, port: int, seen: list[str]) -> None:
    """Plugs a cable when the page shows it as the next one, then all others."""

    def sees(text: str) -> Callable[[], bool]:
        return lambda: ((read_board(port) or {}).get("next") or {}).get("text") == text

    colors = {key: switch.upper() for key, switch in site.rack.wants.items()}
    wait_until(sees(f"next: k00 nic0 -> {colors['k00', 0]}"), 20)
    site.rack.plug("k00", 0)
    site.write_states()
    wait_until(sees(f"next: k00 nic1 -> {colors['k00', 1]}"), 20)
    seen.append("followed")
    site.rack.plug_all()
    site.write_states()


def test_the_page_follows_the_cables_beside_json_lines(
    site: Site, port: int, ansible: Any, fnn: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []
    person = threading.Thread(target=plug_while_watched, args=(site, port, seen))
    person.start()
    ansible.replies = [(0, None), (0, None), (1, None)]
    assert fnn("wire", "--json", "--bell", "--serve", str(port)) == 3
    person.join()
    assert seen == ["followed"]
    assert [(name, words.get("fnn_wire")) for name, words in ansible.asked] == [
        ("wire", "start"),
        ("wire", "stop"),
        ("verify", None),
    ]
    out, errors = capsys.readouterr()
    events = [json.loads(line) for line in out.splitlines()]
    assert {event["event"] for event in events} == {"node", "cable", "next"}
    assert sum(event.get("verdict") == "right" for event in events) == 12
    assert errors.splitlines()[0] == f"page: http://127.0.0.1:{port}/{TOKEN}/"
    assert TOKEN not in out
    assert read_board(port) is None, "the page ends with the command"


@pytest.mark.usefixtures("site")
def test_without_the_option_nothing_is_served(
    fnn: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(page_server, "serve_page", pytest.fail)
    monkeypatch.setattr(session, "watch_cables", lambda *_: False)
    assert fnn("wire") == 130
    assert "page:" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["--serve"], Place("127.0.0.1", 8088)),
        (["--serve", "-i", "lab"], Place("127.0.0.1", 8088)),
        (["--serve", "192.168.1.5:9000"], Place("192.168.1.5", 9000)),
        (["--serve=0.0.0.0"], Place("0.0.0.0", 8088)),
    ],
)
@pytest.mark.usefixtures("site")
def test_the_page_is_for_this_machine_unless_an_address_is_given(
    words: list[str], place: Place, fnn: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Place] = []

    def serve(where: Place, _: Path) -> None:
        asked.append(where)
        raise KeyboardInterrupt

    monkeypatch.setattr(page_server, "serve_page", serve)
    assert fnn("wire", *words) == 130
    assert asked == [place]


@pytest.mark.usefixtures("site")
def test_a_place_that_is_none_is_a_mistake_of_the_command_line(
    ansible: Any, fnn: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fnn("wire", "--serve", "a:b") == 2
    text = "--serve a:b: expected ADDRESS, PORT or ADDRESS:PORT, such as 192.168.1.5:8088."
    assert capsys.readouterr().err == f"fnn: {text} See ./fnn wire --help\n"
    assert ansible.asked == []


@pytest.mark.usefixtures("site")
def test_a_port_in_use_is_named_before_any_playbook(
    port: int, ansible: Any, fnn: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    with bind(Place(port=port)):
        assert fnn("wire", "--serve", str(port)) == 1
    text = f"--serve 127.0.0.1:{port}: Address already in use; choose an address of this machine and a free port"
    assert capsys.readouterr().err == f"fnn: {text}\n"
    assert ansible.asked == []


@pytest.mark.usefixtures("site")
def test_a_log_that_cannot_be_written_is_named_before_any_playbook(
    ansible: Any, fnn: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fnn("wire", "--log", "/missing/wire.log") == 1
    text = "--log /missing/wire.log: No such file or directory; name a file that can be written"
    assert capsys.readouterr().err == f"fnn: {text}\n"
    assert ansible.asked == []

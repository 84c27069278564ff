# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of `lldpctl -f json`, in its known shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.discover import lldp

# A switch as lldpd 1.0 reports it, shortened.
SWITCH = {
    "age": "0 day, 08:41:34", "via": "LLDP", "rid": "1",
    "chassis": {"B2-Tor": {
        "id": {"type": "mac", "value": "cc:37:ab:00:cd:c1"}, "mgmt-ip": "0.0.0.0", "ttl": "120",
        "descr": "PICA8 Inc., Model as4610_54, PicOS 2.6.2", "capability": [{"type": "Bridge", "enabled": True}],
    }},
    "port": {"id": {"type": "ifname", "value": "ge-1/1/28"}, "descr": "ge-1/1/28"},
}  # fmt: skip
# A switch that sends no name and identifies its port by a MAC.
NAMELESS = {
    "via": "LLDP",
    "chassis": {"id": {"type": "mac", "value": "9c:c7:a6:00:00:01"}},
    "port": {"id": {"type": "mac", "value": "9c:c7:a6:00:00:07"}, "descr": "port 7"},
}


def parse(interface: Any) -> list[dict[str, str]]:
    return lldp.parse_lldp(json.dumps({"lldp": {"interface": interface}}))


def test_one_neighbor_is_an_object() -> None:
    assert parse({"eth0": SWITCH}) == [
        {"device": "eth0", "chassis": "cc:37:ab:00:cd:c1", "port": "ge-1/1/28", "system": "B2-Tor"}
    ]


def test_several_are_a_list_and_one_nic_may_have_many() -> None:
    neighbors = parse([{"eth1": SWITCH}, {"eth0": SWITCH}, {"eth0": NAMELESS}])
    assert [(each["device"], each["system"]) for each in neighbors] == [
        ("eth0", ""),
        ("eth0", "B2-Tor"),
        ("eth1", "B2-Tor"),
    ]


def test_a_nameless_neighbor_still_has_its_chassis_and_port() -> None:
    assert parse({"eth0": NAMELESS})[0] == {
        "device": "eth0", "chassis": "9c:c7:a6:00:00:01", "port": "9c:c7:a6:00:00:07", "system": "",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"lldp": {}}', '{"lldp": []}', "lldpctl: no daemon", "7"])
def test_unreadable_output_has_no_neighbors(text: str) -> None:
    assert lldp.parse_lldp(text) == []


@pytest.mark.parametrize("entry", [{}, {"chassis": 7, "port": None}, {"chassis": {"a": 1, "b": 2}, "port": {"id": []}}])
def test_what_is_missing_is_empty(entry: dict[str, Any]) -> None:
    assert parse({"eth0": entry}) == [{"device": "eth0", "chassis": "", "port": "", "system": ""}]


def test_the_command_is_asked_for_json_and_its_absence_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "lldpctl"
    text = json.dumps({"lldp": {"interface": {"eth0": SWITCH}}})
    program.write_text(f"#!/bin/sh\n[ \"$*\" = '-f json' ] && cat <<'END'\n{text}\nEND\n")
    program.chmod(0o755)
    monkeypatch.setattr(lldp.shutil, "which", lambda name, path=None: str(program))
    assert lldp.read_lldp()[0]["system"] == "B2-Tor"
    monkeypatch.setattr(lldp.shutil, "which", lambda name, path=None: None)
    assert lldp.read_lldp() == []

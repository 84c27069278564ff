# SPDX-License-Identifier: GPL-3.0-or-later
"""Which default route of a node counts as its own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ansible.module_utils.fnn.node.discover import node_facts


def route(device: str, metric: int = 0, protocol: str = "4") -> dict[str, Any]:
    return {"dst": "default", "gateway": "192.0.2.1", "dev": device, "protocol": protocol, "metric": metric}


#: wlan0 has found no DHCP server.
ADDRESSES = [{"ifname": "wlan0", "addr_info": [{"family": "inet", "local": "169.254.7.7"}]}]
ON_LINK = {"dst": "default", "dev": "wlan0", "scope": "253", "protocol": "3", "metric": 1002}


@pytest.mark.parametrize(
    ("routes", "device"),
    [
        ([], ""),
        ([route("mg0")], "mg0"),
        ([route("mg0", 1024), route("wlan0", 100)], "wlan0"),
        ([route("nic0", 96, "196")], ""),
        ([{"type": "unreachable", "dst": "default", "dev": "lo", "protocol": "3", "metric": 9}], ""),
        ([route("nic0")], ""),
        ([{"dst": "default", "protocol": "4", "nexthops": [{"dev": "nic0"}, {"dev": "mg1"}]}], "mg1"),
        ([ON_LINK], ""),
        ([{**ON_LINK, "prefsrc": "169.254.7.7"}, route("mg0", 2000)], "mg0"),
    ],
)
def test_the_preferred_route_of_another_program_counts(
    monkeypatch: pytest.MonkeyPatch, routes: list[dict[str, Any]], device: str
) -> None:
    monkeypatch.setattr(node_facts, "run_ip", lambda *words: json.dumps(routes if "route" in words else ADDRESSES))
    assert node_facts.find_default_route(["nic0"]) == device

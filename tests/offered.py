# SPDX-License-Identifier: GPL-3.0-or-later
"""What fnn_node returns for a node with two NICs that has everything."""

from __future__ import annotations

from typing import Any

FREE = {"free_mb": 9000, "free_inodes": 90000, "read_only": False, "noexec": False}
OFFERED: dict[str, Any] = {
    "links": [
        {"device": f"eth{n}", "mac": f"02:f0:00:00:00:0{n}", "permanent": True, "speed_mbps": 1000} for n in (1, 2)
    ],
    "without_carrier": [],
    "arrived_on": {
        "device": "eth0",
        "mac": "02:0c:00:00:00:00",
        "address": "10.79.0.1",
        "rests_on": [],
        "access": False,
    },
    "protected": [
        {
            "device": "eth0",
            "names": ["eth0", "eno1"],
            "mac": "02:0c:00:00:00:00",
            "reason": "carries the SSH connection from 10.79.255.1",
        }
    ],
    "entered": False,
    "networks": [{"device": "eth0", "address": "10.79.0.1/16"}],
    "routes": [],
    "owners": [],
    "filters": [],
    "lacking": [],
    "packages": {"missing": [], "unknown": []},
    "storage": dict.fromkeys(("/etc", "/usr/local", "/var/lib", "/usr"), FREE),
    "system": {"name": "Debian 12", "kernel": "6.1.0", "python": "3.11.2", "systemd": True, "iproute2": "6.1.0"},
    "clock_ahead": 0.3,
    "cluster": "",
    "generation": "",
}

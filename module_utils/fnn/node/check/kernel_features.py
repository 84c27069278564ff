# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel of this node offers to the fabric. Devices are tried in a network namespace of their own.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

_SYSCTLS = Path("/proc/sys/net")
#: Feature -> the setting that a kernel with it has (ip-sysctl.rst, mptcp-sysctl.rst in the kernel's documentation).
_SETTINGS = {"multipath": "ipv4/fib_multipath_hash_policy", "mptcp": "mptcp/enabled"}
#: Feature -> the kinds of device (ip-link(8)), one of which is enough.
_KINDS = {"identity": ("dummy", "veth"), "bridge": ("bridge",), "bond": ("bond",)}


def find_lacking(features: Iterable[str]) -> list[str]:
    """Those of the features "identity", "multipath", "mptcp", "bridge" and "bond" that the kernel lacks."""
    return [each for each in features if not has_feature(each)]


def has_feature(feature: str) -> bool:
    """Whether the kernel has a feature; modules are loaded for the trial."""
    if feature in _SETTINGS:
        return (_SYSCTLS / _SETTINGS[feature]).exists()
    return any(can_create(kind) for kind in _KINDS[feature])


def can_create(kind: str) -> bool:
    """Whether the kernel creates a device of this kind."""
    trial = ["unshare", "--net", "ip", "link", "add", "fnn-trial", "type", kind]
    return subprocess.run(trial, capture_output=True, check=False).returncode == 0

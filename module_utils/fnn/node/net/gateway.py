# SPDX-License-Identifier: GPL-3.0-or-later
"""The gateway of a cluster: the node that forwards between the fabric and its interface to the outside.

    fnn-net               lets packets pass: net.ipv4.conf.<device>.forwarding of the fabric NICs and of the interface
    fnn-gateway.service   loads the table `ip fnn_gateway` (nft(8)): address translation, and nothing enters unasked
    fnn-names.service     dnsmasq(8): names of the cluster from a file, all others from the servers outside

The order keeps the nodes isolated at every moment: the rules are loaded before packets may pass, and the interface
stops forwarding before the rules go. The interface gets back its former setting (originals.py).

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import subprocess
from collections.abc import Collection

from ...shared.failed import Failed
from .execute import write_sysctls
from .kernel import forwarding_key, read_sysctl
from .managers import is_enabled, run
from .names import NAMES as HOSTS
from .originals import Originals

RULES, NAMES = UNITS = ("fnn-gateway.service", "fnn-names.service")
UNIT_FILES = tuple(f"/etc/systemd/system/{unit}" for unit in UNITS)
FILES = (*UNIT_FILES, "/etc/fnn/gateway.nft", "/etc/fnn/gateway.dnsmasq")
#: The files that the units read.
SOURCES = (*FILES, HOSTS)
TABLE = ("ip", "fnn_gateway")


def read_interface(text: str) -> str:
    """The interface to the outside, from the text of the file `node`; "" where the node is no gateway."""
    rows = (line.split() for line in text.splitlines())
    return next((fields[1] for fields in rows if fields[:1] == ["gateway"] and len(fields) == 2), "")


def find_former_forwarding(device: str, originals: Originals) -> list[tuple[str, str]]:
    """The setting, as (key, value), that an interface gets back when it is no longer that of a gateway.

    Empty where the interface is gone, or has this value. Without a record, the value is that of new interfaces.
    """
    key = forwarding_key(device)
    value = originals.sysctls.get(key) or read_sysctl(forwarding_key("all")) or "0"
    return [(key, value)] if read_sysctl(key) not in (None, value) else []


def load() -> list[str]:
    """Loads the rules, in one transaction where they are already, and starts the name service. Raises Failed(1)."""
    run("systemctl", "reload-or-restart", RULES)
    run("systemctl", "restart", NAMES)
    return []


def is_loaded() -> bool:
    """Whether the rules are in the kernel; another program may have flushed them."""
    return _run_nft("list") == 0


def restore_rules(changed: Collection[str]) -> list[str]:
    """For a rollback, before the interface forwards again. changed: paths that the rollback restored."""
    return load() if set(changed) & set(SOURCES) and is_enabled(RULES) else []


def drop_rules(changed: Collection[str]) -> list[str]:
    """For a rollback to files without a gateway, once the interface has its former setting."""
    if not set(changed) & set(FILES) or is_enabled(RULES):
        return []
    subprocess.run(["systemctl", "stop", *UNITS], capture_output=True, check=False)
    forget_failures()
    # The unit has lost its file, and with it the command that deletes the table.
    return [f"nft could not delete the table {' '.join(TABLE)}"] if is_loaded() and _run_nft("delete") else []


def forget_failures() -> None:
    """A stopped unit that has failed would stay in systemd's list."""
    subprocess.run(["systemctl", "reset-failed", *UNITS], capture_output=True, check=False)


def restore_forwarding(device: str, originals: Originals) -> None:
    """Raises Failed(1)."""
    messages = write_sysctls(find_former_forwarding(device, originals))
    if messages:
        raise Failed(1, messages)


def _run_nft(verb: str) -> int:
    try:
        return subprocess.run(["/usr/sbin/nft", verb, "table", *TABLE], capture_output=True, check=False).returncode
    except OSError:
        return 127

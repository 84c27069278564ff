# SPDX-License-Identifier: GPL-3.0-or-later
"""Two nodes that share two switches, as a separate lab: k00 runs systemd-networkd, k01 NetworkManager."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from labsite import Site, list_variables
from waiting import wait_until

LAB = os.environ.get("FNN_TEST_MANAGERS", "managers")  # another name allows a second clone to run at the same time
NODES = ("k00", "k01")
VARIABLES = list_variables(
    LAB,
    ports=3,
    colors=("red", "blue"),
    fnn_mpi_packages=[],
    fnn_lab_packages=["network-manager"],
)
TALK = Path(__file__).parents[1] / "kernel/talk.py"
#: NetworkManager gets the management interface and the NICs as an administrator would configure them; networkd stops.
TO_NETWORKMANAGER = """
set -e
connect() {  # DEVICE METHOD [ADDRESS]
  file=/etc/NetworkManager/system-connections/$1.nmconnection
  { echo '[connection]'; echo "id=$1"; echo type=ethernet; echo "interface-name=$1"
    echo '[ipv4]'; echo "method=$2"; [ -z "${3:-}" ] || echo "address1=$3"
    echo '[ipv6]'; echo method=disabled
  } > "$file"
  chmod 600 "$file"
}
connect mg0 manual "$(sed -n 's/^Address=//p' /lab/10-mg0.network)"
connect nic0 manual 192.0.2.9/24
connect nic1 disabled
systemctl --quiet disable --now systemd-networkd.service systemd-networkd.socket
systemctl --quiet enable --now NetworkManager.service
nm-online -q -t 30 || true
"""
#: On the other node networkd configures a NIC.
FOR_NETWORKD = """
set -e
printf '[Match]\\nName=nic0\\n[Network]\\nAddress=192.0.2.7/24\\nLinkLocalAddressing=no\\n' \\
  > /etc/systemd/network/50-theirs.network
networkctl reload
"""
ROLLBACK, WATCHER = "fnn-rollback-boot.service", "fnn-linkd.service"
#: SD_MESSAGE_UNIT_STARTED: a start is complete; for a unit of type oneshot, when its program has ended.
STARTED = "39f53479d3a045ac8e11786248231fbf"
#: Files that change by themselves, or that other programs own.
PASSING = (
    r"^/(proc|sys|run|tmp|dev|lab|root/\.ansible|etc/resolv.conf|"
    r"var/(log|tmp|cache|lib/(systemd|NetworkManager|dbus|dhcp|fnn/linkd.prom))|usr/local/.*__pycache__)(/|$)"
)


class ManagersSite(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, VARIABLES)

    def prints(self, node: str, script: str) -> bool:
        """Whether the script prints anything."""
        return self.shell(node, script, check=False) != ""

    def read_state(self, node: str) -> dict[str, Any]:
        """All network settings in the kernel, and every file."""
        found: dict[str, Any] = {}
        for name, words in {
            "address": "address",
            "link": "-details link",
            "route": "route show table all",
            "neighbor": "neighbor show nud permanent",
        }.items():
            found[name] = [clean(each) for each in json.loads(self.shell(node, f"ip -json {words}") or "[]")]
            found[name].sort(key=json.dumps)
        found["sysctls"] = self.shell(
            node,
            "cd /proc/sys/net && for key in ipv4/fib_multipath_hash_policy ipv4/conf/*/ignore_routes_with_linkdown "
            "ipv4/conf/*/arp_ignore ipv6/conf/*/disable_ipv6; do echo $key $(cat $key); done",
        ).splitlines()
        found["sysctls"] = [each for each in found["sysctls"] if "/fnn0" not in each]  # set at the device's creation
        found["files"] = self.shell(
            node,
            f"find / -xdev -regextype posix-extended -regex '{PASSING}' -prune -o \\( -type f -o -type l \\) "
            "-print0 | xargs -0 stat --printf '%n %a %u:%g %s\\n' | sort",
        ).splitlines()
        found["content"] = self.shell(
            node,
            f"find /etc /usr/local -xdev -regextype posix-extended -regex '{PASSING}' -prune -o "
            "-type f -exec sha256sum {} + | sort",
        ).splitlines()
        return found

    def list_directories(self, node: str) -> list[str]:
        """Every directory below those that the toolkit writes to, including empty ones."""
        found = self.shell(
            node,
            f"find /usr /etc /var/lib -xdev -regextype posix-extended -regex '{PASSING}' -prune -o -type d -print "
            "| sort",
        )
        return found.splitlines()

    def inspect_all(self) -> dict[str, dict[str, Any]]:
        return {node: self.read_state(node) for node in NODES}

    def is_waiting(self, node: str) -> bool:
        return self.prints(node, "ls /var/lib/fnn/pending")

    def start_play(self, *words: str) -> subprocess.Popen[bytes]:
        """Starts a playbook in its own session, so that it can be killed with all its processes."""
        environment = os.environ | {"ANSIBLE_CONFIG": str(self.root / "ansible.cfg")}
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(
            self.write_play(*words), cwd=self.root, env=environment, start_new_session=True, **quiet
        )

    def kill_controller_during(self, *words: str) -> None:
        """Kills the controller as soon as both nodes have begun to change."""
        # The check runs on this machine: a program on a node takes longer than a controller needs to confirm.
        waiting = [self.locate(node, "/var/lib/fnn/pending") for node in NODES]
        playing = self.start_play(*words)
        try:
            wait_until(lambda: all(path.exists() for path in waiting), 120, every=0.005)
        finally:
            os.killpg(playing.pid, signal.SIGKILL)
            playing.wait()

    def reboot(self, node: str) -> None:
        subprocess.run(["podman", "restart", "--time=5", f"{LAB}-{node}"], check=True, capture_output=True)
        running = "systemctl is-system-running | grep -E 'running|degraded'"
        wait_until(lambda: self.prints(node, running), 60, every=0.2)

    def measure_return(self, node: str, since: float) -> float:
        """Seconds from the end of a rollback at boot to the end of fnn-linkd's start, as logged by PID 1.

        since: before the reboot, in seconds since the epoch.
        """
        started: dict[str, list[float]] = {}

        def read() -> bool:
            started.update({unit: self._read_starts(node, unit, since) for unit in (ROLLBACK, WATCHER)})
            return bool(started[ROLLBACK] and started[WATCHER])

        wait_until(read, 60, every=0.2)
        return started[WATCHER][-1] - started[ROLLBACK][-1]

    def _read_starts(self, node: str, unit: str, since: float) -> list[float]:
        """When starts of a unit were complete. The rollback unit is gone by then, so systemctl has no record of it.

        The time is that at which PID 1 sent the message: at boot the journal may receive it later.
        """
        words = f"journalctl --quiet --output=json _PID=1 UNIT={unit} MESSAGE_ID={STARTED}"
        entries = [json.loads(line) for line in self.shell(node, words, check=False).splitlines()]
        times = [int(each.get("_SOURCE_REALTIME_TIMESTAMP", each["__REALTIME_TIMESTAMP"])) / 1e6 for each in entries]
        return [each for each in times if each >= since]

    @contextmanager
    def watch(self, node: str) -> Iterator[list[str]]:
        """At the end of the block the list gets the routes and neighbors that the kernel deleted."""
        command = ["ip", "-netns", f"{LAB}-{node}", "-4", "monitor", "route", "neigh"]
        seen: list[str] = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as monitor:
            try:
                yield seen
            finally:
                monitor.terminate()
                output = monitor.communicate()[0]
        seen += [line for line in output.splitlines() if line.startswith("Deleted") and "mg0" not in line]

    @contextmanager
    def conversation(self) -> Iterator[dict[str, int]]:
        """Both nodes send 50 datagrams a second each way; at the end the dict gets the number that each lost."""
        own = {node: f"10.78.0.{rank + 1}" for rank, node in enumerate(NODES)}
        talks = {}
        for node in NODES:
            command = ["ip", "netns", "exec", f"{LAB}-{node}", sys.executable, "-IS", str(TALK), own[node]]
            talks[node] = subprocess.Popen(
                [*command, *(each for each in own.values() if each != own[node])],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
        lost: dict[str, int] = {}
        try:
            read_replies(talks)
            send_line(talks)
            yield lost
            send_line(talks)
            lost.update({node: sum(json.loads(line).values()) for node, line in read_replies(talks).items()})
        finally:
            for talk in talks.values():
                talk.communicate()


#: Values that are random, counted or timed, and the mode of generating IPv6 addresses, which managers set everywhere.
WAVERING = {
    *("link_index", "ifindex", "valid_life_time", "preferred_life_time"),
    "qdisc",  # noop before the NIC is first up
    "metric",  # NetworkManager increments it
    *("inet6_addr_gen_mode", "stable_privacy_secret"),
}


def clean(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry without volatile values."""
    found = {key: value for key, value in entry.items() if key not in WAVERING}
    if str(found.get("ifname", "")).startswith("fnn0"):
        del found["address"]  # random, each time the device is created
    if "addr_info" in found:
        found["addr_info"] = [clean(each) for each in found["addr_info"]]
    return found


def compare(before: dict[str, Any], after: dict[str, Any], ignored: Collection[str] = ()) -> list[str]:
    """Lines that only the second state has (+), or only the first (-); ignored: lines with these words are ignored."""
    lines = []
    for node, part in [(name, part) for name, parts in before.items() for part in parts]:
        one, other = ([json.dumps(each) for each in state[node][part]] for state in (before, after))
        lines += [f"{node} {part} - {each}" for each in one if each not in other]
        lines += [f"{node} {part} + {each}" for each in other if each not in one]
    return [line for line in lines if not any(word in line for word in ignored)]


def read_replies(talks: dict[str, subprocess.Popen[str]]) -> dict[str, str]:
    return {node: talk.stdout.readline() for node, talk in talks.items() if talk.stdout}


def send_line(talks: dict[str, subprocess.Popen[str]]) -> None:
    for talk in talks.values():
        if talk.stdin:
            print(file=talk.stdin, flush=True)


def wait_for_nothing(compare_again: Callable[[], list[str]], seconds: float) -> None:
    """Waits until there is no difference."""
    end = time.monotonic() + seconds
    while differences := compare_again():
        assert time.monotonic() < end, "\n".join(differences)
        time.sleep(0.5)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The four virtual machines of inventory/machines, as a lab of their own: other kernels, boots and network managers.

qemu without KVM is slow, and slower beside other work: all limits of time are generous.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.lab.machines.running import SETTINGS, find_process, run_qemu
from labsite import Site
from waiting import wait_until

LAB = os.environ.get("FNN_TEST_MACHINES", "evening")  # another name allows a second clone to run at the same time
NODES = ("k00", "k01", "k02", "k03")
#: The node that joins: a second one of Debian 13 with networkd.
JOINING = "k04"
#: Seconds for a run of Ansible, and for a boot.
SECONDS, BOOT = 3600, 900
BOOTED = "systemctl is-system-running --wait"
PROGRAMS = ("qemu-system-x86_64", "qemu-img", "debugfs", "debootstrap", "nc", "sshpass")
#: Files that change by themselves, or that other programs own.
PASSING = (
    r"^/(proc|sys|run|tmp|dev|root/\.ansible|home|boot|lost.found|"
    r"etc/(resolv.conf|\.pwd.lock)|"
    r"var/(log|tmp|cache|lib/(systemd|NetworkManager|dbus|dhcp|cloud|private)))(/|$)"
)
#: The cluster user's accounts, which removal keeps, with their backups; the loader's cache, which is rebuilt.
OF_A_USER = tuple(
    f"/etc/{name}" for name in ("passwd", "group", "shadow", "gshadow", "subuid", "subgid", "ld.so.cache")
)


class MachinesSite(Site):
    def __init__(self, root: Path, lab: str = LAB) -> None:
        super().__init__(root, lab, NODES, {"fnn_cluster": lab}, seconds=SECONDS)

    def make(self, **more: Any) -> None:
        """Makes an inventory without documents from inventory/machines. more: variables of the cluster."""
        for directory in filter(Path.exists, (self.inventory, self.build)):
            shutil.rmtree(directory)
        source = self.root / "inventory/machines"
        shutil.copytree(source, self.inventory, ignore=shutil.ignore_patterns("*.json"))
        lab = self.inventory / "group_vars/all/lab.yml"
        lab.write_text(lab.read_text().replace("fnn_lab_name: vm\n", f"fnn_lab_name: {self.lab}\n"))
        self.tune(**more)

    def tune(self, **more: Any) -> None:
        """Sets these variables of the cluster in addition to those of inventory/machines."""
        text = json.dumps({**self.variables, **more})
        (self.inventory / "group_vars/all/own.yml").write_text(text)

    def list_nodes(self, *nodes: str) -> None:
        """Sets the nodes of the inventory; a new one is of Debian 13 with networkd."""
        text = (self.root / "inventory/machines/hosts.yml").read_text()
        lines = [
            line
            for line in text.splitlines()
            if not re.match(r"\s+k\d\d:", line) or line.split(":")[0].strip() in nodes
        ]
        joining = [
            f"    {node}: {{fnn_lab_suite: trixie, fnn_lab_manager: networkd}}" for node in nodes if node not in text
        ]
        (self.inventory / "hosts.yml").write_text("\n".join(lines + joining) + "\n")

    @property
    def ssh_config(self) -> Path:
        return self.root / "build/lab" / self.lab / "ssh/config"

    def inside(self, node: str, *command: str, check: bool = True) -> str:
        """The output of a command in a node, as root."""
        return self.shell(node, shlex.join(command), check)

    def shell(self, node: str, script: str, check: bool = True) -> str:
        """The output of a shell script in a node, as root."""
        words = ["ssh", "-F", self.ssh_config, "-l", "root", f"{self.lab}-{node}", script]
        done = subprocess.run(words, capture_output=True, text=True, timeout=1500, check=False)
        assert not check or done.returncode == 0, f"{node}: {script}: {done.stdout}{done.stderr}"
        return done.stdout

    def as_user(self, node: str, user: str, script: str) -> str:
        """The output of a shell script in a node, as an ordinary user."""
        return self.shell(node, f"runuser -l {user} -c {shlex.quote(script)}")

    def reboot(self, *nodes: str) -> None:
        """Reboots machines at the same time, and waits until all have booted."""
        before = {node: self.read_boot(node) for node in nodes}
        for node in nodes:
            self.shell(node, "systemctl reboot", check=False)
        for node in nodes:
            wait_until(lambda node=node: self.read_boot(node) not in ("", before[node]), BOOT, every=2)
            wait_until(lambda node=node: "running" in self.shell(node, BOOTED, check=False), BOOT, every=2)

    def read_boot(self, node: str) -> str:
        """A text that is another one after each boot; "" while the node does not answer."""
        return self.shell(node, "cat /proc/sys/kernel/random/boot_id", check=False)

    def shut_down(self, node: str) -> None:
        """Switches a machine off, as by its button."""
        self.shell(node, "systemctl poweroff", check=False)
        wait_until(lambda: find_process(f"{self.lab}-{node}") is None, BOOT, every=1)

    def replace_nic(self, node: str, nic: int, mac: str) -> None:
        """Replaces a NIC of a machine that is off by one with another MAC in the same slot, and starts the machine."""
        directory = self.root / "build/lab" / self.lab / "nodes" / node
        settings = json.loads((directory / SETTINGS).read_text())
        wanted = f"virtio-net-pci,id=nic{nic},"
        settings["command"] = [
            re.sub(r"mac=[0-9a-f:]+", f"mac={mac}", word) if word.startswith(wanted) else word
            for word in settings["command"]
        ]
        (directory / SETTINGS).write_text(json.dumps(settings))
        run_qemu(f"{self.lab}-{node}", directory, self.root / "module_utils/fnn/lab/machines/run_machine.py")
        wait_until(lambda: self.read_boot(node), BOOT, every=2)

    def read_state(self, node: str) -> dict[str, Any]:
        """Network settings in the kernel, and files: content in /etc and /usr/local, size in /usr and /var/lib."""
        found: dict[str, Any] = {}
        for name, words in {
            "address": "-4 address",  # NetworkManager adds and removes IPv6 addresses while it waits for DHCP
            "route": "-4 route show table all",
            "neighbor": "neighbor show nud permanent",
            "link": "link",
        }.items():
            found[name] = [clean(each) for each in json.loads(self.shell(node, f"ip -json {words}") or "[]")]
            found[name].sort(key=json.dumps)
        # A NIC that was up once keeps the default queueing discipline while it is down; before, it had none.
        up = [link["ifname"] for link in found["link"] if "UP" in link["flags"]]
        lines = self.shell(node, "tc qdisc show").splitlines()
        found["qdisc"] = sorted(line for line in lines if line.partition(" dev ")[2].split()[0] in up)
        pruned = f"-regextype posix-extended -regex '{PASSING}' -prune -o"
        found["content"] = self.shell(
            node, f"find /etc /usr/local -xdev {pruned} -type f -print0 | xargs -0 md5sum | sort -k 2"
        ).splitlines()
        found["files"] = self.shell(
            node,
            f"find /etc /usr /var/lib -xdev {pruned} -printf '%p %M %u:%g %s %l\\n' | sort",
        ).splitlines()
        return found

    @contextmanager
    def running(self) -> Iterator[None]:
        """The machines of a fresh site, booted; removed at the end.

        With FNN_TEST_KEEP, machines that run are used as they are, and stay.
        """
        kept = bool(os.environ.get("FNN_TEST_KEEP"))
        self.make()
        if not kept:
            self.play("playbooks/lab-down.yml")
        started = time.monotonic()
        self.play("playbooks/design.yml", "playbooks/lab.yml")
        report(f"{len(NODES)} machines answer after {time.monotonic() - started:.0f} s")
        yield
        if not kept:
            self.play("playbooks/lab-down.yml")


def report(text: str) -> None:
    """Shows progress while a test runs, under `pytest -s` and in the output of a failed test."""
    print(f"    {text}", flush=True)


def clean(value: Any) -> Any:
    """A result of ip(8) without what changes by itself."""
    if isinstance(value, dict):
        passing = (
            "valid_life_time",
            "preferred_life_time",
            "ifindex",
            "link_index",
            "qdisc",
            "expires",
            "used",
            "metric_expires",
            "altnames",  # udev drops those of a renamed NIC in the second boot
        )
        return {key: clean(each) for key, each in value.items() if key not in passing}
    return [clean(each) for each in value] if isinstance(value, list) else value


def compare_states(before: dict[str, Any], after: dict[str, Any], ignored: Sequence[str] = ()) -> list[str]:
    """The differences, as lines. ignored: paths that may differ, with all below them."""
    lines = []
    for part in before:
        old, new = (_index(state[part], ignored) for state in (before, after))
        lines += [f"{part}: gone: {each}" for each in sorted(old - new)]
        lines += [f"{part}: new: {each}" for each in sorted(new - old)]
    return lines


def _index(entries: Sequence[Any], ignored: Sequence[str]) -> set[str]:
    texts = {each if isinstance(each, str) else json.dumps(each, sort_keys=True) for each in entries}
    return {
        text for text in texts if not any(re.search(rf"(^|  ){re.escape(path)}-?( |/|$)", text) for path in ignored)
    }


#: Programs of scripts/bootstrap.sh that are not installed.
MISSING = " ".join(each for each in PROGRAMS if shutil.which(each) is None)
#: The mark of tests with machines.
needs_programs = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}")

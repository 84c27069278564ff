# SPDX-License-Identifier: GPL-3.0-or-later
"""Six nodes in a lab in which controllers, connections, nodes and disks fail during a run."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

from bad_day import Desk, is_locked, kill_later, wait_for_lock
from labsite import Site, list_variables
from waiting import wait_until

LAB = os.environ.get("FNN_TEST_BAD_DAY", "badday")  # another name allows a second clone to run at the same time
NODES = tuple(f"k0{rank}" for rank in range(6))
VARIABLES = list_variables(LAB, fnn_uplink={"name": "uplink", "ports": 3})
#: Successive modes for `network.yml`: each two consecutive ones differ on each node.
MODES = (
    {"fnn_addressing": "unnumbered"},
    {"fnn_routing": "basic"},
    {"fnn_addressing": "unnumbered", "fnn_routing": "basic"},
    {},
)
STAGES = ("discover", "verify", "network", "mpi")
ROTATION, REMOVAL = "playbooks/adhoc/rotate-linkd-keys.yml", "playbooks/remove.yml"
#: Verified by the relearn probe, so that the uplinks stay in; pairs communicate over them meanwhile.
REWIRING = ("playbooks/rewire.yml", "-e", "fnn_verify_evidence=relearn", "-e")
#: A library that shifts the clock of a node; after a change, these services start again.
CLOCK, RESTART = "/usr/local/lib/clock.so", "systemctl try-restart ssh fnn-net fnn-linkd"

#: From <linux/fs.h>, for ext4 and XFS: from now on every access fails with EIO, as when a disk is pulled. Argument 2
#: writes no data back.
_IOC_SHUTDOWN, _WITHOUT_LOG = 0x8004587D, 2


def shut_down(directory: Path) -> None:
    """Shuts down the file system of a directory."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.ioctl(handle, _IOC_SHUTDOWN, struct.pack("I", _WITHOUT_LOG))
    finally:
        os.close(handle)


def list_switches(node: Mapping[str, Any]) -> set[str]:
    """The switches of a node of a design."""
    return {link["switch"] for link in node["links"]}


class BadDaySite(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, VARIABLES)
        self.turn = 0

    @property
    def desk(self) -> Desk:
        return Desk(self.root, self.inventory, self.build)

    def change_mode(self) -> None:
        """The next `network.yml` gets a new plan for every node."""
        self.tune(**MODES[self.turn % len(MODES)])
        self.turn += 1

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Starts a playbook in its own session, so that it can be killed with all its processes."""
        return subprocess.Popen(
            self.write_play(*words), cwd=self.root, env=self.environment, start_new_session=True, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def kill(self, seconds: float, *words: str) -> None:
        """Starts a run, and kills the controller after this many seconds."""
        kill_later(self.start(*words), seconds)
        for place in (self.inventory, Path("/run/fnn-lab") / self.lab):
            wait_for_lock(place, 120)

    def start_alltoall(self, seconds: float) -> subprocess.Popen[str]:
        """Starts an MPI job with ranks on all nodes, as the cluster user; its first line is `started`."""
        for node in NODES:
            self.compile(node, "alltoall.c", "mpicc.openmpi", "-o", "/tmp/alltoall")
        run = "mpirun.openmpi --mca mpi_yield_when_idle 1 -hostfile /etc/fnn/hosts.openmpi /tmp/alltoall"
        command = ["podman", "exec", f"{self.lab}-{NODES[0]}", "su", "-", "fnn", "-c", f"{run} {seconds:g}"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def compile(self, node: str, source: str, *command: str) -> None:
        """Compiles a source file beside this one on a node."""
        inside = ["podman", "exec", "-i", f"{self.lab}-{node}", *command, "-xc", "-"]
        subprocess.run(inside, input=Path(__file__).with_name(source).read_text(), text=True, check=True)

    def shift_clock(self, node: str, seconds: int) -> None:
        """For processes that start from now on, the clock of a node is that much ahead; monotonic clocks stay."""
        self.compile(node, "clock.c", "gcc", "-shared", "-fPIC", f"-DOFFSET={seconds}", "-o", CLOCK)
        self.shell(node, f"echo {CLOCK} > /etc/ld.so.preload; {RESTART}")

    def restore_clock(self, node: str) -> None:
        self.shell(node, f"rm -f /etc/ld.so.preload; {RESTART}")

    def podman(self, *words: str) -> str:
        return self.run("podman", *words)

    def cut_connections(self, node: str) -> None:
        """Kills all SSH connections of root, as soon as there is one. Since OpenSSH 9.8 their name differs."""
        cut = "for try in $(seq 100); do pkill -KILL -f '^sshd(-session)?: root' && exit; sleep 0.1; done; exit 1"
        self.shell(node, cut)

    def wait_until_lab_is_locked(self, seconds: float = 30) -> None:
        wait_until(lambda: is_locked(Path("/run/fnn-lab") / self.lab), seconds, every=0.1)

    def list_files(self, node: str, directory: str) -> str:
        """Names and checksums of the toolkit's files there, without temporary files; none on a disk that is gone."""
        find = f"find {directory} -type f ! -name '.*' ! -name '*.prom' | sort | xargs -r md5sum"
        return self.shell(node, find, check=False)

    def list_fnn_files(self, node: str) -> list[str]:
        """Files of the toolkit, except the home of the cluster user and the files of a killed Ansible itself."""
        find = "find / -xdev -name '*fnn*' ! -path '/home/*' ! -path '/root/.ansible/*'; find /run -name '*fnn*'"
        return self.shell(node, find).splitlines()

    def make_work(self, stage: str) -> None:
        """Gives the next run of this stage work, on every node or in its document."""
        if stage == "network":
            self.change_mode()
        elif stage in ("mpi", "prove"):
            self.play(REMOVAL, "--tags", stage)
        else:
            document = {"discover": self.inventory / "macs.json", "verify": self.build / "findings.json"}[stage]
            document.unlink(missing_ok=True)

    def write_target(self) -> Path:
        """A target design: the first two nodes on different switches trade places."""
        design = self.read("design.json")
        nodes = [(node, list_switches(node)) for node in design["nodes"]]
        one, other = next((a, b) for (a, here), (b, there) in combinations(nodes, 2) if here != there)
        for link, beside in zip(one["links"], other["links"], strict=True):
            link["switch"], beside["switch"] = beside["switch"], link["switch"]
        for switch in design["switches"]:
            switch["nodes"] = [node["name"] for node, _ in nodes if switch["name"] in list_switches(node)]
        target = self.build / "next.json"
        target.write_text(json.dumps(design))
        return target

    @contextmanager
    def disk(self, node: str, directory: str, state: str) -> Iterator[None]:
        """Puts this directory of a node on a disk that is `full`, `read-only` or `gone`. Its content stays."""
        enter = ("podman", "exec", "--privileged", f"{self.lab}-{node}", "sh", "-ec")
        if state == "read-only":
            self.run(*enter, f"mount --bind {directory} {directory}; mount -o remount,bind,ro {directory}")
        else:
            place = self.locate(node, directory)
            self.run(*enter, f"cp -a {directory} /run/kept")
            device = self.mount_disk(node, directory)
            self.run(*enter, f"cp -a /run/kept/. {directory}; rm -r /run/kept")
            if state == "full":
                self.run(*enter, f"dd if=/dev/zero of={directory}/.filler bs=1k 2> /dev/null || true")
            else:
                shut_down(place)
        try:
            yield
        finally:
            # Services have their own mounts, which would keep the disk.
            self.run(*enter, f"umount {directory}; systemctl try-restart fnn-net fnn-linkd")
            if state != "read-only":
                self.run("losetup", "--detach", device)

    def mount_disk(self, node: str, directory: str) -> str:
        """Mounts a small file system on a local loop device over a directory of a node. Returns the device."""
        image = self.build / "disk"
        image.unlink(missing_ok=True)
        with image.open("wb") as file:
            file.truncate(3 << 20)
        self.run("mkfs.ext4", "-q", "-m", "0", "-N", "256", str(image))
        device = self.run("losetup", "--find", "--show", str(image)).strip()
        number = Path(device).stat().st_rdev
        script = f"""
        mknod /dev/disk-of-a-test b {os.major(number)} {os.minor(number)}
        mount /dev/disk-of-a-test {directory}
        rm /dev/disk-of-a-test
        rmdir {directory}/lost+found"""
        self.run("nsenter", "--target", self.find_process(node), "--mount", "sh", "-ec", script)
        return device

    def wait_until_up(self, node: str, seconds: float = 90) -> None:
        """Waits until a node runs sshd and fnn-linkd."""
        ask = ("systemctl", "is-active", "fnn-linkd", "ssh")
        wait_until(lambda: self.inside(node, *ask, check=False).split() == ["active"] * 2, seconds, every=1)

    def list_rest(self) -> list[str]:
        """Containers and namespaces of the lab."""
        names = self.podman("ps", "--all", "--format", "{{.Names}}").split()
        names += [each["name"] for each in json.loads(self.run("ip", "-json", "netns", "list") or "[]")]
        return [name for name in names if name.startswith(f"{self.lab}-")]


class SecondDesk(BadDaySite):
    """The same lab from a copy of the site, which has a lock and a build directory of its own."""

    def __init__(self, site: BadDaySite) -> None:
        super().__init__(site.root)
        self.turn = site.turn
        for directory in filter(Path.exists, (self.inventory, self.build)):
            shutil.rmtree(directory)
        shutil.copytree(site.inventory, self.inventory)

    @property
    def inventory(self) -> Path:
        return self.root / "build" / f"{self.cluster}-second-site"

    @property
    def build(self) -> Path:
        return self.root / "build" / f"{self.cluster}-second"

    def tune(self, **more: Any) -> None:
        super().tune(fnn_build_dir=str(self.build), **more)

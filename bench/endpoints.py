# SPDX-License-Identifier: GPL-3.0-or-later
"""Many SSH endpoints on one machine: a single sshd in a network namespace of its own, on the addresses 127.0.0.0/8.

The loopback device of a namespace has all these addresses, so each endpoint is one of them, and no other machine can
connect. The server and its keys are below one temporary directory; /run and the account database that it needs are
mounts that only its mount namespace has. Root only.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PACKAGES = ("openssh-server", "libwrap0")
_ACCOUNTS = {
    "passwd": "root:x:0:0:root:/root:/bin/sh\nsshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n",
    "shadow": "root:*:19000:0:99999:7:::\nsshd:!:19000:0:99999:7:::\n",
}
_CONFIG = """\
ListenAddress 0.0.0.0:22
HostKey {place}/host
AuthorizedKeysFile {place}/user.pub
AuthenticationMethods publickey
PermitRootLogin yes
StrictModes no
UsePAM no
UseDNS no
MaxStartups 2000
MaxSessions 200
PidFile none
"""
_START = """\
set -e
ip link set lo up
mount -t tmpfs tmpfs /run
mkdir /run/sshd
mount --bind "$1/passwd" /etc/passwd
mount --bind "$1/shadow" /etc/shadow
exec "$2" -D -e -f "$1/sshd_config"
"""


class NoServer(Exception):
    """This machine cannot run the endpoints; the text is the reason."""


@dataclass(frozen=True)
class Endpoints:
    """A running server."""

    place: Path
    process: int

    @property
    def within(self) -> tuple[str, ...]:
        """The command that runs another one where the endpoints are reachable."""
        return ("nsenter", f"--net=/proc/{self.process}/ns/net", "--")

    @property
    def options(self) -> str:
        """Options of ssh(1), which then reads no configuration of the user."""
        known = f"-o UserKnownHostsFile={self.place}/known_hosts -o StrictHostKeyChecking=yes"
        return f"-F /dev/null -o IdentityFile={self.place}/user -o IdentitiesOnly=yes {known}"

    def read_seconds(self) -> float:
        """Processor seconds of the server and of all its sessions so far, once these have ended (proc(5), stat)."""
        children = Path(f"/proc/{self.process}/task/{self.process}/children")
        while children.read_text().strip():
            time.sleep(0.05)
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS

    def read_octets(self) -> int:
        """Octets of all packets so far, in both directions, with their headers."""
        return parse_octets(Path(f"/proc/{self.process}/net/dev").read_text())


def parse_octets(text: str) -> int:
    """The octets that the loopback device received, which it also sent; text: /proc/net/dev."""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return int({name.strip(): rest for name, rest in lines.items()}["lo"].split()[0])


def name_address(rank: int) -> str:
    """The address of an endpoint."""
    return f"127.0.{1 + rank // 250}.{1 + rank % 250}"


@contextlib.contextmanager
def run_endpoints(place: Path) -> Iterator[Endpoints]:
    """Run the server. place: a new directory for its files. Raises NoServer."""
    if os.geteuid() != 0:
        raise NoServer("needs root for a network namespace")
    place.mkdir()
    server, environment = find_server(place)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", place / name], check=True)
    (place / "known_hosts").write_text("* " + (place / "host.pub").read_text())
    (place / "sshd_config").write_text(_CONFIG.format(place=place))
    for name, text in _ACCOUNTS.items():
        (place / name).write_text(text)
    command = ["unshare", "--net", "--mount", "--propagation", "private", "sh", "-c", _START, "sh", place, server]
    with (place / "sshd.log").open("wb") as log:
        process = subprocess.Popen([*map(str, command)], env={**os.environ, **environment}, stdout=log, stderr=log)
    try:
        wait_for_server(process, place / "sshd.log")
        yield Endpoints(place, process.pid)
    finally:
        process.terminate()
        process.wait()


def wait_for_server(process: subprocess.Popen[bytes], log: Path) -> None:
    """Raises NoServer when the server ends."""
    while "Server listening" not in log.read_text():
        if process.poll() is not None:
            raise NoServer(f"sshd ended: {log.read_text().strip()}")
        time.sleep(0.05)


def find_server(place: Path) -> tuple[Path, dict[str, str]]:
    """The sshd of this machine, or that of the distribution's package, unpacked below `place` but not installed.

    Returns its path and the environment that it needs. Raises NoServer.
    """
    found = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found:
        return Path(found), {}
    unpacked = place / "package"
    unpacked.mkdir()
    try:
        subprocess.run(["apt-get", "-qq", "download", *_PACKAGES], cwd=unpacked, check=True, capture_output=True)
        for package in unpacked.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, unpacked], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoServer(f"no sshd, and its package could not be downloaded ({error})") from None
    libraries = {str(path.parent) for path in unpacked.rglob("lib*.so*")}
    return unpacked / "usr/sbin/sshd", {"LD_LIBRARY_PATH": ":".join(sorted(libraries))}

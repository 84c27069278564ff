# SPDX-License-Identifier: GPL-3.0-or-later
"""What MPI and its users need of the system of this node: logins over SSH, a home, limits, names.

The settings of sshd are those that sshd itself reports for a login of the cluster user from a peer (`sshd -T -C`), with
all files and Match blocks. Which users a setting allows, only a login would show; so allowed_user() of OpenSSH's auth.c
is repeated here.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

from ..net.names import NAMES, find_name_faults
from ..net.place import Place

PROBLEM, WARNING = "problem", "warning"
SSH_PORT = "22"
_PATH = "/usr/sbin:/sbin:/usr/local/sbin:/usr/bin:/bin"
_WILDCARDS = ("0.0.0.0", "[::]")  # addresses that sshd listens on
_CONFIG = "/etc/ssh/sshd_config"
_INFINIBAND = Path("/sys/class/infiniband")

Config = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Fault:
    """A finding of the check. level: PROBLEM or WARNING."""

    check: str
    text: str
    remedy: str
    level: str = PROBLEM


@dataclass(frozen=True)
class Login:
    """A login of the cluster user. peer: an address that a node connects from; prefixes: of the nodes' own addresses.

    groups: of the user; home: "" if the account does not exist yet, as useradd(8) then makes a usual one.
    """

    user: str
    peer: str
    prefixes: Sequence[str]
    groups: Sequence[str]
    home: str
    locked: bool = False


def find_mpi_faults(user: str, peer: str, prefixes: Sequence[str], ranks: int) -> list[dict[str, str]]:
    """All faults as entries for Ansible. ranks: MPI processes of a job over all nodes."""
    login = read_login(user, peer, prefixes)
    faults = [*find_sshd_faults(login), *find_home_faults(login), *find_limit_faults(user, ranks), *list_name_faults()]
    return [vars(each) for each in faults]


def read_login(user: str, peer: str, prefixes: Sequence[str]) -> Login:
    try:
        entry = pwd.getpwnam(user)
    except KeyError:  # useradd(8) makes a group of the same name, and no password
        return Login(user, peer, prefixes, [user], "", locked=True)
    groups = [grp.getgrgid(each).gr_name for each in os.getgrouplist(user, entry.pw_gid)]
    return Login(user, peer, prefixes, groups, entry.pw_dir, is_locked(user))


def is_locked(user: str, shadow: Path = Path("/etc/shadow")) -> bool:
    """Whether no password can match, which sshd takes for a locked account if it does not use PAM."""
    try:
        lines = shadow.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return any(line.startswith(f"{user}:!") for line in lines)


def find_sshd_faults(login: Login) -> Iterator[Fault]:
    program = shutil.which("sshd", path=_PATH)
    if program is None:
        yield Fault("mpi", "no SSH server is installed, and MPI starts its ranks over SSH", "install openssh-server")
        return
    context = f"user={login.user},host={login.peer},addr={login.peer}"
    done = subprocess.run([program, "-T", "-C", context], capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        yield Fault("mpi", f"the settings of sshd are unknown: {reason}", "run `sshd -T` on the node as root", WARNING)
        return
    yield from compare_sshd(parse_sshd(done.stdout), login)


def parse_sshd(text: str) -> dict[str, list[str]]:
    """Keyword in lower case -> its values, of the output of `sshd -T`."""
    config: dict[str, list[str]] = {}
    for line in text.splitlines():
        keyword, _, value = line.strip().partition(" ")
        config.setdefault(keyword.lower(), []).append(value)
    return config


def compare_sshd(config: Config, login: Login) -> Iterator[Fault]:
    """Settings of sshd that refuse the cluster user, or what MPI starts as this user."""
    user, correct = login.user, f"correct it in {_CONFIG} (`sshd -T -C user={login.user},host={login.peer},"
    correct = f"{correct}addr={login.peer}` shows it), then run `systemctl reload ssh`"
    ports, methods = config.get("port", [SSH_PORT]), config.get("authenticationmethods", ["any"])
    if SSH_PORT not in ports:
        text = f"sshd listens on port {', '.join(ports)} and not on {SSH_PORT}, where MPI of other nodes connects"
        yield Fault("mpi", text, f"add a line `Port {SSH_PORT}` to {_CONFIG} beside it, then `systemctl restart ssh`")
    addresses = [each.rpartition(":")[0] for each in config.get("listenaddress", [])]
    if addresses and not any(each in _WILDCARDS or is_within(each, login.prefixes) for each in addresses):
        text = f"sshd listens on {', '.join(addresses)} alone, not on the addresses of the fabric"
        yield Fault("mpi", text, f"remove ListenAddress from {_CONFIG}, then run `systemctl restart ssh`")
    for keyword, refused in find_refusals(config, login):
        yield Fault("mpi", f"{keyword} of sshd refuses the cluster user {user} from {login.peer}: {refused}", correct)
    if config.get("pubkeyauthentication", ["yes"]) == ["no"]:
        yield Fault("mpi", f"sshd refuses the keys of {user}: PubkeyAuthentication is no", correct)
    if not any(each in ("any", "publickey") for each in " ".join(methods).split()):
        text = f"sshd wants more than a key of {user}: AuthenticationMethods is {' '.join(methods)}"
        yield Fault("mpi", text, correct)
    command = " ".join(config.get("forcecommand", ["none"]))
    if command != "none":
        yield Fault("mpi", f"sshd runs {command} instead of the programs of MPI: ForceCommand", correct)
    if config.get("usepam", ["yes"]) == ["no"] and login.locked:
        text = f"sshd without PAM refuses {user}, which has no password"
        yield Fault("mpi", text, f"run `usermod -p '*' {user}` on the node, or set UsePAM yes in {_CONFIG}")
    files = " ".join(config.get("authorizedkeysfile", [".ssh/authorized_keys"])).split()
    if not any(each.endswith(".ssh/authorized_keys") for each in files):
        text = f"sshd reads keys from {' '.join(files)}, and those of the nodes are in .ssh/authorized_keys of {user}"
        yield Fault("mpi", text, f"add .ssh/authorized_keys to AuthorizedKeysFile; {correct}")
    if login.home and config.get("strictmodes", ["yes"]) == ["yes"] and is_open(Path(login.home)):
        text = f"sshd ignores the keys of {user}, because others may write to {login.home}"
        yield Fault("mpi", text, f"run `chmod go-w {login.home}` on the node")


def find_refusals(config: Config, login: Login) -> Iterator[tuple[str, str]]:
    """(keyword, its value) of each list that refuses the login, as allowed_user() of OpenSSH compares them."""
    lists: tuple[tuple[str, str, Callable[[str], bool], bool], ...] = (
        ("denyusers", "DenyUsers", lambda pattern: matches_user(pattern, login), False),
        ("allowusers", "AllowUsers", lambda pattern: matches_user(pattern, login), True),
        ("denygroups", "DenyGroups", lambda pattern: matches_group(pattern, login), False),
        ("allowgroups", "AllowGroups", lambda pattern: matches_group(pattern, login), True),
    )
    for keyword, name, matches, allows in lists:
        patterns = " ".join(config.get(keyword, [])).split()
        if patterns and any(map(matches, patterns)) != allows:
            yield name, " ".join(patterns)


def matches_user(pattern: str, login: Login) -> bool:
    """USER, or USER@ADDRESS with a pattern or a prefix (sshd_config(5))."""
    user, at, host = pattern.partition("@")
    if not fnmatchcase(login.user, user):
        return False
    return not at or fnmatchcase(login.peer, host) or is_within(login.peer, [host])


def matches_group(pattern: str, login: Login) -> bool:
    return any(fnmatchcase(group, pattern) for group in login.groups)


def is_within(address: str, prefixes: Sequence[str]) -> bool:
    """Whether an IPv4 address is in one of these networks; texts that are none of both count as no."""
    try:
        return any(IPv4Address(address) in IPv4Network(each, strict=False) for each in prefixes)
    except ValueError:
        return False


def is_open(home: Path) -> bool:
    try:
        return bool(home.stat().st_mode & 0o022)
    except OSError:
        return False


def find_home_faults(login: Login) -> Iterator[Fault]:
    home = Path(login.home or "/home")
    where = next(each for each in (home, *home.parents) if each.exists())
    if not os.access(where, os.W_OK | os.X_OK):
        text = f"root may not write to {where}, where the keys of {login.user} go (NFS with root_squash, or read-only)"
        yield Fault(
            "mpi", text, f"set fnn_mpi_user to a user with a local home, or export {where} with no_root_squash to nodes"
        )
    for directory, what in ((where, "programs in homes do not start"), (Path("/tmp"), "some programs of MPI fail")):
        if directory.exists() and os.statvfs(directory).f_flag & os.ST_NOEXEC:
            text = f"{directory} is mounted noexec, so that {what}"
            yield Fault("mpi", text, f"mount it without noexec: `findmnt -T {directory}`", WARNING)


def find_limit_faults(user: str, ranks: int) -> Iterator[Fault]:
    """Limits of a login: a rank has a connection to each other, and RDMA pins memory."""
    found = read_limits(user)
    if found is None:
        return
    files, memory = found
    limits = "/etc/security/limits.d/fnn.conf"
    if files < ranks + 100:
        text = f"{user} may open {files} files, and a rank of MPI over all nodes needs {ranks + 100}"
        yield Fault("mpi", text, f"write `{user} - nofile {2 * ranks + 1024}` to {limits}", WARNING)
    if memory is not None and _INFINIBAND.is_dir() and any(_INFINIBAND.iterdir()):
        text = f"{user} may lock {memory} KiB of memory, and RDMA needs more"
        yield Fault("mpi", text, f"write `{user} - memlock unlimited` to {limits}", WARNING)


def read_limits(user: str) -> tuple[int, int | None] | None:
    """Open files, and KiB of locked memory (None: unlimited), of a session of a user; None if they are unknown.

    pam_limits(8) sets them for runuser(1) as for a login over SSH.
    """
    try:
        pwd.getpwnam(user)
    except KeyError:
        user = "nobody"
    ask = ["runuser", "-s", "/bin/sh", user, "-c", "ulimit -n; ulimit -l"]
    try:
        files, memory = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.split()
        return int(files), None if memory == "unlimited" else int(memory)
    except (OSError, ValueError):
        return None


def list_name_faults() -> Iterator[Fault]:
    """Whether names of the plan lead to the addresses of the plan on this node."""
    place = Place()
    faults = find_name_faults(place)
    for each in faults:
        text, _, remedy = each.partition("; ")
        yield Fault("names", text, remedy, PROBLEM if "nsswitch" in text else WARNING)
    if not faults:
        yield from find_wrong_addresses(place.locate(NAMES))


def find_wrong_addresses(names: Path) -> Iterator[Fault]:
    """Asks glibc for all names of the plan, up to the first that is wrong: an unknown name may take seconds."""
    lines = names.read_text(encoding="utf-8").splitlines() if names.exists() else []
    pairs = [(name, address) for address, *also in map(str.split, filter(str.strip, lines)) for name in also]
    answers = ((name, address, look_up(name)) for name, address in pairs)
    for name, address, found in (each for each in answers if each[1] != each[2]):
        text = f"{name} is {found or 'unknown'} on this node, and {address} in the plan"
        yield Fault("names", text, "put `files` first in the line `hosts:` of /etc/nsswitch.conf", WARNING)
        return


def look_up(name: str) -> str:
    """The address that a program connects to first; "" if the name has none."""
    try:
        return str(socket.getaddrinfo(name, None, socket.AF_INET, socket.SOCK_STREAM)[0][4][0])
    except OSError:
        return ""

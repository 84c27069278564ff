# SPDX-License-Identifier: GPL-3.0-or-later
"""Why Ansible could not run a module on a node: which step failed, and the remedy.

The module fnn_node runs on each node. Where it fails, a shell command follows, which needs no Python. Their results
have the message of ssh(1) or sudo(8), as

    Failed to connect to the host via ssh: k02: Permission denied (publickey,password).

The tables below have these messages. A message that is in no table is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .model import Answers, Finding

#: The oldest Python for programs of nodes (docs/reference/versions.md).
OLDEST_PYTHON = (3, 9)


@dataclass(frozen=True)
class Target:
    """How Ansible reaches a node. host: name or address. user: "" for that of the controller. port: 0 for the usual.

    password: whether Ansible has a password for it.
    """

    host: str
    user: str = ""
    port: int = 0
    password: bool = False

    @property
    def login(self) -> str:
        """For ssh and ssh-copy-id: "-p 2222 admin@10.0.0.5"."""
        port = f"-p {self.port} " if self.port else ""
        return f"{port}{self.user}@{self.host}" if self.user else f"{port}{self.host}"

    @property
    def known_as(self) -> str:
        """Its name in known_hosts (sshd(8)), for ssh-keygen -R."""
        return f"'[{self.host}]:{self.port}'" if self.port else self.host

    @property
    def scan(self) -> str:
        """For ssh-keyscan."""
        return f"-p {self.port} {self.host}" if self.port else self.host


@dataclass(frozen=True)
class _Cause:
    """pattern: in the message. remedy: with fields of Target. without_password: the same for an ssh of the toolkit
    itself, which gets no password; "" for the same remedy.
    """

    pattern: str
    check: str
    text: str
    remedy: str
    without_password: str = ""


#: What Ansible puts before the message of ssh.
_PREFIX = (
    r"^(Task failed: |Failed to connect to the host via ssh: |Data could not be sent to remote host \S+ "
    r"Make sure this host can be reached over ssh: |ssh: )+"
)
_PASSWORD_REFUSED = _Cause(
    "Invalid/incorrect (username/)?password", "login", "the password was refused",
    "give the password of {login} with -k, or use a key: `ssh-copy-id {login}`",
)  # fmt: skip
#: ssh has this message for keys and passwords alike.
_LOGIN_REFUSED = _Cause(
    "Permission denied|Authentication failed", "login", "the login was refused",
    "run `ssh-copy-id {login}`, or give the password with -k", "run `ssh-copy-id {login}`",
)  # fmt: skip
#: Ansible then calls the node unreachable, although ssh logged in.
_ROOT_WAITS = _Cause(
    "Timeout .* waiting for privilege escalation", "root", "the login works, but becoming root waits for a password",
    "give it with -K (su wants the password of root), or let {who} become root without one",
)  # fmt: skip
_SSH = (
    _ROOT_WAITS,
    _Cause("umask 77 ; and ", "login", "ansible_shell_type is fish, but Ansible runs commands with /bin/sh",
           "remove ansible_shell_type, which a login shell of fish does not need"),
    _Cause("REMOTE HOST IDENTIFICATION HAS CHANGED|Host key for .* has changed", "host-key",
           "its host key is not the one in known_hosts",
           "if the node was installed again, run `ssh-keygen -R {known_as}`, then `ssh {login}`"),
    _Cause("Host key verification failed|No .* host key is known", "host-key", "its host key is not known",
           "run `ssh {login}` once and confirm the fingerprint, or `ssh-keyscan {scan} >> ~/.ssh/known_hosts`"),
    _Cause("Could not resolve hostname|Name or service not known", "connection", "the name {host} has no address",
           "set ansible_host to its address, or add the name to /etc/hosts or DNS"),
    _Cause("you must install the sshpass program", "login", "a password was given, but sshpass is not installed",
           "run `apt-get install sshpass` on the controller, or use a key: `ssh-copy-id {login}`"),
    _PASSWORD_REFUSED,
    _Cause("UNPROTECTED PRIVATE KEY FILE|bad permissions", "login", "ssh ignores a private key that others may read",
           "run `chmod 600` on the key"),
    _Cause("Too many authentication failures", "login", "sshd refused the login after too many keys",
           "name the key with ansible_ssh_private_key_file, and set IdentitiesOnly yes"),
    _LOGIN_REFUSED,
    _Cause("Connection refused", "connection", "{host} answers, but no SSH server listens",
           "run `apt-get install openssh-server` on the node, or set ansible_port"),
    _Cause("No route to host|Network is unreachable|timed out|Timeout|Host is down", "connection",
           "{host} does not answer", "switch it on and check its cable, its address and ansible_host"),
    _Cause("Connection (closed|reset)|kex_exchange_identification|Broken pipe", "connection",
           "{host} closed the connection", "read the log of sshd on the node: `journalctl -u ssh`"),
)  # fmt: skip
_ALLOW_SUDO = (
    "allow sudo without a password: `echo '{who} ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ansible` on the node"
)
_ALLOW_DOAS = "allow doas without a password: `echo 'permit nopass {who} as root' >> /etc/doas.conf` on the node"
_ROOT = (
    _Cause("Missing sudo password|sudo: a password is required", "root",
           "sudo needs a password", f"give it with -K, or {_ALLOW_SUDO}", _ALLOW_SUDO),
    _Cause("Incorrect sudo password|Sorry, try again", "root", "sudo refused the password",
           "give the password of {who} with -K"),
    _Cause("not in the sudoers file|may not run sudo|is not allowed to", "root", "{who} may not use sudo",
           "run `adduser {who} sudo` on the node as root"),
    _Cause("sudo: (command )?not found|command: sudo|sudo: No such file|No such file or directory.*sudo", "root",
           "sudo is not installed", "run `apt-get install sudo` on the node, or set ansible_become_method: su"),
    _Cause("must have a tty|no tty present", "root", "sudo wants a terminal", "remove requiretty from /etc/sudoers"),
    _Cause("Incorrect su password|su: Authentication failure", "root", "su refused the password",
           "give the password of root with -K"),
    _Cause("doas: Authentication required", "root", "doas needs a password", f"give it with -K, or {_ALLOW_DOAS}",
           _ALLOW_DOAS),
    _Cause("doas: Authentication failed|Incorrect doas password", "root", "doas refused the password",
           "give the password of {who} with -K"),
    _Cause("doas: Operation not permitted", "root", "{who} may not use doas", _ALLOW_DOAS),
    _Cause("doas: (command )?not found|Unknown command: doas", "root", "doas is not installed",
           "run `apt-get install opendoas` on the node, or set ansible_become_method: su"),
)  # fmt: skip
#: Python cannot unpack a module.
_MODULE = (
    _Cause("No usable temporary directory|No space left on device|Disk quota exceeded", "disk",
           "no space is left for temporary files", "free some space on the node: `df -h /tmp /var/tmp`"),
)  # fmt: skip


def find_obstacle(answers: Answers, target: Target) -> Finding | None:
    """The step that failed on the way to a module; None if the module ran."""
    if "system" in answers.facts:
        return None
    if answers.facts.get("unreachable"):
        return _explain(answers.facts, _SSH, Finding("connection", "", "run `ssh -v {login}`"), target)
    if answers.shell.get("rc", 1):
        return _explain(answers.shell, _ROOT, Finding("root", "", "become root by hand: `ssh -t {login}`"), target)
    return find_python_obstacle(read_python(answers.shell), answers.facts, target)


def explain_message(text: str, target: Target) -> str:
    """The cause and the remedy of a message of ssh or sudo in one line; the message itself if it is unknown.

    For an ssh that the toolkit starts without Ansible: its remedies name no password, as -k and -K do not reach it.
    """
    causes = [replace(each, remedy=each.without_password or each.remedy) for each in (*_SSH, *_ROOT)]
    found = _explain({"msg": text}, causes, Finding("connection", "", "run `ssh -v {login}`"), target)
    return f"{found.text}; {found.remedy}"


def find_python_obstacle(version: tuple[int, ...], result: Mapping[str, Any], target: Target) -> Finding:
    """version: of python3 on the node, () for none. result: of the module, which failed."""
    if not version:
        return Finding("python", "Python 3 is not installed", "run `apt-get install python3` on the node")
    if version < OLDEST_PYTHON:
        return refuse_python(version)
    text = find_last_line(result)
    otherwise = Finding("python", f"a module failed: {text}", "run the same with -vvv, which shows the whole error")
    return _explain(result, _MODULE, otherwise, target)


def refuse_python(version: tuple[int, ...]) -> Finding:
    """The finding of a Python older than OLDEST_PYTHON."""
    found, wanted = (".".join(map(str, each)) for each in (version, OLDEST_PYTHON))
    remedy = "install a newer Python and name it with ansible_python_interpreter, or upgrade the distribution"
    return Finding("python", f"Python {found} is older than {wanted}", remedy)


def read_python(shell: Mapping[str, Any]) -> tuple[int, ...]:
    """The version in the output of the shell command, "Python 3.11.2"; () without one."""
    found = re.search(r"^Python (\d+)\.(\d+)", str(shell.get("stdout", "")), re.MULTILINE)
    return tuple(int(part) for part in found.groups()) if found else ()


def find_last_line(result: Mapping[str, Any]) -> str:
    """The last line that a failed task has to say, without the words that Ansible puts before it."""
    said = str(result.get("msg") or "")
    # Ansible expected JSON, or says only that a command failed: the module or the command has the reason.
    if said.startswith(("Module result deserialization failed", "non-zero return code")):
        said = ""
    others = (result.get(key) for key in ("stderr", "module_stderr", "stdout", "msg"))
    text = said or str(next(filter(None, others), "no message"))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not re.fullmatch(r"(Shared c|C)onnection to \S+ closed\.", line)]
    last = lines[-1] if lines else "no message"
    return re.sub(_PREFIX, "", last)


def _explain(result: Mapping[str, Any], causes: Sequence[_Cause], otherwise: Finding, target: Target) -> Finding:
    words = " ".join(str(result.get(key, "")) for key in ("msg", "stderr", "stdout", "module_stderr"))
    who = target.user or "the login user"
    fields = {**vars(target), "login": target.login, "known_as": target.known_as, "scan": target.scan, "who": who}
    for cause in causes:
        each = _PASSWORD_REFUSED if cause is _LOGIN_REFUSED and target.password else cause
        if re.search(cause.pattern, words, re.IGNORECASE | re.DOTALL):
            return Finding(each.check, each.text.format(**fields), each.remedy.format(**fields))
    return Finding(otherwise.check, otherwise.text or find_last_line(result), otherwise.remedy.format(**fields))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of ssh, sudo and Python become one finding with a remedy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.check.connection import Target, explain_message, find_obstacle
from ansible.module_utils.fnn.controller.check.model import Answers, Finding

TARGET = Target("10.0.0.5", "admin")
SSH = "Task failed: Failed to connect to the host via ssh: "
DESERIALIZATION = "Module result deserialization failed: No start of json char found"
HERE = {"rc": 0, "stdout": "Python 3.11.2\r\n"}


def explain(facts: dict[str, Any], shell: dict[str, Any] | None = None, target: Target = TARGET) -> Finding:
    found = find_obstacle(Answers(facts, shell or {}), target)
    assert found
    return found


def test_a_module_that_ran_is_no_obstacle() -> None:
    assert find_obstacle(Answers({"system": {}}, {}), TARGET) is None


@pytest.mark.parametrize(
    ("message", "check", "part"),
    [
        ("Host key verification failed.", "host-key", "ssh-keyscan 10.0.0.5 >> ~/.ssh/known_hosts"),
        ("No ED25519 host key is known for [10.0.0.5]:22 and you have requested strict", "host-key", "`ssh admin@10"),
        (
            "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
            "host-key",
            "`ssh-keygen -R 10.0.0.5`",
        ),
        ("admin@10.0.0.5: Permission denied (publickey,password).", "login", "`ssh-copy-id admin@10.0.0.5`"),
        ("Invalid/incorrect password: Permission denied, please try again.", "login", "with -k"),
        ("Received disconnect from 10.0.0.5: Too many authentication failures", "login", "IdentitiesOnly"),
        (
            "to use the 'ssh' connection type with passwords or pkcs11_provider, you must install the sshpass program",
            "login",
            "apt-get install sshpass",
        ),
        ("ssh: connect to host 10.0.0.5 port 22: Connection refused", "connection", "openssh-server"),
        ("ssh: connect to host 10.0.0.5 port 22: No route to host", "connection", "switch it on"),
        ("ssh: connect to host 10.0.0.5 port 22: Connection timed out", "connection", "switch it on"),
        ("ssh: Could not resolve hostname k07: Name or service not known", "connection", "ansible_host"),
        ("kex_exchange_identification: Connection closed by remote host", "connection", "journalctl -u ssh"),
        ("Failed command was: umask 77 ; and mkdir -p ( echo /home/ops )", "login", "remove ansible_shell_type"),
        ("Timeout (22s) waiting for privilege escalation prompt: ", "root", "with -K"),
    ],
)
def test_a_message_of_ssh_has_its_remedy(message: str, check: str, part: str) -> None:
    found = explain({"unreachable": True, "msg": SSH + message})
    assert (found.check, found.level) == (check, "problem")
    assert part in found.remedy


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("Task failed: Missing sudo password", "-K"),
        ("Task failed: Incorrect sudo password", "the password of admin with -K"),
        ("admin is not in the sudoers file.", "adduser admin sudo"),
        ("/bin/sh: 1: sudo: not found", "apt-get install sudo"),
        ("fish: Unknown command: sudo\nfish: \n^~~^", "apt-get install sudo"),
        ("Incorrect su password", "the password of root with -K"),
        ("doas: Authentication required", "permit nopass admin as root"),
        ("\ndoas: Authentication failed", "the password of admin with -K"),
        ("doas: Operation not permitted", "permit nopass admin as root"),
        ("/bin/sh: 1: doas: not found", "apt-get install opendoas"),
    ],
)
def test_a_message_of_sudo_su_or_doas_has_its_remedy(message: str, part: str) -> None:
    terminal = {"rc": 1, "msg": "non-zero return code", "stdout": f"{message}\nShared connection to k00 closed.\n"}
    for shell in ({"rc": 1, "msg": message}, terminal):
        found = explain({"failed": True, "msg": message}, shell)
        assert found.check == "root"
        assert part in found.remedy


def test_a_command_that_fails_has_the_last_line_that_it_said() -> None:
    shell = {"rc": 1, "msg": "non-zero return code", "stdout": "run0: no\r\nShared connection to k00 closed.\r\n"}
    assert explain({"failed": True, "msg": "failed"}, shell).text == "run0: no"


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("sh: 1: python3: not found\n", "Python 3 is not installed"),
        ("Python 3.7.3\n", "Python 3.7 is older than 3.9"),
        ("Python 3.11.2\n", "a module failed: no space left"),
    ],
)
def test_a_module_that_fails_as_root_shows_the_state_of_python(output: str, text: str) -> None:
    found = explain({"failed": True, "msg": "no space left"}, {"rc": 0, "stdout": output})
    assert (found.check, found.text) == ("python", text)


def test_a_refused_password_is_not_asked_for() -> None:
    """Ansible lets ssh ask once, and then ssh says the same as for a key."""
    message = {"unreachable": True, "msg": f"{SSH}admin@10.0.0.5: Permission denied (publickey,password)."}
    found = explain(message, target=replace(TARGET, password=True))
    assert (found.check, found.text) == ("login", "the password was refused")
    assert found.remedy == "give the password of admin@10.0.0.5 with -k, or use a key: `ssh-copy-id admin@10.0.0.5`"
    assert explain(message).text == "the login was refused"


def test_a_full_disk_is_named_although_no_module_runs() -> None:
    last = "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp', '/home/ops']"
    result = {"msg": DESERIALIZATION, "module_stderr": f"Traceback (most recent call last):\n{last}\n"}
    assert explain(result, HERE) == Finding(
        "disk", "no space is left for temporary files", "free some space on the node: `df -h /tmp /var/tmp`"
    )


def test_the_error_of_a_module_is_shown_and_not_that_of_its_reader() -> None:
    result = {"msg": DESERIALIZATION, "module_stderr": "Traceback (most recent call last):\nMemoryError\n"}
    assert explain(result, HERE).text == "a module failed: MemoryError"
    assert explain({"msg": DESERIALIZATION}, HERE).text == f"a module failed: {DESERIALIZATION}"


def test_an_unknown_message_is_shown_as_it_is() -> None:
    found = explain({"unreachable": True, "msg": f"{SSH}a line\nssh: the moon is in the way"})
    assert found == Finding("connection", "the moon is in the way", "run `ssh -v admin@10.0.0.5`")


@pytest.mark.parametrize(
    ("message", "explained"),
    [
        (
            "sudo: a password is required",
            "sudo needs a password; allow sudo without a password: "
            "`echo 'admin ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ansible` on the node",
        ),
        (
            "admin@10.0.0.5: Permission denied (publickey,password).",
            "the login was refused; run `ssh-copy-id admin@10.0.0.5`",
        ),
        (
            "ssh: connect to host 10.0.0.5 port 22: Connection refused",
            "10.0.0.5 answers, but no SSH server listens; run `apt-get install openssh-server` on the node, or set "
            "ansible_port",
        ),
        ("the moon is in the way", "the moon is in the way; run `ssh -v admin@10.0.0.5`"),
    ],
)
def test_an_ssh_without_ansible_gets_no_advice_to_give_a_password(message: str, explained: str) -> None:
    """-k and -K do not reach it: it has BatchMode=yes and `sudo -n`."""
    assert explain_message(message, TARGET) == explained


def test_a_port_is_part_of_each_command() -> None:
    target = Target("10.0.0.5", port=2222)
    found = explain({"unreachable": True, "msg": "REMOTE HOST IDENTIFICATION HAS CHANGED"}, target=target)
    assert "ssh-keygen -R '[10.0.0.5]:2222'" in found.remedy
    assert "ssh -p 2222 10.0.0.5" in found.remedy

# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs modules of library/ in network namespaces, each in a process that is forked from one server.

A short module spends most of its time on the start of Python and on the import of Ansible's code. The server does both
once. A child enters the namespace as ip-netns(8) does, and runs the real module.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

import ansible.module_utils.basic
from ansible.module_utils.testing import patch_module_args

ROOT = Path(__file__).resolve().parents[2]
NAMESPACES = Path("/run/netns")  # where ip-netns(8) keeps them
_CLONE_NEWNET, _CLONE_NEWNS = 0x40000000, 0x00020000  # sched.h
_MS_BIND, _MS_REC, _MS_SLAVE, _MNT_DETACH = 4096, 16384, 1 << 19, 2  # sys/mount.h


@dataclass(frozen=True)
class RunningModule:
    """A module that runs. answers: the end of the pipe for its output; errors: a file for its other output."""

    answers: int
    errors: IO[str] = field(default_factory=partial(tempfile.TemporaryFile, "w+"))

    def finish(self, seconds: float = 300) -> dict[str, Any]:
        """The result of the module."""
        output = self._read(seconds)
        with self.errors as errors:
            errors.seek(0)
            assert output.strip(), errors.read()
        answer: dict[str, Any] = json.loads(output.splitlines()[-1])
        return answer

    def _read(self, seconds: float) -> bytes:
        end, output = time.monotonic() + seconds, b""
        with os.fdopen(self.answers, "rb", buffering=0) as pipe:
            while select.select([pipe], [], [], max(0, end - time.monotonic()))[0]:
                if not (part := pipe.read(1 << 16)):
                    return output
                output += part
        raise AssertionError(f"no result within {seconds} s: {output!r}")


class ModuleServer:
    """The side of the tests."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, str(Path(__file__).resolve()), str(theirs.fileno())]
            environment = {**os.environ, "SSH_CONNECTION": ""}
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)

    def start(self, namespace: str, run: Path | None, module: str, options: dict[str, Any], ssh: str) -> RunningModule:
        """Starts a module in a namespace. run: directory to mount at /run; ssh: its SSH_CONNECTION."""
        request = {"namespace": namespace, "run": str(run) if run else None, "module": module, "options": options}
        answers, output = os.pipe()
        running = RunningModule(answers)
        with tempfile.TemporaryFile("w+") as document:
            json.dump({**request, "ssh": ssh}, document)
            document.flush()
            socket.send_fds(self._socket, [b"run"], [document.fileno(), output, running.errors.fileno()])
            self._socket.recv(1)  # the server has its own copies of the descriptors
        os.close(output)
        return running

    def close(self) -> None:
        self._socket.close()
        self._process.wait(60)


@functools.cache
def start_server() -> ModuleServer:
    """The one server of this process, which ends with it."""
    server = ModuleServer()
    atexit.register(server.close)
    return server


def serve(connection: socket.socket) -> None:
    """Forks a child for each request until the tests close the connection."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, descriptors, _, _ = socket.recv_fds(connection, 16, 3)
        if not message:
            return
        if os.fork() == 0:
            connection.close()
            run_child(*descriptors)
        for each in descriptors:
            os.close(each)
        connection.send(b"1")


def run_child(document: int, output: int, errors: int) -> None:
    """Runs the module of a request and ends this process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with Path(os.devnull).open() as nothing:
        for number, target in enumerate((nothing.fileno(), output, errors)):
            os.dup2(target, number)
    with os.fdopen(document) as file:
        file.seek(0)
        request = json.load(file)
    os.close(output)
    os.close(errors)
    try:
        run_module(request)
    except SystemExit:
        pass
    except BaseException:
        traceback.print_exc()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def run_module(request: dict[str, Any]) -> None:
    enter(request["namespace"], request["run"])
    os.environ["SSH_CONNECTION"] = request["ssh"]
    with patch_module_args(request["options"]):
        runpy.run_path(str(ROOT / "library" / f"{request['module']}.py"), run_name="__main__")


def enter(namespace: str, run: str | None) -> None:
    """Enters a network namespace, with /sys of that namespace and perhaps another directory at /run."""
    libc = ctypes.CDLL(None, use_errno=True)

    def call(function: str, *arguments: Any) -> None:
        if getattr(libc, function)(*arguments):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), function)

    with (NAMESPACES / namespace).open() as file:
        call("setns", file.fileno(), _CLONE_NEWNET)
    call("unshare", _CLONE_NEWNS)
    call("mount", b"", b"/", b"none", _MS_SLAVE | _MS_REC, None)
    call("umount2", b"/sys", _MNT_DETACH)
    call("mount", namespace.encode(), b"/sys", b"sysfs", 0, None)
    if run:
        call("mount", run.encode(), b"/run", b"none", _MS_BIND, None)


def import_code() -> None:
    """Imports the code of Ansible and of nodes that modules need."""
    ansible.module_utils.__path__.append(str(ROOT / "module_utils"))
    for name in ("node", "shared", "head"):
        package = importlib.import_module(f"ansible.module_utils.fnn.{name}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    import_code()
    with socket.socket(fileno=int(sys.argv[1])) as served:
        serve(served)

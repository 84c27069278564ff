# SPDX-License-Identifier: GPL-3.0-or-later
"""A node of a benchmark: real agents and a directory that is watched; a script replaces iperf3."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.bench import agent
from ansible.module_utils.fnn.node.bench.watch import Watch

SAMPLES = Path(__file__).parent / "samples"
#: A server listens for one client; a client connects and prints what iperf3 3.12 has printed.
_IPERF = """
import socket, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("iperf 3.12 (cJSON 1.7.15)")
elif "--server" in words:
    port, address = int(words[words.index("--port") + 1]), words[words.index("--bind") + 1]
    with socket.create_server((address, port)) as server:
        server.accept()
    print("interval" * 10000)
elif words[words.index("--time") + 1] == "7":
    print('{{"start": {{}}, "error": "error - unable to connect to server: Connection refused"}}')
else:
    port, address = int(words[words.index("--port") + 1]), words[words.index("--client") + 1]
    with socket.create_connection((address, port)):
        print(open("{sample}").read())
"""


@pytest.fixture
def write_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """write_program(name, body): writes a shell script that comes first on PATH, or replaces the one of that name."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs), prepend=":")

    def write(name: str, body: str) -> Path:
        program = programs / name
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        return program

    return write


@pytest.fixture
def source() -> str:
    """Of the agent."""
    return Path(agent.__file__).read_text(encoding="utf-8")


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    directory = tmp_path / "bench"
    directory.mkdir()
    with Path(os.devnull).open("wb") as output:
        yield Watch(directory, output.fileno())


@pytest.fixture
def node(tmp_path: Path, write_program: Callable[[str, str], Path], source: str) -> str:
    """The source of an agent on a node with an identity address on lo, and iperf3 first on PATH."""
    script = tmp_path / "iperf3.py"
    script.write_text(_IPERF.format(sample=SAMPLES / "iperf3-3.12-bidir.json"))
    write_program("iperf3", f'exec {sys.executable} {script} "$@"')
    (tmp_path / "node").write_text("# made by a test\nnode k00\nidentity fnn0 dummy 127.0.0.1\n")
    (tmp_path / "links").write_text("red 02:f0:00:00:00:00 10.77.0.1/24 1500\n")
    return source.replace("/etc/fnn/", f"{tmp_path}/")

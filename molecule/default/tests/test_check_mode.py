# SPDX-License-Identifier: GPL-3.0-or-later
"""site.yml in check mode and diff mode: it shows what would change, changes no node and no document, and sends no frame
over the fabric."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from testinfra.host import Host

from .conftest import BUILD, FULL, LAB, PROJECT, Outcome, look, wait_until_all_nics_are_used

Preview = Callable[..., Outcome]
#: Prints each kind of frame on the switches once. Daemons send all the time, so at least theirs are seen.
WATCH = """
import socket
tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
print("ready", flush=True)
seen = set()
while True:
    frame = tap.recv(64)
    kind = "fnn-linkd" if frame[12:18] == b"\\x88\\xb5FNNl" else frame.hex()
    if kind not in seen:
        seen.add(kind)
        print(kind, flush=True)
"""

#: The full test also previews the stages that only read, or only write documents.
SKIPPED = () if FULL else ("--skip-tags=check,evaluate,report,summary",)


def read_digests() -> dict[Path, str]:
    """All documents of the scenario and of the scaling study."""
    files = [path for place in (BUILD, PROJECT / "build" / "scaling") for path in place.rglob("*") if path.is_file()]
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@contextmanager
def watch_fabric() -> Iterator[None]:
    """Meanwhile, only fnn-linkd may send frames over the switches."""
    command = ["ip", "netns", "exec", f"{LAB}-sw", sys.executable, "-IS", "-c", WATCH]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as tap:
        assert tap.stdout and tap.stdout.readline() == "ready\n"
        yield
        tap.terminate()
        assert tap.stdout.read().split() == ["fnn-linkd"]


@pytest.fixture
def preview(play: Callable[..., Outcome], nodes: dict[str, Host]) -> Iterator[Preview]:
    """Runs site.yml in check mode, which must succeed; afterwards all is as before."""
    wait_until_all_nics_are_used(nodes)
    before = look(nodes), read_digests()

    def run(**variables: Any) -> Outcome:
        with watch_fabric():
            outcome = play("site.yml", "--check", "--diff", "--extra-vars", json.dumps(variables), *SKIPPED)
        assert outcome.status == 0, outcome.output
        return outcome

    yield run
    assert (look(nodes), read_digests()) == before


def list_changed(outcome: Outcome) -> set[str]:
    """The hosts on which tasks would change something."""
    return {name for name, count in re.findall(r"^(\S+) .*changed=(\d+)", outcome.output, re.MULTILINE) if int(count)}


def test_another_prefix_is_shown_with_its_files_and_commands(preview: Preview) -> None:
    outcome = preview(fnn_prefix="10.66.0.0/16")
    assert list_changed(outcome) == {f"k0{rank}" for rank in range(6)}
    assert re.search(r"^\+red .* 10\.66\.0\.1/24 ", outcome.output, re.MULTILINE)
    assert "+ip address replace 10.66.0.1/24 dev nic0" in outcome.output


@pytest.mark.long
def test_a_configured_cluster_needs_no_change(preview: Preview) -> None:
    assert list_changed(preview()) == set()


def test_from_nothing_the_spec_and_the_design_are_shown_and_no_package_is_installed(
    preview: Preview, tmp_path: Path
) -> None:
    """Stages end before their plays that need documents, also where a node lacks a package."""
    site, build = tmp_path / "site", tmp_path / "build"
    outcome = preview(fnn_site_dir=str(site), fnn_build_dir=str(build), fnn_mpi_packages=["fnn-no-such-package"])
    shown = " ".join(outcome.output.split())
    assert f"after: {site}/spec.json" in shown and f"after: {site}/design.json" in shown
    assert f"skipped: this stage reads {site}/design.json" in shown
    assert not site.exists() and not build.exists()
    assert "TASK [fnn_mpi : Make the cluster user and read the public keys]" in outcome.output
    assert "TASK [fnn_mpi : Install the MPIs]" not in outcome.output

# SPDX-License-Identifier: GPL-3.0-or-later
"""A controller whose disk is full or read-only, or whose writer is killed: documents are old or new, and one line of
the message names the remedy. The disks are real file systems in a mount namespace of their own."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from namespaces import ROOT

#: Writes a document of the given size to the file repeatedly: "old" first, then "new".
WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from fnn.shared.errors import FnnError
from fnn.controller.files import write_atomic
for number in range(int(sys.argv[4])):
    try:
        write_atomic(sys.argv[2], str(number % 10) * int(sys.argv[3]))
    except FnnError as error:
        sys.exit(f"{error}")
    print("written", flush=True)
"""
PROGRAM = [sys.executable, "-B", "-c", WRITER, str(ROOT / "module_utils")]


def run_in_mounts(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a shell script in its own mount namespace; the words are $1 and so on."""
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-euc", script, "sh", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


DISKS = {
    "full": ("mount -t tmpfs -o size=64k none $site", "No space left on device", "free some space in"),
    "read-only": ("mount --bind $site $site; mount -o remount,bind,ro $site", "Read-only file system", "mount"),
}


@pytest.mark.parametrize("disk", DISKS)
def test_a_write_to_a_full_disk_keeps_the_document_and_names_the_remedy(tmp_path: Path, disk: str) -> None:
    mount, reason, way = DISKS[disk]
    script = f"""
        site=$1; shift
        {mount if disk == "full" else ":"}
        printf old > $site/design.json
        {":" if disk == "full" else mount}
        "$@" || :
        cat $site/design.json; echo; ls -A $site
    """
    done = run_in_mounts(script, str(tmp_path), *PROGRAM, f"{tmp_path}/design.json", "200000", "1")
    assert done.stdout.splitlines() == ["old", "design.json"], done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        f"{tmp_path}/design.json: cannot be written: {reason}; the file is unchanged; {way} {tmp_path}"
    )


@pytest.mark.parametrize("disk", DISKS)
def test_a_module_reports_a_disk_error_in_one_line(tmp_path: Path, disk: str) -> None:
    """fnn_routes with the engine, from the committed design of the lab."""
    options = {"design": f"{ROOT}/inventory/lab/design.json", "build": f"{tmp_path}/build", "root": str(ROOT)}
    mount = DISKS[disk][0].replace("64k", "4k")
    script = f"""
        site=$1; shift
        mkdir -p $site; {mount}
        "$@" 2>&1
    """
    words = ["localhost", "--module-name", "fnn_routes", "--args", json.dumps(options)]
    done = run_in_mounts(script, f"{tmp_path}/build", str(Path(sys.executable).with_name("ansible")), *words)
    assert done.returncode == 2, done.stdout
    assert "Traceback" not in done.stdout
    assert f"{tmp_path}/build/routes" in done.stdout
    assert "cannot be written: " in done.stdout


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_writer_leaves_old_or_new_and_its_temporary_file_is_removed(tmp_path: Path, seed: int) -> None:
    """Ten kills at random moments each. Leftover files get a date older than any running writer."""
    dice, size, path = random.Random(seed), 300_000, tmp_path / "design.json"
    for _ in range(10):
        command = [*PROGRAM, str(path), str(size), "100000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout and writer.stdout.readline() == "written\n"
            time.sleep(dice.random() * 0.1)
            writer.send_signal(signal.SIGKILL)
        text = path.read_text()
        assert len(text) == size and len(set(text)) == 1
    for left in tmp_path.glob(".design.json.*"):
        os.utime(left, (0, 0))
    subprocess.run([*PROGRAM, str(path), str(size), "1"], check=True, capture_output=True)
    assert [each.name for each in tmp_path.iterdir()] == ["design.json"]

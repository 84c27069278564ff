# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel tests of fnn-net, bonds and bridges on a distribution's own kernel, with identity devices of the kind dummy.

Containers share the kernel of their host, which may lack dummies and bonds; hardware has them.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from machine import boot, lacks, make_root, pack_root, unpack_kernel

TESTS = ("test_fnn_net_kernel.py", "test_bond_kernel.py", "test_bridged_kernel.py")
SECONDS = 1500


def test_dummies_and_bonds_on_the_kernel_that_debian_ships(root: Path, tmp_path: Path) -> None:
    if reason := lacks():
        pytest.skip(reason)
    kernel, modules = unpack_kernel(tmp_path)
    image = subprocess.run([root / "scripts/lab-image.sh", "--name"], capture_output=True, text=True, check=True)
    tests = " ".join(f"tests/kernel/{each}" for each in TESTS)
    command = f"FNN_TEST_IDENTITY=dummy python3 -m pytest -q -p no:cacheprovider --color=no {tests}"
    make_root(tmp_path / "root", image.stdout.strip(), root, modules, command)
    pack_root(tmp_path / "root", tmp_path / "root.cpio.gz")
    output = boot(kernel, tmp_path / "root.cpio.gz", SECONDS)
    print(output[-6000:])
    assert re.search(r"^[0-9]{2,} passed in", output, re.MULTILINE), "not all passed"
    assert "\nmachine: exit 0\n" in output

# SPDX-License-Identifier: GPL-3.0-or-later
"""fnn_lab_packages: packages whose set-up writes to files of the image's builder, or which need files that the base
image omits."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

PACKAGES = ["ca-certificates", "g++", "gfortran"]
HELLO = '#include <iostream>\nint main() { std::cout << "hello"; }\n'


@pytest.fixture(scope="module")
def image(root: Path) -> str:
    script = root / "scripts" / "lab-image-with.sh"
    subprocess.run([script, *PACKAGES], check=True)
    return subprocess.run([script, "--name", *PACKAGES], check=True, capture_output=True, text=True).stdout.strip()


def inside(image: str, script: str) -> str:
    """The output of a shell in the image's files, without a container: chroot needs no working container runtime."""
    place = subprocess.run(["podman", "image", "mount", image], check=True, capture_output=True, text=True).stdout
    try:
        command = ["chroot", place.strip(), "sh", "-c", script]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    finally:
        subprocess.run(["podman", "image", "unmount", image], check=True, capture_output=True)


def test_the_certificates_of_the_distribution_are_there(image: str) -> None:
    assert int(inside(image, "grep -c BEGIN /etc/ssl/certs/ca-certificates.crt")) > 100


def test_cxx_and_fortran_have_their_compilers_proper(image: str) -> None:
    for name in ("cc1plus", "f951"):
        assert inside(image, f"ls /usr/lib/gcc/*/*/{name}").strip()


def test_nothing_of_the_build_stays_in_it(image: str) -> None:
    assert not inside(image, "ls /usr/sbin/policy-rc.d /tmp/wanted /tmp/incomplete 2> /dev/null; true")


def test_directories_for_logs_that_belong_to_packages_stay(image: str) -> None:
    """munge, for one, does not start without its log directory."""
    assert inside(image, "set -e; test -d /var/log/apt; find /var/log -type f; test ! -e /var/log/journal") == ""

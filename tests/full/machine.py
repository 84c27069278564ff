# SPDX-License-Identifier: GPL-3.0-or-later
"""A virtual machine with a distribution's kernel, for features that this machine's kernel lacks.

The kernel comes from its package, unpacked and not installed. The root is the image of the lab's nodes with this
repository in it, as an initramfs in memory: no disk, no network, no trace. qemu without KVM boots it in seconds.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

#: Kernel features of the tests that are modules; depmod in the machine finds their dependencies.
MODULES = (
    *("drivers/net/dummy.ko", "drivers/net/veth.ko", "drivers/net/macvlan.ko"),
    *("net/llc", "net/802", "net/bridge", "net/mptcp"),
    *("drivers/net/bonding", "net/tls"),
)
LEFT_OUT = ("usr/share", "usr/include", "usr/lib/gcc", "usr/lib/x86_64-linux-gnu/openmpi", "var/lib/dpkg", "boot")
#: Large Python packages, as globs, that no test of tests/kernel imports.
NOT_NEEDED = (
    "ansible_collections",
    "ortools*",
    "pillow*",
    "PIL",
    "reportlab*",
    "mypy*",
    "*mypyc*",
    "pip*",
)
TOOLKIT = ("bin", "library", "module_utils", "roles", "schemas", "tests", "pyproject.toml")

INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 PYTHONPATH=/packages PYTHONDONTWRITEBYTECODE=1
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs run /run
mkdir -p /run/lock /tmp; depmod; ip link set lo up
cd /fnn
{command}
echo "machine: exit $?"
sync; echo o > /proc/sysrq-trigger; sleep 10
"""


def unpack_kernel(directory: Path) -> tuple[Path, Path]:
    """(kernel, its modules) from the package of this distribution's cloud kernel. Raises CalledProcessError."""
    depends = _run("apt-cache", "depends", "linux-image-cloud-amd64").splitlines()
    package = next(line.split()[1] for line in depends if "Depends: linux-image-" in line)
    subprocess.run(["apt-get", "-q", "download", package], cwd=directory, check=True, capture_output=True)
    (archive,) = directory.glob("linux-image-*.deb")
    _run("dpkg", "-x", str(archive), str(directory))
    (kernel,) = directory.glob("boot/vmlinuz-*")
    (modules,) = directory.glob("lib/modules/*/kernel")
    return kernel, modules


def make_root(root: Path, image: str, toolkit: Path, modules: Path, command: str) -> None:
    """Makes the root directory of the machine, which runs `command` and then switches itself off."""
    root.mkdir()
    container = _run("podman", "create", image, "true").strip()
    try:
        with subprocess.Popen(["podman", "export", container], stdout=subprocess.PIPE) as export:
            skipped = [f"--exclude={each}/*" for each in LEFT_OUT]
            subprocess.run(["tar", "-x", *skipped, "-C", str(root)], stdin=export.stdout, check=True)
    finally:
        _run("podman", "rm", container)
    for part in TOOLKIT:
        _copy(toolkit / part, root / "fnn" / part)
    shutil.copytree(_packages(), root / "packages", ignore=shutil.ignore_patterns("__pycache__", *NOT_NEEDED))
    for module in MODULES:
        for place in (modules / module, (modules / module).with_suffix(".ko.xz")):
            if place.exists():
                _copy(place, root / modules.relative_to(modules.parents[3]) / place.relative_to(modules))
    (root / "init").write_text(INIT.format(command=command))
    (root / "init").chmod(0o755)


def pack_root(root: Path, archive: Path) -> None:
    """The directory as an initramfs (cpio, newc)."""
    names = "\0".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    packed = subprocess.run(
        ["cpio", "--create", "--null", "--format=newc", "--quiet"],
        input=names.encode(),
        cwd=root,
        stdout=subprocess.PIPE,
        check=True,
    )
    archive.write_bytes(gzip.compress(packed.stdout, 1))


def boot(kernel: Path, archive: Path, seconds: float) -> str:
    """The output of the machine until it was off. Raises TimeoutExpired."""
    command = [
        *("qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "3072"),
        *("-nodefaults", "-no-user-config", "-nographic", "-serial", "stdio", "-no-reboot"),
        *("-kernel", str(kernel), "-initrd", str(archive), "-append", "console=ttyS0 quiet panic=-1"),
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=True)
    return done.stdout.decode(errors="replace").replace("\r\n", "\n")


def lacks() -> str | None:
    """Why this host cannot run the machine; None when it can."""
    if os.uname().machine != "x86_64":
        return "only for x86_64"
    if not shutil.which("qemu-system-x86_64"):
        return "qemu is not installed; make full-setup installs it"
    if subprocess.run(["apt-cache", "show", "linux-image-cloud-amd64"], capture_output=True, check=False).returncode:
        return "this distribution has no package linux-image-cloud-amd64"
    return None


def _packages() -> Path:
    return Path(sys.prefix) / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    else:
        shutil.copy2(source, target)


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout

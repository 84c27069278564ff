# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of qemu, and the commands that join the tap devices of a machine to its cables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..wiring import SWITCH_MTU
from .model import IFUPDOWN, MEMORY_MB, Machine, Nic

#: The unix sockets of the monitor and the console, in the directory of the machine, where qemu runs.
MONITOR, CONSOLE = "monitor", "console"
DISK = "disk.qcow2"
#: The first PCI slot that is free on the machine type pc without other devices.
_FIRST_SLOT = 3


def write_command(machine: Machine, image: Path) -> list[str]:
    """The command that runs a machine from the directory with its disk. image: the directory of kernel and initrd.

    KVM is not used, because a virtual machine often offers none, or one on which guests hang.
    """
    # On a busy host the kernel would miss interrupts of its timer during the test of it, and panic.
    kernel = "root=/dev/vda rw console=ttyS0 quiet mitigations=off no_timer_check"
    if machine.manager == IFUPDOWN:
        kernel += " net.ifnames=0"
    devices = [word for slot, nic in enumerate(machine.nics, _FIRST_SLOT) for word in _list_words(nic, slot)]
    return [
        *("qemu-system-x86_64", "-machine", "pc,usb=off", "-accel", "tcg,thread=multi,tb-size=192"),
        *("-cpu", "max,la57=off", "-smp", "1", "-m", str(MEMORY_MB), "-rtc", "base=utc"),
        *("-nodefaults", "-no-user-config", "-display", "none", "-name", machine.namespace),
        *("-kernel", str(image / "kernel"), "-initrd", str(image / "initrd"), "-append", kernel),
        *("-drive", f"file={DISK},if=none,id=disk,format=qcow2,discard=unmap,cache=unsafe"),
        *("-device", "virtio-blk-pci,drive=disk,addr=0x10", "-device", "virtio-rng-pci,addr=0x11"),
        *("-chardev", f"socket,id=console,path={CONSOLE},server=on,wait=off,logfile={CONSOLE}.log"),
        *("-serial", "chardev:console", "-qmp", f"unix:{MONITOR},server=on,wait=off"),
        *devices,
    ]


def _list_words(nic: Nic, slot: int) -> list[str]:
    """The options for one NIC. qemu is asked for no offloads by a tap device without vnet_hdr: a frame is a frame."""
    return [
        *("-netdev", f"tap,id=net-{nic.device},ifname={nic.tap},script=no,downscript=no,vnet_hdr=off"),
        *("-device", f"virtio-net-pci,id={nic.device},netdev=net-{nic.device},mac={nic.mac},addr={slot:#x},romfile="),
    ]


def list_joins(nic: Nic, present: bool) -> Iterator[list[str]]:
    """Commands, to run in the namespace, that make a tap device and redirect all frames between it and the cable.

    A redirection of tc(8), unlike a bridge, passes every frame: those for the nearest bridge, such as LLDP, and those
    to the MAC that the cable and the machine share. present: whether the tap device is left from an earlier run.
    """
    if present:
        yield ["ip", "tuntap", "delete", "dev", nic.tap, "mode", "tap"]
        yield ["tc", "qdisc", "delete", "dev", nic.device, "clsact"]
    yield ["ip", "tuntap", "add", "dev", nic.tap, "mode", "tap"]
    for device in (nic.tap, nic.device):
        yield ["ip", "link", "set", "dev", device, "mtu", str(SWITCH_MTU), "up"]
        yield ["tc", "qdisc", "add", "dev", device, "clsact"]
    for one, other in ((nic.tap, nic.device), (nic.device, nic.tap)):
        match = ["protocol", "all", "u32", "match", "u32", "0", "0"]
        action = ["action", "mirred", "egress", "redirect", "dev", other]
        yield ["tc", "filter", "add", "dev", one, "ingress", *match, *action]

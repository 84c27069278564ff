# SPDX-License-Identifier: GPL-3.0-or-later
"""Serves DHCP leases on one device of the head and reports each: a standalone program, which can be sent over ssh.

    power_on.py '{"device": "eno1", "namespace": "", "prefix": "10.90.0.0/16", "seconds": 60}'

    {"ready": true}                                                       dnsmasq serves
    {"action": "add", "mac": "...", "address": "...", "name": "..."}      the arguments of dnsmasq's script
    {"error": "..."}                                                      then it ends

It reads lines `forget MAC` from its input: it drops that lease, so that the MAC counts as new at its next request. It
ends with its input or on a signal; then it stops dnsmasq, and removes its files and the address it gave to the device.
If it is killed, the kernel ends dnsmasq.


A second DHCP server on a wire harms the network of the building and ours. So the program first requests an address
itself, and ends when a server offers one. Standard library only and Python 3.9, as it is sent and not installed.
"""

from __future__ import annotations

import contextlib
import ctypes
import ipaddress
import json
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OFFER = 2.0  # seconds for another server to answer; it may first probe whether an address is free
_BOOTP = 236  # octets of a DHCP message before its options
_PR_SET_PDEATHSIG = 1
_CLONE_NEWNET = 0x40000000
#: A client chooses its name. A name with other characters, such as a newline, is no node name.
SCRIPT = """#!/bin/sh
name=$DNSMASQ_SUPPLIED_HOSTNAME
case $name in *[!A-Za-z0-9.-]*) name= ;; esac
printf '%s\\t%s\\t%s\\t%s\\n' "$1" "$2" "$3" "$name" > '{fifo}'
"""
#: An individual MAC: not zero, and with an even first octet, as that of a group address is odd (IEEE 802, 8.2).
_MAC = re.compile(r"(?!00(:00){5})[0-9a-f][02468ace](:[0-9a-f]{2}){5}")


class PowerOnError(Exception):
    """The program cannot serve; the text gives the reason."""


def main() -> None:
    options = json.loads(sys.argv[1])
    for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(name, lambda *_: sys.exit(0))
    try:
        serve(options)
    except (PowerOnError, OSError) as error:
        report(error=str(error))
        sys.exit(1)


def serve(options: dict[str, Any]) -> None:
    device, network = options["device"], ipaddress.IPv4Network(options["prefix"])
    program = shutil.which("dnsmasq", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not program:
        raise PowerOnError("dnsmasq is not installed on the head (package dnsmasq-base)")
    if options["namespace"]:
        enter_namespace(options["namespace"])
    found = json.loads(ip("-j", "address", "show", "dev", device))[0]
    device = options["device"] = found["ifname"]  # dnsmasq accepts no alternative name
    was_up, ours = "UP" in found["flags"], f"{network[1]}/{network.prefixlen}"
    had_ours = any(f"{each['local']}/{each['prefixlen']}" == ours for each in found["addr_info"])
    arp_is_off = "NOARP" in found["flags"]  # a satellite that is configured
    with (
        tempfile.TemporaryDirectory(prefix="fnn-leases-") as directory,
        add_broadcast_neighbor(device) if arp_is_off else contextlib.nullcontext(),
    ):
        try:
            ip("link", "set", "dev", device, "up")
            refuse_second_server(device, found["address"])
            if not had_ours:
                ip("address", "add", ours, "dev", device)
            # Without ARP the kernel resolves no client and takes no entry from dnsmasq: all answers are broadcast.
            run_dnsmasq(program, options, network, Path(directory), ["--dhcp-broadcast"] if arp_is_off else [])
        finally:
            if not had_ours:
                ip("address", "del", ours, "dev", device, check=False)
            if not was_up:
                ip("link", "set", "dev", device, "down", check=False)


@contextlib.contextmanager
def add_broadcast_neighbor(device: str) -> Iterator[None]:
    """Adds a neighbor entry for the broadcast address; without ARP the kernel would use the NIC's own MAC for it."""
    entry = ["255.255.255.255", "dev", device]
    known = "ff:ff:ff:ff:ff:ff" in ip("neighbor", "show", *entry)
    if not known:
        ip("neighbor", "replace", *entry, "lladdr", "ff:ff:ff:ff:ff:ff", "nud", "permanent")
    try:
        yield
    finally:
        if not known:
            ip("neighbor", "del", *entry, check=False)


def run_dnsmasq(
    program: str, options: dict[str, Any], network: ipaddress.IPv4Network, directory: Path, more: list[str]
) -> None:
    """Serves until our input ends."""
    fifo, leases, script = directory / "events", directory / "leases", directory / "script"
    os.mkfifo(fifo)
    script.write_text(SCRIPT.format(fifo=fifo), encoding="ascii")
    script.chmod(0o700)
    command = [program, "--no-daemon", "--conf-file=/dev/null", "--port=0", "--bind-interfaces", "--user=root"]
    command += [f"--interface={options['device']}", "--except-interface=lo", "--dhcp-authoritative", "--no-ping"]
    command += [f"--dhcp-range={network[10]},{network[-2]},{options['seconds']}s", "--dhcp-option=3", "--dhcp-option=6"]
    command += [f"--dhcp-leasefile={leases}", f"--dhcp-script={script}"]
    command += more
    events = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    server = start(command, directory / "log")
    try:
        report(ready=True)
        waiting = b""
        while True:
            ready, _, _ = select.select([events, sys.stdin], [], [], 0.5)
            if server.poll() is not None:
                log_text = (directory / "log").read_text(encoding="utf-8", errors="replace").strip()
                raise PowerOnError(f"dnsmasq ended: {log_text.rpartition(chr(10))[2]}")
            if events in ready:
                *lines, waiting = (waiting + os.read(events, 65536)).split(b"\n")
                for line in lines:
                    lease = read_lease(line.decode("ascii", "replace"))
                    if lease:
                        report(**lease)
            if sys.stdin in ready:
                order = os.read(sys.stdin.fileno(), 65536).decode("ascii", "replace")
                if not order:
                    return
                macs = {line.split()[1] for line in order.splitlines() if line.startswith("forget ")}
                stop(server)
                keep = [line for line in read_leases(leases) if line.split()[1] not in macs]
                leases.write_text("".join(f"{line}\n" for line in keep), encoding="ascii")
                server = start(command, directory / "log")
    finally:
        stop(server)
        os.close(events)


def start(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Starts dnsmasq with its output in `log`; the kernel ends it if this process is killed."""
    library = ctypes.CDLL(None)
    with log.open("wb") as words:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=words,
            preexec_fn=lambda: library.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM),  # noqa: PLW1509 (we have no threads)
        )


def stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(3)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def read_leases(leases: Path) -> list[str]:
    return leases.read_text(encoding="ascii", errors="replace").splitlines() if leases.exists() else []


def read_lease(line: str) -> dict[str, str] | None:
    """Parses a line of the script; None if the client has no individual MAC.

    dnsmasq writes the hardware type before a MAC that is not of Ethernet.
    """
    action, mac, address, name = (line.split("\t") + [""] * 4)[:4]
    if not _MAC.fullmatch(mac.lower()):
        return None
    return {"action": action, "mac": mac.lower(), "address": address, "name": name}


def report(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


# --- Is there another server? ---


def refuse_second_server(device: str, mac: str) -> None:
    """Sends DHCPDISCOVER as a client would. Raises PowerOnError when a server offers an address."""
    chosen = struct.pack("!I", int.from_bytes(os.urandom(4), "big"))
    # No protocol until it is bound: it would receive from every device (packet(7)).
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind((device, 0x0800))
        end = time.monotonic() + OFFER
        again = 0.0
        while time.monotonic() < end:
            # A device that was just brought up may lose the first frames.
            if time.monotonic() >= again:
                again = time.monotonic() + OFFER / 4
                wire.send(write_discover(bytes.fromhex(mac.replace(":", "")), chosen))
            if select.select([wire], [], [], 0.1)[0]:
                server = find_offer(wire.recv(2048), chosen)
                if server:
                    raise PowerOnError(
                        f"{server} already serves DHCP on the wire of {device}; "
                        "switch it off, or unplug the network of the building, while nodes are powered on"
                    )


def find_offer(frame: bytes, chosen: bytes) -> str | None:
    """The address of the server that answers transaction `chosen`; None for any other frame.

    Any host on the wire can send any octets: a packet that is cut off (RFC 791, RFC 2131), or of another IP version, is
    no offer.
    """
    if len(frame) < 34 or not 0x45 <= frame[14] <= 0x4F:
        return None
    total, fragment, protocol = struct.unpack_from("!2xH2xHxB", frame, 14)
    packet, head = frame[14 : 14 + total], (frame[14] & 15) * 4
    datagram = packet[head:]
    if len(packet) < total or protocol != socket.IPPROTO_UDP or fragment & 0x1FFF or len(datagram) < 8 + _BOOTP:
        return None
    is_answer = datagram[:4] == b"\x00\x43\x00\x44" and datagram[8] == 2 and datagram[12:16] == chosen
    return socket.inet_ntoa(packet[12:16]) if is_answer else None


def write_discover(mac: bytes, chosen: bytes) -> bytes:
    """The Ethernet frame of a DHCPDISCOVER whose answer is to be broadcast."""
    bootp = struct.pack("!BBBB4sHH", 1, 1, 6, 0, chosen, 0, 0x8000) + bytes(16) + mac.ljust(16, b"\0") + bytes(192)
    bootp += b"\x63\x82\x53\x63" + b"\x35\x01\x01" + b"\xff"
    udp = struct.pack("!HHHH", 68, 67, 8 + len(bootp), 0) + bootp
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, bytes(4), b"\xff" * 4)
    total = sum(struct.unpack("!10H", head))
    total = (total & 0xFFFF) + (total >> 16)
    head = head[:10] + struct.pack("!H", ~total & 0xFFFF) + head[12:]
    return b"\xff" * 6 + mac + b"\x08\x00" + head + udp


# --- The machine ---


def ip(*arguments: str, check: bool = True) -> str:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise PowerOnError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def enter_namespace(name: str) -> None:
    """Moves this process and its children into a network namespace."""
    try:
        handle = os.open(f"/run/netns/{name}", os.O_RDONLY)
    except OSError as error:
        raise PowerOnError(f"cannot open the namespace {name}: {error.strerror}") from None
    library = ctypes.CDLL(None, use_errno=True)
    if library.setns(handle, _CLONE_NEWNET):
        raise PowerOnError(f"cannot enter the namespace {name}: {os.strerror(ctypes.get_errno())}")
    os.close(handle)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets of the fuzzing: each part of the toolkit that reads what others put on the wire."""

from __future__ import annotations

import io
import json
import random
import socket
from collections import Counter
from dataclasses import replace
from pathlib import Path

from ansible.module_utils.fnn.documents import Documents
from ansible.module_utils.fnn.lab.capture import Counts, count_frame, summarise
from ansible.module_utils.fnn.links.answer import Answerer
from ansible.module_utils.fnn.links.beacon import Ear, Pace, Station
from ansible.module_utils.fnn.links.control import KINDS, Control, pack_control, unpack_control
from ansible.module_utils.fnn.links.envelope import Seal
from ansible.module_utils.fnn.links.frame import Beacon
from ansible.module_utils.fnn.links.frame import pack as pack_beacon
from ansible.module_utils.fnn.links.frame import unpack as unpack_beacon
from ansible.module_utils.fnn.links.lldp import parse_lldp
from ansible.module_utils.fnn.links.relearn import Prober
from ansible.module_utils.fnn.links.strangers import Crowd, recognise
from ansible.module_utils.fnn.node.linkd.frame import Frame, identify_cluster, pack, to_octets, unpack
from ansible.module_utils.fnn.node.linkd.machine import Machine, Seat
from ansible.module_utils.fnn.node.roster import Member, Roster
from ansible.module_utils.fnn.power_on.front import Caller
from ansible.module_utils.fnn.power_on.leaser import find_offer
from ansible.module_utils.fnn.power_on.roll import Roll
from ansible.module_utils.fnn.prove.reach import note_frame
from fuzzing import Target
from programs import ROOT
from six_pcs import SIX

KEY = bytes(range(32))
RUN_KEY, NIC = "5e" * 32, "02:f0:00:00:00:00"
ROSTER = Roster(
    members={
        node: Member(node, rank, {switch: f"02:f0:00:00:{rank:02x}:{nic:02x}" for nic, switch in enumerate(switches)})
        for rank, (node, switches) in enumerate(SIX.items())
    }
)
MACS = [to_octets(mac) for member in ROSTER.members.values() for mac in member.nics.values()]
SENDER = next(
    to_octets(each.nics["red"]) for each in ROSTER.members.values() if each.name != "k00" and "red" in each.nics
)
ECHO, SESSION = b"answered", b"session1"
_HEAD = {"cluster": identify_cluster("six"), "node": 1, "nic": 0, "incarnation": 7, "sequence": 9, "session": SESSION}
FRAMES = [
    Frame(SENDER, **_HEAD),  # type: ignore[arg-type]
    Frame(SENDER, **_HEAD, flags=2, peers=tuple(MACS)),  # type: ignore[arg-type]
    Frame(SENDER, **_HEAD, news=tuple((mac, 0xFFFFFFFF, 1) for mac in MACS)),  # type: ignore[arg-type]
    Frame(SENDER, **_HEAD, flags=1, news=((MACS[0], 8, 2), (MACS[3], 9, 0)), challenge=b"question"),  # type: ignore[arg-type]
]


def make_linkd_reader() -> Target:
    """Without the key no mutated frame gets in; and if one did, as from a peer that errs, nothing breaks.

    So each frame is tried with the key, and without one as the next of a session that is known.
    """
    machine = Machine(Seat("six", "k00", ROSTER.members["k00"].nics), ROSTER, 0.0, 1.8e9)
    clock = [0.0]
    signed = {MACS[0] + pack(frame, KEY) for frame in FRAMES}

    def read(octets: bytes) -> None:
        assert octets[6:] in {each[6:] for each in signed} or unpack(octets, (KEY,)) is None, "accepted without the key"
        frame = unpack(octets)
        clock[0] += 0.01
        if frame:
            machine.receive("red", frame, clock[0])
            node = "k01"
            challenge = machine.sessions.find_challenge(node, clock[0])
            known = replace(frame, source=SENDER, echo=challenge, cluster=machine.cluster, session=SESSION)
            machine.sessions.admit(node, replace(known, sequence=0), clock[0])
            machine.receive("red", replace(known, sequence=int(clock[0] * 1000)), clock[0])
        if clock[0] >= machine.wake_at:
            machine.advance(clock[0])
        for letter in machine.take_letters():
            assert unpack(MACS[0] + pack(letter.frame, KEY), (KEY,)) == letter.frame

    return Target("linkd", sorted(signed), read)


def make_beacon_reader() -> Target:
    """The NIC of a node that receives beacons. No mutated one is evidence of anything."""
    mac = "02:f0:00:00:01:00"
    beacons = [Beacon(8, mac, "six", "k01", "nic0"), Beacon(0xFFFFFFFF, mac, "six", "k" * 60, "n" * 15)]
    return _make_station_reader("beacons", [pack_beacon(each, mac, Seal(RUN_KEY)) for each in beacons])


def make_relearn_reader() -> Target:
    """The NIC of a node that answers the probe of a head. No mutated frame of it is obeyed."""
    head, broadcast = "02:aa:00:00:00:01", "ff:ff:ff:ff:ff:ff"
    probes = [Control(kind, 7, head, "six", 7, NIC) for kind in KINDS]
    seeds = [pack_control(each, head, broadcast, Seal(RUN_KEY)) for each in probes]
    return _make_station_reader("relearn probe", seeds)


def _make_station_reader(name: str, seeds: list[bytes]) -> Target:
    """seeds: authentic frames. A node has one socket for all of them, so each frame meets both parsers."""
    station = Station("six", "k00", RUN_KEY, Path("heard"), Path("lease"), Pace(1.0))

    def read(octets: bytes) -> None:
        control, beacon = unpack_control(octets), unpack_beacon(octets)
        assert control is None or control.control.cluster.isascii()
        assert beacon is None or beacon.node.isascii()
        answerer = Answerer("six", 9, NIC, NIC, Seal(RUN_KEY))
        with socket.socket() as wire:  # not connected: what is sent is lost
            ear = Ear(Beacon(9, NIC, "six", "k00", "nic0"), Seal(RUN_KEY), wire, Crowd(wire), answerer)
            station.take(ear, octets)
            ear.unknown.describe()
        # What follows a frame is none of it.
        authentic = any(octets.startswith(seed) for seed in seeds)
        assert authentic or not (ear.hears or answerer.head), "accepted without the key"

    return Target(name, seeds, read)


def make_stranger_reader() -> Target:
    mac = "ffffffffffff" + "02f000000500"
    udp = "4500011c000000004011" + "0000" + "0a000001" + "ffffffff" + "00430044" + "01080000" + "02" + "00" * 60
    seeds = [bytes.fromhex(mac + each) for each in ("0800" + udp, "0806" + "00" * 28, "86dd" + "00" * 40, "88cc0207")]

    def read(octets: bytes) -> None:
        recognise(octets)
        find_offer(octets, b"abcd")

    return Target("strangers and offers", seeds, read)


def make_lldp_reader() -> Target:
    neighbor = {
        "chassis": {"sw1": {"id": {"type": "mac", "value": "00:01"}}},
        "port": {"id": {"value": "7"}, "descr": "p"},
    }
    documents = [
        {"lldp": {"interface": [{"nic0": neighbor}, {"nic0": neighbor}]}},
        {"lldp": {"interface": {"nic0": {"chassis": {"id": {"value": "x"}, "name": "s"}, "port": {"descr": "p"}}}}},
        {"lldp": {}},
    ]
    seeds = [json.dumps(each).encode() for each in documents] + [b"[" * 3000, b'{"lldp": ' + b"9" * 4000 + b"}"]

    def read(octets: bytes) -> None:
        for each in parse_lldp(octets.decode(errors="replace")):
            assert all(isinstance(value, str) for value in each.values())

    return Target("LLDP", seeds, read)


def make_power_on_reader() -> Target:
    """Lines of the head: leases, whose names the machines choose, and whatever else its shell says."""
    design = json.loads((ROOT / "inventory/eight/design.json").read_text())
    roll = Roll(design)

    class Quiet(Caller):
        def keep(self) -> None:
            self.roll.describe()

    caller = Quiet(Documents(ROOT / "schemas"), ROOT, ROOT, roll, io.StringIO())
    leases = [{"action": "add", "mac": "02:f0:00:00:00:00", "address": "10.0.0.2", "name": "k00"}, {"ready": True}]
    seeds = [json.dumps(each).encode() for each in leases] + [b"5", b'"error"', b"[1]", b"[" * 3000, b"9" * 4000]

    def read(octets: bytes) -> None:
        line = octets.decode("ascii", "replace")
        if '"error"' not in line:  # the word by which the head ends the work
            caller._take([line])
        roll.seen.clear()
        caller.out.seek(0)

    return Target("power-on", seeds, read)


def make_head_reader() -> Target:
    """The head of the relearn probe. No mutated frame is taken for a NIC, nor for a loop."""
    head, broadcast = "02:aa:00:00:00:01", "ff:ff:ff:ff:ff:ff"
    answers = [Control(kind, 7, NIC, "six", 7, NIC) for kind in KINDS]
    seeds = [pack_control(each, NIC, head, Seal(RUN_KEY)) for each in answers]
    seeds += [pack_control(each, NIC, broadcast, Seal("0f" * 32)) for each in answers[:1]]

    def read(octets: bytes) -> None:
        prober = Prober("six", head, Seal(RUN_KEY), dice=random.Random(1))
        prober.tick(0.0)
        prober.take(octets, 0.1)
        prober.tick(0.2)
        authentic = any(octets.startswith(seed) for seed in seeds[:-1])
        assert authentic or not (prober.sources or prober.loop), "accepted without the key"

    return Target("head of the relearn probe", seeds, read)


def make_proof_reader() -> Target:
    """The sniffer of the proof on a node, and the capture of a lab: every frame is counted once."""
    ours, peer = bytes.fromhex("02f00000000002f000000100"), "10.78.0.2"
    one, other = socket.inet_aton("10.78.0.1"), socket.inet_aton(peer)
    echo = bytes.fromhex("4500001c0000000040010000") + one + other + bytes.fromhex("0800000000010001")
    arp = bytes.fromhex("0001080006040001") + ours[6:] + one + bytes(6) + other
    seeds = [ours + b"\x08\x00" + echo, ours + b"\x08\x06" + arp, ours + b"\x86\xdd" + bytes(40)]

    def read(octets: bytes) -> None:
        frame = octets.ljust(14, b"\0")  # a packet socket gets none without an Ethernet header
        totals = {"frames": 0, "arp": 0, "arps": Counter()}
        note_frame(frame, {peer: {"requests": set(), "replies": set()}}, totals)
        counts: Counts = Counter()
        count_frame(counts, "k00.0", False, frame[:42])
        seen = summarise(counts, {"k00.0": "red"})
        assert totals["frames"] == 1 == sum(seen["ethertypes"].values())
        assert totals["arp"] == seen["arp"]["k00.0"]

    return Target("proof and capture", seeds, read)


MAKERS = {
    "linkd": make_linkd_reader,
    "beacons": make_beacon_reader,
    "relearn": make_relearn_reader,
    "head": make_head_reader,
    "proof": make_proof_reader,
    "strangers": make_stranger_reader,
    "lldp": make_lldp_reader,
    "power-on": make_power_on_reader,
}

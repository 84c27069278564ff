# SPDX-License-Identifier: GPL-3.0-or-later
"""Fuzz targets: each part of the toolkit that reads input of other hosts from the wire."""

from __future__ import annotations

import io
import json
import random
import re
import socket
import struct
from collections import Counter
from dataclasses import replace
from pathlib import Path

from ansible.module_utils.fnn.controller.discover.power_on import PowerOnSession
from ansible.module_utils.fnn.controller.discover.power_on_order import PowerOnState
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.head.power_on import find_offer, read_lease
from ansible.module_utils.fnn.head.relearn.relearn import Prober
from ansible.module_utils.fnn.lab.capture import Counts, count_frame, summarize
from ansible.module_utils.fnn.node.beacon.answer import Answerer
from ansible.module_utils.fnn.node.beacon.beacon import BeaconNic, Pace, Station
from ansible.module_utils.fnn.node.beacon.strangers import SenderLog, recognize
from ansible.module_utils.fnn.node.discover.lldp import parse_lldp
from ansible.module_utils.fnn.node.linkd.echo import Echo, Suspect, format_request
from ansible.module_utils.fnn.node.linkd.frame import Frame, identify_cluster, pack, unpack
from ansible.module_utils.fnn.node.linkd.machine import LocalNode, Machine
from ansible.module_utils.fnn.node.net.membership import Member, Membership
from ansible.module_utils.fnn.node.reach.reach import note_frame
from ansible.module_utils.fnn.node.switch_check.frames import MESSAGE_MAGIC as SWITCH_CHECK
from ansible.module_utils.fnn.node.switch_check.frames import Content, make_probe, unwrap_message, wrap_message
from ansible.module_utils.fnn.node.switch_check.station import Station as CheckStation
from ansible.module_utils.fnn.shared.frames.control import KINDS, Control, pack_control, unpack_control
from ansible.module_utils.fnn.shared.frames.envelope import Header, Seal, open_envelope
from ansible.module_utils.fnn.shared.frames.frame import Beacon
from ansible.module_utils.fnn.shared.frames.frame import pack as pack_beacon
from ansible.module_utils.fnn.shared.frames.frame import unpack as unpack_beacon
from ansible.module_utils.fnn.shared.mac import format_mac, to_octets
from fuzzing import Target
from programs import ROOT
from six_pcs import SIX

KEY = bytes(range(32))
RUN_KEY, NIC = "5e" * 32, "02:f0:00:00:00:00"
MEMBERSHIP = Membership(
    members={
        node: Member(node, rank, {switch: f"02:f0:00:00:{rank:02x}:{nic:02x}" for nic, switch in enumerate(switches)})
        for rank, (node, switches) in enumerate(SIX.items())
    }
)
MACS = [to_octets(mac) for member in MEMBERSHIP.members.values() for mac in member.nics.values()]
SENDER = next(
    to_octets(each.nics["red"]) for each in MEMBERSHIP.members.values() if each.name != "k00" and "red" in each.nics
)
ECHO, SESSION = b"answered", b"session1"
_HEAD = {"cluster": identify_cluster("six"), "node": 1, "nic": 0, "incarnation": 7, "sequence": 9, "session": SESSION}
FRAMES = [
    Frame(SENDER, **_HEAD),  # type: ignore[arg-type]
    Frame(SENDER, **_HEAD, flags=2, peers=tuple(MACS)),  # type: ignore[arg-type]
    Frame(SENDER, **_HEAD, news=tuple((mac, 0xFFFFFFFF, 1) for mac in MACS)),  # type: ignore[arg-type]
    Frame(SENDER, **_HEAD, flags=1, news=((MACS[0], 8, 2), (MACS[3], 9, 0)), challenge=b"question"),  # type: ignore[arg-type]
]


_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")


def is_ipv4(frame: bytes, most: int = 4096) -> bool:
    """Whether a frame holds an IPv4 header, and the packet as far as `most` octets of the frame reach (RFC 791)."""
    if len(frame) < 34 or frame[12:14] != b"\x08\x00" or not 0x45 <= frame[14] <= 0x4F:
        return False
    total = int.from_bytes(frame[16:18], "big")
    return 4 * (frame[14] & 15) <= total and len(frame) >= min(14 + total, most)


def seal_again(octets: bytes) -> bytes | None:
    """A frame of another NIC of the run with the same body, as of a faulty peer; None if there is no envelope."""
    envelope = open_envelope(octets)
    if envelope is None:
        return None
    seal = Seal(RUN_KEY)
    seal.sequence = 1000  # not received before
    head = Header(envelope.magic, envelope.sender, envelope.origin, envelope.source, envelope.destination)
    return seal.close(head, envelope.body)


def make_linkd_reader() -> Target:
    """Without the key no mutated frame is accepted; if one were, as from a faulty peer, nothing would break.

    So each frame is read with the key, and without a key as the next frame of a known session.
    """
    machine = Machine(LocalNode("six", "k00", MEMBERSHIP.members["k00"].nics), MEMBERSHIP, 0.0, 1.8e9)
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
        for letter in machine.take_messages():
            assert unpack(MACS[0] + pack(letter.frame, KEY), (KEY,)) == letter.frame

    return Target("linkd", sorted(signed), read)


def make_beacon_reader() -> Target:
    """The NIC of a node that receives beacons. No mutated one is evidence; with the key, only of its sender."""
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
    """seeds: authentic frames. A node has one socket for all of them, so each frame goes to both parsers."""
    station = Station("six", "k00", RUN_KEY, Path("heard"), Path("lease"), Pace(1.0))

    def receive(octets: bytes) -> BeaconNic:
        answerer = Answerer("six", 9, NIC, NIC, Seal(RUN_KEY))
        with socket.socket() as wire:  # not connected: what is sent is lost
            nic = BeaconNic(Beacon(9, NIC, "six", "k00", "nic0"), Seal(RUN_KEY), wire, SenderLog(wire), answerer)
            station.take(nic, octets)
            nic.unknown.describe()
        return nic

    def read(octets: bytes) -> None:
        control, beacon = unpack_control(octets), unpack_beacon(octets)
        assert control is None or control.control.cluster.isascii()
        assert beacon is None or beacon.node.isascii()
        nic = receive(octets)
        # Octets after a frame are not part of it.
        authentic = any(octets.startswith(seed) for seed in seeds)
        assert authentic or not (nic.hears or nic.answerer.head), "accepted without the key"
        again = seal_again(octets)
        if again:
            assert receive(again).hears.keys() <= {format_mac(again[37:43])}, "evidence of another NIC"

    return Target(name, seeds, read)


def make_switch_check_reader() -> Target:
    """The station of a node in the check of a switch. No mutated message is obeyed; with the key, any is read."""
    peer, orders = "02:f0:00:00:01:00", [{"hello": True, "coordinates": True}, {"id": 3, "do": "result", "test": 7}]
    head = Header(SWITCH_CHECK, 8, peer, peer, NIC)
    sealed = [Seal(RUN_KEY).close(head, json.dumps(each).encode()) for each in orders]
    seeds = [wrap_message(layer, each) for each in sealed for layer in ("experimental", "ip")]
    ends, content = (peer, NIC), Content(Seal(RUN_KEY).run, 7, 3)
    probes = [make_probe(layer, ends, content) for layer in ("experimental", "ip", "lldp")]

    def receive(octets: bytes) -> CheckStation:
        station = CheckStation("nic0", NIC, RUN_KEY, Path("heard"), 1.0)
        station.take(octets, 0.0)
        station.describe()
        return station

    def read(octets: bytes) -> None:
        message = unwrap_message(octets)
        authentic = message is not None and any(message[1].startswith(each) for each in sealed)
        assert authentic or not receive(octets).peers, "accepted without the key"
        if message and (again := seal_again(message[1])):
            assert receive(wrap_message(message[0], again)).peers.keys() <= {format_mac(again[37:43])}

    return Target("the check of a switch", [*seeds, *probes], read)


def make_stranger_reader() -> Target:
    """Other hosts on a NIC, and DHCP servers. No other frame is read as IPv4 or as an offer."""
    mac = "ffffffffffff" + "02f000000500"
    bootp = "02010600" + b"abcd".hex() + "00" * 228
    udp = "4500010800000000" + "4011" + "0000" + "0a000001" + "ffffffff" + "0043004400f40000" + bootp
    arp = "0001080006040001" + "02f000000500" + "0a000001" + "00" * 6 + "0a000002"
    seeds = [bytes.fromhex(mac + each) for each in ("0800" + udp, "0806" + arp, "86dd" + "00" * 40, "88cc0207")]

    def read(octets: bytes) -> None:
        stranger = recognize(octets[:128])
        whole = is_ipv4(octets[:128], 128)
        assert stranger is None or whole or not stranger.detail.startswith(("IPv4", "DHCP")), stranger
        assert stranger is None or len(octets) >= 42 or not stranger.detail.startswith("ARP"), stranger
        frame = octets[:12] + b"\x08\x00" + octets[14:]  # as the socket is bound to IPv4
        assert find_offer(frame, b"abcd") is None or (is_ipv4(frame) and b"abcd" in frame), "no offer"

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
    """Lines of the head: leases, whose names the machines choose, and any other output of its shell."""
    design = json.loads((ROOT / "inventory/eight/design.json").read_text())
    state = PowerOnState(design)

    class InMemorySession(PowerOnSession):
        def save(self) -> None:
            self.state.describe()

    session = InMemorySession(Documents(ROOT / "schemas"), ROOT, ROOT, state, io.StringIO())
    leases = [{"action": "add", "mac": "02:f0:00:00:00:00", "address": "10.0.0.2", "name": "k00"}, {"ready": True}]
    seeds = [json.dumps(each).encode() for each in leases] + [b"5", b'"error"', b"[1]", b"[" * 3000, b"9" * 4000]

    def read(octets: bytes) -> None:
        line = octets.decode("ascii", "replace")
        if '"error"' not in line:  # the word by which the head ends the work
            session._take([line])
        assert all(_MAC.fullmatch(mac) for mac in state.seen), "the document of the state would be refused"
        state.seen.clear()
        session.out.seek(0)

    return Target("power-on", seeds, read)


def make_lease_reader() -> Target:
    """Lines that dnsmasq's script writes on the head: the clients choose their MACs and names."""
    leases = ["add\t02:f0:00:00:00:00\t10.0.0.2\tk00\n", "old\t06-02:f0:00:00:00:01\t10.0.0.3\t\n"]
    seeds = [each.encode() for each in (*leases, "".join(leases))]

    def read(octets: bytes) -> None:
        for line in octets.split(b"\n"):
            lease = read_lease(line.decode("ascii", "replace"))
            if lease:
                assert json.loads(json.dumps(lease)) == lease
                assert _MAC.fullmatch(lease["mac"])
                assert not int(lease["mac"][:2], 16) & 1, "the MAC of a group"

    return Target("leases", seeds, read)


def make_head_reader() -> Target:
    """The head of the relearn probe. No mutated frame counts as a NIC or loop; with the key, any content is read."""
    head, broadcast = "02:aa:00:00:00:01", "ff:ff:ff:ff:ff:ff"
    peer = "02:f0:00:00:01:00"
    answers = [Control(kind, 7, NIC, "six", 7, NIC) for kind in KINDS]
    seeds = [pack_control(each, NIC, head, Seal(RUN_KEY)) for each in answers]
    seeds += [pack_control(each, NIC, broadcast, Seal("0f" * 32)) for each in answers[:1]]
    here = [pack_control(Control("here", 8, mac, "six"), mac, head, Seal(RUN_KEY)) for mac in (NIC, peer)]

    def start() -> tuple[Prober, list[bytes]]:
        """A probe in its first trials, and the tags of these."""
        prober = Prober("six", head, Seal(RUN_KEY), rng=random.Random(1))
        prober.tick(0.0)
        for each in here:
            prober.take(each, 0.1)
        prober.outbox.clear()
        prober.tick(1.0)
        controls = [unpack_control(each) for each in prober.outbox]
        return prober, [struct.pack("!I", each.control.tag) for each in controls if each and each.control.tag]

    def read(octets: bytes) -> None:
        prober = Prober("six", head, Seal(RUN_KEY), rng=random.Random(1))
        prober.tick(0.0)
        prober.take(octets, 0.1)
        prober.tick(0.2)
        authentic = any(octets.startswith(seed) for seed in seeds[:-1])
        assert authentic or not (prober.sources or prober.loop), "accepted without the key"
        prober, tags = start()
        assert tags
        for tag in (b"", tags[0], tags[-1]):
            again = seal_again(octets[:66] + tag + octets[66 + len(tag) :])
            if again:
                prober.take(again, 1.1)
                assert prober.sources.keys() <= {NIC, peer, format_mac(again[37:43])}, "an answer of another NIC"
        prober.tick(2.0)
        prober.describe()

    return Target("head of the relearn probe", seeds, read)


def make_proof_reader() -> Target:
    """The sniffer of the proof on a node, and the capture of a lab: every frame is counted once, by its content."""
    ours, peer = bytes.fromhex("02f00000000002f000000100"), "10.78.0.2"
    one, other = socket.inet_aton("10.78.0.1"), socket.inet_aton(peer)
    head = bytes.fromhex("4500001c0000000040010000")
    ask, answer = head + one + other + bytes.fromhex("0800000000010001"), head + other + one + bytes(8)
    longer = bytes.fromhex("4600002000000000400100000a4e00010a4e000201010100") + bytes.fromhex("0800000000010001")
    cut = b"\x45\x00\x05\xdc" + ask[4:].ljust(238, b"\0")  # of a full-size packet, only 256 octets are read
    arp = bytes.fromhex("0001080006040001") + ours[6:] + one + bytes(6) + other
    seeds = [ours + b"\x08\x00" + each for each in (ask, answer, longer, cut)]
    seeds += [ours + b"\x08\x06" + arp, ours + b"\x86\xdd" + bytes(40)]

    def read(octets: bytes) -> None:
        frame = octets[:256]
        for direction in (socket.PACKET_OUTGOING, socket.PACKET_HOST, socket.PACKET_OTHERHOST):
            totals = {"frames": 0, "arp": 0, "arps": Counter()}
            seen: dict[str, set[tuple[str, str]]] = {"requests": set(), "replies": set()}
            note_frame(frame, direction, {peer: seen}, totals)
            is_echo = is_ipv4(frame, 256) and frame[23] == 1
            assert not seen["requests"] or (is_echo and direction == socket.PACKET_OUTGOING and frame[30:34] == other)
            assert not seen["replies"] or (is_echo and direction == socket.PACKET_HOST and frame[26:30] == other)
            assert totals["frames"] == 1
            assert sum(totals["arps"].values()) == (totals["arp"] and len(frame) >= 42 and frame[14:20] == arp[:6])
        counts: Counts = Counter()
        count_frame(counts, "k00.0", False, frame[:42])
        document = summarize(counts, {"k00.0": "red"})
        assert totals["arp"] == document["arp"]["k00.0"]
        listed = [sum(each["frames"] for each in document[kind]) for kind in ("flows", "others", "arps")]
        assert sum(document["ethertypes"].values()) == 1 == listed[0] + listed[1] + totals["arp"]
        assert listed[2] == sum(totals["arps"].values())
        assert not listed[0] or (len(frame) >= 34 and frame[14] >> 4 == 4)

    return Target("proof and capture", seeds, read)


def make_echo_reader() -> Target:
    """fnn-linkd while a node is dead. Only an echo message of that node, with our data, shows it alive."""
    address, number = "10.78.0.3", 0x1234
    request = format_request("02:f0:00:00:02:00", NIC, address, "10.78.0.1", 7)
    reply = bytearray(format_request("02:f0:00:00:02:00", NIC, address, "10.78.0.1", number))
    reply[34] = 0
    seeds = [request, bytes(reply), bytes(reply).ljust(60, b"\0")]

    class Wire:
        """A packet socket on which one frame waits."""

        def __init__(self, octets: bytes) -> None:
            self.waiting = [octets[:2048]]

        def recvfrom(self, _: int) -> tuple[bytes, tuple[str, int, int]]:
            if not self.waiting:
                raise BlockingIOError
            return self.waiting.pop(), ("nic0", 0x0800, socket.PACKET_HOST)

    def read(octets: bytes) -> None:
        echo = Echo()
        echo._number, echo._names = number, {address: "k02"}
        echo._suspects._all = {"k02": Suspect(0.0, is_dead=True)}
        echo._answers = Wire(octets)  # type: ignore[assignment]
        echo._take_answers(1.0)
        is_answer = is_ipv4(octets, 2048) and octets[23] == 1 and octets[26:30] == socket.inet_aton(address)
        assert echo._suspects.dead_nodes or (is_answer and b"fnn-linkd" in octets), "alive without an answer"

    return Target("echo", seeds, read)


MAKERS = {
    "linkd": make_linkd_reader,
    "beacons": make_beacon_reader,
    "echo": make_echo_reader,
    "relearn": make_relearn_reader,
    "head": make_head_reader,
    "proof": make_proof_reader,
    "strangers": make_stranger_reader,
    "switch check": make_switch_check_reader,
    "lldp": make_lldp_reader,
    "power-on": make_power_on_reader,
    "leases": make_lease_reader,
}

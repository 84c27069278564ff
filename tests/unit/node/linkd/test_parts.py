# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of fnn-linkd one by one: frames, records, rings, the membership, netlink messages, lines for `ip`."""

from __future__ import annotations

import random
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.linkd.frame import (
    MAGIC,
    MOST_NEWS,
    MOST_PEERS,
    Frame,
    identify_cluster,
    pack,
    unpack,
)
from ansible.module_utils.fnn.node.linkd.records import LEFT, UNUSED, USED, Records
from ansible.module_utils.fnn.node.linkd.ring import find_fingers, find_nearest
from ansible.module_utils.fnn.node.linkd.wire import parse_news
from ansible.module_utils.fnn.node.net.membership import Settings, read_membership
from ansible.module_utils.fnn.shared.failed import Failed
from ansible.module_utils.fnn.shared.frames.frame import MAGIC as BEACON_MAGIC
from ansible.module_utils.fnn.shared.linkd_keys import read_keys
from ansible.module_utils.fnn.shared.mac import to_octets

ME, YOU = to_octets("02:f0:00:00:00:00"), to_octets("02:f0:00:00:01:00")
FRAME = Frame(
    ME,
    identify_cluster("six"),
    3,
    1,
    1_800_000_000,
    1_800_000_000_000,
    2,
    (YOU,),
    ((YOU, 7, UNUSED),),
    b"session.",
    b"question",
    b"response",
    70,
    1,
)
KEY = b"sixteen octets!!"


def macs(count: int) -> list[bytes]:
    return [number.to_bytes(6, "big") for number in range(count)]


# --- frames


def test_a_frame_comes_out_as_it_went_in() -> None:
    assert unpack(YOU + pack(FRAME)) == FRAME
    assert unpack(YOU + pack(FRAME, KEY), (KEY,)) == FRAME


def test_a_frame_has_its_magic_where_the_kernel_looks_and_is_no_beacon() -> None:
    octets = YOU + pack(FRAME)
    assert octets[12:18] == b"\x88\xb5" + MAGIC
    assert MAGIC != BEACON_MAGIC
    assert octets[42:58] == bytes(16), "no key, no tag"
    assert len(YOU + pack(replace(FRAME, peers=(), news=()))) == 84


def test_a_full_frame_fits_into_an_mtu_of_1500() -> None:
    full = replace(FRAME, peers=tuple(macs(200)), news=tuple((mac, 1, 1) for mac in macs(200)))
    octets = YOU + pack(full)
    assert len(octets) == 84 + 6 * MOST_PEERS + 11 * MOST_NEWS == 936
    read = unpack(octets)
    assert read is not None
    assert (len(read.peers), len(read.news)) == (MOST_PEERS, MOST_NEWS)


def test_a_changed_octet_is_noticed_with_a_key() -> None:
    octets = YOU + pack(FRAME, KEY)
    for at in range(6, len(octets)):
        spoiled = octets[:at] + bytes([octets[at] ^ 1]) + octets[at + 1 :]
        assert unpack(spoiled, (KEY,)) is None, at
    assert unpack(octets, (b"another key of 16",)) is None
    assert unpack(octets, (b"another key of 16", KEY)) == FRAME, "either key in a rotation"
    assert unpack(YOU + pack(FRAME), (KEY,)) is None, "unsigned"
    assert unpack(octets) == FRAME, "who has no key yet takes signed frames"


def test_rubbish_is_no_frame() -> None:
    chance = random.Random(1)
    octets = YOU + pack(FRAME)
    for length in range(len(octets)):
        assert unpack(octets[:length]) is None or length >= 84 + 6 + 11
    for _ in range(2000):
        unpack(octets[:18] + chance.randbytes(chance.randrange(200)))
    assert unpack(octets[:18] + b"\x04" + octets[19:]) is None, "a later version"


# --- records


def test_any_order_of_the_same_news_ends_alike() -> None:
    chance = random.Random(2)
    news = [(mac, chance.randrange(5), chance.randrange(3)) for mac in macs(4) for _ in range(6)]
    ends = []
    for _ in range(20):
        records = Records()
        for mac, incarnation, state in chance.sample(news, len(news)):
            if records.is_older(mac, (incarnation, state)):
                records.change(mac, (incarnation, state), 0)
        ends.append({mac: records.find(mac) for mac in macs(4)})
    assert all(end == ends[0] for end in ends)


def test_an_old_accusation_does_not_come_back() -> None:
    records = Records()
    records.change(YOU, (7, UNUSED), 0)
    records.change(YOU, (8, USED), 1)
    assert not records.is_older(YOU, (7, UNUSED))
    assert records.is_older(YOU, (8, UNUSED))
    assert records.unused == set()


def test_unused_nics_are_sent_always_and_changes_for_a_minute() -> None:
    records = Records()
    records.change(ME, (3, UNUSED), 0)
    records.change(YOU, (4, LEFT), 0)
    assert records.list_news(59) == ((ME, 3, UNUSED), (YOU, 4, LEFT))
    assert records.list_news(61) == ((ME, 3, UNUSED),)


def test_news_beyond_one_frame_are_sent_in_turns() -> None:
    records = Records()
    for mac in macs(244):
        records.change(mac, (1, UNUSED), 0)
    sent = {mac for _ in range(5) for mac, _, _ in records.list_news(100)}
    assert len(sent) == 244


# --- rings


def test_around_are_the_next_and_the_last_in_rank_order() -> None:
    ring = macs(7)
    assert find_nearest(ring, 0, 2) == [ring[1], ring[2], ring[6], ring[5]]
    assert find_nearest(ring, 0, 2, {ring[1], ring[6]}) == [ring[2], ring[3], ring[5], ring[4]]
    assert sorted(find_nearest(macs(3), 1, 2)) == [ring[0], ring[2]]
    assert find_nearest(macs(1), 0, 2) == []


@pytest.mark.parametrize("count", [2, 3, 4, 5, 31, 64, 100, 243, 244, 500])
@pytest.mark.parametrize("reach", [2, 3])
def test_news_reach_all_nics_along_fingers_in_log_k_steps(count: int, reach: int) -> None:
    ring, most = macs(count), 0
    while reach**most < count:
        most += 1
    for start in range(0, count, 7):
        reached = {start}
        for _ in range(most):
            reached |= {int.from_bytes(mac, "big") for at in reached for mac in find_fingers(ring, at, reach)}
        assert len(reached) == count, (start, len(reached))
        assert len(find_fingers(ring, start, reach)) <= reach


# --- the membership


GOOD = """# made
interval 200
misses 4
successors 3
hold 2.5 30.0
backup on
raised red blue
node k00 red=02:f0:00:00:00:00 blue=02:f0:00:00:00:01
node k01 red=02:f0:00:00:01:00
node k02
"""


def test_a_membership_is_read(tmp_path: Path) -> None:
    (tmp_path / "linkd").write_text(GOOD)
    membership = read_membership(tmp_path)
    assert membership is not None
    settings = membership.settings
    assert (settings.interval, settings.misses, settings.successors) == (0.2, 4, 3)
    assert (settings.hold, settings.hold_most) == (2.5, 30)
    assert (membership.backup, membership.uplinked) == (True, ("red", "blue"))
    assert membership.list_ring("red") == ["02:f0:00:00:00:00", "02:f0:00:00:01:00"]
    assert [each.rank for each in membership.members.values()] == [0, 1, 2]


def test_the_third_frame_is_due_before_patience_ends_and_that_before_900_ms(tmp_path: Path) -> None:
    (tmp_path / "linkd").write_text("")
    membership = read_membership(tmp_path)
    assert membership is not None
    # 3 · 281.25 ms = 843.75 ms < 890.625 ms < 900 ms
    assert 3 * membership.settings.pace + 0.04 < membership.settings.timeout < 0.9


def test_the_template_writes_what_a_node_reads(root: Path) -> None:
    membership = read_membership(root / "tests/golden/six/expected/common/etc/fnn")
    assert membership is not None
    assert (membership.settings, membership.backup, membership.uplinked) == (
        Settings(),
        False,
        ("red", "blue", "green"),
    )
    assert membership.list_ring("red") == [f"02:f0:00:00:{rank:02x}:00" for rank in range(4)]


def test_no_membership_is_no_error(tmp_path: Path) -> None:
    assert read_membership(tmp_path) is None


def test_all_mistakes_of_a_membership_are_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "linkd").write_text(
        "interval 5\nmisses 3 4\nhold 3 2\nbackup yes\nraised Red\ncolor red\nmisses 3\n"
        "node k00 red=02:f0:00:00:00:00 red=02:f0:00:00:00:01\nnode k00 blue\nnode k01 red=02:f0:00:00:00:00\nnode\n"
    )
    with pytest.raises(Failed) as failure:
        read_membership(tmp_path)
    assert failure.value.code == 2
    assert [message.replace(f"{tmp_path}/", "") for message in failure.value.messages] == [
        "linkd:1: interval takes a number from 20 to 60000",
        "linkd:2: misses takes a number from 2 to 100",
        "linkd:3: hold takes two numbers of seconds, the first not greater",
        "linkd:4: backup is neither on nor off",
        "linkd:5: raised takes names of switches",
        "linkd:6: unknown key color, expected one of backup, forwards, hold, interval, misses, node, raised, "
        "relay, successors",
        "linkd:7: misses is given twice",
        "linkd:8: red is given twice",
        "linkd:9: k00 has a line already",
        "linkd:9: blue is not SWITCH=MAC",
        "linkd:10: 02:f0:00:00:00:00 is given twice",
        "linkd:11: node takes a name and SWITCH=MAC...",
    ]


def test_a_key_is_read_and_a_short_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "linkd.key"
    assert read_keys(path) == ()
    path.write_bytes(KEY + b"\n")
    assert read_keys(path) == (KEY,), "as earlier versions had it"
    path.write_bytes(b"# made\nold " + KEY.hex().encode() + b"\nsign " + bytes(16).hex().encode() + b"\n")
    assert read_keys(path) == (bytes(16), KEY)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("short\n", "has 5 octets, expected at least 16"),
        ("sign 0123\n", "has 2 octets, expected at least 16"),
        ("sign xyz\n", "the key after sign is not in hexadecimal digits"),
        ("next 000102030405060708090a0b0c0d0e0f\n", "has no line sign"),
        ("sign\n", "expected one line each of sign, next and old, with a key in hexadecimal digits"),
        ("x" * 5000, "has more than 4096 octets"),
    ],
)
def test_a_bad_key_file_is_refused_with_the_reason(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "linkd.key"
    path.write_text(text)
    with pytest.raises(Failed) as failure:
        read_keys(path)
    assert failure.value.messages == [f"{path}: {message}"]


# --- netlink messages of the kernel


def format_link(index: int, flags: int, kind: int = 16) -> bytes:
    body = struct.pack("=BxHiII", 0, 1, index, flags, 0) + b"\x0c\x00\x03\x00nic0\0\0\0\0"
    return struct.pack("=IHHII", 16 + len(body), kind, 0, 0, 0) + body


def test_news_of_links_are_read_and_others_passed_over() -> None:
    octets = format_link(4, 0x10043) + format_link(9, 0x10043, kind=20) + format_link(5, 0x1003) + format_link(6, 0, 17)
    news = list(parse_news(octets))
    assert [(each.index, each.up, each.carrier, each.there) for each in news] == [
        (4, True, True, True),
        (5, True, False, True),
        (6, False, False, False),
    ]
    assert list(parse_news(octets[:20])) == []

# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame of fnn-linkd: a heartbeat of one NIC, with the peers it receives and with news.

    octets  0-5   MAC of the NIC it is sent to; never a broadcast
            6-11  MAC of the NIC that sends it, as in the membership
           12-13  88 b5, the ethertype IEEE keeps for local experiments, as for all frames of the toolkit
           14-17  "FNNl"; beacons and messages of a head begin otherwise
           18     version, 3; a receiver ignores other versions
           19     flags: 1 leaving, 2 this NIC is not to be used, 4 just started (the list of peers is not complete),
                  8 survey (every NIC of the switch sends to every other for a moment), 16 this NIC loses frames,
                  32 request or answer of a detour (detours.py), with a MAC of the node that it leads to as its peer
           20-23  cluster: the first octets of the SHA-256 of its name
           24-25  node: its rank, for people
           26     NIC: its number on the node, for people
           27     number of peers listed
           28-31  incarnation of the sending NIC (records.py)
           32-39  sequence: grows with every frame of a session
           40     number of news listed
           41     number of peers listed first whose frames are lost in part
           42-57  tag: zero, or with a key the first octets of HMAC-SHA256 over octets 6 to the end, the tag as zero
           58-65  session: random, drawn by each run of a daemon (sessions.py)
           66-73  challenge: random, to be echoed by the receiver; zero for none
           74-81  echo: the challenge that is answered; zero for none
           82-83  round: grows by one with each periodic frame of the NIC, so that a gap shows lost frames
           84-    peers received on this switch, a MAC each
                  news: MAC, incarnation (4 octets), state (records.py)

The tag does not cover the destination: a frame is packed once and sent to several peers, each of which may read it.
Standard library only and Python 3.9.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable
from dataclasses import dataclass

ETHERTYPE = 0x88B5
MAGIC = b"FNNl"
VERSION = 3
LEAVING, UNUSED, STARTING, SURVEY, LOSSY, DETOUR = 1, 2, 4, 8, 16, 32
TAG = 16
NO_TAG = bytes(TAG)
MOST_PEERS = 32
MOST_NEWS = 60  # with them and all peers a frame has 936 octets
_LAST_STATE = 4
NONCE = 8
NONE = bytes(NONCE)

_HEAD = struct.Struct("!6sH4sBBIHBBIQBB16s8s8s8sH")
_NEWS = struct.Struct("!6sIB")
_TAG_AT = 42

News = tuple[bytes, int, int]  # MAC, incarnation, state


@dataclass(frozen=True)
class Frame:
    """The content of a frame. MACs are six octets; session, challenge and echo eight.

    lossy: number of the peers, from the first, of which the sender misses frames.
    """

    source: bytes
    cluster: int
    node: int
    nic: int
    incarnation: int
    sequence: int
    flags: int = 0
    peers: tuple[bytes, ...] = ()
    news: tuple[News, ...] = ()
    session: bytes = NONE
    challenge: bytes = NONE
    echo: bytes = NONE
    round: int = 0
    lossy: int = 0


def identify_cluster(name: str) -> int:
    """32 bits that distinguish clusters on the same switches."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")


def pack(frame: Frame, key: bytes = b"") -> bytes:
    """The frame without its first six octets, which are its destination. key: empty for none."""
    peers, news = frame.peers[:MOST_PEERS], frame.news[:MOST_NEWS]
    sender = (frame.source, ETHERTYPE, MAGIC, VERSION, frame.flags, frame.cluster, frame.node, frame.nic)
    fresh = (frame.session, frame.challenge, frame.echo, frame.round)
    lossy = min(frame.lossy, len(peers))
    head = _HEAD.pack(*sender, len(peers), frame.incarnation, frame.sequence, len(news), lossy, NO_TAG, *fresh)
    text = b"".join([head, *peers, *(_NEWS.pack(*each) for each in news)])
    if not key:
        return text
    at = _TAG_AT - 6
    return text[:at] + _sign(text, key) + text[at + TAG :]


def unpack(octets: bytes, keys: tuple[bytes, ...] = ()) -> Frame | None:
    """Parses a whole Ethernet frame; None if it is of another kind, broken, or not signed by a key.

    Without keys every frame is accepted.
    """
    if len(octets) < 6 + _HEAD.size:
        return None
    head = _HEAD.unpack_from(octets, 6)
    source, ethertype, magic, version, flags, cluster, node, nic, heard, incarnation, sequence, count, lossy, tag = (
        head[:14]
    )
    if ethertype != ETHERTYPE or magic != MAGIC or version != VERSION:
        return None
    if heard > MOST_PEERS or lossy > heard or count > MOST_NEWS or source[0] & 1:
        return None
    first = 6 + _HEAD.size
    middle = first + 6 * heard
    if len(octets) < middle + _NEWS.size * count or (keys and not _is_signed(octets, tag, keys)):
        return None
    peers = tuple(octets[at : at + 6] for at in range(first, middle, 6))
    news = tuple(_NEWS.iter_unpack(octets[middle : middle + _NEWS.size * count]))
    if any(state > _LAST_STATE for _, _, state in news):
        return None
    last = (*head[14:], lossy)
    return Frame(source, cluster, node, nic, incarnation, sequence, flags, peers, news, *last)


def _is_signed(octets: bytes, tag: bytes, keys: Iterable[bytes]) -> bool:
    unsigned = octets[6:_TAG_AT] + NO_TAG + octets[_TAG_AT + TAG :]
    return any(hmac.compare_digest(tag, _sign(unsigned, key)) for key in keys)


def _sign(unsigned: bytes, key: bytes) -> bytes:
    return hmac.digest(key, unsigned, "sha256")[:TAG]

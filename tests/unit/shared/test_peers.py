# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.peers import Peers, pack_peers

SEEN = {"10.78.0.2": {"reached": True, "requests": [["a", "b"]]}, "10.78.0.3": {"reached": False, "requests": []}}


def test_packed_peers_are_those_that_were_seen() -> None:
    packed = pack_peers(SEEN)
    assert "\n" not in packed
    assert dict(Peers(packed)) == SEEN
    assert len(Peers(packed)) == 2


def test_peers_of_several_nodes_do_not_mix() -> None:
    nodes = [Peers(pack_peers({f"10.78.0.{number}": {"full": number}})) for number in range(5)]
    for number in (*range(5), *range(5)):
        assert nodes[number][f"10.78.0.{number}"] == {"full": number}
        assert nodes[number].get("10.78.0.9") is None


@pytest.mark.parametrize("text", ["nonsense", "é", pack_peers(SEEN)[:-8], "AAAA"])
def test_a_damaged_line_is_refused(text: str) -> None:
    with pytest.raises(FnnError, match=r"^reach: is damaged"):
        Peers(text).get("10.78.0.2")

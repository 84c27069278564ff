# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.trust import Trust, pack, unpack

TRUST = Trust("k00,10.78.0.1 ssh-ed25519 AAAA\nk01 ssh-ed25519 BBBB", "ssh-ed25519 CCCC fnn@k00")


def test_packed_keys_are_one_line_and_come_out_as_they_were() -> None:
    assert "\n" not in pack(TRUST)
    assert unpack(pack(TRUST)) == TRUST


def test_the_digest_differs_with_each_text_and_between_the_two() -> None:
    first, second = TRUST.known_hosts, TRUST.authorized_keys
    others = [Trust(first, ""), Trust("", second), Trust(second, first), Trust(first + second, "")]
    assert len({each.digest for each in [TRUST, Trust(first, second), *others]}) == 5


@pytest.mark.parametrize("text", ["nonsense", "é", pack(TRUST)[:-8], "bnVsbA=="])
def test_a_damaged_line_is_refused(text: str) -> None:
    with pytest.raises(FnnError, match=r"^trust: is damaged"):
        unpack(text)

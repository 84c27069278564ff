# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible.module_utils.fnn.errors import FnnError
from ansible.module_utils.fnn.trust import merge_keys, spell_authorized_keys, spell_known_hosts

DESIGN = {"cluster": "two", "nodes": [{"name": "k00"}, {"name": "k01"}]}
HOST, USER = "ssh-ed25519 AAAAhost", "ssh-ed25519 AAAAuser"


def test_a_node_that_is_down_stays_trusted() -> None:
    old = merge_keys(DESIGN, None, {"k01": {"host": HOST, "user": USER}})
    keys = merge_keys(DESIGN, old, {"k00": {"host": HOST, "user": USER}})
    assert [entry["name"] for entry in keys["nodes"]] == ["k00", "k01"]


def test_a_reinstalled_node_replaces_its_keys_and_a_departed_one_is_forgotten() -> None:
    old = merge_keys(DESIGN, None, {name: {"host": HOST, "user": USER} for name in ("k00", "k01")})
    smaller = {"cluster": "two", "nodes": [{"name": "k00"}]}
    keys = merge_keys(smaller, old, {"k00": {"host": "ssh-ed25519 AAAAnew root@k00", "user": USER}})
    assert keys["nodes"] == [{"name": "k00", "host": "ssh-ed25519 AAAAnew", "user": USER}]


def test_what_is_no_key_is_refused_with_the_node_named() -> None:
    with pytest.raises(FnnError) as caught:
        merge_keys(DESIGN, None, {"k00": {"host": "oops", "user": ""}, "k01": {"host": HOST, "user": USER}})
    assert str(caught.value).splitlines() == [
        '/k00/host: "oops" is not a public key',
        '/k00/user: "" is not a public key',
    ]


def test_lines_carry_every_name_and_say_whose_key_it_is() -> None:
    keys = merge_keys(DESIGN, None, {"k00": {"host": f"{HOST} root@k00", "user": f"{USER} someone"}})
    assert spell_known_hosts(keys, {"k00": ["k00", "10.78.0.1"]}) == f"k00,10.78.0.1 {HOST}"
    assert spell_authorized_keys(keys, "fnn") == f"{USER} fnn@k00"

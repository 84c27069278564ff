# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.ssh_keys import (
    format_authorized_keys,
    format_known_hosts,
    merge_keys,
)
from ansible.module_utils.fnn.shared.errors import FnnError

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


def test_an_invalid_key_is_refused_with_its_node() -> None:
    with pytest.raises(FnnError) as caught:
        merge_keys(DESIGN, None, {"k00": {"host": "oops", "user": ""}, "k01": {"host": HOST, "user": USER}})
    assert str(caught.value).splitlines() == [
        '/k00/host: "oops" is not a public key',
        '/k00/user: "" is not a public key',
    ]


def test_lines_carry_every_name_and_the_owner_of_the_key() -> None:
    keys = merge_keys(DESIGN, None, {"k00": {"host": f"{HOST} root@k00", "user": f"{USER} someone"}})
    assert format_known_hosts(keys, {"k00": ["k00", "10.78.0.1"]}) == f"k00,10.78.0.1 {HOST}"
    sources = ["10.78.0.0/16", "10.77.0.0/16"]
    line = f'restrict,from="10.78.0.0/16,10.77.0.0/16" {USER} fnn@k00'
    assert format_authorized_keys(keys, "fnn", sources) == line

# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
import yaml
from ansible.module_utils.fnn.controller.ssh_keys import (
    format_authorized_keys,
    format_known_hosts,
    merge_keys,
    scanned_key,
)
from ansible.module_utils.fnn.shared.errors import FnnError

ROOT = Path(__file__).resolve().parents[3]
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


@pytest.mark.parametrize(
    "output",
    [
        "k00 ssh-ed25519 AAAAhost\n",
        "# k00:22 SSH-2.0-OpenSSH_10.0p2 Debian-7\nk00 ssh-ed25519 AAAAhost\n",
        "k00 ssh-ed25519 AAAAhost\n# k00:22 SSH-2.0-OpenSSH_10.0p2 Debian-7\n",
    ],
    ids=["OpenSSH 9.2", "OpenSSH 10.0", "comment last"],
)
def test_comments_of_ssh_keyscan_are_not_keys(output: str) -> None:
    assert scanned_key(output) == HOST


def test_a_scan_without_a_key_gives_an_empty_key() -> None:
    assert scanned_key("# k00:22 SSH-2.0-OpenSSH_10.0p2 Debian-7\n") == ""


def test_the_role_reads_the_scan_through_the_filter() -> None:
    tasks = yaml.safe_load((ROOT / "roles/fnn_mpi/tasks/keys.yml").read_text())
    template = tasks[-1]["ansible.builtin.set_fact"]["__fnn_mpi_keys"]["host"]
    scan = {"stdout": "# k00:22 SSH-2.0-OpenSSH_10.0p2\nk00 ssh-ed25519 AAAAhost"}
    environment = jinja2.Environment(autoescape=True)
    environment.filters["fnn_scanned_key"] = scanned_key
    assert environment.from_string(template).render(__fnn_mpi_host_key=scan) == HOST

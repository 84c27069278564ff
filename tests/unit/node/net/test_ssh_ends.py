# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH_CONNECTION as sshd writes it, for all kinds of addresses."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.protected import list_hops, list_outer_ends
from ansible.module_utils.fnn.node.net.ssh import End, find_ssh_ends


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("192.0.2.1 50000 192.0.2.5 22", (End("192.0.2.1"), End("192.0.2.5"))),
        ("2001:db8::1 50000 2001:db8::5 22", (End("2001:db8::1"), End("2001:db8::5"))),
        ("fe80::1%mg0 50000 fe80::10%mg0 22", (End("fe80::1", "mg0"), End("fe80::10", "mg0"))),
        ("fe80::1%3 50000 fe80::10%3 22", (End("fe80::1", "3"), End("fe80::10", "3"))),
        ("::ffff:192.0.2.1 50000 ::ffff:192.0.2.5 22", (End("192.0.2.1"), End("192.0.2.5"))),
        ("UNKNOWN 65535 UNKNOWN 65535", ()),
        ("nonsense", ()),
    ],
)
def test_each_form_of_an_address_is_parsed(monkeypatch: pytest.MonkeyPatch, text: str, ends: tuple[End, ...]) -> None:
    monkeypatch.setenv("SSH_CONNECTION", text)
    assert find_ssh_ends() == ends


def test_routes_that_lead_nowhere_have_no_device() -> None:
    assert list_hops({"type": "7", "dst": "default", "metric": 4278198272}) == []
    assert list_hops({"type": "2", "dst": "192.0.2.5", "dev": "nic0"}) == []
    hops = [{"dev": "nic0", "weight": 1}, {"dev": "nic1", "weight": 1}]
    assert list_hops({"dst": "default", "nexthops": hops}) == ["nic0", "nic1"]


@pytest.mark.parametrize(
    ("kind", "data", "ends"),
    [
        ("vxlan", {"id": 4, "remote": "192.0.2.1", "link": "eno1"}, [("192.0.2.1", "")]),
        ("geneve", {"id": 4, "remote6": "2001:db8::1"}, [("2001:db8::1", "")]),
        ("gre", {"remote": "any", "local": "192.0.2.5"}, []),
        ("sit", {"remote": "0.0.0.0"}, []),
        ("tun", {"type": "tun"}, []),
    ],
)
def test_the_outer_end_of_a_tunnel_is_read(kind: str, data: dict[str, object], ends: list[tuple[str, str]]) -> None:
    entry = {"ifname": "t0", "linkinfo": {"info_kind": kind, "info_data": data}}
    assert list(list_outer_ends(entry)) == ends


def test_wireguard_has_an_outer_end_for_each_peer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """wg(8) prints the key of a peer, a tab and its endpoint."""
    program = tmp_path / "wg"
    program.write_text(
        "#!/bin/sh\n"
        '[ "$3" = fwmark ] && echo 0xca6c && exit\n'
        r"printf 'a=\t192.0.2.1:51820\nb=\t[2001:db8::1]:51820\nc=\t(none)\n'"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    entry = {"ifname": "wg0", "linkinfo": {"info_kind": "wireguard"}}
    assert list(list_outer_ends(entry)) == [("192.0.2.1", "0xca6c"), ("2001:db8::1", "0xca6c")]
    monkeypatch.setenv("PATH", "/nowhere")
    assert list(list_outer_ends(entry)) == []

# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the page for phones is served: the values of --serve, and the address that a phone needs."""

from __future__ import annotations

import socket

import pytest
from ansible.module_utils.fnn.controller.wire.page_address import (
    LOOPBACK,
    PORT,
    Place,
    bind,
    format_origin,
    is_loopback,
    read_place,
)
from ansible.module_utils.fnn.shared.errors import FnnError


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("", LOOPBACK, PORT),
        ("8090", LOOPBACK, 8090),
        (":8090", LOOPBACK, 8090),
        ("192.168.1.5", "192.168.1.5", PORT),
        ("192.168.1.5:8090", "192.168.1.5", 8090),
        ("rack-laptop:0", "rack-laptop", 0),
        ("::1", "::1", PORT),
        ("[::1]", "::1", PORT),
        ("[2001:db8::5]:8090", "2001:db8::5", 8090),
        ("0.0.0.0", "0.0.0.0", PORT),
    ],
)
def test_the_page_is_for_this_machine_alone_unless_an_address_is_given(text: str, host: str, port: int) -> None:
    place = read_place(text)
    assert place == Place(host, port)
    assert read_place(str(place)) == place


@pytest.mark.parametrize("text", ["a:b", "host:", "[]:80", "[::1", "http://host:80", "host:-1"])
def test_other_values_are_refused_with_the_form(text: str) -> None:
    with pytest.raises(FnnError, match=r"expected ADDRESS, PORT or ADDRESS:PORT, such as 192.168.1.5:8088"):
        read_place(text)


@pytest.mark.parametrize("text", ["127.0.0.1:65536", "65536"])
def test_a_port_is_at_most_65535(text: str) -> None:
    with pytest.raises(FnnError, match=rf"^--serve {text}: 65536 is not a port, expected at most 65535$"):
        read_place(text)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(FnnError, match=r"^--serve 192.0.2.1:0: .*; choose an address of this machine and a free port$"):
        bind(Place("192.0.2.1", 0))


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(FnnError, match=r"^--serve no-such-host\.invalid:0: .* is no address of this machine"):
        bind(Place("no-such-host.invalid", 0))


def test_a_port_in_use_is_refused() -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(FnnError, match=f"^--serve 127.0.0.1:{port}: Address already in use; choose"):
            bind(Place(LOOPBACK, port))


@pytest.mark.parametrize(("host", "origin"), [("127.0.0.1", "http://127.0.0.1:"), ("localhost", "http://")])
def test_the_origin_has_the_address_and_the_port(host: str, origin: str) -> None:
    with bind(Place(host, 0)) as listening:
        assert format_origin(listening).startswith(origin)
        assert format_origin(listening).endswith(f":{listening.getsockname()[1]}")


def test_all_addresses_are_named_by_one_that_a_phone_can_open() -> None:
    with bind(Place("0.0.0.0", 0)) as listening:
        assert "0.0.0.0" not in format_origin(listening)


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("http://127.0.0.1:8088/x/", True),
        ("http://[::1]:8088/x/", True),
        ("http://192.168.1.5:8088/x/", False),
        ("http://rack-laptop:8088/x/", False),
    ],
)
def test_loopback_addresses_are_for_this_machine(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback

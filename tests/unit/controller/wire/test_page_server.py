# SPDX-License-Identifier: GPL-3.0-or-later
"""The server of the page for phones, with real connections: what it answers, to whom, and what it endures."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.wire import page_limits
from ansible.module_utils.fnn.controller.wire.board import SETTLE, Board
from ansible.module_utils.fnn.controller.wire.page_address import Place
from ansible.module_utils.fnn.controller.wire.page_server import ServedPage, make_token, serve_page
from waiting import read_clock, wait_until


@pytest.fixture
def page(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedPage]:
    monkeypatch.setattr(page_limits, "DEADLINE", 600.0)
    with serve_page(Place(port=0), root / "roles/fnn_wire/files") as served:
        yield served


@pytest.fixture
def _short_deadline(page: ServedPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_limits, "DEADLINE", 0.6)


@pytest.fixture
def port(page: ServedPage) -> int:
    return int(page.address.split(":")[2].partition("/")[0])


@pytest.fixture
def token(page: ServedPage) -> str:
    return page.address.split("/")[3]


def ask(port: int, path: str, method: str = "GET", source: str = "127.0.0.1") -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    connection.request(method, path)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    return answer


def send(port: int, octets: bytes) -> bytes:
    """Everything that the server answers to these octets."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(octets)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def connect(port: int, number: int, source: str = "127.0.0.1") -> list[socket.socket]:
    """Connections that send the beginning of a request, and no more."""
    opened = []
    for _ in range(number):
        connection = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))
        connection.sendall(b"GET /")
        opened.append(connection)
    return opened


def publish(page: ServedPage, board: Board, rack: Any) -> None:
    rack.update_all(board)
    page.publish(board, board.review(0.0) + board.review(2 * SETTLE))


def test_the_page_and_its_files_need_the_token(port: int, token: str) -> None:
    for name, kind in {"": "html", "page.css": "css", "page.js": "javascript"}.items():
        answer = ask(port, f"/{token}/{name}")
        assert (answer.status, answer.headers["Content-Type"]) == (200, f"text/{kind}; charset=utf-8")
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    paths = ["/", "//", "/board.json", "/page.js", f"/{wrong}/", f"/{wrong}/board.json", f"/{token[:-1]}/"]
    paths += [
        f"/{token}x/",
        f"/{token.upper()}/",
        f"/x/{token}/",
        f"/?{token}",
        "/%00/",
        f"/{token}/../../../etc/passwd",
    ]
    for path in paths:
        answer = ask(port, path)
        assert (answer.status, answer.body) == (404, b"404 Not Found\n"), path  # type: ignore[attr-defined]
    assert send(port, b"GET /\xe4\xff/ HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 404 ")


def test_an_address_without_its_last_slash_leads_to_the_page(port: int, token: str) -> None:
    answer = ask(port, f"/{token}")
    assert (answer.status, answer.headers["Location"]) == (301, f"/{token}/")


def test_tokens_have_128_random_bits_and_are_easy_to_type() -> None:
    tokens = {make_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(each) == 26 and set(each) <= set("abcdefghijklmnopqrstuvwxyz234567") for each in tokens)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "BREW"])
def test_nothing_can_be_changed(port: int, token: str, method: str) -> None:
    answer = ask(port, f"/{token}/board.json", method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert ask(port, "/other/board.json", method).status == 404


def test_a_head_request_gets_the_headers_alone(port: int, token: str) -> None:
    full, head = ask(port, f"/{token}/"), ask(port, f"/{token}/", "HEAD")
    assert (head.status, head.body) == (200, b"")  # type: ignore[attr-defined]
    assert head.headers["Content-Length"] == str(len(full.body))  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/TOKEN/", "/TOKEN/board.json", "/other/"])
def test_no_answer_is_cached_or_framed_and_no_page_loads_from_elsewhere(port: int, token: str, path: str) -> None:
    headers = ask(port, path.replace("TOKEN", token)).headers
    assert headers["Cache-Control"] == "no-store"
    policy = dict(each.strip().split(" ", 1) for each in headers["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert (headers["Referrer-Policy"], headers["X-Content-Type-Options"]) == ("no-referrer", "nosniff")
    assert headers["Server"] == "fnn"


def test_the_board_is_a_valid_document_as_soon_as_there_is_one(
    page: ServedPage, port: int, board: Board, rack: Any, documents: Documents
) -> None:
    path = f"/{page.address.split('/')[3]}/board.json"
    assert ask(port, path).status == 503
    rack.plug_all()
    rack.plug("k00", 0, rack.find_other("k00"))
    publish(page, board, rack)
    document = json.loads(ask(port, path).body)  # type: ignore[attr-defined]
    documents.check(document, "fnn-board")
    assert document["headline"] == "six: 11 of 12 cables right, 1 wrong"
    (wrong,) = document["wrong"]
    assert (wrong["node"], wrong["device"], wrong["expected"]) == ("k00", "nic0", rack.wants["k00", 0])
    assert document["next"]["cable"] == wrong


def count_open(connections: list[socket.socket]) -> list[bool]:
    """Whether the server has left each open, once it has closed the last one."""
    wait_until(lambda: has_ended(connections[-1]), 5)
    return [not has_ended(each) for each in connections]


def is_served(port: int, path: str) -> bool:
    try:
        return ask(port, path).status == 200
    except (ConnectionError, http.client.HTTPException):
        return False


def has_ended(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_one_host_has_few_connections_and_blocks_no_other(port: int, token: str) -> None:
    held = connect(port, 20)
    assert count_open(held) == [True] * page_limits.EACH + [False] * (20 - page_limits.EACH)
    assert ask(port, f"/{token}/", source="127.0.0.2").status == 200
    held[0].close()
    wait_until(lambda: is_served(port, f"/{token}/"), 5)


def test_many_hosts_have_few_connections_together(port: int) -> None:
    hosts = page_limits.ALL // page_limits.EACH + 1
    held = [each for number in range(hosts) for each in connect(port, page_limits.EACH, f"127.0.1.{number + 1}")]
    assert count_open(held) == [True] * page_limits.ALL + [False] * page_limits.EACH


@pytest.mark.parametrize(
    ("address", "host"),
    [("192.0.2.1", "192.0.2.1"), ("2001:db8::1:2", "2001:db8::/64"), ("fe80::1%eth0", "fe80::/64")],
)
def test_an_ipv6_host_counts_with_its_network(address: str, host: str) -> None:
    assert page_limits.find_host(address) == host


@pytest.mark.usefixtures("_short_deadline")
def test_a_host_that_sends_slowly_is_cut_off_and_may_come_again(port: int, token: str) -> None:
    (slow,) = connect(port, 1)
    began, clock = time.monotonic(), read_clock()
    with pytest.raises(OSError):
        for _ in range(1000):
            slow.sendall(b"a")
            time.sleep(0.1)
    assert time.monotonic() - began > 0.4
    assert read_clock() - clock < 5
    assert ask(port, f"/{token}/").status == 200


@pytest.mark.usefixtures("_short_deadline")
def test_a_silent_host_is_cut_off(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as silent:
        assert silent.recv(1) == b""


@pytest.mark.parametrize(
    ("octets", "status"),
    [
        (b"GET /" + b"a" * 20_000, b""),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 3000 + b"\r\n", b"431"),
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 101 + b"\r\n", b"431"),
        (b"\x16\x03\x01\x00\xa5\x01\r\n", b"400"),
        (b"GET / HTTP/9.9\r\n\r\n", b"505"),
        (b"GET\r\n\r\n", b"400"),
    ],
    ids=["long line", "long header", "large header", "many headers", "TLS", "version", "no path"],
)
def test_faulty_requests_are_refused(port: int, token: str, octets: bytes, status: bytes) -> None:
    try:
        answer = send(port, octets)
    except ConnectionResetError:  # it did not read the rest
        answer = b""
    assert status in answer.split(b"\r\n")[0]
    assert b"200" not in answer.split(b"\r\n")[0]
    assert ask(port, f"/{token}/").status == 200


def test_a_stranger_does_not_delay_the_screen(
    page: ServedPage, port: int, board: Board, rack: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    held = connect(port, 40)
    began = time.thread_time()
    publish(page, board, rack)
    assert time.thread_time() - began < 1
    for each in held:
        each.close()
    assert ask(port, f"/{page.address.split('/')[3]}/board.json", source="127.0.0.2").status == 200
    assert capfd.readouterr() == ("", ""), "the terminal belongs to the screen"


def test_the_server_ends_with_its_context(root: Path) -> None:
    with serve_page(Place(port=0), root / "roles/fnn_wire/files") as served:
        port = int(served.address.split(":")[2].partition("/")[0])
        (held,) = connect(port, 1)
    assert has_ended(held)
    with pytest.raises(ConnectionRefusedError):
        ask(port, "/")

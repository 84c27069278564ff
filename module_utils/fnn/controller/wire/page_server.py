# SPDX-License-Identifier: GPL-3.0-or-later
"""Serves the page for the phone of the person who plugs: `./fnn wire --serve`.

    GET /TOKEN/             the page; its style and script beside it
    GET /TOKEN/board.json   the present board, which the script of the page polls (page_document.py)

The token is random and new in every run; any other path is answered with 404. The page cannot change anything: there
are no other methods, and the server reads nothing but the request line and headers. It runs in threads beside the
watch, which only hands it finished octets, so that a slow phone delays nothing.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import json
import math
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from .board import Board, Event
from .page_address import Place, bind, format_origin
from .page_document import EVENTS, describe_board
from .page_limits import DEADLINE, Connections, RequestReader

_TYPES = {"page.html": "text/html", "page.css": "text/css", "page.js": "text/javascript"}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_READ = ("GET", "HEAD")
_BOARD = "board.json"

Body = tuple[str, bytes]  # media type and octets


def make_token() -> str:
    """128 random bits in lower-case letters and digits, which a person can type on a phone."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


class PageServer(ThreadingHTTPServer):
    """bodies: name below the token -> what it answers."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, listening: socket.socket, token: str, bodies: dict[str, Body]) -> None:
        super().__init__(listening.getsockname(), PageHandler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.token, self.bodies, self._connections = token.encode(), bodies, Connections()

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._connections.add(request, client_address[0]):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        self._connections.remove(request)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        self._connections.end_overdue(time.monotonic())

    def server_close(self) -> None:
        super().server_close()
        self._connections.end_overdue(math.inf)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves or sends no HTTP is no fault, and the terminal belongs to the screen."""


class PageHandler(BaseHTTPRequestHandler):
    timeout = DEADLINE
    server: PageServer

    def setup(self) -> None:
        super().setup()
        self.rfile = RequestReader(self.rfile)  # type: ignore[assignment]  # http.server needs only these methods

    def do_GET(self) -> None:
        is_known, name = self._read_path()
        if not is_known:
            self._answer(HTTPStatus.NOT_FOUND)
        elif name is None:
            self._answer(HTTPStatus.MOVED_PERMANENTLY, more={"Location": f"/{self.server.token.decode()}/"})
        elif name == _BOARD and name not in self.server.bodies:
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, more={"Retry-After": "1"})
        elif name in self.server.bodies:
            self._answer(HTTPStatus.OK, self.server.bodies[name])
        else:
            self._answer(HTTPStatus.NOT_FOUND)

    do_HEAD = do_GET

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers faulty requests. http.server calls a method without a function not implemented: it is not allowed."""
        if code != HTTPStatus.NOT_IMPLEMENTED:
            self._answer(code)
        elif self._read_path()[0]:
            self._answer(HTTPStatus.METHOD_NOT_ALLOWED, more={"Allow": ", ".join(_READ)})
        else:
            self._answer(HTTPStatus.NOT_FOUND)

    def _read_path(self) -> tuple[bool, str | None]:
        """Whether the path begins with the token, compared in constant time; and what follows, None without a slash."""
        token, slash, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        is_known = hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token)
        return is_known, (name or "page.html") if slash else None

    def _answer(self, status: int, body: Body | None = None, more: dict[str, str] | None = None) -> None:
        kind, octets = body or ("text/plain", f"{int(status)} {HTTPStatus(status).phrase}\n".encode())
        self.send_response(status)
        headers = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(octets)), "Connection": "close"}
        for name, value in {**headers, **_HEADERS, **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(octets)

    def version_string(self) -> str:
        return "fnn"

    def log_message(self, format: str, *args: Any) -> None:
        """The terminal belongs to the screen."""


class ServedPage:
    """The page while it is served. address: its URL, with the token."""

    def __init__(self, server: PageServer, address: str) -> None:
        self.address = address
        self._server, self._events = server, deque[Event](maxlen=EVENTS)
        self._notes: object = None

    def publish(self, board: Board, events: list[Event]) -> None:
        """Makes the document only after a change: that of a large cluster takes a while."""
        self._events += events
        if events or board.notes != self._notes:
            self._notes = board.notes
            document = describe_board(board, list(self._events))
            self._server.bodies[_BOARD] = "application/json", json.dumps(document).encode()


@contextlib.contextmanager
def serve_page(place: Place, files: Path) -> Iterator[ServedPage]:
    """Serves the page until the end of the context. files: the directory of the page. Raises FnnError."""
    bodies = {name: (kind, (files / name).read_bytes()) for name, kind in _TYPES.items()}
    listening, token = bind(place), make_token()
    server = PageServer(listening, token, bodies)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True)
    thread.start()
    try:
        yield ServedPage(server, f"{format_origin(listening)}/{token}/")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

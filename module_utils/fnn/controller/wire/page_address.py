# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the page for phones is served: the value of `./fnn wire --serve`, and the address in the browser.

(nothing)            127.0.0.1:8088
8090                 127.0.0.1:8090
192.168.1.5          192.168.1.5:8088
[2001:db8::5]:8090   an IPv6 address and a port
0.0.0.0              all addresses of this machine
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from ...shared.errors import problem

LOOPBACK, PORT = "127.0.0.1", 8088
OPTION = "--serve"
_FORM = re.compile(r"(?:\[(?P<v6>[0-9a-fA-F:.]+(?:%\w+)?)\]|(?P<host>[\w.-]*))(?::(?P<port>[0-9]+))?")
#: Documentation addresses (RFC 5737, RFC 3849): a UDP socket connected to one sends nothing.
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


@dataclass(frozen=True)
class Place:
    """host: a name or an address of this machine. port: 0 for any free one."""

    host: str = LOOPBACK
    port: int = PORT

    def __str__(self) -> str:
        return f"{format_host(self.host)}:{self.port}"


def read_place(text: str) -> Place:
    """Parses the value of the option; without a host it is the loopback address. Raises FnnError."""
    given = text = text.strip()
    if text.isdecimal():
        text = f":{text}"
    if text.count(":") > 1 and not text.startswith("["):
        text = f"[{text}]"
    form = _FORM.fullmatch(text)
    if not form:
        raise problem(f"{OPTION} {given}", "expected ADDRESS, PORT or ADDRESS:PORT, such as 192.168.1.5:8088")
    port = int(form["port"] or PORT)
    if port > 65535:
        raise problem(f"{OPTION} {given}", f"{port} is not a port, expected at most 65535")
    return Place(form["v6"] or form["host"] or LOOPBACK, port)


def bind(place: Place) -> socket.socket:
    """A socket that listens there. Raises FnnError if the machine has no such address or the port is in use."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise problem(f"{OPTION} {place}", f"{place.host} is no address of this machine ({error})") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(32)
    except OSError as error:
        listening.close()
        raise problem(
            f"{OPTION} {place}", f"{error.strerror}; choose an address of this machine and a free port"
        ) from None
    return listening


def format_origin(listening: socket.socket) -> str:
    """ "http://192.168.1.5:8088"; for all addresses, that of the route to other networks."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _find_own_address(listening.family) or socket.gethostname()
    return f"http://{format_host(host)}:{port}"


def is_loopback(address: str) -> bool:
    """Whether only this machine can open that URL."""
    try:
        return ipaddress.ip_address(urlsplit(address).hostname or "").is_loopback
    except ValueError:
        return False


def format_host(host: str) -> str:
    """An IPv6 address in brackets, without the name of its interface."""
    return f"[{host.partition('%')[0]}]" if ":" in host else host


def _find_own_address(family: int) -> str | None:
    """The source address of packets to other networks; None without a route."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE[socket.AddressFamily(family)], 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])

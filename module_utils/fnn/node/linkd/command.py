# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `fnn-linkd run|status|release`.

Exit codes: 0 done, 1 the kernel failed or the daemon does not run, 2 bad files.
"""

from __future__ import annotations

import argparse
import signal
import socket
import sys
from pathlib import Path

from ...shared.failed import Failed, explain
from ..net import command as net
from ..net.legs_down import RUN
from . import systemd
from .daemon import KNOWN, STATUS, Daemon, Places

_ANSWER_S = 2.0


def run(places: Places) -> int:
    """Runs the daemon."""
    daemon = Daemon(places)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, daemon.stop)
    signal.signal(signal.SIGHUP, daemon.reload)
    try:
        daemon.run()
    finally:
        daemon.close()
    return 0


def status(places: Places) -> int:
    """Prints the state of the daemon as JSON."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(_ANSWER_S)
        try:
            client.connect(str(places.run / STATUS))
        except OSError:
            raise Failed(1, ["the daemon does not run"]) from None
        answer = b"".join(iter(lambda: client.recv(1 << 16), b""))
    print(answer.decode())
    return 0


def release(places: Places) -> int:
    """Restores the planned tables after any end of the daemon, unless systemd restarts it."""
    if systemd.is_restarting():
        return 0
    (places.run / KNOWN).unlink(missing_ok=True)
    return net.main(["apply", "--etc", str(places.etc), "--sysctl", str(places.sysctl), "--run", str(places.run)])


COMMANDS = {"run": run, "status": status, "release": release}


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fnn-linkd", description="Keep routes off failed NICs and dead nodes.")
    parser.add_argument(
        "command", choices=sorted(COMMANDS), help="run the daemon, print its state, or restore the planned routes"
    )
    parser.add_argument("--etc", type=Path, default=Path("/etc/fnn"), metavar="DIR", help="directory of the plan")
    parser.add_argument("--sysctl", type=Path, default=Path("/etc/sysctl.d/90-fnn.conf"), metavar="FILE")
    parser.add_argument("--run", type=Path, default=RUN, metavar="DIR", help="state directory of the daemon")
    parser.add_argument("--key", type=Path, metavar="FILE", help="keys of the frames, if not linkd.key beside the plan")
    parser.add_argument("--metrics", default="", metavar="FILE", help="a textfile for node_exporter")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    key = options.key or options.etc / "linkd.key"
    places = Places(options.etc, options.sysctl, options.run, key, options.metrics)
    try:
        return COMMANDS[options.command](places)
    except Failed as failure:
        for message in failure.messages:
            print(f"fnn-linkd: {message}", file=sys.stderr)
        return failure.code
    except OSError as error:
        print(f"fnn-linkd: {explain(error)}", file=sys.stderr)
        return 1

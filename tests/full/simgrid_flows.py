# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs flows on a SimGrid platform, all begun at once; prints the seconds until the last has ended.

    /usr/bin/python3 simgrid_flows.py PLATFORM FLOWS

FLOWS is a JSON file: [[from, to, bytes], ...], by the names of hosts. Needs the distribution's python3-simgrid.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from simgrid import Actor, Comm, Engine, Host


def main(platform: str, flows: str) -> None:
    """Starts one actor that sends all flows."""
    engine = Engine([sys.argv[0], "--log=root.thres:critical"])
    engine.load_platform(platform)

    def send_all() -> None:
        sent = [Comm.sendto_async(Host.by_name(a), Host.by_name(b), size) for a, b, size in read(flows)]
        Comm.wait_all(sent)

    Actor.create("sender", engine.all_hosts[0], send_all)
    engine.run()
    print(engine.clock)


def read(flows: str) -> list[tuple[str, str, int]]:
    """The flows of the file."""
    return [(a, b, int(size)) for a, b, size in json.loads(Path(flows).read_text())]


if __name__ == "__main__":
    main(*sys.argv[1:])

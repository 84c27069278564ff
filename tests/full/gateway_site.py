# SPDX-License-Identifier: GPL-3.0-or-later
"""The four nodes on one switch as a lab, with a network outside that k0 reaches over out0.

    k1, k2, k3 -- red -- k0: out0 192.0.2.7 -- 192.0.2.1, 198.51.100.80 (www.outside.test)

The host outside has a route to the nodes over k0, so only the rules of the gateway keep it from reaching them. k3 has
a default route over its management interface.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from labsite import Site
from waiting import wait_until

LAB = os.environ.get("FNN_TEST_GATEWAY", "gateway")  # another name allows a second clone to run at the same time
NODES = ["k0", "k1", "k2", "k3"]
GATEWAY, BEHIND, APART = "k0", ["k1", "k2"], "k3"
OUTSIDE = f"{LAB}-out"
ADDRESS, ROUTER, SERVER, NAME = "192.0.2.7", "192.0.2.1", "198.51.100.80", "www.outside.test"
PORT = 8000
#: Seconds that a change waits for its confirmation.
SECONDS = 25
ON: dict[str, Any] = {
    "fnn_gateway": GATEWAY,
    "fnn_gateway_interface": "out0",
    "fnn_gateway_dns": [ROUTER],
    "fnn_gateway_probe": NAME,
}
#: Answers each connection with the address that it comes from.
TELL = f"""
import socket
with socket.create_server(("", {PORT})) as server:
    while True:
        link, peer = server.accept()
        link.sendall(peer[0].encode())
        link.close()
"""
#: Prints what a connection to HOST PORT receives, or nothing.
CONNECT = """
import socket, sys
try:
    link = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=2)
    print(link.recv(100).decode())
except OSError:
    pass
"""
STATE = """
ip -4 route show table main | sort
grep . /proc/sys/net/ipv4/conf/*/forwarding
echo "resolver: $(cat /etc/resolv.conf 2> /dev/null)"
echo "tables: $(nft list tables)"
systemctl list-units --all --plain --no-legend 'fnn-gateway*' 'fnn-names*'
find /etc /usr/local /var/lib/fnn \\( -type f -o -type l \\) ! -name '*.cache' ! -name '*.pyc' ! -name linkd.prom \\
  ! -name resolv.conf | sort
"""


class GatewaySite(Site):
    def __init__(self, root: Path) -> None:
        inventory = root / "inventory/one-switch/group_vars/all/fnn.yml"
        more = {"fnn_cluster": LAB, "fnn_confirm_seconds": SECONDS, "fnn_lab_packages": ["dnsmasq-base", "nftables"]}
        super().__init__(root, LAB, NODES, {**yaml.safe_load(inventory.read_text()), **more})

    def read_state(self) -> dict[str, list[str]]:
        """Routes, forwarding, resolver, tables of nftables, units and files of each node."""
        return {node: self.shell(node, STATE).splitlines() for node in NODES}

    def outside(self, *command: str | Path, check: bool = True) -> str:
        """The output of a command outside."""
        words = ["ip", "netns", "exec", OUTSIDE, *map(str, command)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def reaches_outside(self, node: str) -> str:
        """The address of this node as the server outside sees it, which it finds by name; "" if it is unreachable."""
        return self.inside(node, "python3", "-c", CONNECT, NAME, str(PORT)).strip()

    def is_reached_from_outside(self, address: str, port: int) -> bool:
        """Whether a connection from outside to this address is answered."""
        return bool(self.outside(sys.executable, "-IS", "-c", CONNECT, address, str(port)).strip())

    @contextlib.contextmanager
    def connected(self) -> Iterator[None]:
        """A network outside, with a name server and a server, as long as the block runs."""
        subprocess.run(["ip", "netns", "del", OUTSIDE], capture_output=True, check=False)
        self.run("ip", "netns", "add", OUTSIDE)
        self.run(
            *("ip", "link", "add", "out0", "netns", f"{LAB}-{GATEWAY}", "type", "veth"),
            *("peer", "name", "lan0", "netns", OUTSIDE),
        )
        for words in (
            *(f"address add {ROUTER}/24 dev lan0", f"address add {SERVER}/32 dev lo", "link set lo up"),
            *("link set lan0 up", f"route add 10.77.0.0/16 via {ADDRESS}", f"route add 10.78.0.0/16 via {ADDRESS}"),
        ):
            self.outside("ip", *words.split())
        self.shell(
            GATEWAY,
            f"ip address add {ADDRESS}/24 dev out0 && ip link set out0 up && ip route add default via {ROUTER}",
        )
        self.shell(APART, "ip route add default via 10.79.255.254 dev mg0")
        names = ["dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--no-hosts", "--no-resolv", "--pid-file="]
        names += [f"--address=/{NAME}/{SERVER}", f"--listen-address={ROUTER}", "--bind-interfaces", "--user=root"]
        enter = ["ip", "netns", "exec", OUTSIDE]
        with (
            subprocess.Popen([*enter, *names]) as name_server,
            subprocess.Popen([*enter, sys.executable, "-IS", "-c", TELL]) as server,
        ):
            try:
                yield
            finally:
                name_server.terminate()
                server.terminate()
        self.run("ip", "netns", "del", OUTSIDE)

    def kill_controller_during(self, *words: str) -> None:
        """Kills the controller as soon as the gateway has begun to change; returns when it has rolled back."""
        pending = self.locate(GATEWAY, "/var/lib/fnn/pending")
        play = subprocess.Popen(
            self.write_play(*words), cwd=self.root, env=self.environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            wait_until(pending.exists, 120, every=0.005)
        finally:
            os.killpg(play.pid, signal.SIGKILL)
            play.wait()
        for node in NODES:
            wait_until(
                lambda node=node: not self.locate(node, "/var/lib/fnn/pending").exists(), SECONDS + 60, every=0.2
            )

    def reboot(self, node: str) -> None:
        self.run("podman", "restart", "--time=5", f"{LAB}-{node}")
        running = "systemctl is-system-running | grep -E 'running|degraded'"
        wait_until(lambda: self.shell(node, running, check=False), 60, every=0.2)

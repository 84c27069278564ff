# SPDX-License-Identifier: GPL-3.0-or-later
"""Common uses of a network, run in the lab `modes`. Each function returns its result in a few words, or fails."""

from __future__ import annotations

import json
import time
from pathlib import Path

from modes_site import MTU, NODES, PAIRS, ModesSite, ask_all, inside, run_python, start_inside

SECONDS = 3
TRIES = 6
FLOWS = 16
GROUP = "239.77.7.7"
DATAGRAMS = 64  # to each peer, each from its own port

SILENT = """
import json, select, socket, sys
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
ear.bind(("", 7077))
print("listens", flush=True)
heard = {}
while True:
    ready = select.select([ear, sys.stdin], [], [])[0]
    if ear in ready:
        source = ear.recvfrom(64)[1][0]
        heard[source] = heard.get(source, 0) + 1
    elif sys.stdin in ready:
        break
print(json.dumps(heard))
"""
ONE_WAY = """
import socket, sys
identity, datagrams, *peers = sys.argv[1:]
for _ in range(int(datagrams)):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
        mouth.bind((identity, 0))
        for peer in peers:
            mouth.sendto(b"x", (peer, 7077))
print("null")
"""
JOIN = """
import json, socket, struct, sys, time
group, seconds, *devices = sys.argv[1:]
ears = {}
for device in devices:
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
    ear.bind((group, 7078))
    member = struct.pack("4s4si", socket.inet_aton(group), bytes(4), socket.if_nametoindex(device))
    ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    ear.setblocking(False)
    ears[device] = ear
print("listens", flush=True)
sys.stdin.read()
heard = {}
for device, ear in ears.items():
    said = set()
    while True:
        try:
            said.add(ear.recv(64).decode())
        except BlockingIOError:
            break
    heard[device] = sorted(said)
print(json.dumps(heard))
"""
SEND = """
import socket, struct, sys
group, identity, *devices = sys.argv[1:]
for device in devices:
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mouth.bind((identity, 0))
    out = struct.pack("4s4si", bytes(4), bytes(4), socket.if_nametoindex(device))
    mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, out)
    mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    mouth.sendto(device.encode(), (group, 7078))
print("null")
"""


def ping_all() -> str:
    def ask(node: str) -> str:
        peers = [peer for peer in NODES if peer != node]
        return inside(
            node, "sh", "-c", "; ".join(f"ping -n -q -c1 -W2 {peer} >/dev/null && echo {peer}" for peer in peers)
        )

    reached = {(node, peer) for node, answer in ask_all(ask).items() for peer in answer.split()}
    assert reached == set(PAIRS), f"no answer: {sorted(set(PAIRS) - reached)}"
    return f"{len(reached)} of {len(PAIRS)} pairs"


def carry_full_frames() -> str:
    """Pings with the largest unfragmented packet over every pair. A ping has no ports, so its flow takes one path."""
    payload = str(MTU - 28)

    def ask(node: str) -> str:
        peers = [peer for peer in NODES if peer != node]
        ping = f"ping -n -q -c1 -W2 -M do -s {payload}"
        return inside(node, "sh", "-c", "; ".join(f"{ping} {peer} >/dev/null && echo {peer}" for peer in peers))

    reached = {(node, peer) for node, answer in ask_all(ask).items() for peer in answer.split()}
    assert reached == set(PAIRS), f"{MTU} bytes do not pass: {sorted(set(PAIRS) - reached)}"
    return f"{MTU} bytes unfragmented, {len(reached)} pairs"


def log_in_everywhere(site: ModesSite) -> str:
    """SSH as the cluster's user; the server must see the identity address of the client."""
    known = {site.find_identity(node): node for node in NODES}
    ssh = "ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=5"

    def ask(node: str) -> str:
        peers = [peer for peer in NODES if peer != node]
        script = "; ".join(f"{ssh} {peer} 'echo $(hostname) $SSH_CONNECTION'" for peer in peers)
        return inside(node, "runuser", "-u", "fnn", "--", "sh", "-c", script)

    lines = [line.split() for answer in ask_all(ask).values() for line in answer.splitlines()]
    found = {(known.get(words[1]), words[0]) for words in lines}
    assert found == set(PAIRS), f"wrong or missing: {sorted(set(PAIRS) ^ found, key=str)}"
    return f"{len(found)} of {len(PAIRS)} pairs"


def send_one_way(site: ModesSite) -> str:
    """Every node sends to every node, and no answer returns, not even a refusal: each node listens."""
    ears = {node: start_inside(node, "python3", "-c", SILENT) for node in NODES}
    for ear in ears.values():
        assert ear.stdout and ear.stdout.readline() == "listens\n"
    identities = {node: site.find_identity(node) for node in NODES}
    for node in NODES:
        run_python(node, ONE_WAY, identities[node], str(DATAGRAMS), *(identities[p] for p in NODES if p != node))
    time.sleep(0.3)
    heard = {node: json.loads(ear.communicate("\n", timeout=50)[0]) for node, ear in ears.items()}
    missing = {(one, other): got for one, other in PAIRS if (got := heard[other].get(identities[one], 0)) != DATAGRAMS}
    assert not missing, f"of {DATAGRAMS} datagrams arrived: {missing}"
    return f"{DATAGRAMS} datagrams, {len(PAIRS)} pairs"


class Iperf:
    """An iperf3 server in each measured receiver; rates in Mbit/s of payload."""

    def __init__(self, site: ModesSite, *before: str) -> None:
        self.before = before
        self.identities = {node: site.find_identity(node) for node in NODES}

    def measure(self, pair: tuple[str, str], *words: str, seconds: float = SECONDS) -> float:
        sender, receiver = pair
        server = start_inside(receiver, *self.before, "iperf3", "--server", "--one-off", "--forceflush")
        try:
            assert server.stdout
            while "listening" not in server.stdout.readline():
                assert server.poll() is None, server.communicate()
            ask = ["iperf3", "--client", self.identities[receiver], "--bind", self.identities[sender]]
            result = json.loads(inside(sender, *self.before, *ask, "--json", "--time", str(seconds), *words))
        finally:
            server.terminate()
            server.wait(50)
            inside(receiver, "pkill", "iperf3", check=False)
        end = result["end"]
        return float((end.get("sum_received") or end["sum"])["bits_per_second"]) / 1e6

    def measure_datagrams(self, pair: tuple[str, str], rate: int) -> str:
        """Sends UDP at a rate in Mbit/s that a link carries."""
        got = self.measure(pair, "--udp", "--bitrate", f"{rate}M", "--length", "1400")
        assert got > 0.95 * rate, f"{got:.1f} of {rate} Mbit/s arrived from {pair[0]} at {pair[1]}"
        return f"{got:.1f}"

    def measure_best(self, pair: tuple[str, str], enough: float, *words: str) -> float:
        """Flows are spread by hash, so the result is random: the best of several tries, until it is enough."""
        best = 0.0
        for _ in range(TRIES):
            best = max(best, self.measure(pair, *words))
            if best >= enough:
                break
        return best


def wait_for_the_end_of_subflows(site: ModesSite) -> None:
    """Waits while Multipath TCP closes subflows of the previous mode, over paths that this mode does not have."""
    addresses = {str(link["address"]) for node in NODES for link in site.read_view(node)["links"]}
    end = time.monotonic() + 180
    while any(address.rpartition(":")[0] in addresses for node in NODES for address in list_speaking(node)):
        assert time.monotonic() < end, "connections between addresses of NICs do not end"
        time.sleep(1)


def list_speaking(node: str) -> list[str]:
    """Local address:port of every connected TCP socket."""
    return [line.split()[3] for line in inside(node, "ss", "-Htan").splitlines()]


def measure_mpi(pair: tuple[str, str]) -> float:
    """Mbit/s from one rank of Open MPI to another, started as by a user."""
    source = (Path(__file__).parent / "stream.c").read_text()
    build = f"cat > /tmp/stream.c << 'END'\n{source}END\nmpicc.openmpi -O1 -o /tmp/stream /tmp/stream.c"
    for node in pair:
        inside(node, "sh", "-c", build)
    launch = ["mpirun.openmpi", "--host", ",".join(pair), "-np", "2", "/tmp/stream"]
    return float(inside(pair[0], "runuser", "-u", "fnn", "--", *launch, seconds=90))


def describe_multicast(site: ModesSite) -> str:
    """Sends from both NICs of k00 to all nodes on those switches; each member must receive on the right NIC."""
    devices = {node: {link["switch"]: link["device"] for link in site.read_view(node)["links"]} for node in NODES}
    ears = {node: start_inside(node, "python3", "-c", JOIN, GROUP, "5", *devices[node].values()) for node in NODES[1:]}
    for ear in ears.values():
        assert ear.stdout and ear.stdout.readline() == "listens\n"
    run_python("k00", SEND, GROUP, site.find_identity("k00"), *devices["k00"].values())
    time.sleep(0.5)
    heard = {node: json.loads(ear.communicate(timeout=50)[0]) for node, ear in ears.items()}
    count = 0
    for node in NODES[1:]:
        for switch in devices["k00"].keys() & devices[node].keys():
            assert devices["k00"][switch] in heard[node][devices[node][switch]], f"{node} on {switch}: {heard[node]}"
            count += 1
    return f"{count} NICs on the same switches"


class Nfs:
    """A user-space server in k00 (nfs-ganesha) and user-space clients (libnfs), which need no kernel support.

    The server opens files by handle, which an overlay does not support, so they are in memory. Handles need a
    capability that containers of the lab lack, so this one process has all. Over NFS 4 libnfs 4.0 fails to write more
    than a page.
    """

    READ, WRITTEN = 4 << 20, 1000
    PLACE = "/run/shared"
    SETTINGS = f"""
NFS_CORE_PARAM {{ Protocols = 4; mount_path_pseudo = true; Enable_NLM = false; Enable_RQUOTA = false;
                 Enable_UDP = false; }}
NFSv4 {{ Graceless = true; Minor_Versions = 0; Only_Numeric_Owners = true; }}
NFS_KRB5 {{ Active_krb5 = false; }}
EXPORT {{ Export_Id = 1; Path = {PLACE}; Pseudo = /shared; Access_Type = RW; Squash = No_Root_Squash;
         SecType = sys; Transports = TCP; FSAL {{ Name = VFS; }} }}
"""

    def __init__(self, site: ModesSite) -> None:
        self.shared = f"nfs://{site.find_identity('k00')}/shared"

    def __enter__(self) -> Nfs:
        self.stop()
        given = f"head -c {self.READ} /dev/urandom > {self.PLACE}/given && chmod 666 {self.PLACE}/given"
        settings = f"cat > /run/ganesha.conf << 'END'\n{self.SETTINGS}END\n"
        inside("k00", "sh", "-c", f"mkdir -p {self.PLACE} /run/ganesha && {given} && {settings}")
        words = ["-f", "/run/ganesha.conf", "-L", "/run/ganesha.log", "-p", "/run/ganesha.pid"]
        inside("k00", "ganesha.nfsd", *words, privileged=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        inside("k00", "sh", "-c", f"pkill -KILL ganesha.nfsd; rm -rf {self.PLACE} /run/ganesha.*", check=False)

    def read_and_write(self, client: str) -> None:
        """Copies a file over and part of it back; the copies are equal at both ends."""
        end = time.monotonic() + 20
        while "given" not in inside(client, "nfs-ls", f"{self.shared}?version=4", check=False):
            assert time.monotonic() < end, inside("k00", "tail", "-n", "20", "/run/ganesha.log")
            time.sleep(0.3)
        script = (
            f"rm -f /tmp/taken && nfs-cp '{self.shared}/given?version=4' /tmp/taken && "
            f"head -c {self.WRITTEN} /tmp/taken > /tmp/part && nfs-cp /tmp/part '{self.shared}/{client}?version=4'"
        )
        inside(client, "sh", "-c", script)
        places = {f"{self.PLACE}/given": "/tmp/taken", f"{self.PLACE}/{client}": "/tmp/part"}
        for ours, theirs in places.items():
            sums = [inside(*where).split()[0] for where in (("k00", "sha256sum", ours), (client, "sha256sum", theirs))]
            assert sums[0] == sums[1], f"{client}: {theirs} is not {ours} of k00"


def share_files(site: ModesSite) -> str:
    with Nfs(site) as nfs:
        for client in NODES[1:]:
            nfs.read_and_write(client)
    return f"{Nfs.READ >> 20} MiB read, {Nfs.WRITTEN} bytes written, {len(NODES) - 1} clients"

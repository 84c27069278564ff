# SPDX-License-Identifier: GPL-3.0-or-later
"""What people do over a network, done in the lab `mx06`. Each returns what it found, in a few words, or fails."""

from __future__ import annotations

import json
import time

from mx06 import MTU, NODES, PAIRS, Mx06, ask_all, inside, run_python, start_inside

SECONDS = 3
TRIES = 6
FLOWS = 16
GROUP = "239.77.7.7"
DATAGRAMS = 64  # to each peer, each from a port of its own

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
TELL = """
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
    """The largest packet that may not be cut, over every leg there is (many ports would not help: a ping has none)."""
    payload = str(MTU - 28)

    def ask(node: str) -> str:
        peers = [peer for peer in NODES if peer != node]
        ping = f"ping -n -q -c1 -W2 -M do -s {payload}"
        return inside(node, "sh", "-c", "; ".join(f"{ping} {peer} >/dev/null && echo {peer}" for peer in peers))

    reached = {(node, peer) for node, answer in ask_all(ask).items() for peer in answer.split()}
    assert reached == set(PAIRS), f"{MTU} bytes do not pass: {sorted(set(PAIRS) - reached)}"
    return f"{MTU} bytes unfragmented, {len(reached)} pairs"


def log_in_everywhere(site: Mx06) -> str:
    """As the cluster's user, and the other end sees the address of the node itself."""
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


def send_one_way(site: Mx06) -> str:
    """Every node to every node, and nobody answers: not even a refusal, as somebody listens."""
    ears = {node: start_inside(node, "python3", "-c", SILENT) for node in NODES}
    for ear in ears.values():
        assert ear.stdout and ear.stdout.readline() == "listens\n"
    identities = {node: site.find_identity(node) for node in NODES}
    for node in NODES:
        run_python(node, ONE_WAY, identities[node], str(DATAGRAMS), *(identities[p] for p in NODES if p != node))
    time.sleep(0.3)
    heard = {node: json.loads(ear.communicate("\n", timeout=10)[0]) for node, ear in ears.items()}
    missing = {(one, other): got for one, other in PAIRS if (got := heard[other].get(identities[one], 0)) != DATAGRAMS}
    assert not missing, f"of {DATAGRAMS} datagrams arrived: {missing}"
    return f"{DATAGRAMS} datagrams, {len(PAIRS)} pairs"


class Iperf:
    """A server in every node that is asked; rates in Mbit/s of payload."""

    def __init__(self, site: Mx06, *before: str) -> None:
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
            told = json.loads(inside(sender, *self.before, *ask, "--json", "--time", str(seconds), *words))
        finally:
            server.terminate()
            server.wait(10)
            inside(receiver, "pkill", "iperf3", check=False)
        end = told["end"]
        return float((end.get("sum_received") or end["sum"])["bits_per_second"]) / 1e6

    def measure_datagrams(self, pair: tuple[str, str], rate: int) -> str:
        """UDP at a rate in Mbit/s that a link holds."""
        got = self.measure(pair, "--udp", "--bitrate", f"{rate}M", "--length", "1400")
        assert got > 0.95 * rate, f"{got:.1f} of {rate} Mbit/s arrived from {pair[0]} at {pair[1]}"
        return f"{got:.1f}"

    def measure_best(self, pair: tuple[str, str], enough: float, *words: str) -> float:
        """Where flows are spread by hash, chance has a say: the best of several tries, until it is enough."""
        best = 0.0
        for _ in range(TRIES):
            best = max(best, self.measure(pair, *words))
            if best >= enough:
                break
        return best


def tell_multicast(site: Mx06) -> str:
    """From both NICs of k00 to all who share those switches; who joined hears it on the right NIC."""
    devices = {node: {link["switch"]: link["device"] for link in site.read_view(node)["links"]} for node in NODES}
    ears = {node: start_inside(node, "python3", "-c", JOIN, GROUP, "5", *devices[node].values()) for node in NODES[1:]}
    for ear in ears.values():
        assert ear.stdout and ear.stdout.readline() == "listens\n"
    run_python("k00", TELL, GROUP, site.find_identity("k00"), *devices["k00"].values())
    time.sleep(0.5)
    heard = {node: json.loads(ear.communicate(timeout=10)[0]) for node, ear in ears.items()}
    count = 0
    for node in NODES[1:]:
        for switch in devices["k00"].keys() & devices[node].keys():
            assert devices["k00"][switch] in heard[node][devices[node][switch]], f"{node} on {switch}: {heard[node]}"
            count += 1
    return f"{count} NICs on the same switches"


class Nfs:
    """A user-space server in k00 (nfs-ganesha) and user-space clients (libnfs)."""

    SIZE = 4 << 20
    SETTINGS = """
NFS_CORE_PARAM { Protocols = 4; NFS_Port = 2049; Bind_Addr = %s; mount_path_pseudo = true; }
NFSv4 { Grace_Period = 5; Lease_Lifetime = 5; Graceless = true; Minor_Versions = 0; }
EXPORT { Export_Id = 1; Path = /srv/shared; Pseudo = /shared; Access_Type = RW; Squash = No_Root_Squash;
         SecType = sys; Transports = TCP; FSAL { Name = %s; } }
"""

    def __init__(self, site: Mx06, fsal: str = "VFS") -> None:
        self.address = site.find_identity("k00")
        self.settings = self.SETTINGS % (self.address, fsal)

    def __enter__(self) -> Nfs:
        prepare = f"mkdir -p /srv/shared /run/ganesha && cat > /run/ganesha.conf << 'END'\n{self.settings}END\n"
        inside("k00", "sh", "-c", f"pkill ganesha.nfsd; {prepare}")
        inside("k00", "sh", "-c", f"head -c {self.SIZE} /dev/urandom > /srv/shared/given")
        inside("k00", "ganesha.nfsd", "-f", "/run/ganesha.conf", "-L", "/run/ganesha.log", "-p", "/run/ganesha.pid")
        return self

    def __exit__(self, *_: object) -> None:
        inside("k00", "pkill", "ganesha.nfsd", check=False)

    def read_and_write(self, client: str) -> None:
        """A file comes over and another goes back, the same at both ends."""
        place = f"nfs://{self.address}/shared"
        end = time.monotonic() + 20
        while "given" not in inside(client, "nfs-ls", f"{place}?version=4", check=False):
            assert time.monotonic() < end, inside("k00", "tail", "-n", "20", "/run/ganesha.log")
            time.sleep(0.3)
        inside(client, "sh", "-c", "rm -f /tmp/taken")
        inside(client, "nfs-cp", f"{place}/given?version=4", "/tmp/taken")
        inside(client, "nfs-cp", "/tmp/taken", f"{place}/back-{client}?version=4")
        sums = {
            inside(node, "sha256sum", path).split()[0]
            for node, path in (
                ("k00", "/srv/shared/given"),
                (client, "/tmp/taken"),
                ("k00", f"/srv/shared/back-{client}"),
            )
        }
        assert len(sums) == 1, f"{client}: what went over NFS is not what arrived"


def share_files(site: Mx06) -> str:
    with Nfs(site) as nfs:
        for client in NODES[1:]:
            nfs.read_and_write(client)
    return f"{Nfs.SIZE >> 20} MiB to and from {len(NODES) - 1} nodes"

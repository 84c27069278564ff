# SPDX-License-Identifier: GPL-3.0-or-later
"""The egress filter of fabric NICs with real frames: it drops frames of daemons and passes those of the plan."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from namespaces import PREFIX, ROOT, Cables
from one_node import FILES, Apply

SAY, HEAR = (Path(__file__).with_name(name) for name in ("say_frames.py", "hear_frames.py"))
ALWAYS = {"beacon", "unicast", "239.77.7.7"}
DAEMONS = {"lldp", "arp", "ipv6", "vlan", "dhcp", "igmp", "224.0.0.251", "239.255.255.250"}
OURS = ("dev", "nic0", "egress", "protocol", "all", "pref", "1960", "handle", "1", "bpf", "da", "bytecode")
THEIRS = ("dev", "nic0", "ingress", "protocol", "ip", "pref", "7", "u32", "match", "u32", "0", "0", "flowid", "1:1")
#: A service discovery daemon, and the processes that may have sent to groups on nic0.
DISCOVERY = """
import os, socket, sys
sys.path.insert(0, sys.argv[1])
from fnn.node.net.egress import count_dropped
from fnn.node.reach.daemons import find_senders
daemon = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
daemon.bind(("", 5353))
member = socket.inet_aton("224.0.0.251") + socket.inet_aton("10.77.0.1")
daemon.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
open("/proc/self/comm", "w").write("avahi-daemon")
sockets = []
for device, ethertype in (("", 0x88F7), ("nic0", 3), ("nic0", 0x88CC), ("lo", 3), ("lo", 0x88CC), ("", 3)):
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ethertype))
    if device:
        wire.bind((device, ethertype))
    sockets.append(wire)
if child := os.fork():
    os.waitpid(child, 0)
    sys.exit()
print(count_dropped(["nic0"])["nic0"], *find_senders(["nic0"]), sep="\\n")
"""


class Egress(Apply):
    def bring(self, words: str | None) -> None:
        """Applies a plan with this `egress` line; None: without one."""
        line = "" if words is None else f"egress {words}\n"
        self.render({"/etc/fnn/node": FILES["/etc/fnn/node"] + line})
        answer = self.run()
        assert not answer.get("failed"), answer

    def send(self) -> set[str]:
        """The frames of say_frames.py that leave nic0."""
        command = ["ip", "netns", "exec", PREFIX + "sw", sys.executable, "-IS", str(HEAR), "k00.0"]
        ear = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert ear.stdout and ear.stdout.readline() == "ready\n"
        self.cables.inside("k00", sys.executable, "-IS", str(SAY), "nic0", "10.77.0.1")
        time.sleep(0.3)
        heard: list[str] = json.loads(ear.communicate("\n", timeout=100)[0])
        return set(heard)

    def tc(self, *words: str) -> str:
        return self.cables.inside("k00", "tc", *words).stdout


@pytest.fixture
def egress(cables: Cables, tmp_path: Path) -> Iterator[Egress]:
    made = Egress(cables, tmp_path)
    yield made


def test_without_a_filter_frames_of_daemons_leave_the_node(egress: Egress) -> None:
    egress.bring(None)
    assert egress.send() == ALWAYS | DAEMONS


@pytest.mark.parametrize(
    ("words", "besides"),
    [
        ("", set()),
        ("red=dhcp", {"dhcp"}),
        ("red=broadcast", {"dhcp"}),
        ("red=multicast", {"igmp", "224.0.0.251", "239.255.255.250"}),
        ("red=broadcast+multicast", {"dhcp", "igmp", "224.0.0.251", "239.255.255.250"}),
        ("red=arp", {"arp"}),
    ],
)
def test_with_the_filter_only_planned_group_frames_leave_the_node(
    egress: Egress, words: str, besides: set[str]
) -> None:
    egress.bring(words)
    assert egress.send() == ALWAYS | besides


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("qdisc", "del", "dev", "nic0", "clsact"), id="the queue is gone", marks=pytest.mark.long),
        pytest.param(("filter", "del", "dev", "nic0", "egress"), id="the filter is gone", marks=pytest.mark.long),
        pytest.param(("filter", "replace", *OURS, "1,6 0 0 0"), id="the filter is another"),
    ],
)
def test_a_filter_that_is_gone_or_changed_is_shown_and_set_again(egress: Egress, words: tuple[str, ...]) -> None:
    egress.bring("")
    assert egress.is_settled()
    egress.tc(*words)
    preview = egress.run(_ansible_check_mode=True, _ansible_diff=True)
    assert preview["changed"] and "+tc filter replace dev nic0 egress" in preview["diff"][-1]["prepared"]
    assert egress.run(_ansible_check_mode=True)["changed"], "a preview changes nothing"
    assert egress.run()["changed"]
    assert egress.is_settled()
    assert egress.send() == ALWAYS


@pytest.mark.long
def test_with_the_plan_goes_the_filter_and_that_of_others_stays(egress: Egress) -> None:
    egress.bring("")
    egress.bring(None)
    assert "clsact" not in egress.tc("qdisc", "show", "dev", "nic0")
    egress.bring("")
    egress.tc("filter", "add", *THEIRS)
    egress.cables.run_module("k00", "fnn_remove", root=str(egress.root))
    assert egress.tc("filter", "show", "dev", "nic0", "egress") == ""
    assert "pref 7" in egress.tc("filter", "show", "dev", "nic0", "ingress")


def test_dropped_frames_are_counted_and_their_senders_named(egress: Egress) -> None:
    egress.bring("")
    egress.send()
    done = egress.cables.inside("k00", sys.executable, "-B", "-c", DISCOVERY, str(ROOT / "module_utils"))
    dropped, *senders = done.stdout.splitlines()
    assert int(dropped) >= len(DAEMONS)
    assert senders == [
        "avahi-daemon (EtherType 0x88cc)",
        "avahi-daemon (EtherType 0x88f7)",
        "avahi-daemon (UDP port 5353)",
        "avahi-daemon (packet socket on nic0)",
        "the kernel (IGMP for 224.0.0.251)",
    ]

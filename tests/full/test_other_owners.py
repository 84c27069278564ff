# SPDX-License-Identifier: GPL-3.0-or-later
"""ifupdown2, dhcpcd and ConnMan take a NIC, each on a node of its own: the check names the owner, its remedy works, and
after a restart of the manager the fabric is as before.

What the managers do is real; what the check says of many more of their files is in tests/unit/node/owners/.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from labsite import Site, list_variables
from waiting import wait_until

LAB = os.environ.get("FNN_TEST_OWNERS", "owners")  # another name allows a second clone to run at the same time
NODES = ("k00", "k01", "k02")
VARIABLES = list_variables(
    LAB, ports=4, colors=("red", "blue"), fnn_mpi_packages=[], fnn_lab_packages=["ifupdown2", "dhcpcd", "connman"]
)


@dataclass(frozen=True)
class Owner:
    """One manager. takes: starts it with a file as people have it. taken: prints something once it has the NICs.

    finds: the lines of the check. remedy: the steps of these lines. again: what an operator does later.
    """

    name: str
    node: str
    takes: str
    taken: str
    finds: tuple[str, ...]
    remedy: str
    again: str


#: The devices of the fabric on a node, as the check calls them.
TAKEN = dict.fromkeys(("nic0", "nic1"), "a NIC of the cluster") | {"fnn0": "the device of the identity address"}
OWNERS = (
    Owner(
        "ifupdown2",
        "k00",
        "printf 'auto vmbr1\\niface vmbr1 inet static\\n  address 192.0.2.1/24\\n  bridge-ports nic0\\n"
        "  bridge-stp off\\niface nic0 inet manual\\n' > /etc/network/interfaces; systemctl start networking",
        "ls /sys/class/net/vmbr1/brif",
        (
            "/etc/network/interfaces:4: ifupdown makes nic0, a NIC of the cluster, a port of vmbr1; take nic0 out of "
            "`bridge-ports` there, then run `ip link set nic0 nomaster`; a stanza with the method manual may stay",
        ),
        "sed -i 's/bridge-ports nic0/bridge-ports none/' /etc/network/interfaces; ip link set nic0 nomaster",
        "systemctl restart networking; ifreload -a",
    ),
    Owner(
        "dhcpcd",
        "k01",
        # Without udev, which containers do not have, it would wait for a NIC to be announced.
        "sed -i '1i nodev\\ndenyinterfaces mg0' /etc/dhcpcd.conf; systemctl start dhcpcd",
        "ip -4 -brief address show dev nic0 | grep 169.254",
        tuple(
            f"/etc/dhcpcd.conf: dhcpcd configures {nic}, {what}; write `denyinterfaces {nic}` at its "
            "beginning, then run `systemctl restart dhcpcd`"
            for nic, what in TAKEN.items()
        ),
        "sed -i '1i denyinterfaces nic0 nic1 fnn0' /etc/dhcpcd.conf; systemctl restart dhcpcd",
        "systemctl restart dhcpcd",
    ),
    Owner(
        "ConnMan",
        "k02",
        "printf '[General]\\nNetworkInterfaceBlacklist=mg\\n' > /etc/connman/main.conf; systemctl start connman",
        "connmanctl services | grep Wired",
        tuple(
            f"/etc/connman/main.conf: ConnMan configures {nic}, {what}; add {nic} to "
            "NetworkInterfaceBlacklist there, then run `systemctl restart connman`"
            for nic, what in TAKEN.items()
        ),
        "sed -i 's/Blacklist=mg/Blacklist=mg,nic0,nic1,fnn0/' /etc/connman/main.conf; systemctl restart connman",
        # As at a boot, both start in one transaction: first ConnMan, which allows IPv6 on all devices.
        "systemctl restart connman fnn-net",
    ),
)
#: The state of the fabric in the kernel.
STATE = (
    "for each in nic0 nic1 fnn0; do ip address show dev $each; done; ip route show table all proto 196; "
    "ip neighbor show nud permanent"
)


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Site]:
    site = Site(root, LAB, NODES, VARIABLES)
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"):
        yield site


@pytest.mark.parametrize("owner", OWNERS, ids=lambda each: each.name)
def test_an_owner_is_named_and_its_remedy_frees_the_nic(owner: Owner, site: Site) -> None:
    site.shell(owner.node, owner.takes)
    wait_until(lambda: site.shell(owner.node, owner.taken, check=False) != "", 60, every=0.5)
    command = site.write_fnn("check", "--limit", owner.node)
    done = site.try_to_run(*command)
    lines = [line for line in done.stdout.splitlines() if line.startswith("     problem")]
    assert lines == [f"     problem  {line}" for line in owner.finds], done.stdout + done.stderr
    site.shell(owner.node, owner.remedy)
    done = site.try_to_run(*command)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_fabric_is_as_before_after_a_restart_of_each_manager(site: Site) -> None:
    """The first stop of ifupdown2 after the remedy sets nic0 down, as its saved state has the bridge with this port.

    fnn-linkd avoids the NIC, and uses it again after the hold-down.
    """
    site.play(*(f"playbooks/{stage}.yml" for stage in ("discover", "network")))
    for owner in OWNERS:
        read_state = functools.partial(site.shell, owner.node, STATE)
        before = read_state()
        site.shell(owner.node, owner.again)
        wait_until(lambda read=read_state, wanted=before: read() == wanted, 120, every=1)
        assert site.read_status(owner.node)["owners"] == []
        assert site.shell(owner.node, "fnn-net diff").count('"changed": false') == 1
    assert site.find_silent(NODES) == []

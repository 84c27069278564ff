# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes of an evening on real machines: how to make each on a node, what `./fnn check` says, how to undo it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: In place of the name of the machine in the SSH configuration, as `evening-k00`.
LOGIN = "ops@{host}"


@dataclass(frozen=True)
class Mistake:
    """cause, undo: shell scripts on the node, as root. variables: of the command, as with -e.

    finds: the lines of the node in the output, each a problem.
    """

    name: str
    node: str
    finds: tuple[str, ...]
    cause: str = ""
    undo: str = ""
    variables: Mapping[str, Any] = field(default_factory=dict)


NEW_CONNECTION = "-o ControlPath=none"
PASSWORD_ONLY = f"{NEW_CONNECTION} -o PubkeyAuthentication=no -o PreferredAuthentications=password"
AWAY = "for each in /usr/bin/python3*; do mv $each /root/$(basename $each).away; done"
BACK = "for each in /root/python3*.away; do mv $each /usr/bin/$(basename $each .away); done"
#: A Python that ends as one does that cannot read the syntax of a module.
OLD_PYTHON = """cat > /usr/local/bin/python3.7 << 'END'
#!/bin/sh
[ "$1" != --version ] || { echo Python 3.7.3; exit 0; }
echo 'SyntaxError: future feature annotations is not defined' >&2
exit 1
END
chmod 755 /usr/local/bin/python3.7"""

DROPPING = """table inet filter {
  chain input {
    type filter hook input priority 0; policy drop;
    ct state established,related accept
    tcp dport 22 accept
  }
}"""
NETWORKS = "10.77.0.0/16, 10.78.0.0/16"
PLAIN = {"speed_mbps": 1000, "media": "rj45"}

MISTAKES = (
    Mistake(
        "a wrong password",
        "k00",
        (f"the password was refused; give the password of {LOGIN} with -k, or use a key: `ssh-copy-id {LOGIN}`",),
        variables={"ansible_password": "wrong", "ansible_ssh_extra_args": PASSWORD_ONLY},
    ),
    Mistake(
        "an unknown host key",
        "k01",
        (
            f"its host key is not known; run `ssh {LOGIN}` once and confirm the fingerprint, "
            "or `ssh-keyscan {host} >> ~/.ssh/known_hosts`",
        ),
        variables={"ansible_ssh_extra_args": f"{NEW_CONNECTION} -o UserKnownHostsFile=/dev/null"},
    ),
    Mistake(
        "sudo with a password",
        "k02",
        (
            "sudo needs a password; give it with -K, or allow sudo without a password: "
            "`echo 'ops ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ansible` on the node",
        ),
        cause="echo 'ops ALL=(ALL) ALL' > /etc/sudoers.d/ops",
        undo="echo 'ops ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ops",
    ),
    Mistake(
        "no Python",
        "k03",
        ("Python 3 is not installed; run `apt-get install python3` on the node",),
        cause=AWAY,
        undo=BACK,
    ),
    Mistake(
        "an old Python",
        "k00",
        (
            "Python 3.7 is older than 3.9; install a newer Python and name it with ansible_python_interpreter, "
            "or upgrade the distribution",
        ),
        cause=OLD_PYTHON,
        undo="rm /usr/local/bin/python3.7",
        variables={"ansible_python_interpreter": "/usr/local/bin/python3.7"},
    ),
    Mistake(
        "a NIC too few",
        "k03",
        (
            "2 NICs planned, but k03 has 1: lan0 (fnn_nics of k03); admin carries the SSH connection from "
            "10.79.255.254; correct fnn_nics, or the NICs of the node (`ip -br link` shows them)",
        ),
        cause="basename $(readlink /sys/class/net/lan1/device) > /root/device; "
        "cat /root/device > /sys/bus/virtio/drivers/virtio_net/unbind",
        undo="cat /root/device > /sys/bus/virtio/drivers/virtio_net/bind; rm /root/device; udevadm settle",
    ),
    Mistake(
        "the management NIC in the fabric",
        "k00",
        (
            "eth0 carries the SSH connection from 10.79.255.254, so it cannot be a NIC of the fabric "
            "(fnn_nics of k00); correct fnn_nics, or the NICs of the node (`ip -br link` shows them)",
        ),
        variables={"fnn_nics": [{"name": "eth0", **PLAIN}, {"name": "eth1", **PLAIN}]},
    ),
    Mistake(
        "a claim of ifupdown",
        "k00",
        (
            "/etc/network/interfaces.d/lan:2: ifupdown configures eth1, a NIC of the cluster; "
            "run `ifdown eth1`, then remove this stanza, and eth1 from the line `auto`",
        ),
        cause="printf 'auto eth1\\niface eth1 inet dhcp\\n' > /etc/network/interfaces.d/lan",
        undo="rm /etc/network/interfaces.d/lan",
    ),
    Mistake(
        "a bridge of Proxmox",
        "k00",
        (
            "/etc/network/interfaces.d/lan:3: ifupdown makes eth1, a NIC of the cluster, a port of vmbr1; take eth1 "
            "out of `bridge-ports` there, then run `ip link set eth1 nomaster`; a stanza with the method manual may "
            "stay",
        ),
        cause="printf 'iface eth1 inet manual\\niface vmbr1 inet manual\\n bridge-ports eth1\\n' "
        "> /etc/network/interfaces.d/lan; ifup vmbr1; test -e /sys/class/net/vmbr1/brif/eth1",
        undo="ifdown vmbr1; rm /etc/network/interfaces.d/lan",
    ),
    Mistake(
        "a live VLAN",
        "k03",
        (
            "lan0.5, a vlan, is on lan0, a NIC of the cluster; "
            "remove it from the configuration that makes it, then run `ip link del lan0.5`",
        ),
        cause="ip link add link lan0 name lan0.5 type vlan id 5",
        undo="ip link delete lan0.5",
    ),
    Mistake(
        "a bridge of NetworkManager",
        "k01",
        (
            "/etc/NetworkManager/system-connections/port.nmconnection: NetworkManager makes ens4, a NIC of the "
            "cluster, a port of br7; run `nmcli connection delete 'port'`, then `ip link set ens4 nomaster`",
        ),
        cause="nmcli connection add type bridge con-name br7 ifname br7 ipv4.method disabled ipv6.method disabled "
        "> /dev/null; nmcli connection add type ethernet con-name port ifname ens4 master br7 > /dev/null; "
        "nmcli connection up port > /dev/null",
        undo="nmcli connection delete port br7 > /dev/null",
    ),
    Mistake(
        "netplan by driver, with its bridge",
        "k02",
        (
            "/etc/netplan/60-lan.yaml:3: netplan configures ens4, a NIC of the cluster; "
            "remove it there, then run `netplan generate`",
            "/etc/netplan/60-lan.yaml:4: netplan makes ens4, a NIC of the cluster, a port of br0; "
            "remove it there, then run `netplan generate` and `ip link set ens4 nomaster`",
        ),
        cause="printf 'network:\\n  ethernets:\\n    lan: {match: {driver: virtio_net, name: ens4}}\\n  bridges: "
        "{br0: {interfaces: [lan]}}\\n' > /etc/netplan/60-lan.yaml",
        undo="rm /etc/netplan/60-lan.yaml",
    ),
    Mistake(
        "a file of networkd before ours",
        "k03",
        (
            "/etc/systemd/network/00-lan.network:2: networkd configures lan0, a NIC of the cluster, by this file, "
            "which precedes 05-fnn-hands-off.network; rename the file, so that it sorts after "
            "05-fnn-hands-off.network, or take the NIC out of its [Match]; then run `networkctl reload`",
        ),
        cause="printf '[Match]\\nDriver=virtio_net\\nName=lan0\\n[Network]\\nDHCP=yes\\n' "
        "> /etc/systemd/network/00-lan.network",
        undo="rm /etc/systemd/network/00-lan.network",
    ),
    Mistake(
        "a claim of netplan",
        "k02",
        (
            "/etc/netplan/60-lan.yaml:3: netplan configures ens4, a NIC of the cluster; "
            "remove it there, then run `netplan generate`",
        ),
        cause="printf 'network:\\n  ethernets:\\n    ens4: {dhcp4: true}\\n' > /etc/netplan/60-lan.yaml",
        undo="rm /etc/netplan/60-lan.yaml",
    ),
    Mistake(
        "an address in a prefix of the fabric",
        "k01",
        (
            "ens3 has the address 10.77.1.9/24, which fnn_prefix 10.77.0.0/16 covers; "
            "set fnn_prefix to a network that the nodes do not use",
        ),
        cause="ip address add 10.77.1.9/24 dev ens3",
        undo="ip address delete 10.77.1.9/24 dev ens3",
    ),
    Mistake(
        "a route into a prefix of the fabric",
        "k03",
        (
            "admin has a route to 10.78.0.0/16, which fnn_identity_prefix 10.78.0.0/16 covers; "
            "set fnn_identity_prefix to a network that the nodes do not use",
        ),
        cause="ip route add 10.78.0.0/16 via 10.79.255.254",
        undo="ip route delete 10.78.0.0/16",
    ),
    Mistake(
        "a clock a day ahead",
        "k02",
        ("the clock is 1 day ahead of that of the controller; set it: `timedatectl set-ntp true`, or `date -s @...`",),
        cause="date -s '+1 day' > /dev/null",
        undo="date -s '-1 day' > /dev/null",
    ),
    Mistake(
        "nftables with the policy drop",
        "k01",
        (f"chain input of the table inet filter drops packets from ens4; accept packets from {NETWORKS} there",),
        cause=f"nft -f - << END\n{DROPPING}\nEND",
        undo="nft delete table inet filter",
    ),
    Mistake(
        "noexec on /usr/local",
        "k03",
        (
            "/usr/local is mounted noexec, so that no program there can run; "
            "mount it without noexec: `findmnt -T /usr/local`",
        ),
        cause="mount --bind /usr/local /usr/local; mount -o remount,bind,noexec /usr/local",
        undo="umount /usr/local",
    ),
    Mistake(
        "a full disk",
        "k00",
        ("no space is left for temporary files; free some space on the node: `df -h /tmp /var/tmp`",),
        cause="fallocate -l $(($(stat -f -c '%f * %S' / ) - 1000000)) /var/full",
        undo="rm /var/full",
    ),
)

#: What looks like a mistake and is none: the NICs of the fabric are taken over from these, and no node forwards.
HARMLESS = (
    Mistake(
        "a connection of NetworkManager",
        "k01",
        (),
        cause="nmcli connection add type ethernet con-name lan ifname ens4 ipv4.method auto > /dev/null",
        undo="nmcli connection delete lan > /dev/null",
    ),
    Mistake(
        "a file of networkd",
        "k03",
        (),
        cause="printf '[Match]\\nName=lan0\\n[Network]\\nDHCP=yes\\n' > /etc/systemd/network/50-lan.network",
        undo="rm /etc/systemd/network/50-lan.network",
    ),
    Mistake(
        "the policy of Docker",
        "k02",
        (),
        cause="nft add table ip filter; "
        "nft add chain ip filter FORWARD '{ type filter hook forward priority 0; policy drop; }'; "
        "modprobe br_netfilter",
        undo="nft delete table ip filter; modprobe -r br_netfilter",
    ),
)

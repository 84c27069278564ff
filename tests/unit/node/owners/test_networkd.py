# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of networkd by files that precede ours, and of .link files. The forms are those of systemd.network(5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from owned import MACS, find, list_texts

EARLY = "etc/systemd/network/00-lan.network"
DHCP = "\n[Network]\nDHCP=yes\n"


@pytest.mark.parametrize(
    "match",
    [
        "Name=enp2s0",
        "Name=enp2*",
        "Name=eth* enx02f0*",
        "Name=eth*\nName=enp2s0",
        f"MACAddress={MACS[0].upper()}",
        f"PermanentMACAddress=aa:bb:cc:dd:ee:ff {MACS[0]}",
        f"MACAddress={MACS[0].replace(':', '-')}",
        "Driver=igc",
        "Type=ether\nPath=pci-0000:02:*",
        "Name=!enp3s0 eno*",
        "Name=eno1\nName=\nName=enp2s0",
        "Virtualization=no\nName=enp2s0",
    ],
)
def test_an_earlier_file_that_matches_a_nic_is_a_claim(tmp_path: Path, match: str) -> None:
    (text,) = list_texts(tmp_path, {EARLY: f"[Match]\n{match}\n{DHCP}"})
    assert text == (
        f"/{EARLY}:2: networkd configures enp2s0, a NIC of the cluster, by this file, which precedes "
        "05-fnn-hands-off.network; rename the file, so that it sorts after 05-fnn-hands-off.network, or take the NIC "
        "out of its [Match]; then run `networkctl reload`"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("00-lan.network", f"[Match]\nName=eno1\n{DHCP}"),
        ("00-lan.network", f"[Match]\nName=enp2s0\nDriver=r8169\n{DHCP}"),
        ("00-lan.network", f"[Match]\nType=wlan\n{DHCP}"),
        ("00-lan.network", f"[Match]\nKind=bridge\nName=*\n{DHCP}"),
        ("00-lan.network", DHCP),
        ("00-lan.network", "[Match]\nName=enp2s0\n[Link]\nUnmanaged=yes\n"),
        ("10-lan.network", f"[Match]\nName=enp2s0\n{DHCP}"),
        ("05-fnn-hands-off.network", "[Match]\nName=enp2s0\n[Link]\nUnmanaged=yes\n"),
        ("00-lan.network.bak", f"[Match]\nName=enp2s0\n{DHCP}"),
        ("00-lan.netdev", "[NetDev]\nName=enp2s0\nKind=bridge\n"),
    ],
)
def test_other_files_are_none(tmp_path: Path, name: str, text: str) -> None:
    assert list_texts(tmp_path, {f"etc/systemd/network/{name}": text}) == []


def test_files_of_all_directories_count_unless_one_replaces_another(tmp_path: Path) -> None:
    files = {
        f"{each}/systemd/network/0{at}.network": f"[Match]\nName=enp{at}s0\n{DHCP}"
        for at, each in ((2, "run"), (3, "usr/lib"))
    }
    assert [each.where for each in find(tmp_path, files)] == [
        "/run/systemd/network/02.network:2",
        "/usr/lib/systemd/network/03.network:2",
    ]
    masked = {"etc/systemd/network/02.network": "", "etc/systemd/network/03.network": "[Match]\nName=eno1\n"}
    assert find(tmp_path, masked) == []


def test_drop_ins_add_to_a_file(tmp_path: Path) -> None:
    files = {EARLY: f"[Match]\nName=eno1\n{DHCP}", f"{EARLY}.d/more.conf": "[Match]\nName=enp2s0\n"}
    assert [each.nic for each in find(tmp_path, files)] == ["enp2s0"]
    assert find(tmp_path, {f"{EARLY}.d/off.conf": "[Link]\nUnmanaged=yes\n"}) == []


def test_the_first_file_that_matches_decides(tmp_path: Path) -> None:
    files = {
        "etc/systemd/network/00-a.network": "[Match]\nName=enp2s0\n[Link]\nUnmanaged=yes\n",
        "etc/systemd/network/01-b.network": f"[Match]\nName=en*\n{DHCP}",
    }
    assert [(each.nic, each.where) for each in find(tmp_path, files)] == [
        ("enp3s0", "/etc/systemd/network/01-b.network:2")
    ]


@pytest.mark.parametrize(
    ("file", "state", "found"),
    [
        ("/run/systemd/network/04-x.network", "configured", [("/run/systemd/network/04-x.network", True)]),
        ("/etc/systemd/network/50-theirs.network", "configured", []),
        ("/etc/systemd/network/04-x.network", "unmanaged", []),
    ],
)
def test_what_networkd_recorded_counts(tmp_path: Path, file: str, state: str, found: list[tuple[str, bool]]) -> None:
    record = f"# This is private data. Do not parse.\nADMIN_STATE={state}\nNETWORK_FILE={file}\n"
    files = {"run/systemd/netif/links/7": record}
    assert [(each.where, each.blocks) for each in find(tmp_path, files)] == found


def test_networkd_that_has_not_read_our_file_is_a_warning(tmp_path: Path) -> None:
    files = {
        "run/systemd/netif/links/7": "ADMIN_STATE=configured\nNETWORK_FILE=/etc/systemd/network/50-lan.network\n",
        "etc/systemd/network/05-fnn-hands-off.network": f"[Match]\nMACAddress={MACS[0]}\n[Link]\nUnmanaged=yes\n",
    }
    (claim,) = find(tmp_path, files)
    assert (claim.blocks, claim.remedy) == (False, "run `networkctl reload` and `networkctl reconfigure enp2s0`")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"[Match]\nMACAddress={MACS[0]}\n[Link]\nName=lan0\n", []),
        ("[Match]\nOriginalName=*\n[Link]\nMACAddressPolicy=persistent\n", []),
        (f"[Match]\nDriver=igc\n[Link]\nMACAddress={MACS[0]}\n", []),
        ("[Match]\nDriver=igc\n[Link]\nMACAddressPolicy=random\n", ["/etc/systemd/network/10-a.link:4"]),
        ("[Match]\nOriginalName=enp2*\n[Link]\nMACAddress=02:00:00:00:00:09\n", ["/etc/systemd/network/10-a.link:4"]),
    ],
)
def test_a_link_file_that_changes_the_mac_is_a_claim(tmp_path: Path, text: str, found: list[str]) -> None:
    assert [each.where for each in find(tmp_path, {"etc/systemd/network/10-a.link": text})] == found

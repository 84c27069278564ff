# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims in the kernel: the device that has a NIC as its port, devices on a NIC, addresses of other programs.

The kernel shows what is in force, whichever program made it, so these claims need no file. Where a claim of a file is
about the same device, that of the file stays alone, because it has the line to change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...shared.aliases import ACCESS_ALIAS, NIC_ALIAS, UPPER_ALIAS
from ...shared.nic_facts import run_ip
from ...shared.nic_masters import SYSFS, read_kind
from .claim import NIC, Claim
from .host import Host, Nic

#: Kinds of devices that send frames of their own over the device below them.
_ON_A_NIC = ("vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec")
#: The origin of an address, as `ip -j address` names it (kernel 5.18 or newer) -> words.
_ORIGINS = {"kernel_ra": ", by a router advertisement", "kernel_ll": ", by the kernel"}


def find_claims(host: Host) -> Iterator[Claim]:
    """The claims of devices above the NICs."""
    by_name = {each["ifname"]: each for each in host.devices}
    for nic in host.nics:
        master = by_name.get(by_name.get(nic.device, {}).get("master", ""), {})
        if master and master.get("ifalias") != UPPER_ALIAS:
            yield claim_master(host, nic, master)
        for each in host.devices:
            kind = each.get("linkinfo", {}).get("info_kind", "")
            if each.get("link") == nic.device and kind in _ON_A_NIC and each.get("ifalias") != ACCESS_ALIAS:
                remedy = f"remove it from the configuration that makes it, then run `ip link del {each['ifname']}`"
                what = f"{each['ifname']}, a {kind}, is on {nic.device}, {NIC}"
                yield Claim("kernel", nic.device, "", what, remedy, each["ifname"])


def claim_master(host: Host, nic: Nic, master: dict[str, Any]) -> Claim:
    """The claim of a bridge, a bond or a VRF that has a NIC."""
    name, kind = master["ifname"], read_kind(SYSFS / master["ifname"])
    if name == "ovs-system":
        bridge = host.ask("ovs-vsctl", "port-to-br", nic.device).strip() or "a bridge of Open vSwitch"
        what = f"{nic.device}, {NIC}, is a port of {bridge}"
        return Claim("Open vSwitch", nic.device, "", what, f"run `ovs-vsctl del-port {nic.device}`", bridge)
    connection = ""
    if host.runs("NetworkManager"):
        found = host.ask("nmcli", "-t", "-g", "GENERAL.CONNECTION", "device", "show", nic.device).strip()
        connection = f"run `nmcli connection delete '{found}'`, then " if found else ""
    first = connection or f"take it out of the configuration of {name}, then run "
    what = f"{nic.device}, {NIC}, is a port of the {kind} {name}"
    return Claim("kernel", nic.device, "", what, f"{first}`ip link set {nic.device} nomaster`", name)


def find_addresses(host: Host) -> Iterator[Claim]:
    """Warnings of addresses that neither the plan nor the NIC itself has."""
    aliases = {each["ifname"]: each.get("ifalias", "") for each in host.devices}
    planned = {
        word for path in host.root.glob("etc/fnn/*") if path.is_file() for word in " ".join(host.read(path)).split()
    }
    found = {each["ifname"]: each.get("addr_info", []) for each in json.loads(run_ip("-j", "address", "show")) if each}
    for nic in (each for each in host.nics if not host.keeps_address(each)):
        for info in found.get(nic.device, []):
            address = f"{info['local']}/{info['prefixlen']}"
            if info.get("scope") in ("link", "host") or address in planned:
                continue
            ours = aliases.get(nic.device, "").startswith(NIC_ALIAS)
            origin = _ORIGINS.get(str(info.get("protocol")), ", by DHCP" if info.get("dynamic") else "")
            remedy = "find the program that set it, or it sets it again" if ours else "fnn-net will remove it"
            what = f"{nic.device}, {NIC}, has the address {address} of another program{origin}"
            yield Claim("kernel", nic.device, "", what, remedy, blocks=False)

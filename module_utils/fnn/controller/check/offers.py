# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what a node offers (fnn_node) with what the cluster needs, each fault with its remedy.

NICs are compared by the rules with which `discover` binds them, so that the check refuses no node that would work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from netaddr import IPNetwork

from ...shared.errors import Problem, count
from ..discover.bind import NICS, Binding, Place
from ..discover.renamed import write_names
from ..discover.satellites import choose_nic
from ..plan.addresses import IDENTITY_DEVICE
from ..plan.outside import NIC
from ..plan.settings import PlanSettings
from ..spec.ports import media_family
from ..twins import pair_devices
from ..verify.condition import find_cause
from .connection import OLDEST_PYTHON, refuse_python
from .model import PROBLEM, WARNING, Finding
from .needs import Needs

Facts = Mapping[str, Any]

#: Free space in MB: for our files, and for both MPIs with a compiler where they are not installed yet.
OWN_MB, MPI_MB = 20, 600
OWN_INODES = 500
#: Seconds by which clocks may differ. The time of the connection counts as a difference.
CLOCK, CLOCK_OFF = 30, 300
_ROOT_DIRECTORIES = ("/etc", "/usr/local", "/var/lib")
#: Feature of the kernel -> its words.
_FEATURES = {
    "identity": "devices of kind dummy or veth",
    "multipath": "routes with several next hops (CONFIG_IP_ROUTE_MULTIPATH)",
    "mptcp": "Multipath TCP (CONFIG_MPTCP)",
    "bridge": "bridges (the module bridge)",
    "bond": "bonds (the module bonding)",
}


def compare_system(facts: Facts) -> Iterator[Finding]:
    """Programs that the node must have."""
    if not facts["system"]["systemd"]:
        yield Finding("system", "systemd does not run", "the services of the fabric are units of systemd; boot with it")
    if not facts["system"]["iproute2"]:
        yield Finding("system", "the program ip is missing", "run `apt-get install iproute2` on the node")
    version = tuple(int(part) for part in facts["system"]["python"].split(".")[:2])
    if version < OLDEST_PYTHON:
        yield refuse_python(version)


def compare_kernel(facts: Facts) -> Iterator[Finding]:
    kernel = facts["system"]["kernel"]
    for feature in facts["lacking"]:
        remedy = "boot a kernel of the distribution with its modules; the kernel may run from a removed package"
        yield Finding("kernel", f"kernel {kernel} has no {_FEATURES[feature]}", remedy)


def compare_plan(facts: Facts, cluster: str) -> Iterator[Finding]:
    """The plan that the node already has."""
    if facts["cluster"] not in ("", cluster):
        text = f"the node is configured for the cluster {facts['cluster']}"
        yield Finding(
            "plan", text, "run playbooks/remove.yml with the inventory of that cluster, or correct fnn_cluster"
        )


def compare_nics(rank: int, spec: Mapping[str, Any], facts: Facts, binding: Binding) -> Iterator[Finding]:
    """binding: of the NICs of all nodes."""
    node, pointer = spec["nodes"][rank], f"/nodes/{rank}/nics"
    wrong = [each for each in binding.problems if is_below(each, pointer)]
    for each in wrong:
        yield Finding("nics", each.message, f"correct {NICS}, or the NICs of the node (`ip -br link` shows them)")
    places = binding.places.get(node["name"], ())
    for place in places:
        if place.before and place.link is None:
            text = f"NIC {place.index}, {place.before['name']} with the MAC {place.before['mac']}, is gone"
            remedy = (
                f"put it back, or put another in its place and run `./fnn replace-nic {node['name']} {place.index}`"
            )
            yield Finding("nics", text, remedy)
    yield from compare_twins(node, facts, places)
    line = write_names(node, places, NICS)
    if line:
        text = (
            f"{NICS} has names that are not those of its NICs: macs.json binds {', '.join(name_links(places))} by MAC"
        )
        yield Finding("nics", text, f"write `{line}`, then run `./fnn design --grow`, which moves no cable", WARNING)
    yield from compare_identities(facts, places)
    links = [place.link for place in places if place.link]
    for nic, link in zip(node["nics"], links, strict=False):
        least = find_least_mbps(nic, spec)
        if link["speed_mbps"] and link["speed_mbps"] < least:
            text = f"{link['device']} runs at {link['speed_mbps']} Mbit/s, but {least} are planned"
            remedy = f"check cable and switch port, or correct {NICS}; usually it is "
            remedy += find_cause(link["speed_mbps"], least)
            yield Finding("nics", text, remedy, WARNING)
        if link["device"] in facts["without_carrier"]:
            text = f"{link['device']} has no carrier"
            yield Finding("nics", text, "plug in its cable, and switch on its switch, before you verify", WARNING)
    free = [link for link in facts["links"] if not link.get("reserved")]
    fewer = len(node["nics"]) < len(free) and not wrong and any(nic["name"] is None for nic in node["nics"])
    if fewer and places:
        used = ", ".join(link["device"] for link in links)
        text = f"{count(len(free), 'NIC')} found, but {len(node['nics'])} planned; {used} would be used"
        yield Finding("nics", text, f"if others are meant, name them in {NICS} or with fnn_nic_match", WARNING)


def find_least_mbps(nic: Mapping[str, Any], spec: Mapping[str, Any]) -> int:
    """The speed of a NIC at the slowest port, or without switches the slowest NIC, that its cable may lead to."""
    ports = [group for switch in spec["switches"] for group in switch["ports"]]
    ends = ports or [other for node in spec["nodes"] for other in node["nics"]]
    family = media_family(nic["media"])
    fitting = (each["speed_mbps"] for each in ends if media_family(each["media"]) == family)
    return int(min(nic["speed_mbps"], min(fitting, default=nic["speed_mbps"])))


def compare_twins(node: Mapping[str, Any], facts: Facts, places: Sequence[Place]) -> Iterator[Finding]:
    """Two devices of one plug that the inventory has as two NICs or only one, and twins that are no such devices."""
    used, pairs = name_links(places), pair_devices(facts["links"])
    wanted = {place.index: nic["twin"] for place, nic in zip(places, node["nics"]) if "twin" in nic}
    for first, second in pairs.items():
        bound = [place.index for place in places if place.link and place.link["device"] in (first, second)]
        if bound and not wanted.keys() & set(bound):
            remedy = f"write `{{name: {first}, twin: {second}}}` in {NICS}: one NIC with one cable"
            level = PROBLEM if {first, second} <= set(used) else WARNING
            yield Finding("nics", f"{first} and {second} are two devices of one plug", remedy, level)
    for place in places:
        link, other = place.link, place.second
        if place.index in wanted and link and other is None:
            text = f"{wanted[place.index]}, the second half of the plug of {link['device']}, is gone"
            yield Finding("nics", text, f"boot the node, or remove `twin` from this NIC in {NICS}")
        elif link and other and link.get("port") != other.get("port"):
            ports = f"{link['device']} and {other['device']} have different ports"
            text = f"{ports}, so they are not two halves of one plug"
            yield Finding("nics", text, f"correct `twin` in {NICS}, or give each device an entry of its own")


def compare_identities(facts: Facts, places: Sequence[Place]) -> Iterator[Finding]:
    """NICs without a MAC of their own, and those that only the inventory may choose, in one line each."""
    random = ", ".join(place.link["device"] for place in places if place.link and place.link.get("random"))
    if random:
        text = f"the MAC of {random} is random, another one at each boot, so macs.json cannot recognize the NIC"
        remedy = "give it a permanent one (MACAddress= in a file of systemd.link), or use another NIC"
        yield Finding("nics", text, remedy, WARNING)
    used = name_links(places)
    left = [f"{link['device']} {link['reserved']}" for link in facts["links"] if link.get("reserved")]
    left = [each for each in left if each.split()[0] not in used]
    unknown = not facts["arrived_on"] and not facts.get("entered")
    if unknown:
        left += [f"{each['device']} {each['reason']}" for each in facts.get("protected", ())]
        text = "; ".join(["the interface that carries the connection of Ansible is unknown", *left])
        remedy = f"name the NICs of the fabric in {NICS}, and connect over SSH where you can"
        yield Finding("nics", text, remedy, WARNING)
    elif left:
        yield Finding("nics", f"left out: {'; '.join(left)}", f"name a NIC in {NICS} if it is of the fabric", WARNING)


def compare_maintenance(facts: Facts, nic: str) -> Iterator[Finding]:
    """The maintenance NIC, which gets another address if Ansible arrives elsewhere. nic: its name, "" without one."""
    for each in facts.get("protected", ()):
        if nic in each["names"] and "has a default route" in each["reason"] and not facts["generation"]:
            text = f"{each['device']}, the maintenance NIC, {each['reason']}, which it would lose with its address"
            yield Finding("nics", text, "delete that route, or let Ansible connect over this NIC (ansible_host)")


def name_links(places: Sequence[Place]) -> list[str]:
    return [place.link["device"] for place in places if place.link]


def compare_satellite(name: str, facts: Facts) -> Iterator[Finding]:
    """The one NIC on the uplink switch."""
    if choose_nic(None, facts["links"]) is None:
        found = ", ".join(link["device"] for link in facts["links"]) or "none"
        text = f"the NIC on the uplink switch is unclear; found: {found}"
        yield Finding("nics", text, f"name it with fnn_nic_match of {name}")


def is_below(problem: Problem, pointer: str) -> bool:
    """Whether a problem is about a part of a document."""
    return problem.at == pointer or problem.at.startswith(f"{pointer}/")


def compare_configuration(facts: Facts, used: Sequence[str]) -> Iterator[Finding]:
    """Claims of other programs on a device of the cluster. used: the NICs that it gets."""
    for each in facts["owners"]:
        if each["nic"] in (*used, IDENTITY_DEVICE):
            yield Finding("configuration", each["text"], each["remedy"], PROBLEM if each["blocks"] else WARNING)


def compare_addresses(facts: Facts, needs: Needs, settings: PlanSettings, maintenance: str) -> Iterator[Finding]:
    """Networks of the node that a prefix of the fabric covers, and would cut off.

    maintenance: the device of the maintenance network, which has an address of its prefix.
    """
    arrival = facts["arrived_on"]
    known = arrival["device"] if settings.fnn_access == NIC and arrival else ""
    here = [
        (each["device"], IPNetwork(each["address"]).ip, f"the address {each['address']}") for each in facts["networks"]
    ]
    here += [(each["device"], IPNetwork(each["to"]), f"a route to {each['to']}") for each in facts["routes"]]
    for variable, prefix in needs.prefixes.items():
        network = IPNetwork(prefix)
        own = {maintenance} if variable == "fnn_maintenance_prefix" else set()
        own |= {known} if variable == "fnn_outside_prefix" else set()
        for device, place, what in here:
            overlaps = place in network or (isinstance(place, IPNetwork) and network in place)
            if overlaps and device not in own:
                text = f"{device} has {what}, which {variable} {prefix} covers"
                yield Finding("addresses", text, f"set {variable} to a network that the nodes do not use")


def compare_filters(facts: Facts, needs: Needs) -> Iterator[Finding]:
    """Chains of the packet filter that drop the packets of the fabric."""
    networks = ", ".join(needs.prefixes.values())
    for each in facts["filters"]:
        if not each["table"]:
            text = "the rules of the packet filter could not be read"
            yield Finding("packet-filter", text, f"see that they accept packets from {networks}", WARNING)
            continue
        certain = each["certain"]
        words = "" if certain else "may "
        where = f"chain {each['chain']} of the table {each['table']}"
        text = f"{where} {words}drop{'s' if certain else ''} packets from {each['device']}"
        docker = " (Docker sets this policy)" if each["hook"] == "forward" and each["chain"] == "FORWARD" else ""
        remedy = f"accept packets from {networks} there{docker}"
        yield Finding("packet-filter", text, remedy, *(() if certain else (WARNING,)))


def compare_storage(facts: Facts) -> Iterator[Finding]:
    """Space for files, and file systems that refuse them."""
    for directory in _ROOT_DIRECTORIES:
        own = facts["storage"].get(directory)
        if own is None:
            continue
        if own["read_only"]:
            yield Finding("disk", f"{directory} is read-only", f"mount it for writing: `findmnt -T {directory}`")
        elif own["free_mb"] < OWN_MB:
            text = f"{directory} has {own['free_mb']} MB free, and {OWN_MB} are needed"
            yield Finding("disk", text, f"free some space: `df -h {directory}`")
        elif own["free_inodes"] is not None and own["free_inodes"] < OWN_INODES:
            yield Finding("disk", f"{directory} has no free inodes", f"delete some files: `df -i {directory}`")
    programs = facts["storage"].get("/usr/local")
    if programs and programs["noexec"]:
        text = "/usr/local is mounted noexec, so that no program there can run"
        yield Finding("disk", text, "mount it without noexec: `findmnt -T /usr/local`")


def compare_packages(facts: Facts, behind: bool) -> Iterator[Finding]:
    """Packages of both MPIs. behind: whether the node will get its package lists over the gateway of the cluster."""
    packages = facts["packages"]
    if packages is None or not packages["missing"]:
        return
    if packages["unknown"]:
        text = f"no package list has {', '.join(packages['unknown'])}"
        remedy = "run `apt-get update` on the node, or set fnn_mpi_packages to the packages that you install yourself"
        yield Finding("packages", text, remedy, *((WARNING,) if behind else ()))
    free = facts["storage"].get("/usr", {}).get("free_mb", MPI_MB)
    if free < MPI_MB:
        text = f"/usr has {free} MB free, and the packages of both MPIs need {MPI_MB}"
        yield Finding("disk", text, "free some space: `df -h /usr`")


def compare_clock(facts: Facts) -> Iterator[Finding]:
    ahead = facts["clock_ahead"]
    if abs(ahead) <= CLOCK:
        return
    way = "ahead of" if ahead > 0 else "behind"
    text = f"the clock is {describe_duration(abs(ahead))} {way} that of the controller"
    remedy = "set it: `timedatectl set-ntp true`, or `date -s @...`"
    yield Finding("clock", text, remedy, *(() if abs(ahead) > CLOCK_OFF else (WARNING,)))


def describe_duration(seconds: float) -> str:
    """The largest unit of a duration: "2 days", "3 hours", "40 seconds"."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return count(round(seconds / length), unit)
    return count(round(seconds), "second")

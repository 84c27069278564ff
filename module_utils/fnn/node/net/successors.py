# SPDX-License-Identifier: GPL-3.0-or-later
"""NICs of a former plan that are no longer in the node: replaced or removed.

A tiny example. k00's NIC A on red died, and B came in its place. The former plan has red with A, the new one red with
B. The first pass of a cutover follows the former plan, but A never returns: a cutover that waits for it never
completes. So B replaces A in the former plan, with the address that A had. A NIC that is gone and has no successor on
its switch leaves the former plan.

Standard library only and Python 3.9.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .kernel import run_ip, to_device
from .plan import Link, Plan


def replace_gone(former: Plan, new: Plan, present: Collection[str]) -> Plan:
    """The former plan with missing NICs replaced or left out. present: MACs of the node's NICs."""
    planned = {link.switch: link.mac for link in new.links}
    used = {link.mac for link in former.links}
    links: list[Link] = []
    for link in former.links:
        successor = planned.get(link.switch, "")
        if link.mac in present or (former.upper and link.mac == former.upper.mac):
            links.append(link)
        elif successor and (successor == link.mac or successor not in used):
            links.append(replace(link, mac=successor))
    upper = former.upper and replace(former.upper, nics=tuple(each for each in former.upper.nics if each in present))
    return replace(former, links=tuple(links), upper=upper)


def list_macs() -> set[str]:
    """MACs of all devices of this node, the permanent ones where the kernel states them. Raises Failed."""
    devices = (to_device(each) for each in run_ip("-j", "-d", "link", "show"))
    return {device.permanent or device.mac for device in devices}

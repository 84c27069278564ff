# SPDX-License-Identifier: GPL-3.0-or-later
"""All ordered changes between the four modes of addressing and routing, with any one NIC dead, in every pass.

In the middle of a cutover, `avoid` must return a plan that the kernel accepts and whose routes lead to live NICs.
"""

from __future__ import annotations

import ipaddress
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.plan.render import Renderer
from ansible.module_utils.fnn.node.net.avoid import avoid
from ansible.module_utils.fnn.node.net.cutover import PASSES, SWITCH, Cutover, blend
from ansible.module_utils.fnn.node.net.membership import Membership, read_membership
from ansible.module_utils.fnn.node.net.plan import Plan, Route
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from fabric_modes import MODES
from node_root import write_node_root
from plan_settings import plan_with
from six_pcs import SIX

ROOT = Path(__file__).resolve().parents[4]
LINKD = {"fnn_linkd": True, "fnn_uplink_backup": True}
CHANGES = list(itertools.permutations(MODES, 2))
Plans = dict[str, dict[str, Plan]]
NICS = [(node, switch) for node, wires in SIX.items() for switch in wires]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of all nodes in every mode."""
    directory = tmp_path_factory.mktemp("modes")
    design, macs = (json.loads((ROOT / "tests/golden/six" / f"{name}.json").read_text()) for name in ("design", "macs"))
    for mode, planned in MODES.items():
        files = list(Renderer(ROOT).render(plan_with(design, macs, **LINKD, **planned)))
        for node in SIX:
            write_node_root(files, node, directory / mode / node)
    return directory


@pytest.fixture(scope="module")
def plans(directory: Path) -> Plans:
    def read(mode: str, node: str) -> Plan:
        return read_plan(directory / mode / node / "etc/fnn", directory / "none")

    return {mode: {node: read(mode, node) for node in SIX} for mode in MODES}


@pytest.fixture(params=[True, False], ids=["uplink as backup", "no backup"])
def membership(request: pytest.FixtureRequest, directory: Path) -> Membership:
    membership = read_membership(directory / "subnets advanced/k00/etc/fnn")
    assert membership is not None and membership.backup and membership.uplinked
    return replace(membership, backup=request.param)


def find_bad_legs(plan: Plan, route: Route) -> Iterator[str]:
    """Legs that `ip route` would refuse, or that have no neighbor entry."""
    links = {link.switch: link for link in plan.links}
    neighbors = {(each.switch, each.address) for each in plan.neighbors}
    if len({bool(leg.via) for leg in route.legs}) != 1 or len(set(route.legs)) != len(route.legs):
        yield f"{route}: legs of two kinds, or none, or one twice"
    for switch, via, _ in route.legs:
        own = links[switch].address
        if via and (not own or ipaddress.IPv4Address(via) not in ipaddress.IPv4Interface(own).network):
            yield f"{route}: {via} is not in the subnet of {switch} ({own or 'no address'})"
        if (switch, via or route.address) not in neighbors:
            yield f"{route}: no neighbor entry on {switch}"


def list_macs(plan: Plan, route: Route) -> set[str]:
    """The NICs at both ends of the legs of a route."""
    neighbors = {(each.switch, each.address): each.mac for each in plan.neighbors}
    own = {link.switch: link.mac for link in plan.links}
    return {
        mac for switch, via, _ in route.legs for mac in (own[switch], neighbors.get((switch, via or route.address), ""))
    }


@pytest.mark.parametrize(("former", "new"), CHANGES, ids=[f"{one} to {other}" for one, other in CHANGES])
def test_with_any_nic_dead_every_pass_leads_past_it(
    plans: Plans, membership: Membership, former: str, new: str
) -> None:
    for (lost, switch), at in itertools.product(NICS, PASSES):
        dead = membership.members[lost].nics[switch]
        for node in SIX:
            standing = avoid(blend(plans[former][node], plans[new][node], Cutover(at)), {dead}, membership)
            assert len(standing.routes) == len(SIX) - 1
            for route in standing.routes:
                where = f"{node}, {lost}-{switch} dead, {at}"
                assert list(find_bad_legs(standing, route)) == [], where
                alone = set(SIX[node]) & set(SIX[route.node]) == {switch} and lost in (node, route.node)
                if membership.backup or not alone:
                    assert dead not in list_macs(standing, route), (where, route)


def test_a_peer_known_by_two_addresses_gets_one_leg_per_switch(plans: Plans, membership: Membership) -> None:
    """As in the middle of a change from unnumbered to numbered basic routing."""
    blended = blend(plans["unnumbered basic"]["k00"], plans["subnets basic"]["k00"], Cutover(SWITCH))
    for switch, other in (("red", "blue"), ("blue", "red")):
        standing = avoid(blended, {membership.members["k01"].nics[switch]}, membership)
        (route,) = [each for each in standing.routes if each.node == "k01"]
        assert [leg.switch for leg in route.legs] == [other]

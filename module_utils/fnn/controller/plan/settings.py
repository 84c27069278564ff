# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a plan: inventory variables under their own names, facts of the nodes, and inputs of the plan itself.

`schemas/variables.yml` marks the variables with `plan: true` and has their ranges and defaults. Roles pass them as one
dict of variables, with the values that Ansible has: "2" is valid for 2, and "yes" for true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem
from ..schema import format_value
from ..spec.variable_source import Variable, is_template, read_source
from ..spec.variables import convert_value, find_expected
from .generation import FIRST

ADVANCED, BASIC, TREE, SUBNETS = "advanced", "basic", "tree", "subnets"
_IPV4 = re.compile(r"[0-9]+([.][0-9]+){3}")


@dataclass(frozen=True)
class NodeFacts:
    """What fnn_links found, by node, and the address of each node in Ansible. Nodes without a fact are left out.

    arrived_on: the interface of the Ansible connection, or None. default_route: the device of one that is not ours, ""
    for none. links: NICs with their MTU. networks: addresses
    besides the fabric, [{"device", "address": "192.168.1.20/24"}]. identity_kind: "dummy" or "veth". manager:
    "networkd", "networkmanager" or "none". resolver: "resolved" or "file".
    """

    ansible_host: Mapping[str, str] = field(default_factory=dict)
    arrived_on: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    default_route: Mapping[str, str] = field(default_factory=dict)
    generations: Mapping[str, str] = field(default_factory=dict)
    identity_kind: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    manager: Mapping[str, str] = field(default_factory=dict)
    networks: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    resolver: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PlanSettings:
    """The variables of docs/reference/variables.md that the plan uses; those per host are mappings from node to value.

    defaults: the default of each variable that has a fixed one, for suggestions. maintenance: the addresses that NICs
    in the maintenance network keep; None without such a network.
    """

    fnn_prefix: str
    fnn_identity_prefix: str
    fnn_management_prefix: str
    fnn_management_address: Mapping[str, str]
    fnn_maintenance_prefix: str
    fnn_access: str
    fnn_outside_prefix: str
    fnn_outside_address: Mapping[str, str]
    fnn_outside_nic: Mapping[str, int]
    fnn_outside_gateway: str
    fnn_outside_dns: Sequence[str]
    fnn_outside_mtu: int
    fnn_gateway: str
    fnn_gateway_interface: str
    fnn_gateway_dns: Sequence[str]
    fnn_addressing: str
    fnn_routing: str
    fnn_weights: bool
    fnn_mptcp: bool
    fnn_broadcast: bool
    fnn_egress_filter: bool
    fnn_uplink_backup: bool
    fnn_relay: bool
    fnn_linkd: bool
    fnn_linkd_interval_ms: int
    fnn_linkd_misses: int
    fnn_linkd_successors: int
    fnn_linkd_hold: float
    fnn_linkd_hold_most: float
    fnn_linkd_metrics: str
    fnn_slots: Mapping[str, int]
    fnn_mpi_rails: bool
    fnn_mpi_yield: bool
    facts: NodeFacts
    defaults: Mapping[str, Any]
    maintenance: Sequence[str] | None = None

    @property
    def management(self) -> dict[str, str]:
        """Management addresses that do not follow from the prefix: of the inventory, else by which Ansible connects."""
        hosts = {node: host for node, host in self.facts.ansible_host.items() if _IPV4.fullmatch(str(host))}
        return {**hosts, **self.fnn_management_address}

    @property
    def weighted(self) -> bool:
        """Whether flows divide by weights over the switches that a pair shares."""
        return self.fnn_routing == ADVANCED and self.fnn_weights

    @property
    def numbered(self) -> bool:
        """Whether NICs have addresses."""
        return self.fnn_addressing == SUBNETS

    def describe(self) -> dict[str, Any]:
        """All settings that change the plan. Facts of the nodes are left out, except their addresses and which of them
        are behind a gateway."""
        variables = {
            name: value for name, value in vars(self).items() if name not in ("facts", "defaults", "maintenance")
        }
        behind = {"behind": sorted(self.behind)} if self.fnn_gateway else {}
        return {**variables, **behind, "fnn_management_address": self.management}

    @property
    def behind(self) -> set[str]:
        """Nodes without a default route of their own, which use the gateway if there is one."""
        return {node for node, device in self.facts.default_route.items() if not device} - {self.fnn_gateway}


@dataclass(frozen=True)
class PlanInputs:
    """Inputs of a plan besides its settings, design and MACs.

    routes: the routes document, for basic routing. weights: of select_weights, for advanced routing; None for equal
    parts. resting: [{"node", "nic"}], NICs that stay unused because their cables are about to move. over_uplink:
    whether pairs without a common switch use the uplink switch. forwards: whether they use nodes that forward, as where
    nodes are joined by cables. joined: the switches that cables join, until a rewiring has pulled these; pairs use them
    as they use the uplink switch. kept_mtus: MAC -> MTU of NICs that do not get the wanted one (mtu.py). stand_ins:
    [{"node", "spare"}] (satellites.py). maintenance: node -> its NIC in the maintenance network, {"device", "mac",
    "kept"} (maintenance.py). generation: of this plan (generation.py).
    """

    routes: Mapping[str, Any] | None = None
    weights: Mapping[str, Any] | None = None
    resting: Sequence[Mapping[str, Any]] = ()
    over_uplink: bool = False
    forwards: bool = False
    joined: Sequence[str] = ()
    kept_mtus: Mapping[str, int] = field(default_factory=dict)
    stand_ins: Sequence[Mapping[str, str]] = ()
    maintenance: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    generation: str = FIRST

    def describe(self) -> dict[str, Any]:
        """All inputs that change the plan."""
        return {name: value for name, value in vars(self).items() if name != "generation"}


def read_settings(root: Path, variables: Mapping[str, Any], facts: Mapping[str, Any] | None = None) -> PlanSettings:
    """The settings that these variables and facts give. root: of the toolkit. Raises FnnError with all problems.

    Reads schemas/variables.yml, which takes 5 ms: call it once per run of a module.
    """
    return parse_settings(variables, facts or {}, read_source(root).variables)


def parse_settings(
    variables: Mapping[str, Any], facts: Mapping[str, Any], source: Mapping[str, Variable]
) -> PlanSettings:
    """source: all variables that exist, by name. Variables and facts that are missing or None count as not given."""
    planned = {name: variable for name, variable in source.items() if variable.plan}
    problems = [Problem(name, "not a variable of the plan") for name in sorted(variables.keys() - planned.keys())]
    values = {name: _parse(variables.get(name), variable, problems) for name, variable in planned.items()}
    problems += _find_bad_facts(facts)
    if problems:
        raise FnnError(problems)
    found = NodeFacts(**{name: value for name, value in facts.items() if value is not None})
    defaults = {name: variable.default for name, variable in planned.items() if _has_default(variable)}
    return PlanSettings(**values, facts=found, defaults=defaults)


def _parse(given: Any, variable: Variable, problems: list[Problem]) -> Any:
    """The value in its type; None, with a problem added, where it is wrong."""
    name = variable.name
    if variable.per_host:
        if not isinstance(given or {}, Mapping):
            problems.append(Problem(name, f"{format_value(given)} is not a value for each node"))
            return None
        by_node = {node: value for node, value in (given or {}).items() if value is not None}
        return {node: _convert(f"{name} of {node}", value, variable, problems) for node, value in by_node.items()}
    if given is None and not _has_default(variable):
        problems.append(Problem(name, "missing"))
        return None
    return _convert(name, variable.default if given is None else given, variable, problems)


def _convert(at: str, value: Any, variable: Variable, problems: list[Problem]) -> Any:
    expected = find_expected(value, variable)
    if expected:
        problems.append(Problem(at, f"{format_value(value)} is not {expected}"))
        return None
    return convert_value(value, variable)


def _has_default(variable: Variable) -> bool:
    """Whether the default is a value; a template depends on other variables, and only Ansible evaluates it."""
    return variable.default is not None and not is_template(variable.default)


def _find_bad_facts(facts: Mapping[str, Any]) -> Iterator[Problem]:
    known = {each.name for each in fields(NodeFacts)}
    for name, value in facts.items():
        if name not in known:
            yield Problem(f"facts/{name}", "not a fact of a node")
        elif not isinstance(value, (Mapping, type(None))):
            yield Problem(f"facts/{name}", f"{format_value(value)} is not a value for each node")

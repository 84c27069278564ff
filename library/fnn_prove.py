#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_prove
short_description: Evaluate the measurements of the configured network, and write proof.json
description:
  - Combines the observations of the nodes and, in a lab, of the switch ports. Fails when any ordered pair of nodes did
    not communicate over exactly one switch, an ARP frame was seen, or an MPI did not reach all nodes.
  - With C(fnn_routing) V(tree), each pair must communicate over the tree instead, and the proof counts the pairs whose
    frames cross uplinks by intent.
options:
  path:
    description: The proof to write.
    type: path
    required: true
  routes:
    description: C(routes.json), used with basic routing (C(fnn_routing)), where each pair uses one of its shared
      switches and no other.
    type: path
  wanted:
    description: Flavors of MPI that must have run; without one of them the proof is incomplete.
    type: list
    elements: str
    default: []
  reach:
    description: What M(fnn_reach) returned as C(reach), by node. If a node is missing, nothing is proved.
    type: dict
    required: true
  findings:
    description:
      - C(findings.json) of M(fnn_verify). A firewall is named as the cause of lost IP packets only where it lists the
        cables as right.
    type: path
  maintenance:
    description: The design of the maintenance network, if there is one. ARP on its switches is no problem.
    type: path
  capture:
    description: What M(fnn_lab_capture) returned as C(capture), where switch ports can be captured.
    type: dict
  mpi:
    description: What M(fnn_mpi_run) returned as C(mpi), one entry per MPI.
    type: list
    elements: dict
    default: []
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.macs, fnn.stand_ins, fnn.plan]
attributes:
  check_mode:
    description: Evaluates the measurements, and writes nothing. A proof never counts as a change.
"""

EXAMPLES = r"""
- name: Evaluate the measurements
  fnn_prove:
    design: inventory/lab/design.json
    macs: inventory/lab/macs.json
    path: build/six/proof.json
    root: "{{ fnn_root }}"
    variables: "{{ __fnn_plan_variables }}"
    facts: "{{ __fnn_plan_facts }}"
    reach: "{{ ansible_play_hosts | fnn_gather(hostvars, 'seen', 'reach') }}"
"""

RETURN = r"""
proof:
  description: The proof.
  returned: always
  type: dict
"""

from collections.abc import Mapping
from typing import Any

from ansible.module_utils.fnn.controller.documents import Documents, identify_design
from ansible.module_utils.fnn.controller.options import NAMES, PATH, PLAN, require_paths
from ansible.module_utils.fnn.controller.plan.outside import Outside as Addressed
from ansible.module_utils.fnn.controller.plan.outside import list_uplinked
from ansible.module_utils.fnn.controller.plan.pairs import find_pairs_apart
from ansible.module_utils.fnn.controller.plan.routing import Routing, read_routes
from ansible.module_utils.fnn.controller.plan.satellites import list_satellites, plan_seats, read_seated
from ansible.module_utils.fnn.controller.plan.settings import BASIC, TREE, PlanInputs, read_settings
from ansible.module_utils.fnn.controller.plan.tree import check_tree, choose_tree_links
from ansible.module_utils.fnn.controller.prove.bridged_paths import FramePaths
from ansible.module_utils.fnn.controller.prove.evidence import Evidence
from ansible.module_utils.fnn.controller.prove.outside import OutsideHosts
from ansible.module_utils.fnn.controller.prove.proof import describe_egress, leave_out_arp, make_proof
from ansible.module_utils.fnn.controller.prove.tree import UplinkTree
from ansible.module_utils.fnn.controller.prove.trunks import TrunkPaths
from ansible.module_utils.fnn.controller.segments import get_document, has_bridges, has_forwarders, list_trunks
from ansible.module_utils.fnn.controller.spanning_tree import BridgedPaths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.controller.twins import find_firsts
from ansible.module_utils.fnn.shared.mac import derive_mac
from ansible.module_utils.fnn.shared.peers import Peers
from ansible.module_utils.fnn_module import run_module


def prove(task: Task) -> Result:
    """Evaluate the measurements and write the proof. Raises FnnError."""
    design = task.read("design")
    proof = make_proof(design["cluster"], collect_evidence(design, task)) | {"design_digest": identify_design(design)}
    task.write(task.path("path"), proof)
    for row in proof.get("egress", []):
        if row["senders"]:
            task.warn(describe_egress(row))
    for row in proof.get("owners", []):
        for claim in row["claims"]:
            task.warn(f"{row['node']}: {claim}")
    if proof["verdict"] == "failed":
        return {"failed": True, "msg": "The network is not proved:\n" + "\n".join(proof["problems"]), "proof": proof}
    return {"proof": proof}


def collect_evidence(planned: dict[str, Any], task: Task) -> Evidence:
    """Collect all observations of a design. Raises FnnError."""
    options, documents = task.options, task.documents
    settings = read_settings(task.root, options["variables"], options["facts"])
    check_tree(settings, PlanInputs(), planned)
    design, macs = read_seated(documents, options["design"], options["macs"], options["stand_ins"])
    names = [node["name"] for node in design["nodes"]]
    present = [node["name"] for node in design["nodes"] if not node.get("absent")]
    addresses = plan_seats(design, settings)
    switch_of = {(node["name"], link["nic"]): link["switch"] for node in design["nodes"] for link in node["links"]}
    nics = {
        nic["mac"]: (node["name"], switch_of[node["name"], nic["nic"]])
        for node in macs["nodes"]
        for nic in node["nics"]
        if (node["name"], nic["nic"]) in switch_of
    }
    apart = set(find_pairs_apart(design))
    tree = find_tree(design, macs) if settings.fnn_routing == TREE else None
    return Evidence(
        nodes=[name for name in present if name in options["reach"]],
        missing=[name for name in present if name not in options["reach"]],
        identities={name: addresses.identity(rank) for rank, name in enumerate(names)},
        nics=nics,
        apart=set() if has_forwarders(design["spec"]) or tree else apart,
        forwarded=apart if has_forwarders(design["spec"]) else set(),
        planned=read_planned(planned, options["routes"] if settings.fnn_routing == BASIC else None, documents),
        reach={name: {**seen, "peers": Peers(seen["peers"])} for name, seen in options["reach"].items()},
        capture=options["capture"] and leave_out_arp(options["capture"], list_switches(task)),
        mpi=options["mpi"],
        wanted=options["wanted"],
        verified=read_verified(planned, design, options["findings"], documents),
        satellites=set(list_satellites(planned, macs)),
        uplinked=list_uplinked(planned),
        outside=find_outside(addresses.outside, macs),
        paths=tree or find_paths(planned),
    )


def find_tree(design: Mapping[str, Any], macs: Mapping[str, Any]) -> UplinkTree:
    """Return the tree over which nodes route. design, macs: as the plan sees them."""
    known = {(node["name"], nic["nic"]) for node in macs["nodes"] for nic in node["nics"]}
    links = {
        node["name"]: [link for link in node["links"] if (node["name"], link["nic"]) in known]
        for node in design["nodes"]
    }
    homes = {name: link["switch"] for name, link in choose_tree_links(links, list_uplinked(design)).items()}
    return UplinkTree(design["spec"]["uplink"]["name"], homes)


def find_paths(design: dict[str, Any]) -> TrunkPaths | FramePaths:
    """Return the paths of frames in a design."""
    if has_bridges(design["spec"]):
        return FramePaths(BridgedPaths(get_document(design)))
    # A node of a tree has one link.
    homes = {node["name"]: link["switch"] for node in design["nodes"] for link in node["links"]}
    return TrunkPaths(list_trunks(design["spec"]), homes)


def list_switches(task: Task) -> set[str]:
    """Return the switches of the maintenance network. Raises FnnError."""
    own = task.read_existing("maintenance", "fnn-design")
    return {switch["name"] for switch in own["switches"]} if own else set()


def find_outside(outside: Addressed | None, macs: dict[str, Any]) -> OutsideHosts | None:
    """Return the hosts whose ARP frames are allowed."""
    if outside is None:
        return None
    nics = [(node["name"], nic["mac"]) for node in macs["nodes"] for nic in node["nics"]]
    # The NIC that carries the address changes with the cables.
    access = {derive_mac(mac): outside.addresses[name] for name, mac in nics if name in outside.addresses}
    return OutsideHosts(str(outside.prefix), access, {mac for _, mac in nics})


def read_verified(
    planned: dict[str, Any], design: Mapping[str, Any], path: str | None, documents: Documents
) -> frozenset[tuple[str, str]]:
    """Return (node, switch) of each cable that verify found right; none if its document is missing, of another
    version or of another design. design: as the plan sees it. Where it has one switch for several, or for cables, all
    cables of the node must be right."""
    findings = documents.read_usable_of(planned, path, "fnn-findings") if path else None
    links = findings["links"] if findings else []
    firsts = find_firsts(design)
    switches = [each for each in design["switches"] if each["name"] not in firsts]
    if switches == planned["switches"]:
        right = {(link["node"], link["expected"]) for link in links if link["state"] == "ok"}
    else:
        wrong = {link["node"] for link in links if link["state"] != "ok"}
        right = {(link["node"], switches[0]["name"]) for link in links if link["node"] not in wrong}
    return frozenset(right) | {(node, second) for second, first in firsts.items() for node, at in right if at == first}


def read_planned(design: dict[str, Any], routes: str | None, documents: Documents) -> dict[tuple[str, str], str]:
    """Return the switch that basic routing assigns to each ordered pair. Raises FnnError."""
    if routes is None:
        return {}
    table = Routing(read_routes(documents, routes, design))
    names = list(enumerate(node["name"] for node in design["nodes"]))
    chosen = {(one, other): table.find(rank, peer) for rank, one in names for peer, other in names}
    return {pair: switch for pair, switch in chosen.items() if switch}


def describe_module() -> ControllerModule:
    paths = dict.fromkeys(("routes", "stand_ins", "findings", "maintenance"), PATH)
    measured = {
        "reach": {"type": "dict", "required": True},
        "capture": {"type": "dict"},
        "mpi": {"type": "list", "elements": "dict", "default": []},
        "wanted": NAMES,
    }
    return ControllerModule(prove, {**require_paths("design", "macs", "path"), **paths, **PLAN, **measured})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: the FNN toolkit authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Renders the files of all nodes on the controller."""

from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_render
short_description: Plan the network and render the files of all nodes
description:
  - Computes every node's addresses, neighbors, routes, names and MPI hosts from the design and the MACs. Renders its
    files below C(build/nodes/), laid out as on the node. Files identical on all nodes are rendered once, below
    C(build/common/). Runs once, on the controller, for all nodes.
  - Writes only files that differ and removes those of nodes and files that are no longer part of the plan.
  - A node whose MACs are not known yet gets no files; the other nodes list it as unreached.
  - A node that this run did not reach (it is down, or C(--limit) left it out) keeps its facts of an earlier run.
options:
  design:
    description: C(design.json).
    type: path
    required: true
  macs:
    description: C(macs.json).
    type: path
    required: true
  build:
    description: Directory for the result, usually C(build/) and the name of the cluster. The module owns C(nodes/) and
      C(common/) in it.
    type: path
    required: true
  root:
    description: Root directory of the toolkit, where C(roles/) and C(schemas/) are.
    type: path
    required: true
  rewiring:
    description:
      - C(rewire.json), if it exists. All files omit the cables of its current batch. Until the rewiring is complete,
        pairs without a common switch reach each other over the uplink switch.
    type: path
  stand_ins:
    description: C(stand-ins.json), if it exists. Its spares stand in for dead nodes.
    type: path
  routes:
    description:
      - C(routes.json) for basic routing, where each pair of nodes uses one of its shared switches. Without it the flows
        of a pair are spread over all of them.
    type: path
  findings:
    description:
      - C(findings.json) of M(fnn_verify). Unless it reports that every link carries the wanted MTU, NICs with a smaller
        one keep it, and the task warns.
      - Without it, no MTU is raised above 1500.
    type: path
  settings:
    description: Settings of the plan from the inventory and from the nodes rather than from the design.
    type: dict
    suboptions:
      prefix:
        description: Addresses of the NICs, one equal subnet per switch.
        type: str
        default: 10.77.0.0/16
      identity_prefix:
        description: Addresses of the nodes themselves.
        type: str
        default: 10.78.0.0/16
      management_prefix:
        description: Addresses at which Ansible reaches the nodes.
        type: str
        default: 10.79.0.0/16
      addressing:
        description: C(subnets), or C(unnumbered) for NICs without addresses.
        type: str
        choices: [subnets, unnumbered]
        default: subnets
      broadcast:
        description: Whether broadcast and multicast reach all nodes over the uplink switch.
        type: bool
        default: false
      egress_filter:
        description: Whether fabric NICs send only the broadcast and multicast frames that the plan needs.
        type: bool
        default: true
      management:
        description: Management addresses that do not follow from the prefix, by node.
        type: dict
        default: {}
      mtu:
        description: Largest frame payload in bytes on every link, instead of the one in the design.
        type: int
      links:
        description: The NICs of each node with their MTU, as M(fnn_links) returns them, by node.
        type: dict
        default: {}
      mptcp:
        description: Whether one TCP connection may use all shared switches, by Multipath TCP.
        type: bool
        default: false
      rails:
        description: Whether an MPI may use all NICs of a node at once.
        type: bool
        default: false
      arrived_on:
        description:
          - The interface of the Ansible connection on each node, as M(fnn_links) returns it, by node. Prefixes that
            cover its address are refused.
        type: dict
        default: {}
      identity_kind:
        description: Kind of device that each node's kernel can create for its identity address, C(dummy) or C(veth), by
          node.
        type: dict
        default: {}
      manager:
        description: Each node's network manager, C(networkd), C(networkmanager) or C(none), by node.
        type: dict
        default: {}
      outside:
        description: Addresses of the nodes in the network of hosts that are not in the plan; none without C(prefix).
        type: dict
        suboptions:
          access:
            description: C(management), or C(nic) for nodes that Ansible reaches by that address.
            type: str
            choices: [management, nic]
            default: management
          prefix:
            description: Network of these addresses; empty for none.
            type: str
            default: ""
          addresses:
            description: Addresses by node, where they are not rank + 1.
            type: dict
            default: {}
          nics:
            description: Index of the NIC that carries the address, by node, where it is not the first with a path to
              the uplink.
            type: dict
            default: {}
          gateway:
            description: Gateway of the default route; empty for none.
            type: str
            default: ""
          dns:
            description: DNS servers.
            type: list
            elements: str
            default: []
          mtu:
            description: Largest payload in bytes of frames to this network.
            type: int
            default: 1500
      resolver:
        description: How each node resolves names, C(resolved) or C(file), by node.
        type: dict
        default: {}
      networks:
        description: Addresses that each node has besides the fabric, as M(fnn_links) returns them, by node. Prefixes
          that cover one are refused.
        type: dict
        default: {}
      generations:
        description: The generation that each node has, as M(fnn_links) returns it, by node.
        type: dict
        default: {}
      slots:
        description: Number of MPI processes to start on each node, by node; 1 for nodes not named.
        type: dict
        default: {}
      linkd:
        description: Settings of C(fnn-linkd); without them, nodes have no C(fnn-linkd).
        type: dict
        suboptions:
          interval_ms:
            description: Milliseconds between two frames of a NIC to the same peer.
            type: int
            default: 300
          misses:
            description: Number of silent intervals after which a NIC is suspected.
            type: int
            default: 3
          successors:
            description: Number of peers on either side that hear a NIC.
            type: int
            default: 2
          hold:
            description: Hold-down in seconds, before a recovered NIC is used again.
            type: float
            default: 3
          hold_most:
            description: Maximum hold-down in seconds of a flapping NIC.
            type: float
            default: 60
          backup:
            description: Whether pairs without a working common switch reach each other over the uplink switch.
            type: bool
            default: false
          metrics:
            description: Textfile for node_exporter; empty for none.
            type: str
            default: ""
      mpi_yield:
        description: Whether waiting MPI processes yield the processor, for labs whose nodes share cores.
        type: bool
        default: false
attributes:
  check_mode:
    description: Reports what would change and writes nothing.
    support: full
  diff_mode:
    description: Shows the first files that change, each cut after 40 lines.
    support: full
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Render the files of all nodes
  fnn_render:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
    settings:
      prefix: 10.77.0.0/16
      management: {k00: 192.168.1.20}
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
generation:
  description: Number of plans so far, and the beginning of the digest of this plan's inputs.
  returned: success
  type: str
  sample: 8-3f2a9c1b0d2e
nodes:
  description: Nodes that have files, in rank order.
  returned: success
  type: list
  elements: str
changed_nodes:
  description: Nodes with changed, added or removed files, in rank order; nodes that left the plan come last.
  returned: success
  type: list
  elements: str
changed_files:
  description: Number of files that were changed, added or removed.
  returned: success
  type: int
unreached:
  description: For each node that cannot reach all others, those it cannot reach; empty in a complete plan.
  returned: success
  type: dict
"""

from collections.abc import Collection, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.plan.addresses import DEFAULTS
from ansible.module_utils.fnn.controller.plan.generation import find_generation
from ansible.module_utils.fnn.controller.plan.mtu import is_proved, keep_mtus
from ansible.module_utils.fnn.controller.plan.render import (
    Rendered,
    Renderer,
    check_views,
    find_changes,
    make_change,
    remove_empty_directories,
    show_change,
)
from ansible.module_utils.fnn.controller.plan.routing import read_routes
from ansible.module_utils.fnn.controller.plan.satellites import list_named, read_stand_ins
from ansible.module_utils.fnn.controller.plan.views import Plan, choose_mtu, make_plan
from ansible.module_utils.fnn.controller.rewire.job import list_resting
from ansible.module_utils.fnn.shared.errors import FnnError, Problem, problem

Document = dict[str, Any]

LINKD_OPTIONS = {
    **{name: {"type": "int", "default": value} for name, value in (("interval_ms", 300), ("misses", 3))},
    "successors": {"type": "int", "default": 2},
    **{name: {"type": "float", "default": value} for name, value in (("hold", 3), ("hold_most", 60))},
    "backup": {"type": "bool", "default": False},
    "metrics": {"type": "str", "default": ""},
}
OUTSIDE_OPTIONS = {
    "access": {"type": "str", "choices": ["management", "nic"], "default": "management"},
    "prefix": {"type": "str", "default": ""},
    "addresses": {"type": "dict", "default": {}},
    "nics": {"type": "dict", "default": {}},
    "gateway": {"type": "str", "default": ""},
    "dns": {"type": "list", "elements": "str", "default": []},
    "mtu": {"type": "int", "default": 1500},
}
SHOWN_FILES = 10
SHOWN_LINES = 40


def read_plan(module: AnsibleModule, documents: Documents) -> tuple[Plan, Document]:
    """Return the plan for the documents and settings of the task, and its generation. Raises FnnError."""
    options = module.params
    design, macs = documents.read(options["design"], "fnn-design"), documents.read(options["macs"], "fnn-macs")
    if design["cluster"] != macs["cluster"]:
        name = Path(options["macs"]).name
        raise problem(f"{name}#/cluster", f"{macs['cluster']} is not the cluster of the design, {design['cluster']}")
    recalled = recall_nodes(design, read_views(module, documents, design), options["settings"])
    settings = {**recalled, **read_rewiring(module, design, documents)}
    stand_ins = read_stand_ins(documents, options["stand_ins"])
    settings |= {"stand_ins": stand_ins} if stand_ins else {}
    settings["kept_mtus"] = find_kept_mtus(module, documents, design, macs, settings)
    if options["routes"]:
        settings["routes"] = read_routes(documents, options["routes"], design)
    inputs = {"design": design, "macs": macs, "settings": settings}
    generation = count_plan(Path(options["build"]), inputs, documents)
    plan = make_plan(design, macs, {**settings, "generation": generation["generation"]})
    check_views(plan, documents)
    return plan, generation


def count_plan(build: Path, inputs: Mapping[str, Any], documents: Documents) -> Document:
    """Return the generation document for a plan from these inputs. Raises FnnError."""
    path = build / "generation.json"
    try:
        kept = documents.read(path, "fnn-generation") if path.exists() else None
    except FnnError as error:
        first = error.problems[0]
        text = f"{first.message}; delete {path}, and all nodes are prepared again"
        raise FnnError([Problem(first.at, text)]) from None
    reported: Collection[str] = inputs["settings"]["generations"].values()
    generation: Document = find_generation(kept, inputs["design"]["cluster"], inputs, reported)
    return generation


def find_kept_mtus(
    module: AnsibleModule,
    documents: Documents,
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> dict[str, int]:
    """Return MAC -> present MTU of NICs that do not get the wanted MTU yet, and warn about them."""
    wanted = choose_mtu(design, settings)
    if is_proved(read_findings(module.params["findings"], documents), design, macs, wanted):
        return {}
    current: dict[str, int] = {link["mac"]: link["mtu"] for links in settings["links"].values() for link in links}
    kept: dict[str, int] = keep_mtus(wanted, {**recall_mtus(read_views(module, documents, design)), **current}, macs)
    if kept:
        module.warn(f"{len(kept)} NICs keep an MTU below {wanted}: verify has not proved this MTU on every link yet")
    return kept


def read_findings(path: str | None, documents: Documents) -> dict[str, Any] | None:
    """Return the latest findings of verify; a missing document or one of another version proves nothing."""
    try:
        return documents.read(path, "fnn-findings") if path else None
    except FnnError:
        return None


def read_views(module: AnsibleModule, documents: Documents, design: Mapping[str, Any]) -> dict[str, Document]:
    """Return the last view of each node that has one. Warns about damaged views and those of another version, and omits
    them: they are written again from facts of the nodes."""
    views = {}
    for name in [*(node["name"] for node in design["nodes"]), *list_named(design)]:
        path = Path(module.params["build"]) / "nodes" / f"{name}.json"
        try:
            if path.exists():
                views[name] = documents.read(path, "fnn-view")
        except FnnError as error:
            module.warn(f"nodes/{error.problems[0]}; ignored and written again")
    return views


def recall_mtus(views: Mapping[str, Document]) -> dict[str, int]:
    """Return MAC -> MTU from the last views."""
    return {link["mac"]: link["mtu"] for view in views.values() for link in view["links"]}


def read_rewiring(module: AnsibleModule, design: Mapping[str, Any], documents: Documents) -> dict[str, Any]:
    """Return the plan's inputs during a rewiring: resting cables, and that pairs may need the uplink."""
    path = module.params["rewiring"]
    if path is None or not Path(path).exists():
        return {}
    job = documents.read(path, "fnn-rewire")
    return {"resting": list_resting(job), "over_uplink": job["resting"] or bool(design["uncovered"])}


def recall_nodes(
    design: Mapping[str, Any], views: Mapping[str, Document], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings, with the facts of nodes that this run did not reach taken from their last views."""
    recalled = {setting: dict(settings[setting]) for setting in ("identity_kind", "manager", "resolver")}
    for name in [*(node["name"] for node in design["nodes"]), *list_named(design)]:
        view = views.get(name)
        if view and not all(name in nodes for nodes in recalled.values()):
            recalled["identity_kind"].setdefault(name, view["identity"]["kind"])
            recalled["manager"].setdefault(name, view["manager"])
            recalled["resolver"].setdefault(name, view.get("resolver", "file"))
    return {**settings, **recalled}


def render(module: AnsibleModule) -> dict[str, Any]:
    """Render, compare and (outside check mode) write; return the module's result. Raises FnnError."""
    root, build = Path(module.params["root"]), Path(module.params["build"])
    plan, generation = read_plan(module, Documents(root / "schemas"))
    counted = Rendered(Path("generation.json"), dumps(generation).encode())
    changed: dict[str, None] = {}
    shown: list[dict[str, str]] = []
    count = 0
    for change in find_changes(chain(Renderer(root).render(plan), [counted]), build):
        count += 1
        changed.update(dict.fromkeys(change.nodes))
        if module._diff and len(shown) < SHOWN_FILES:
            shown.append({"prepared": show_change(change, build, SHOWN_LINES)})
        if not module.check_mode:
            make_change(change)
    if not module.check_mode:
        remove_empty_directories(build)
    if module._diff and count > len(shown):
        shown.append({"prepared": f"… and {count - len(shown)} more files\n"})
    return {
        "changed": count > 0,
        "changed_files": count,
        "generation": generation["generation"],
        "changed_nodes": [*(name for name in plan.views if name in changed), *(changed.keys() - plan.views.keys())],
        "nodes": list(plan.views),
        "unreached": {name: view["unreached"] for name, view in plan.views.items() if view["unreached"]},
        **({"diff": shown} if module._diff else {}),
    }


def main() -> None:
    """Run the module."""
    settings = {
        **{variable.removeprefix("fnn_"): {"type": "str", "default": prefix} for variable, prefix in DEFAULTS.items()},
        "addressing": {"type": "str", "choices": ["subnets", "unnumbered"], "default": "subnets"},
        "broadcast": {"type": "bool", "default": False},
        "egress_filter": {"type": "bool", "default": True},
        "management": {"type": "dict", "default": {}},
        "mtu": {"type": "int"},
        "links": {"type": "dict", "default": {}},
        "mptcp": {"type": "bool", "default": False},
        "rails": {"type": "bool", "default": False},
        "arrived_on": {"type": "dict", "default": {}},
        "identity_kind": {"type": "dict", "default": {}},
        "manager": {"type": "dict", "default": {}},
        "outside": {"type": "dict", "options": OUTSIDE_OPTIONS},
        "resolver": {"type": "dict", "default": {}},
        "generations": {"type": "dict", "default": {}},
        "networks": {"type": "dict", "default": {}},
        "slots": {"type": "dict", "default": {}},
        "mpi_yield": {"type": "bool", "default": False},
        "linkd": {"type": "dict", "options": LINKD_OPTIONS},
    }
    module = AnsibleModule(
        argument_spec={
            **{path: {"type": "path", "required": True} for path in ("design", "macs", "build", "root")},
            "rewiring": {"type": "path"},
            "stand_ins": {"type": "path"},
            "routes": {"type": "path"},
            "findings": {"type": "path"},
            "settings": {"type": "dict", "apply_defaults": True, "options": settings},
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(**render(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()

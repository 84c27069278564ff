#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_deliveries
short_description: Record which nodes have confirmed their files, and return those that need no delivery
description:
  - Returns the nodes that have applied and confirmed exactly the files that are rendered for them now.
    C(fnn_only_changed) leaves these out.
  - Of nodes that M(fnn_node) has inspected in this run, returns those whose state is that of these files.
  - M(fnn_apply) removes a node from the record before it sends anything, so a node whose delivery fails or is
    interrupted is not returned.
  - Removes the records of nodes that the plan no longer has.
  - Runs once, on the controller, for all nodes.
options:
  files:
    description: The directory of the rendered files, O(build) or the directory of check mode; O(build) by default.
    type: path
  linkd_keys:
    description: The keys of fnn-linkd that nodes get with the files (M(fnn_linkd_keys)); none without fnn-linkd.
    type: path
  confirmed:
    description: Nodes that have applied and confirmed the files in O(build); add them to the record.
    type: list
    elements: str
    default: []
  states:
    description: What M(fnn_node) returned as C(state), by host.
    type: dict
    default: {}
  satellites:
    description: Hosts whose own files are all that they get.
    type: list
    elements: str
    default: []
  revoked:
    description: Nodes whose files are about to be removed; remove them from the record.
    type: list
    elements: str
    default: []
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.build]
"""

EXAMPLES = r"""
- name: Record the nodes that have confirmed their files
  fnn_deliveries:
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
    confirmed: "{{ ansible_play_hosts }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
unchanged:
  description: Nodes that have confirmed the files that are rendered for them now, sorted.
  returned: success
  type: list
  elements: str
  sample: [k00, k01]
in_place:
  description: Nodes in O(states) that have the files that are rendered for them now and need no change, sorted.
  returned: success
  type: list
  elements: str
  sample: [k00, k01]
"""

from collections.abc import Iterator
from pathlib import Path

from ansible.module_utils.fnn.controller.common_files import CommonFiles, make_complete, read_common
from ansible.module_utils.fnn.controller.delivery_record import RenderedFiles, open_record
from ansible.module_utils.fnn.controller.linkd_keys import Keys, list_ids, read_site_keys, runs_linkd
from ansible.module_utils.fnn.controller.options import PATH, require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.bundle import MANIFEST, Bundle, add_secret, identify_delivery, read_bundle
from ansible.module_utils.fnn.shared.node_paths import LINKD_KEYS
from ansible.module_utils.fnn_module import run_module


def record(task: Task) -> Result:
    """Change the records, and return the unchanged nodes. Raises FnnError and OSError."""
    build = task.path("build")
    directory = task.path("files") if task.options["files"] else build
    nodes = sorted(path.parent.name for path in directory.glob("nodes/*/manifest.json"))
    keys = read_site_keys(task.path("linkd_keys")) if task.options["linkd_keys"] else {}
    rendered = RenderedFiles(directory, list_ids(keys))
    digests = {node: rendered.compute_digest(node) for node in nodes}
    if not task.check_mode:
        for node in task.options["revoked"]:
            open_record(build, node).revoke()
        for node in set(task.options["confirmed"]) & digests.keys():
            open_record(build, node).confirm(digests[node])
        if nodes:
            remove_others(build, nodes)
    return {
        "unchanged": [node for node in nodes if open_record(build, node).read_confirmed() == digests[node]],
        "in_place": sorted(find_in_place(task, directory, keys)),
    }


def find_in_place(task: Task, directory: Path, keys: Keys) -> Iterator[str]:
    """The nodes whose state is that of the files in this directory. Raises FnnError."""
    states = {node: state for node, state in task.options["states"].items() if state}
    if not states:
        return
    common, none = read_common(directory / "common", task.check_mode), read_common(None, task.check_mode)
    for node, state in states.items():
        files = directory / "nodes" / node
        shared = none if node in task.options["satellites"] else common
        if (files / MANIFEST).exists() and identify_files(read_bundle(files), shared, keys) == state:
            yield node


def identify_files(own: Bundle, common: CommonFiles, keys: Keys) -> str:
    """The state of a node with these files (node/apply/present.py). Raises FnnError."""
    has_keys = keys and runs_linkd(own, common)
    bundle = add_secret(own, LINKD_KEYS, "") if has_keys else own
    state: str = identify_delivery(make_complete(bundle, common), list_ids(keys) if has_keys else [])
    return state


def remove_others(build: Path, nodes: list[str]) -> None:
    """Remove the records of other nodes."""
    kept = set(nodes)
    for path in build.glob("delivered/*"):
        if path.name not in kept:
            path.unlink(missing_ok=True)


def describe_module() -> ControllerModule:
    names = {"type": "list", "elements": "str", "default": []}
    return ControllerModule(
        record,
        {
            **require_paths("build"),
            "files": PATH,
            "linkd_keys": PATH,
            "confirmed": names,
            "states": {"type": "dict", "default": {}},
            "satellites": names,
            "revoked": names,
        },
    )


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()

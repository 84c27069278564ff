#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: the FNN toolkit authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Writes spec.json from the inventory."""

from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_spec
short_description: Write the spec of a cluster from its inventory
description:
  - Turns the cluster-wide variables and the NICs of each node into C(spec.json), the input of the designer.
  - Writes out every default. Reports all problems at once, each with its place in the document and the variable it
    comes from, and then writes nothing.
  - The options are checked by C(schemas/fnn-spec.schema.json), which describes their keys and values.
options:
  path:
    description: The file to write, beside the inventory.
    type: path
    required: true
  root:
    description: Root directory of the toolkit, where C(schemas/) is.
    type: path
    required: true
  nodes:
    description: The nodes in rank order, as the filter P(fnn_nodes#filter) gives them.
    type: list
    elements: dict
    required: true
  cluster:
    description: Name of the cluster.
    type: raw
    required: true
  topology:
    description: How nodes and switches are joined; C(fnn) by default.
    type: raw
  switches:
    description: The switches.
    type: raw
    required: true
  uplink:
    description: The switch that joins the others.
    type: raw
  coverage:
    description: Which pairs of nodes must share a switch, C(all) or C(patterns).
    type: raw
  redundancy:
    description: How many switches each covered pair must share.
    type: raw
  patterns:
    description: Communication patterns.
    type: raw
  goals:
    description: Weights of secondary goals.
    type: raw
  racks:
    description: Positions of the racks.
    type: raw
  pinned:
    description: Cables that have to be as they are.
    type: raw
  mtu:
    description: Largest frame payload in bytes on every link.
    type: raw
  prices:
    description: Prices for suggestions.
    type: raw
attributes:
  check_mode:
    description: Reports whether the file would change and writes nothing.
    support: full
  diff_mode:
    description: Shows the file before and after.
    support: full
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Write the spec
  fnn_spec:
    path: "{{ inventory_dir }}/spec.json"
    root: "{{ fnn_root }}"
    cluster: "{{ fnn_cluster }}"
    nodes: "{{ groups['fnn_nodes'] | fnn_nodes(hostvars) }}"
    switches: "{{ fnn_switches }}"
    uplink: "{{ fnn_uplink | default(omit) }}"
"""

RETURN = r"""
spec:
  description: The spec in its normal form, every default written out.
  returned: success
  type: dict
digest:
  description: Digest of that form; it is in every design made from this spec.
  returned: success
  type: str
  sample: "sha256:9f2c…"
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, digest, dumps
from ansible.module_utils.fnn.controller.spec.spec import CLUSTER_PARTS, build_spec, load_spec, name_sources
from ansible.module_utils.fnn.shared.errors import FnnError


def write_spec(module: AnsibleModule) -> dict[str, Any]:
    """Build, check and (outside check mode) write the spec; return the module's result. Raises FnnError."""
    options, path = module.params, Path(module.params["path"])
    documents = Documents(Path(options["root"]) / "schemas")
    raw = build_spec({part: options[part] for part in CLUSTER_PARTS}, options["nodes"])
    try:
        spec = load_spec(raw, documents, path.parent)
    except FnnError as error:
        raise name_sources(error, raw) from None
    before, after = path.read_text("utf-8", "replace") if path.exists() else "", dumps(spec)
    if before != after and not module.check_mode:
        documents.write(path, spec)
    answer = {"changed": before != after, "spec": spec, "digest": digest(spec)}
    if module._diff:
        answer["diff"] = {"before": before, "after": after, "before_header": str(path), "after_header": str(path)}
    return answer


def main() -> None:
    """Run the module."""
    arguments = {part: {"type": "raw", "required": part in ("cluster", "switches")} for part in CLUSTER_PARTS}
    module = AnsibleModule(
        argument_spec={
            "path": {"type": "path", "required": True},
            "root": {"type": "path", "required": True},
            "nodes": {"type": "list", "elements": "dict", "required": True},
            **arguments,
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(**write_spec(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()

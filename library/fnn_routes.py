#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_routes
short_description: Choose which of its shared switches each pair of nodes uses
description:
  - Distributes the pairs of nodes over their shared switches with the engine, so that no NIC carries more peers than
    necessary. Writes C(routes.json) and a readable C(routes.txt). Runs once, on the controller.
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.build]
attributes:
  diff_mode:
    description: Shows the rows of the table that change.
"""

EXAMPLES = r"""
- name: Choose the routes
  fnn_routes:
    design: "{{ fnn_site_dir }}/design.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
most_peers_per_gbps:
  description: Number of peers that the busiest NIC sends to or receives from, per Gb/s.
  returned: success
  type: float
bound_peers_per_gbps:
  description: Lower bound of that number, for any choice of routes.
  returned: success
  type: float
one_way_pairs:
  description: Pairs whose two directions use different switches, because the bound could not be kept otherwise.
  returned: success
  type: int
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import open_designer
from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.controller.plan.routing import show_table
from ansible.module_utils.fnn.shared.errors import FnnError


def choose_routes(module: AnsibleModule) -> dict[str, Any]:
    """Choose, compare and (outside check mode) write; return the module's result. Raises FnnError."""
    options, build = module.params, Path(module.params["build"])
    documents = Documents(Path(options["root"]) / "schemas")
    designer = open_designer(Path(options["root"]), module.run_command)
    with TemporaryDirectory() as directory:
        chosen = Path(directory) / "routes.json"
        designer.choose_routes(Path(options["design"]), chosen)
        routes = documents.read(chosen, "fnn-routes")
    files = {build / "routes.json": dumps(routes), build / "routes.txt": show_table(routes)}
    changed = {path: (read_text(path), text) for path, text in files.items() if read_text(path) != text}
    if not module.check_mode:
        for path, (_, text) in changed.items():
            write_atomic(path, text)
    return {
        "changed": bool(changed),
        **{each: routes[each] for each in ("most_peers_per_gbps", "bound_peers_per_gbps", "one_way_pairs")},
        **({"diff": show_changes(changed)} if module._diff else {}),
    }


def read_text(path: Path) -> str:
    """Return the content of a file, empty if it is missing."""
    return path.read_text("utf-8", "replace") if path.exists() else ""


def show_changes(changed: Mapping[Path, tuple[str, str]]) -> list[dict[str, str]]:
    """Return the diff of the readable page; the document has the same content."""
    return [
        {"before_header": str(path), "before": before, "after_header": str(path), "after": after}
        for path, (before, after) in changed.items()
        if path.suffix == ".txt"
    ]


def main() -> None:
    """Run the module."""
    module = AnsibleModule(
        argument_spec={path: {"type": "path", "required": True} for path in ("design", "build", "root")},
        supports_check_mode=True,
    )
    try:
        module.exit_json(**choose_routes(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()

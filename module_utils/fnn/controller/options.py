# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that modules of the controller share, as arguments of AnsibleModule; doc_fragments/fnn.py documents them."""

from __future__ import annotations

from typing import Any

Arguments = dict[str, dict[str, Any]]

PATH = {"type": "path"}
NAMES = {"type": "list", "elements": "str", "default": []}
FLAG = {"type": "bool", "default": False}

#: Which engine to run, and whether to compile a missing one.
ENGINE: Arguments = {"designer": PATH, "build": {"type": "bool", "default": True}}
#: The variables and facts of the plan.
PLAN: Arguments = {"variables": {"type": "dict", "required": True}, "facts": {"type": "dict", "default": {}}}
ROUTING: Arguments = {"routing": {"type": "str", "choices": ["advanced", "basic"], "default": "advanced"}}
#: The routes of the plan, or all traffic over the uplink switch.
NETWORK: Arguments = {"network": {"type": "str", "choices": ["fnn", "tree"], "default": "fnn"}}
#: Of its speed in the design, what a cable carries; less than all of it in a lab with slower cables.
SPEED_PERCENT: Arguments = {"speed_percent": {"type": "float", "default": 100.0}}
WEIGHTS: Arguments = {"weights": {"type": "bool", "default": True}}
STOCK: Arguments = {"stock": {"type": "raw"}}
PAPERS: Arguments = {
    "papers": {"type": "list", "elements": "str", "choices": ["a4", "letter"], "default": ["a4", "letter"]}
}


def require_paths(*names: str) -> Arguments:
    """Required options, each the path of a file or directory."""
    return {name: {"type": "path", "required": True} for name in names}

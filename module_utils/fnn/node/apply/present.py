# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds out whether a node is as its files say, without a delivery, so that a run without changes need not deliver.

The manifest of the node lists the files of its plan. If applying exactly these again would change nothing (files,
kernel, services), a digest of their list stands for the state of the node. The controller computes the same digest of
the files that it has rendered:

    controller    files of k00                    91ab33c0…
    k00           its files; nothing to change    91ab33c0…    not contacted again
    k01           its files; a route is missing   null         gets a delivery
    k02           a file was edited               5e0c77d1…    gets a delivery

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
from pathlib import Path

from ...shared.bundle import Bundle, BundledFile, ListedFile, identify_delivery, make_delivery
from ...shared.errors import FnnError
from ...shared.failed import Failed
from ...shared.linkd_keys import identify_key, read_keys
from ...shared.node_paths import LINKD_KEYS
from .apply import Request, change_node
from .changes import NODE_MANIFEST, Files


def identify_state(root: Path = Path("/")) -> str | None:
    """The digest of the files of the plan; None without a plan, or if a change is needed or under way."""
    files = Files(root)
    try:
        bundle = read_installed(files)
        answer = change_node(bundle, Request(root, check=True))
        keys = [identify_key(key) for key in read_keys(files.locate(LINKD_KEYS))]
    except (FnnError, Failed, OSError, ValueError, KeyError, TypeError):  # fnn_apply reports it
        return None
    if answer["changed"] or answer["under_way"] or answer["armed"]:
        return None
    return identify_delivery(make_delivery(bundle), keys)


def read_installed(files: Files) -> Bundle:
    """The files that the manifest of the node lists, as they are. Raises OSError, ValueError, KeyError, TypeError."""
    manifest = json.loads(files.locate(NODE_MANIFEST).read_text(encoding="utf-8"))
    installed = []
    for entry in manifest.pop("files"):
        listed = ListedFile(entry["path"], entry["kind"], int(entry["mode"], 8), "")
        content = files.read_content(listed)
        if content is None:
            raise FileNotFoundError(listed.path)
        installed.append(BundledFile(listed.path, listed.kind, listed.mode, content))
    return Bundle(manifest, installed)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the bundles of all nodes once, as the action plugin of fnn_apply does, and prints the octets of each kind.

python -m bench.packing BUILD
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ansible.module_utils.fnn.shared.bundle import pack, read_bundle


def pack_all(build: Path) -> dict[str, int]:
    """Pack every node's bundle. Returns the octets of the largest. Raises FnnError."""
    homes = sorted(path for path in (build / "nodes").iterdir() if path.is_dir())
    return {"largest": max(len(pack(read_bundle(build / "common", home))) for home in homes)}


if __name__ == "__main__":
    print(json.dumps(pack_all(Path(sys.argv[1]))))

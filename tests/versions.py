# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that run on nodes and heads, for tests of the Python that these must have."""

from __future__ import annotations

from programs import PROGRAMS, ROOT

#: Modules of library/ that run on nodes and heads, where the harness of the controller is not sent.
NODE_MODULES = tuple(
    sorted(
        path.stem
        for path in (ROOT / "library").glob("*.py")
        if not any(name in path.read_text() for name in ("fnn_module import", "fnn.controller"))
    )
)
#: The rooms of module_utils/fnn/ that the modules import.
_ROOMS = ("node", "head", "shared")
#: Everything in Python that a node or head runs.
NODE_FILES = tuple(
    sorted(
        {
            *(path for path in PROGRAMS.values() if path.read_bytes().startswith(b"#!/usr/bin/env python3")),
            *(path for path in PROGRAMS.values() if path.suffix == ".py"),
            *(ROOT / "library" / f"{name}.py" for name in NODE_MODULES),
            *(path for room in _ROOMS for path in (ROOT / "module_utils/fnn" / room).rglob("*.py")),
        }
    )
)

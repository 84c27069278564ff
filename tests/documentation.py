# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation of a module, as ansible-doc shows it."""

from __future__ import annotations

from typing import Any

from ansible.plugins.loader import fragment_loader
from ansible.utils.plugin_docs import get_docstring
from programs import ROOT


def read_documentation(name: str) -> dict[str, Any]:
    """DOCUMENTATION of a module of library/, with the options of its fragments in doc_fragments/."""
    fragment_loader.add_directory(str(ROOT / "doc_fragments"))
    documentation: dict[str, Any] = get_docstring(str(ROOT / "library" / f"{name}.py"), fragment_loader)[0]
    return documentation

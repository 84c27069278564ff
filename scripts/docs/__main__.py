#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation as a site below build/docs; `make docs` installs what it needs.

    python -m scripts.docs

Exit status 1: a page has a link that leads nowhere, or the site would load something from another host.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .check_site import find_problems
from .stage import stage

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Stage the pages, build the site and check it."""
    source, site = ROOT / "build" / "docs-source", ROOT / "build" / "docs"
    stage(ROOT, source)
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--clean"], cwd=ROOT, check=False
    )
    if done.returncode:
        return 1
    problems = find_problems(site)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    print(f"==> {site.relative_to(ROOT)}/index.html; with search: python3 -m http.server --directory build/docs")
    return 0


if __name__ == "__main__":
    sys.exit(main())

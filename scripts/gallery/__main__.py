#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of README and docs again, in docs/pictures/; `make gallery` installs what it needs.

    python -m scripts.gallery

It runs `./fnn` in a copy of the checkout (build/gallery), on committed inventories and without any node. Pictures of
HTML pages depend on the fonts of this machine, the others only on the checkout.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.checkout import copy_checkout

from . import ROOT, outputs, pages, recording
from .designs import draw_design, read_design

PICTURES = ROOT / "docs" / "pictures"
#: The cluster of most pictures, and a large one.
SITE, LARGE = "sixteen", "klat2"
#: Clusters of mixed hardware, of which docs/reference/goals.md shows the wiring.
MIXED = ("mini-pcs", "raspberry-pis", "fast-head")


def main() -> int:
    """Make all pictures, and the outputs of commands that pages quote."""
    copy = ROOT / "build" / "gallery"
    copy_checkout(ROOT, copy)
    try:
        for name, content in make_pictures(copy):
            (PICTURES / name).write_bytes(content)
            print(f"docs/pictures/{name}: {len(content) / 1024:.0f} KB")
        for page in outputs.refresh(ROOT, copy):
            print(f"{page}: outputs renewed")
    except subprocess.CalledProcessError as error:
        print(f"{error.cmd[-1]}: exit status {error.returncode}\n{error.stdout}", file=sys.stderr)
        return 1
    return 0


def make_pictures(copy: Path) -> Iterator[tuple[str, bytes]]:
    """Names of pictures with their bytes. copy: of the checkout, in which the commands run."""
    yield from ((name, text.encode()) for name, text in draw_design(read_design(SITE)).items())
    recorded = [(command, recording.run(command, copy)) for command in recording.COMMANDS]
    yield "terminal.svg", recording.draw_recording(recorded).encode()
    for site in (SITE, LARGE):
        recording.run(f"./fnn -i {site} labels && ./fnn -i {site} report", copy)
    for site in MIXED:
        recording.run(f"./fnn -i {site} labels", copy)
    for site in (SITE, *MIXED):
        yield f"wiring-{site}.svg", (copy / "build" / site / "labels/wiring.svg").read_bytes()
    built = copy / "build" / SITE
    yield "node-labels.png", pages.draw_paper(built / "labels/a4/node-labels.pdf", 0, (8, 8, 202, 148))
    yield "flags.png", pages.draw_paper(built / "labels/a4/flags.pdf", 0, (8, 8, 202, 110))
    with pages.open_browser() as browser:
        report, large = built / "report.html", copy / "build" / LARGE / "report.html"
        yield "report.png", pages.shoot(browser, report, pages.View(1280, 860))
        yield "report-dark.png", pages.shoot(browser, large, pages.View(1280, 860, "dark"))
        yield "report-phone.png", pages.shoot(browser, report, pages.View(390, 844))


if __name__ == "__main__":
    sys.exit(main())

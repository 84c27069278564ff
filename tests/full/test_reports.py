# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports in a real browser, written by the module itself: large clusters up to 1024 nodes, and all topologies.

Screenshots and prints stay in build/tests/reports/, for people to look at.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from reading import check_page

TOPOLOGIES = [
    "one-switch",
    "two-switches",
    "two-switches-30",
    "mesh",
    "ring",
    "star",
    "ring-stp",
    "star-bridged",
    "ring-bonded",
]
SITES = ["lab", "klat2", "kasy0", "thousand", *TOPOLOGIES]
PLACES = {"design": "{{ design }}", "build": "{{ build }}", "root": "{{ root }}"}
#: The playbooks choose routes with the engine only where switches join all pairs.
TASKS: list[dict[str, Any]] = [
    {"fnn_evaluate": {**PLACES, "patterns": 500}, "register": "evaluated"},
    {"fnn_routes": PLACES, "when": "evaluated.neighborhoods"},
    {"fnn_scaling": {"directory": "{{ build }}", "root": "{{ root }}"}},
    {"fnn_report": {**PLACES, "scaling": "{{ build }}/scaling.json"}},
]


@pytest.fixture
def design(request: pytest.FixtureRequest, root: Path, designer: Path, tmp_path: Path) -> Path:
    """The committed design of a site, or the plane of 1024 nodes."""
    if request.param != "thousand":
        return root / "inventory" / request.param / "design.json"
    size = ["--nodes", "1024", "--nics", "5", "--ports", "245", "--switches", "21"]
    subprocess.run([designer, "design", *size, "-o", tmp_path / "design.json", "--quiet"], check=True)
    return tmp_path / "design.json"


@pytest.mark.parametrize("design", SITES, indirect=True, ids=SITES)
def test_the_page_is_whole_legible_and_by_itself(design: Path, root: Path, tmp_path: Path, request: Any) -> None:
    build, shots = tmp_path / "build", root / "build/tests/reports"
    (tmp_path / "play.yml").write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": TASKS}]))
    python = str(root / ".venv/bin/python")
    places = {"design": str(design), "build": str(build), "root": str(root)}
    variables = json.dumps({**places, "ansible_python_interpreter": python})
    play = [
        root / ".venv/bin/ansible-playbook",
        "-i",
        "localhost,",
        "-c",
        "local",
        tmp_path / "play.yml",
        "-e",
        variables,
    ]
    done = subprocess.run(play, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    sections = json.loads((build / "report.json").read_text())["sections"]
    with Browser(tmp_path) as browser:
        page = check_page(browser, build / "report.html", sum(len(section["figures"]) for section in sections))
        shots.mkdir(parents=True, exist_ok=True)
        name = request.node.callspec.id
        for width in (1280, 390):
            page.resize(width)
            for scheme, end in (("light", ""), ("dark", "-dark")):
                page.show(scheme=scheme)
                (shots / f"{name}-{width}{end}.png").write_bytes(page.take_picture())
        (shots / f"{name}.pdf").write_bytes(page.print_pdf(210, 297))


def test_faults_of_a_page_are_detected(tmp_path: Path) -> None:
    """Control for the test above: a page that loads from other hosts, is too wide, and logs errors."""
    (tmp_path / "report.html").write_text(
        '<meta name="viewport" content="width=device-width"><img src="other.png"><p style="width:600px">wide</p>'
        "<script>console.error('no')</script>"
    )
    with Browser(tmp_path) as browser:
        page = browser.open(tmp_path / "report.html", width=390)
        assert [each.rpartition("/")[2] for each in page.requests] == ["report.html", "other.png"]
        assert any("no" in each for each in page.messages)
        with pytest.raises(AssertionError):
            check_page(browser, tmp_path / "report.html", 0)

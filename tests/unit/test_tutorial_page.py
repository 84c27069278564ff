# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of docs/tutorial/first-evening.md, which tests/full/test_tutorial.py runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tutorial import NOT_RUN, PAGE, STAND_INS, read_sections


def test_indented_lines_are_commands_and_fenced_blocks_are_not() -> None:
    one = "    ./fnn check\n    ./fnn site\n\n```yaml\n    no: 1\n```\n"
    text = f"# Page\n\n    before\n\n## One\n\n{one}\n## Two\n\nText.\n"
    (section,) = read_sections(text)
    assert (section.title, section.commands) == ("One", ("./fnn check", "./fnn site"))


def test_the_page_uses_only_programs_that_the_test_can_run() -> None:
    sections = read_sections(PAGE.read_text())
    first = {command.split()[0] for section in sections for command in section.commands if command not in NOT_RUN}
    assert first == {"./fnn", "export", "for", "rm", "sed", *STAND_INS}


def test_every_command_of_an_evening_is_on_the_page() -> None:
    commands = [command.split() for section in read_sections(PAGE.read_text()) for command in section.commands]
    used = {words[1] for words in commands if words[0] == "./fnn"}
    assert used == {
        "advise", "init", "design", "check", "labels", "wire",
        "site", "verify", "prove", "report", "replace-nic", "remove",
    }  # fmt: skip


def test_the_table_of_the_page_is_the_design_of_sixteen_nodes(root: Path) -> None:
    design = json.loads((root / "inventory/sixteen/design.json").read_text())
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    _, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    on = {
        name: [node["name"] for node in design["nodes"] if name in {each["switch"] for each in node["links"]}]
        for name in (switch["name"] for switch in design["spec"]["switches"])
    }
    assert rows == [[name, " ".join(nodes)] for name, nodes in on.items()]


def test_the_page_has_pictures_of_network_labels_screen_and_report() -> None:
    shown = re.findall(r"pictures/([\w.-]+)", PAGE.read_text())
    assert shown == ["cluster.svg", "wiring-sixteen.svg", "node-labels.png", "wire.svg", "report.png"]

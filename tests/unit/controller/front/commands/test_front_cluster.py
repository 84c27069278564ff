# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn site and remove."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.module_utils.fnn.controller.front.commands import cluster
from ansible.module_utils.fnn.controller.front.commands.cluster import SUMMARY

Fnn = Callable[..., int]


def test_the_summary_is_the_last_play_of_site(root: Path) -> None:
    """./fnn site shows the result of the play of this name."""
    last = yaml.safe_load((root / "site.yml").read_text())[-1]["import_playbook"]
    assert [play["name"] for play in yaml.safe_load((root / last).read_text())] == [SUMMARY]


def test_remove_asks_for_the_nodes_and_the_inventory(fnn: Fnn, ansible: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "has_terminal", lambda: True)
    asked: list[str] = []
    monkeypatch.setattr(cluster.click, "confirm", lambda text: bool(asked.append(text)))
    assert (fnn("remove", "-i", "lab", "--limit", "k05"), ansible.asked) == (2, [])
    (question,) = asked
    assert question.startswith("Remove the toolkit from k05 of ")
    assert question.endswith("lab, and restore the former network?")

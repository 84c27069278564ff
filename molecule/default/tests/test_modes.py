# SPDX-License-Identifier: GPL-3.0-or-later
"""From the usual mode to the most different one and back, on running nodes. tests/full/test_modes.py tests all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import BUILD, Outcome, read_json

Play = Callable[..., Outcome]
OTHER = ("-e", "fnn_addressing=unnumbered", "-e", "fnn_routing=basic")


@pytest.mark.long
def test_unnumbered_and_basic_is_proved_and_so_is_the_default_mode_afterwards(
    play: Play, show_view: Callable[[str], dict[str, Any]]
) -> None:
    try:
        outcome = play("playbooks/network.yml", "playbooks/prove.yml", *OTHER)
        proof = read_json(BUILD / "proof.json")
        assert (outcome.status, proof["verdict"], proof["causes"]) == (0, "proved", []), outcome.output
        assert all(link["address"] is None for link in show_view("k00")["links"])
    finally:
        outcome = play("playbooks/network.yml", "playbooks/prove.yml")
    assert (outcome.status, read_json(BUILD / "proof.json")["verdict"]) == (0, "proved")

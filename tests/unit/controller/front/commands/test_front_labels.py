# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn labels: its options are variables of the playbook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        ("", {}),
        ("--paper a4 --identify serials", {"fnn_labels_papers": ["a4"], "fnn_labels_identify": "serials"}),
        ("--sheet 5160 --sheet tape-24", {"fnn_labels_sheets": ["5160", "tape-24"]}),
        ("--qr-codes", {"fnn_labels_qr": True}),
        ("--no-qr-codes", {"fnn_labels_qr": False}),
    ],
)
def test_options_are_variables(words: str, variables: dict[str, Any], fnn: Callable[..., int], ansible: Any) -> None:
    assert fnn("-i", "mesh", "labels", *words.split()) == 0
    assert ansible.asked == [("labels", variables)]

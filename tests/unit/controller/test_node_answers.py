# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/answers.py reads what node/answer/pack.py packs."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.answers import read_answers
from ansible.module_utils.fnn.node.answer.pack import pack_answer
from ansible.module_utils.fnn.shared.errors import FnnError

MAC = "02:f0:00:00:01:00"
ANSWER = {"heard": [{"hears": [MAC], "counts": {"received": {MAC: [79, 80]}}}], "arrived_on": None}


def write(path: Path, answer: dict[str, Any]) -> str:
    path.write_bytes(base64.b64decode(pack_answer(answer)))
    return str(path)


def test_files_and_answers_are_read_alike(tmp_path: Path) -> None:
    answers = {"k00": write(tmp_path / "k00", ANSWER), "k01": ANSWER, "k02": None}
    assert read_answers(answers) == {"k00": ANSWER, "k01": ANSWER, "k02": None}


def test_an_answer_is_packed_to_the_same_text_each_time() -> None:
    assert pack_answer(ANSWER) == pack_answer(dict(reversed(ANSWER.items())))


def test_all_nodes_share_the_memory_of_macs_and_counts(tmp_path: Path) -> None:
    """A thousand nodes hear a million MACs, and four thousand different ones."""
    one, other = read_answers({name: write(tmp_path / name, ANSWER) for name in ("k00", "k01")}).values()
    (hears, received), (again, also) = (
        (each["heard"][0]["hears"][0], each["heard"][0]["counts"]["received"]) for each in (one, other)
    )
    assert hears is again is next(iter(received)) is next(iter(also))
    assert received[MAC] is also[MAC]


def test_all_unreadable_files_are_named_at_once(tmp_path: Path) -> None:
    contents = {"cut": gzip.compress(b"{}" * 100)[:-9], "text": b"{}", "list": gzip.compress(b"[]"), "empty": b""}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(FnnError) as caught:
        read_answers({name: str(tmp_path / name) for name in (*contents, "missing")})
    reasons = {**dict.fromkeys(contents, "not an answer of a node"), "missing": "No such file or directory"}
    assert str(caught.value).splitlines() == [
        f"{tmp_path / name}: cannot be read: {reason}" for name, reason in reasons.items()
    ]

# SPDX-License-Identifier: GPL-3.0-or-later
"""The samples are the output of iperf3 3.12 of Debian 12."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.bench.iperf import Direction, choose_passes, read_directions

BOTH = (Path(__file__).parent / "samples/iperf3-3.12-bidir.json").read_text()


def read(document: dict[str, Any], *options: str) -> dict[bool, Direction]:
    return read_directions(json.dumps(document), options)


def test_both_directions_of_a_test_are_read_with_what_the_receiver_got() -> None:
    assert read_directions(BOTH, ["--bidir"]) == {
        True: Direction(3907.847, 1458, 2, 1.0),
        False: Direction(4323.629, 1725, 8, 1.0),
    }


def test_a_pass_for_one_direction_gives_this_direction() -> None:
    assert list(read_directions(BOTH, [])) == [True]
    end = {key: value for key, value in json.loads(BOTH)["end"].items() if "bidir" not in key}
    assert read({"end": end}, "--reverse") == {False: Direction(3907.847, None, 2, 1.0)}


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ('{"start": {}, "error": "error - unable to connect to server: No route to host"}',
         "unable to connect to server: No route to host"),
        ("iperf3: error - unable to send control message: Bad file descriptor\n",
         "unable to send control message: Bad file descriptor"),
        ('{"start": {"connected": [', '{"start": {"connected": ['),
        ("", "iperf3 printed nothing"),
        ('{"start": {}, "end": {}}', "iperf3 reported no result"),
    ],
)  # fmt: skip
def test_an_error_is_quoted_for_both_directions(output: str, error: str) -> None:
    assert set(read_directions(output, ["--bidir"]).values()) == {Direction(error=error)}


def test_a_warning_before_the_document_is_skipped() -> None:
    assert read_directions(f"warning: this system does not seem to support IPv6\n{BOTH}", ["--bidir"])[True].mbps


def test_releases_without_bidir_need_a_pass_for_each_direction() -> None:
    assert choose_passes(["3.12", None, "3.7"]) == [["--bidir"]]
    assert choose_passes(["3.12", "3.6"]) == [[], ["--reverse"]]

# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.prove.mpi_nodes import describe_version_conflict, is_connected

NODES = ["k00", "k01", "k02"]
OLD, NEW = {"Open MPI": "4.1.4", "MPICH": "4.0.2"}, {"Open MPI": "5.0.7", "MPICH": "4.2.1"}


def test_mpis_of_different_releases_are_named_with_their_nodes() -> None:
    assert describe_version_conflict({"k00": OLD, "k01": OLD, "k02": NEW}) == (
        "their releases differ: MPICH 4.0 on k00 k01, 4.2 on k02; Open MPI 4.1 on k00 k01, 5.0 on k02"
    )
    assert describe_version_conflict({"k00": OLD, "k01": OLD}) == ""
    assert describe_version_conflict({}) == ""


def test_a_node_without_an_mpi_is_named_and_the_third_number_does_not_count() -> None:
    versions: dict[str, dict[str, str | None]] = {"k00": {"MPICH": "4.0.2"}, "k01": {"MPICH": "4.0.3"}}
    assert describe_version_conflict(versions) == ""
    assert describe_version_conflict({**versions, "k02": {"MPICH": None}}) == (
        "their releases differ: MPICH 4.0 on k00 k01, none on k02"
    )


def test_an_mpi_that_no_node_has_is_named() -> None:
    versions = {"k00": {"MPICH": None, "Open MPI": "4.1.4"}, "k01": {"MPICH": None, "Open MPI": "5.0.7"}}
    assert describe_version_conflict(versions) == (
        "no node has MPICH; their releases differ: Open MPI 4.1 on k00, 5.0 on k01"
    )


def see(peers: int = 2, complete: bool = True) -> dict[str, Any]:
    return {"complete": complete, "asked": peers}


@pytest.mark.parametrize(
    ("changed", "connected"),
    [
        ({}, True),
        ({"k02": see(complete=False)}, False),
        ({"k02": see(peers=1)}, False),
        ({"hot1": see(peers=1)}, False),
        ({"hot1": see(peers=3)}, True),
    ],
    ids=["all", "an answer missing", "no route", "a spare without a route", "a spare"],
)
def test_mpi_runs_only_where_all_pairs_are_connected(changed: dict[str, Any], connected: bool) -> None:
    assert is_connected({**{name: see() for name in NODES}, **changed}, NODES, []) is connected


def test_a_node_that_took_no_part_prevents_mpi_unless_a_spare_stands_in() -> None:
    reach = {name: see() for name in ("k00", "k01", "hot1")}
    assert is_connected(reach, NODES, []) is False
    assert is_connected(reach, NODES, ["k02"]) is True

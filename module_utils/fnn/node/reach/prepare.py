# SPDX-License-Identifier: GPL-3.0-or-later
"""Prepares one node for the proof: releases of the MPIs, the test program, and MACs that the switches learn.

Standard library only, Python 3.9.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..beacon.steady import record_steady
from ..beacon.verified import Links, record_verified
from ..net.legs_down import RUN, is_linkd_running, read_avoided
from .kernel import read_fabric_devices, read_peer_addresses
from .learn import send_to_peers, wait_for_nics
from .mpi_programs import MpiProgram, build_mpi_programs
from .observe import observe_peers

PROGRAM = "all_pairs"


@dataclass(frozen=True)
class Request:
    """directory: of the program on the node. source: of the program, in C. mpis: (flavor, compiler command).

    settle: seconds to wait at most until fnn-linkd uses every NIC; tries: pings to each peer; reach: whether their
    answers are observed. findings: the digest of those of this run, to be recorded with the links; empty for none.
    """

    root: Path
    directory: str
    source: str
    mpis: Sequence[tuple[str, str]]
    settle: float
    tries: int
    reach: bool
    check: bool
    findings: str = ""


def prepare(request: Request, read_links: Callable[[], Links]) -> dict[str, Any]:
    """Returns changed, files, diff, versions and programs for Ansible, and the observations if they are wanted.

    Raises FnnError when a compiler fails, Failed, OSError, and subprocess.CalledProcessError if ip(8) fails.
    """
    program = MpiProgram(request.directory, PROGRAM, request.source, request.mpis)
    answer = build_mpi_programs(request.root, program, request.check)
    if request.check:
        return answer
    wait_for_nics(request.settle)
    if request.reach:
        answer["reach"] = observe_peers(request.tries)
    else:
        send_to_peers(read_peer_addresses(), read_fabric_devices(), request.tries)
    if is_linkd_running(RUN) and not read_avoided(RUN):
        record_steady(RUN, read_fabric_devices())
    if request.findings:
        record_verified(RUN, request.findings, read_links())
    return answer

# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the document of a benchmark (format "fnn-bench") from what the nodes measured.

raw result -> pair tests -> suspects -> legs and pairs beside their design rate
           -> cells -> medians with intervals beside their predictions
           -> whether the network delivers what the design promises
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...shared.errors import FnnError
from ..documents import identify_design
from ..numbers import round_digits
from ..plan.weights import Weights
from ..segments import join_segments
from ..twins import split_twins
from .check_raw import check_raw
from .counters import measure_growth
from .describe import advise, describe_suspect, name_suspect
from .fabric import FULL_SPEED, Fabric
from .groups import Part, Tests, make_tests
from .measured_cells import MeasuredCells
from .measured_legs import MeasuredLegs, make_histogram
from .paths import ADVANCED, Choice, Paths
from .predict import Calibration
from .rank_sum import LEVEL
from .statistics import CONFIDENCE, SHARE
from .suspects import LOSS_MARGIN, RATE_MARGIN, Suspect, find_payload_share, find_suspects

Document = Mapping[str, Any]
VERSION = 1

#: Verdicts. slow: no part is suspect, but cells are slower than predicted.
DELIVERS, FAULTS, SLOW, UNKNOWN = "delivers", "faults", "slow", "unknown"
_RULES = {
    "confidence": CONFIDENCE,
    "share": SHARE,
    "interval": "order statistics, binomial",
    "warmup": "repetitions that the nodes do not record, then a maximally selected rank statistic",
    "test": "one-sided rank-sum test of the tests of a part against all others, Holm's correction",
    "level": LEVEL,
    "rate_margin": RATE_MARGIN,
    "loss_margin": LOSS_MARGIN,
}


@dataclass(frozen=True)
class Inputs:
    """The documents that a benchmark is compared with.

    kind: of routing, "basic" or "advanced". weights: whether advanced routing divides flows by the weights of the
    routes. speed_percent: of its speed, what each cable of a lab carries.
    """

    design: Document
    raw: Document
    macs: Document | None = None
    routes: Document | None = None
    evaluation: Document | None = None
    kind: str = ADVANCED
    weights: bool = True
    speed_percent: float = FULL_SPEED


def make_document(inputs: Inputs) -> dict[str, Any]:
    """Raises FnnError for a raw result that does not belong to the design, or contradicts itself."""
    design, raw = inputs.design, inputs.raw
    names = [each["name"] for each in design["nodes"]]
    fabric = Fabric(inputs.design, inputs.macs, percent=inputs.speed_percent)
    try:
        check_raw(raw, fabric, names)
    except FnnError as error:
        raise error.within("raw.json") from None
    growth = measure_growth(raw["counters"])
    tests = make_tests(raw["legs"], fabric)
    suspects = find_suspects(tests, growth, _find_slow_links(raw["run"], fabric), design["spec"]["mtu"])
    nodes = raw["run"].get("nodes", names)
    split, _ = split_twins(join_segments(design), {"nodes": ()})
    weights = Weights.read(inputs.routes, split) if inputs.routes and inputs.weights else None
    paths = Paths(fabric, nodes, raw["run"]["routing"], Choice(inputs.kind, inputs.routes, weights))
    # The engine evaluates patterns of all nodes in their order.
    cells = MeasuredCells(raw, paths, inputs.evaluation if list(nodes) == names else None, suspects)
    described = cells.describe()
    legs = MeasuredLegs(tests)
    pairs, left_out = legs.describe_pairs()
    return {
        "format": "fnn-bench",
        "version": VERSION,
        "cluster": design["cluster"],
        "design_digest": identify_design(design),
        "run": {
            **raw["run"],
            "nodes": list(nodes),
            "kind": inputs.kind,
            "weights": paths.are_weighted,
            "speed_percent": inputs.speed_percent,
        },
        "rules": {**_RULES, "payload_share": round(find_payload_share(design["spec"]["mtu"]), 6)},
        "verdict": _judge(tests, suspects, described),
        "network": legs.describe_network(),
        "suspects": [_describe_suspect(each) for each in suspects],
        "failed": _list_failed(raw["legs"]),
        "legs": legs.describe_legs(growth, fabric),
        "pairs": pairs,
        "pairs_left_out": left_out,
        "histogram": make_histogram(tests),
        "calibration": [_describe_calibration(mpi, found) for mpi, found in cells.calibrations.items()],
        "cells": described,
        "programs": list(raw.get("programs", ())),
    }


def _find_slow_links(run: Document, fabric: Fabric) -> dict[tuple[str, str], float]:
    """(node, device) -> Mbit/s of links whose NIC reports less than planned."""
    nics = run.get("nics", {})
    reported = {leg: nics.get(leg.node, {}).get(leg.device, {}).get("speed_mbps") for leg in fabric.all_legs}
    return {(leg.node, leg.device): float(mbps) for leg, mbps in reported.items() if mbps and mbps < leg.mbps}


def _describe_calibration(mpi: str, found: Calibration) -> dict[str, Any]:
    transfer = {str(octets): seconds for octets, seconds in sorted(found.transfer.items())}
    return {"mpi": mpi, "link_mbps": found.mbps, "latency_s": found.latency, "transfer_s": transfer}


def _judge(tests: Tests, suspects: Sequence[Suspect], cells: Sequence[Document]) -> str:
    if suspects or tests.failed.any():
        return FAULTS
    if any(each["agrees"] is False and each["ratio"] < 1 for each in cells):
        return SLOW
    return DELIVERS if len(tests.ratio) or any(each["n"] for each in cells) else UNKNOWN


def _describe_suspect(suspect: Suspect) -> dict[str, Any]:
    numbers = ("ratio", "others", "mbps", "loss", "others_loss", "total_mbps", "link_mbps")
    found = {key: value for key, value in asdict(suspect).items() if key not in ("part", "same")}
    return {
        **found,
        **{key: round_digits(found[key]) for key in (*numbers, "p")},
        "part": None if suspect.part is None else _describe_part(suspect.part),
        "same": [_describe_part(each) for each in suspect.same],
        "counters": dict(suspect.counters),
        "name": name_suspect(suspect),
        "says": describe_suspect(suspect),
        "do": advise(suspect),
    }


def _describe_part(part: Part) -> dict[str, Any]:
    return {"kind": part.kind, "name": part.name, "direction": part.direction} | {
        key: value
        for key, value in (("nic", part.nic), ("device", part.device), ("switch", part.segment))
        if value is not None
    }


def _list_failed(entries: Sequence[Document]) -> list[dict[str, Any]]:
    """Tests without a rate, with the error."""
    return [
        {key: each[key] for key in ("from", "from_nic", "to", "to_nic", "switch", "error")}
        for each in entries
        if each["mbps"] is None
    ]

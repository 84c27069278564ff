# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluates the cells of a run: medians with intervals, rates, and their ratios to the predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from ..numbers import round_digits
from .causes import Causes
from .flows import (
    ALLTOALL,
    BISECTION,
    EXCHANGE,
    ONE,
    PINGPONG,
    combine,
    count_sent,
    find_rate,
)
from .paths import ADVANCED, Paths
from .predict import Calibration, Prediction, Predictor
from .statistics import find_warmup, list_quantiles, measure_median
from .suspects import Suspect

Document = Mapping[str, Any]
#: Prediction and measurement agree if they differ by less than this share.
AGREEMENT = 0.05
#: Octets from which on a prediction is compared: below, latency and processors decide.
LEAST_COMPARED = 65536


class MeasuredCells:
    """Cells of one run."""

    def __init__(self, raw: Document, paths: Paths, evaluation: Document | None, suspects: Sequence[Suspect]) -> None:
        self._cells = raw["cells"]
        self._paths, self._evaluation = paths, evaluation
        self._causes = Causes(paths, suspects)
        self._predictor = Predictor(paths)
        self.calibrations = {mpi: found for mpi in self._list_mpis() if (found := self._calibrate(mpi))}

    def describe(self) -> list[dict[str, Any]]:
        """All cells, in the order in which they were measured."""
        return [self._describe(cell) for cell in self._cells]

    def _list_mpis(self) -> list[str]:
        return list(dict.fromkeys(cell["mpi"] for cell in self._cells))

    def _calibrate(self, mpi: str) -> Calibration | None:
        """By the pingpong of one pair."""
        times = {
            cell["bytes"]: median(found)
            for cell in self._cells
            if (cell["mpi"], cell["kind"], cell["together"]) == (mpi, PINGPONG, ONE)
            and (found := combine(PINGPONG, cell["samples"]))
        }
        return self._predictor.calibrate(times)

    def _describe(self, cell: Document) -> dict[str, Any]:
        samples = combine(cell["kind"], cell["samples"]) if cell["samples"] else []
        cut = 0 if cell["kind"] == BISECTION else find_warmup(samples)
        calibration = self.calibrations.get(cell["mpi"])
        predicted = self._predictor.predict(cell, calibration) if calibration and samples else None
        measured = _measure(samples[cut:], count_sent(cell))
        compared = _compare(measured, predicted, cell["bytes"])
        return {
            **{key: cell[key] for key in ("kind", "mpi", "group", "together", "bytes", "unit", "error")},
            **{key: cell[key] for key in ("direction", "flows", "times", "stop") if key in cell},
            "warmup": cell["warmup"],
            "cut": cut,
            **measured,
            **_describe_prediction(predicted),
            **compared,
            "evaluated": self._find_evaluated(cell),
            "cause": None if compared["agrees"] is not False else self._causes.find(cell, {**measured, **compared}),
            "samples": cell["samples"],
        }

    def _find_evaluated(self, cell: Document) -> dict[str, float] | None:
        """Links per flow by the engine, with ranks on all nodes in their order; None where it has no such number."""
        evaluation, ranks = self._evaluation, len(self._paths.nodes)
        if evaluation is None or not self._paths.is_planned:
            return None
        whole = cell["group"] == ranks
        if cell["kind"] == EXCHANGE:
            name = "exchange-one" if cell["together"] == ONE and not whole else "exchange-multi"
            for each in evaluation["patterns"]:
                if (each["pattern"], each["group"]) == (name, cell["group"]):
                    rates = self._choose(each["in_rank_order"])
                    return {"mean": rates["mean"], "least": rates["least"]}
        if cell["kind"] == ALLTOALL and whole and evaluation.get("aapc"):
            time = self._choose(evaluation["aapc"])["time"]
            time = time["value"] if isinstance(time, Mapping) else time
            return {"mean": round((ranks - 1) / time, 6)} if time else None
        if cell["kind"] == BISECTION and whole and evaluation.get("ebb"):
            return {"mean": self._choose(evaluation["ebb"])[cell["direction"]]["mean"]}
        return None

    def _choose(self, by_kind: Document) -> Any:
        """The numbers of the routing of the run; other topologies have those of one routing alone."""
        return by_kind.get(self._paths.kind) or by_kind[ADVANCED]


def _measure(samples: Sequence[float], sent: int) -> dict[str, Any]:
    """n, median and so on of the samples of a cell; the rate in Mbit/s of payload that a rank sends."""
    if not samples:
        nothing = dict.fromkeys(("median_s", "low_s", "high_s", "quantiles_s", "mbps", "mbps_low", "mbps_high"))
        return {"n": 0, "settled": False, **nothing}
    found = measure_median(samples)
    return {
        "n": found.n,
        "settled": found.settled,
        "median_s": round_digits(found.value),
        "low_s": round_digits(found.low),
        "high_s": round_digits(found.high),
        "quantiles_s": {percent: round_digits(value) for percent, value in list_quantiles(samples).items()},
        "mbps": find_rate(sent, found.value),
        "mbps_low": find_rate(sent, found.high),
        "mbps_high": find_rate(sent, found.low),
    }


def _describe_prediction(predicted: Prediction | None) -> dict[str, float | None]:
    if predicted is None:
        return dict.fromkeys(("predicted_s", "predicted_low_s", "predicted_high_s"))
    return {
        "predicted_s": round_digits(predicted.seconds),
        "predicted_low_s": round_digits(predicted.low),
        "predicted_high_s": round_digits(predicted.high),
    }


def _compare(measured: Document, predicted: Prediction | None, octets: int) -> dict[str, Any]:
    """ratio: of the measured rate to the predicted one, with its interval. agrees: None where nothing is compared."""
    if predicted is None or not measured["median_s"]:
        return {"ratio": None, "ratio_low": None, "ratio_high": None, "agrees": None}
    seconds, low, high = (measured[key] for key in ("median_s", "low_s", "high_s"))
    within = (1 - AGREEMENT) * predicted.low <= seconds <= (1 + AGREEMENT) * predicted.high
    return {
        "ratio": round_digits(predicted.seconds / seconds),
        "ratio_low": round_digits(predicted.seconds / high) if high else None,
        "ratio_high": round_digits(predicted.seconds / low) if low else None,
        "agrees": within if octets >= LEAST_COMPARED else None,
    }

# SPDX-License-Identifier: GPL-3.0-or-later
"""Traits of a switch under load: rates, losses, pause frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...shared.frames.switch_check import OVERHEAD
from .trait import Result, Results, Trait, make_unknown_trait, number

#: Of the speed of its link: a node that sends less does not load the switch fully.
_FULL = 0.95
#: For which a pause frame stops the other end: 65535 times 512 (IEEE 802.3, annex 31B).
_PAUSE_BITS = 65535 * 512
#: Of the frames: fewer count as no loss.
_NO_LOSS = 0.001


def _judge_advertised(result: Result, _: Results) -> Trait:
    seen = sorted({link["partner"] for link in result["links"] if link["partner"]})
    if not seen:
        return make_unknown_trait("pause_advertised", "no driver shows what the other end of its link advertises")
    return Trait("/".join(seen), f"The switch advertises pause frames in autonegotiation: {', '.join(seen)}.")


def _judge_obeyed(result: Result, _: Results) -> Trait:
    usual, gap, paused = result["usual"], result["gap"], result["paused"]
    if not result["frames"] or usual > paused / 3:
        return make_unknown_trait("pause_obeyed", "the frames did not arrive evenly even without pause frames")
    if gap > paused / 2:
        return Trait(True, "The switch obeys pause frames.")
    if result["speed"] and result["apart"] > _PAUSE_BITS / (result["speed"] * 1e6):
        why = f"at {result['speed']} Mb/s they end before the node sends the next one"
        return make_unknown_trait("pause_obeyed", why)
    return Trait(False, "The switch ignores pause frames of a node, or the NIC does not let the node send them.")


def _judge_sent(result: Result, _: Results) -> Trait:
    counted = [each for each in result["pauses"] if each is not None]
    if not counted:
        return make_unknown_trait("pause_sent", "no driver counts received pause frames")
    if any(counted):
        return Trait(True, "The switch sends pause frames when a port is overloaded.")
    return Trait(False, "The switch sends no pause frames when a port is overloaded.")


def _rate(frames: int, result: Result, seconds: float) -> float:
    """In Mb/s on the wire: with header, check sequence, preamble and gap."""
    return float(frames * (result["payload"] + OVERHEAD) * 8 / seconds / 1e6) if seconds else 0.0


def _explain_flows(result: Result) -> str:
    """Why a test of rates shows nothing; empty if it does."""
    flows = result["flows"]
    if not all(flow["sent"] for flow in flows):
        return "a node could not send"
    if result["drops"] > _NO_LOSS * sum(flow["sent"] for flow in flows):
        return "the nodes themselves dropped frames"
    return ""


def _find_loss(flows: Sequence[Mapping[str, Any]]) -> float:
    sent, received = (sum(flow[key] for flow in flows) for key in ("sent", "received"))
    return max(0.0, 1.0 - float(received / sent))


def _judge_ring(result: Result, _: Results) -> Trait:
    flows, reason = result["flows"], _explain_flows(result)
    if reason:
        return make_unknown_trait("ring_rate", reason)
    offered = min(_rate(flow["sent"], result, flow["seconds"]) for flow in flows)
    slowest = round(min(_rate(flow["received"], result, flow["seconds"]) for flow in flows), 1)
    full = result["speed"] and offered >= _FULL * result["speed"]
    if _find_loss(flows) > _NO_LOSS:
        text = f"With all {len(flows)} ports busy, a port carries {number(slowest)} of {number(offered)} Mb/s."
        return Trait(slowest, text, "Mb/s", at_least=slowest, at_most=slowest)
    if full:
        text = f"The switch carries line rate on all {len(flows)} ports at once: {number(slowest)} Mb/s each."
        return Trait(slowest, text, "Mb/s", at_least=slowest)
    text = f"The switch carries {number(slowest)} Mb/s on all {len(flows)} ports at once; the nodes sent no more."
    return Trait(None, text, "Mb/s", at_least=slowest, reason="the nodes sent no more")


def _judge_ring_loss(result: Result, _: Results) -> Trait:
    reason = _explain_flows(result)
    if reason:
        return make_unknown_trait("ring_loss", reason)
    loss = round(100 * _find_loss(result["flows"]), 2)
    return Trait(loss, f"With all ports busy, {number(loss)} % of the frames are lost.", "%")


def _explain_incast(result: Result) -> str:
    flows = result["flows"]
    if len(flows) < 2:
        return "it takes three nodes"
    reason = _explain_flows(result)
    offered = sum(_rate(flow["sent"], result, flow["seconds"]) for flow in flows)
    if not reason and _find_loss(flows) <= _NO_LOSS and not (result["speed"] and offered > 1.1 * result["speed"]):
        return "the nodes did not send enough to overload a port"
    return reason


def _judge_incast_loss(result: Result, _: Results) -> Trait:
    reason = _explain_incast(result)
    if reason:
        return make_unknown_trait("incast_loss", reason)
    flows = result["flows"]
    loss = round(100 * _find_loss(flows), 1)
    shares = sorted(100 * flow["received"] / flow["sent"] for flow in flows)
    text = (
        f"When {len(flows)} ports send to one, {number(loss)} % of the frames are lost; of each sender "
        f"{number(shares[0])} to {number(shares[-1])} % arrive."
    )
    return Trait(loss, text, "%")


def _judge_fairness(result: Result, _: Results) -> Trait:
    reason = _explain_incast(result)
    received = [flow["received"] for flow in result["flows"]]
    if reason or not any(received):
        return make_unknown_trait("incast_fairness", reason or "no frame arrived")
    index = round(sum(received) ** 2 / (len(received) * sum(each**2 for each in received)), 3)
    words = "evenly" if index > 0.95 else "unevenly"
    return Trait(index, f"An overloaded port is shared {words} between the senders (Jain's index {number(index)}).")


LOAD: dict[str, Callable[[Result, Results], Trait]] = {
    "pause_advertised": _judge_advertised,
    "pause_obeyed": _judge_obeyed,
    "pause_sent": _judge_sent,
    "ring_rate": _judge_ring,
    "ring_loss": _judge_ring_loss,
    "incast_loss": _judge_incast_loss,
    "incast_fairness": _judge_fairness,
}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Traits of the frames that a switch forwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...shared.frames.switch_check import LLDP_ADDRESSES
from .trait import Result, Results, Trait, make_unknown_trait, number

_PASSED = 0.9  # of the frames; below, a limit cuts them
_OWN = 0.001  # of the frames that nodes drop themselves


def count_isolated(isolated: Sequence[Any]) -> Trait:
    if not isolated:
        return Trait(0, "All ports pass frames to each other.", "pairs")
    names = "; ".join(" and ".join(pair) for pair in isolated[:4])
    return Trait(len(isolated), f"Some ports pass no frames to each other: those of {names}.", "pairs")


def _judge_passed(name: str, counts: Mapping[str, int], what: str) -> Trait:
    passed, pairs = counts["passed"], counts["pairs"]
    if 0 < passed < pairs:
        return make_unknown_trait(name, f"they passed between {passed} of {pairs} pairs of nodes")
    return Trait(passed > 0, f"The switch {'forwards' if passed else 'does not forward'} {what}.")


def _judge_experimental(cast: str) -> Callable[[Result, Results], Trait]:
    def judge_one(result: Result, _: Results) -> Trait:
        what = f"{'broadcasts' if cast == 'broadcast' else 'unicast frames'} of EtherType 0x88B5, as verify sends them"
        return _judge_passed(f"forwards_experimental_{cast}", result["experimental"][cast], what)

    return judge_one


def _judge_ip(result: Result, _: Results) -> Trait:
    return _judge_passed("forwards_ip", result["ip"]["broadcast"], "IP")


def _judge_lldp(address: str) -> Callable[[Result, Results], Trait]:
    def judge_one(result: Result, _: Results) -> Trait:
        name = f"forwards_lldp_{address}"
        trait = _judge_passed(name, result["lldp"][address], f"LLDP to {LLDP_ADDRESSES[address]}")
        if trait.value is True and address != "nearest_customer_bridge":
            return Trait(True, f"{trait.sentence[:-1]}, so a host sees neighbors that are not on its cable.")
        return trait

    return judge_one


def _judge_largest(result: Result, _: Results) -> Trait:
    largest, limit = result["all"], result["limit"]
    if not largest:
        return make_unknown_trait("largest_frame", "no broadcast of any size passed between all nodes")
    if largest == limit:
        text = f"The switch carries {limit} bytes of payload, the most that the NICs take."
        return Trait(None, text, "bytes", at_least=limit)
    text = f"The switch carries {largest} bytes of payload between all ports, and no more."
    if result["short"]:
        text = f"{text[:-1]}; only the ports of {', '.join(result['short'])} stop there."
    return Trait(largest, text, "bytes", at_least=largest, at_most=largest)


def _judge_storm(result: Result, _: Results) -> Trait:
    if result.get("strangers"):
        others = ", ".join(result["strangers"][:3])
        why = f"other hosts are on the switch ({others}), which a storm would disturb; unplug its uplink"
        return make_unknown_trait("broadcast_limit", why)
    bursts = result["bursts"]
    if not all(each["sent"] for each in bursts):
        return make_unknown_trait("broadcast_limit", "a node could not send")
    whole = [each for each in bursts if each["passed"] >= _PASSED * each["sent"]]
    passed = max([round(each["sent"] / each["seconds"]) for each in whole], default=0)
    if len(whole) == len(bursts):
        text = f"The switch passes {passed} broadcasts a second from one port; more were not tried."
        return Trait(None, text, "frames/s", at_least=passed)
    *_, short, long = bursts
    if short["drops"] + long["drops"] > _OWN * (short["sent"] + long["sent"]):
        return make_unknown_trait("broadcast_limit", "the nodes themselves dropped frames")
    limit = max(0.0, (long["passed"] - short["passed"]) / (long["seconds"] - short["seconds"]))
    text = f"The switch passes {number(limit)} broadcasts a second from one port, and drops the others (storm control)."
    return Trait(round(limit, 1), text, "frames/s", at_least=min(passed, round(limit, 1)), at_most=short["rate"])


def _judge_start_delay(result: Result, _: Results) -> Trait:
    if result["carrier"] is None:
        return make_unknown_trait("start_delay", "the link did not come up again")
    if result["first"] is None:
        waited = round(result["waited"], 1)
        return Trait(None, f"A port passes nothing for more than {number(waited)} s.", "s", at_least=waited)
    first = result["first"]
    if first < 1:
        return Trait(first, "A port passes frames as soon as its link is up.", "s", at_least=0, at_most=first)
    text = f"A port passes nothing for {number(first)} s after its link comes up (spanning tree does that)."
    return Trait(first, text, "s", at_least=first, at_most=first)


FRAMES: dict[str, Callable[[Result, Results], Trait]] = {
    "forwards_experimental_broadcast": _judge_experimental("broadcast"),
    "forwards_experimental_unicast": _judge_experimental("unicast"),
    "forwards_ip": _judge_ip,
    **{f"forwards_lldp_{address}": _judge_lldp(address) for address in LLDP_ADDRESSES},
    "largest_frame": _judge_largest,
    "broadcast_limit": _judge_storm,
    "start_delay": _judge_start_delay,
}

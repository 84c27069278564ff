# SPDX-License-Identifier: GPL-3.0-or-later
"""Traits of the address table of a switch."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...shared.frames.switch_check import OVERFLOW
from .trait import Result, Results, Trait, make_unknown_trait, number, number_above

_ARRIVED = 0.9  # of the frames that must arrive in any case


def _judge_accepts(result: Result, _: Results) -> Trait:
    if result["accepts"]:
        return Trait(True, "The switch accepts frames from any address at any port.")
    return Trait(False, "The switch drops frames from addresses that it does not expect at a port (port security).")


def _judge_floods(result: Result, _: Results) -> Trait:
    if result["floods_unknown"]:
        return Trait(True, "The switch floods frames for unknown addresses.")
    return Trait(False, "The switch drops frames for unknown addresses.")


def _explain_unlearned(results: Results) -> str:
    """Why traits of the address table cannot be seen; empty if they can."""
    learning = results.get("learning", {"error": "this was not measured"})
    if "error" in learning:
        return str(learning["error"])
    if not learning["accepts"]:
        return "the switch drops frames from invented addresses"
    if not learning["floods_unknown"]:
        return "the switch does not flood frames for unknown addresses, so that shows nothing"
    return ""


def _judge_learns(result: Result, results: Results) -> Trait:
    reason = _explain_unlearned(results)
    known = [each for each in result["flooded"] if each is not None]
    if reason or not known:
        return make_unknown_trait("learns_addresses", reason or "the frames were lost")
    if not any(known):
        return Trait(True, "The switch learns addresses.")
    if all(known):
        return Trait(False, "The switch floods every frame, as a hub does: it learns no addresses.")
    mixed = f"{sum(known)} of {len(known)} frames for known addresses were flooded"
    return make_unknown_trait("learns_addresses", mixed)


def _explain_table(results: Results) -> str:
    reason = _explain_unlearned(results)
    learns = results.get("learning", {}).get("flooded", [])
    return reason or ("the switch learns no addresses" if learns and all(learns) else "")


def _judge_ageing(result: Result, results: Results) -> Trait:
    known, forgotten, reason = result["known"], result["forgotten"], _explain_table(results)
    if reason:
        return make_unknown_trait("ageing", reason)
    if forgotten is None:
        if not known:
            return make_unknown_trait("ageing", "the frames were lost")
        return Trait(None, f"The switch keeps a silent address for more than {number(known)} s.", "s", at_least=known)
    text = f"The switch forgets a silent address after {number(known)} to {number_above(forgotten)} s."
    return Trait(None, text, "s", at_least=known, at_most=forgotten)


def _judge_table(result: Result, results: Results) -> Trait:
    rounds, reason = result["rounds"], _explain_table(results)
    if reason or not rounds:
        return make_unknown_trait("table_size", reason or "the time was over")
    *before, last = rounds
    held = max([each["taught"] for each in before], default=0)
    if not last["complete"] or (last["arrived"] is not None and last["arrived"] < _ARRIVED * last["asked"]):
        if not held:
            return make_unknown_trait("table_size", "the switch lost frames")
        return Trait(None, f"The table of the switch holds at least {held} addresses.", "addresses", at_least=held)
    learned, margin = _estimate_learned(last)
    low, high = max(held, math.floor(learned - margin)), math.ceil(learned + margin) + result["others"]
    if last["flooded"] <= OVERFLOW * last["asked"]:
        why = f": {result['stopped']}" if result["stopped"] else ""
        text = f"The table of the switch holds at least {low} addresses; more were not tried{why}."
        return Trait(None, text, "addresses", at_least=low, reason=result["stopped"])
    text = f"The table of the switch holds {low} to {high} addresses; frames for others are flooded."
    return Trait(None, text, "addresses", at_least=low, at_most=high)


def _estimate_learned(round_: Result) -> tuple[float, float]:
    """How many of the addresses of a round the switch learned, and the error: two standard errors for a sample."""
    taught, asked, share = round_["taught"], round_["asked"], round_["flooded"] / round_["asked"]
    is_sample = asked < taught
    return taught * (1 - share), 2 * taught * math.sqrt(share * (1 - share) / asked) if is_sample else 0.0


def _judge_follows(result: Result, _: Results) -> Trait:
    followed = [each for each in result["followed"] if each is not None]
    if len(followed) == len(result["followed"]):
        return Trait(True, "The switch follows an address that moves to another port.")
    waited = number(result["waited"])
    if not followed:
        return Trait(False, f"The switch refuses an address that moves to another port, for at least {waited} s.")
    text = f"The switch followed {len(followed)} of {len(result['followed'])} moves of an address within {waited} s."
    return Trait(False, text)


def _judge_move_delay(result: Result, _: Results) -> Trait:
    if None in result["followed"]:
        text = f"Frames do not follow an address that moves within {number(result['waited'])} s."
        return Trait(None, text, "s", at_least=result["waited"])
    slowest = max(result["followed"])
    text = f"Frames follow an address that moves within {number(slowest)} s."
    return Trait(slowest, text, "s", at_least=0, at_most=slowest)


def _judge_many_moves(result: Result, _: Results) -> Trait:
    lost = result["stations"] - result["reachable"]
    if lost:
        return Trait(False, f"After an address has moved often, {lost} of {result['stations']} nodes are cut off.")
    if not result["flapped"]:
        return Trait(False, "The switch does not follow an address that moves often.")
    return Trait(True, "The switch tolerates an address that moves often.")


ADDRESSES: dict[str, Callable[[Result, Results], Trait]] = {
    "accepts_invented_addresses": _judge_accepts,
    "floods_unknown_addresses": _judge_floods,
    "learns_addresses": _judge_learns,
    "ageing": _judge_ageing,
    "table_size": _judge_table,
    "follows_moves": _judge_follows,
    "move_delay": _judge_move_delay,
    "survives_many_moves": _judge_many_moves,
}

# SPDX-License-Identifier: GPL-3.0-or-later
"""Says in one sentence what a suspect does, what it likely is, and in one what to do about it."""

from __future__ import annotations

from collections.abc import Mapping

from ...shared.errors import count
from ..numbers import format_rate, format_share
from .groups import CABLE, IN, LEG, NODE, OUT, SWITCH, TRUNK, Part
from .suspects import (
    BAD_FRAMES,
    LOSSY_CABLE,
    LOSSY_NODE,
    LOSSY_SWITCH,
    OVERSUBSCRIBED,
    SILENT,
    SLOW_CABLE,
    SLOW_NETWORK,
    SLOW_NODE,
    SLOW_PORT,
    SLOW_SWITCH,
    SLOW_TRUNK,
    Suspect,
)

#: Cause -> what it likely is.
_CAUSES = {
    SLOW_PORT: "its link runs at a lower speed or is limited",
    LOSSY_CABLE: "its cable or a plug is bad",
    SLOW_NODE: "the node itself is too slow",
    SLOW_SWITCH: "its ports run at a lower speed, or it forwards slowly",
    OVERSUBSCRIBED: "its backplane carries less than its links together (oversubscribed)",
    SLOW_CABLE: "its link runs at a lower speed or is limited",
    SLOW_TRUNK: "a cable of the trunk is missing or runs at a lower speed",
    LOSSY_NODE: "the node drops frames",
    LOSSY_SWITCH: "it drops frames",
    BAD_FRAMES: "its cable or a plug is bad",
    SILENT: "nothing passes",
    SLOW_NETWORK: "a cause that all parts have in common",
}


def name_part(part: Part) -> str:
    """k03 nic1 on red, k07, red, cable0, the trunk blue-red."""
    if part.kind == LEG:
        return f"{part.name} {part.device}" + (f" on {part.segment}" if part.segment else "")
    return f"the trunk {part.name}" if part.kind == TRUNK else part.name


def name_suspect(suspect: Suspect) -> str:
    """The part, or the parts that cannot be distinguished."""
    if suspect.part is None:
        return "the whole network"
    # The measurement states the direction; a part may be listed for both directions and for one.
    names = dict.fromkeys(name_part(each) for each in (suspect.part, *suspect.same))
    return " or ".join(names)


def describe_suspect(suspect: Suspect) -> str:
    """What was measured, and the likely cause."""
    cause = _CAUSES[suspect.cause]
    if suspect.link_mbps is not None and suspect.cause in (SLOW_PORT, SLOW_CABLE):
        cause = f"its link runs at {format_rate(suspect.link_mbps)}"
    return f"{name_suspect(suspect)} {_describe_measurement(suspect)}: {cause}"


def advise(suspect: Suspect) -> str:
    """What to do."""
    part = suspect.part
    if part is None:
        return "check what all tests share: processors of the nodes, frame size, offloads of the NICs, other traffic"
    where = f"`ethtool {part.device}` on {part.name}" if part.device else "`ethtool` at both ends"
    port = f"its port of {part.segment}" if part.kind == LEG else "the other end"
    steps: Mapping[str, str] = {
        SLOW_PORT: f"compare the speed in {where} with {port}; replace the cable, then try another port",
        SLOW_CABLE: "compare the speed in `ethtool` at both ends; replace the cable, then the NICs",
        SLOW_NODE: f"check {part.name}: other load, power saving, and the slots and offloads of its NICs",
        SLOW_SWITCH: f"check the speeds and rate limits of the ports of {part.name}; else replace it",
        OVERSUBSCRIBED: f"state internal_gbps: {_format_gbps(suspect)} for {part.name} and design again, or replace it",
        SLOW_TRUNK: "check the aggregation and the speed of each cable on both switches",
        LOSSY_NODE: f"check the dropped frames of {part.name} (`ethtool -S`): queues of its NICs, other load",
        LOSSY_SWITCH: f"check the counters of the ports of {part.name}: pause frames, buffers, firmware",
        SILENT: f"run `./fnn verify` and check {name_part(part)}",
    }
    lossy = f"replace the cable of {name_part(part)}; if it loses frames again, try another port, then another NIC"
    return steps.get(suspect.cause, lossy)


def _describe_measurement(suspect: Suspect) -> str:
    tests = f"({count(suspect.tests, 'test')})"
    if suspect.cause == SILENT:
        return f"passed nothing in most tests{_say_direction(suspect.part)} {tests}"
    if suspect.cause == BAD_FRAMES:
        names = ", ".join(f"{name} +{number}" for name, number in suspect.counters.items())
        return f"counted bad frames, more than other NICs ({names})"
    if suspect.cause == OVERSUBSCRIBED:
        return (
            f"passes {format_rate(suspect.total_mbps or 0)} in all, {format_share(suspect.ratio)} of the design,"
            f" and a pair alone gets the full rate {tests}"
        )
    if suspect.cause == SLOW_NETWORK:
        return f"gets {format_share(suspect.ratio)} of the design, less than TCP can {tests}"
    texts = []
    if suspect.cause not in (LOSSY_NODE, LOSSY_SWITCH) and suspect.ratio < 0.97 * suspect.others:
        texts.append(
            f"gets {format_rate(suspect.mbps)}{_say_direction(suspect.part)}, {format_share(suspect.ratio)} of the"
            f" design; others get {format_share(suspect.others)}"
        )
    if suspect.cause in (LOSSY_CABLE, LOSSY_NODE, LOSSY_SWITCH) and suspect.loss is not None:
        others = "" if suspect.others_loss is None else f", others {_format_loss(suspect.others_loss)}"
        texts.append(f"loses {_format_loss(suspect.loss)} of TCP segments{_say_direction(suspect.part)}{others}")
    if suspect.counters:
        texts.append(", ".join(f"{name} +{number}" for name, number in suspect.counters.items()))
    return f"{', and '.join(texts)} {tests}"


def _say_direction(part: Part | None) -> str:
    if part is None or part.kind in (SWITCH, TRUNK):
        return ""
    if part.kind == CABLE:
        return {OUT: " from its first node", IN: " to its first node"}.get(part.direction, "")
    whole = " over all its NICs" if part.kind == NODE else ""
    return whole + {OUT: " when it sends", IN: " when it receives"}.get(part.direction, "")


def _format_loss(share: float) -> str:
    return f"{100 * share:.2g} %" if share else "none"


def _format_gbps(suspect: Suspect) -> str:
    return f"{(suspect.total_mbps or 0) / 1000:.3g}"

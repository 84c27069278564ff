# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses how verify identifies cables, from what is asked for and from the passports of the switches.

Without a passport nothing is known of a switch, and the choice is that of the request. A passport rules methods out
before a frame is sent (docs/how-to/verify.md#switches-with-a-passport):

    a switch drops EtherType 0x88B5      no method works: its beacons would not arrive, nor the frames of the probe
    it refuses addresses that move, ...  the relearn probe works on no cable behind it; beacons alone, or an error
    it limits broadcasts                 beacons are sent so rarely that all pass
    a port passes nothing at first       silent NICs are waited for as long as the slowest switch needs, and no longer

Unknown traits rule nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

BEACONS, RELEARN, AUTO = "beacons", "relearn", "auto"
PASSPORT = "switch-passport.json"
#: Traits that the relearn probe needs, and what a switch without them does.
_NEEDED = {
    "forwards_experimental_unicast": "drops unicast frames of EtherType 0x88B5",
    "accepts_invented_addresses": "drops frames from invented addresses (port security)",
    "learns_addresses": "learns no addresses",
    "follows_moves": "refuses addresses that move to another port",
    "survives_many_moves": "does not tolerate an address that moves often",
}
_NO_METHOD = "and with fnn_access: nic the uplinks must stay plugged in, so no method is left for these switches"
_SHORTEST_AGEING = 2.0  # seconds for which a switch must keep an address during a trial
_LONGEST_MOVE = 0.2  # seconds; a trial does not wait longer
_SPARE = 5.0  # seconds that a silent NIC gets after the time its port needs
_BROADCASTS = 0.5  # of a limit, that beacons may use
_RAREST = 2.0  # seconds between two beacons of a NIC at most
_FASTEST = 0.04  # the same at least, without a limit (node/beacon/beacon.py)
_INTERVALS = 3  # between beacons, after which nothing new is expected


@dataclass(frozen=True)
class Request:
    """What the inventory asks for. seconds, blocked: fnn_verify_seconds and fnn_verify_blocked.

    has_head: whether a head is named. unplugs: whether the play itself pulls the uplinks, as in a lab.
    must_stay: whether the uplinks must stay plugged in, because Ansible arrives over them.
    nics: switch of the design -> its NICs. uplink: the switch that joins them; empty without one.
    """

    evidence: str
    has_head: bool
    unplugs: bool
    must_stay: bool
    seconds: float
    blocked: float
    nics: Mapping[str, int]
    uplink: str = ""


@dataclass(frozen=True)
class Method:
    """evidence: BEACONS, or RELEARN for both. interval: seconds between two beacons of a NIC at least; 0: no limit.

    problems: why no method works. notes: what the passports have changed.
    """

    evidence: str
    interval: float
    seconds: float
    blocked: float
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def choose_method(request: Request, passport: Mapping[str, Any] | None) -> Method:
    """passport: switch-passport.json; None without one."""
    traits = {each["switch"]: each["traits"] for each in (passport or {}).get("switches", ())}
    own = {switch: traits[switch] for switch in request.nics if switch in traits}
    behind = {**own, **({request.uplink: traits[request.uplink]} if request.uplink in traits else {})}
    probes, problems, notes = _choose_evidence(request, list(_find_filtering(own)), behind)
    interval = _choose_interval(request, own)
    if interval:
        notes.append(f"a switch limits broadcasts ({PASSPORT}), so each NIC sends a beacon every {interval:.2g} s")
    return Method(
        evidence=RELEARN if probes else BEACONS,
        interval=interval,
        seconds=max(request.seconds, _INTERVALS * interval),
        blocked=_find_wait(request, own),
        problems=tuple(problems),
        notes=tuple(notes),
    )


def _choose_evidence(
    request: Request, problems: list[str], traits: Mapping[str, Mapping[str, Any]]
) -> tuple[bool, list[str], list[str]]:
    """Whether the relearn probe is used, why no method works, and notes. problems: those that both methods have."""
    probes = request.evidence == RELEARN or (
        request.evidence == AUTO and request.has_head and (request.must_stay or not request.unplugs)
    )
    obstacles = list(_find_obstacles(traits)) if probes and not problems else []
    if not obstacles:
        return probes, problems, []
    if request.evidence == RELEARN or request.must_stay:
        advice = _NO_METHOD if request.must_stay else "pull the uplinks, and set fnn_verify_evidence: beacons"
        return True, [f"{each}, so the relearn probe does not work; {advice}" for each in obstacles], []
    return False, [], [f"{each}, so beacons are used alone: they need the uplinks unplugged" for each in obstacles]


def _choose_interval(request: Request, own: Mapping[str, Mapping[str, Any]]) -> float:
    """Seconds between two beacons of a NIC at least; 0 if the limits of all switches are higher than beacons need."""
    interval = max([_find_interval(own[each], request.nics[each]) for each in own], default=0.0)
    return min(_RAREST, interval) if interval > _FASTEST else 0.0


def _find_filtering(traits: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Switches on which neither beacons nor the probe work."""
    for switch, own in traits.items():
        if _get(own, "forwards_experimental_broadcast") is False:
            yield (
                f"{switch}: the switch does not forward broadcasts of EtherType 0x88B5 ({PASSPORT}), and all frames of "
                "verify have it: allow it in the configuration of the switch and run ./fnn switch-check again, or "
                "replace the switch"
            )


def _find_obstacles(traits: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Why the relearn probe does not work."""
    for switch, own in traits.items():
        reasons = [text for name, text in _NEEDED.items() if _get(own, name) is False]
        ageing, delay = own.get("ageing", {}), own.get("move_delay", {})
        if ageing.get("at_most") is not None and ageing["at_most"] < _SHORTEST_AGEING:
            reasons.append(f"forgets addresses after {ageing['at_most']:g} s")
        if isinstance(delay.get("value"), (int, float)) and delay["value"] > _LONGEST_MOVE:
            reasons.append(f"takes {delay['value']:g} s to follow an address that moves")
        if reasons:
            yield f"{switch}: the switch {reasons[0]} ({PASSPORT})"


def _find_interval(traits: Mapping[str, Any], nics: int) -> float:
    """Seconds between two beacons of a NIC, so that those of all NICs pass; 0 where no limit is known."""
    limit = traits.get("broadcast_limit", {})
    most = limit["value"] if isinstance(limit.get("value"), (int, float)) else None
    if most is None:
        return 0.0
    return nics / (_BROADCASTS * most) if most > 0 else _RAREST


def _find_wait(request: Request, own: Mapping[str, Mapping[str, Any]]) -> float:
    """Seconds that silent NICs are waited for."""
    traits = [each["start_delay"] for each in own.values()]
    known: list[float] = [each["value"] for each in traits if isinstance(each["value"], (int, float))]
    at_least: list[float] = [each["at_least"] for each in traits if each["at_least"] is not None]
    if not at_least:
        return request.blocked
    needed = max([*known, *at_least]) + min(_SPARE, request.blocked)
    return needed if len(known) == len(request.nics) else max(request.blocked, needed)


def _get(traits: Mapping[str, Any], name: str) -> Any:
    return traits.get(name, {}).get("value")

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a coordinator asks of a station: data, checked before a station acts on it.

An order is an authentic message {"id", "do", ...}. A station repeats its answer to a repeated order and does not act
again, as the answer may have been lost.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...shared.frames.switch_check import EXPERIMENTAL, IP
from ...shared.mac import is_group
from .frames import LLDP, Content, invent_mac, make_pause, make_probe
from .sender import Burst

PAUSE = "pause"
#: Seconds that one burst lasts at most, and frames that it has.
LONGEST, MOST = 12.0, 20_000_000
LONGEST_BOUNCE = 60.0  # seconds for which a station waits for frames after its link came up
_LARGEST = 16_384  # octets of a payload
_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")


@dataclass(frozen=True)
class BurstOrder:
    """A burst of probes of one test.

    source, destination: a MAC, or an invented one by its base: {"base": 7, "step": 1} is address 0, 1, 2 ... of base 7.
    size: octets of the payload. rate: frames a second. delay: seconds until it begins. counted: see frames.py.
    smooth: see sender.py.
    """

    test: int
    source: Any
    destination: Any
    layer: str = EXPERIMENTAL
    count: int = 1
    size: int = 0
    rate: float = 1000.0
    delay: float = 0.0
    seconds: float = LONGEST
    counted: bool = False
    smooth: bool = False

    def make_burst(self, run: bytes) -> Burst:
        def make(index: int) -> bytes:
            source, destination = (_resolve(end, index) for end in (self.source, self.destination))
            if self.layer == PAUSE:
                return make_pause(source)
            content = Content(run, self.test, index, self.counted)
            return make_probe(self.layer, (source, destination), content, self.size)

        is_plain = isinstance(self.source, str) and isinstance(self.destination, str)
        constant = is_plain and (self.counted or self.layer == PAUSE)
        to_group = isinstance(self.destination, str) and is_group(self.destination)
        return Burst(make, self.count, self.rate, self.seconds, constant, self.smooth, to_group)


def _resolve(end: Any, index: int) -> str:
    return end if isinstance(end, str) else invent_mac(end["base"], end.get("first", 0) + index * end.get("step", 0))


def read_burst_order(order: dict[str, Any]) -> BurstOrder:
    """The burst of an order. Raises ValueError for one that no coordinator sends."""
    known = {key: value for key, value in order.items() if key in BurstOrder.__dataclass_fields__}
    try:
        burst = BurstOrder(**known)
    except TypeError as error:
        raise ValueError(str(error)) from None
    limits = {"rate": 1e8, "delay": LONGEST, "seconds": LONGEST}
    whole = {"count": MOST, "size": _LARGEST, "test": 0xFFFFFFFF}
    for name, most in {**limits, **whole}.items():
        check_number(name, getattr(burst, name), most, is_whole=name in whole)
    if not burst.rate:
        raise ValueError("rate: expected more than 0")
    if burst.layer not in (EXPERIMENTAL, IP, LLDP, PAUSE):
        raise ValueError(f"layer: unknown {burst.layer!r}")
    for name in ("source", "destination"):
        _check_end(name, getattr(burst, name))
    return burst


def check_number(name: str, value: Any, most: float, is_whole: bool = False) -> None:
    """Raises ValueError for what is no number from 0 to `most`."""
    kinds = int if is_whole else (int, float)
    if not isinstance(value, kinds) or isinstance(value, bool) or not 0 <= value <= most:
        what = "a whole number" if is_whole else "a number"
        raise ValueError(f"{name}: expected {what} from 0 to {most:g}, not {value!r}")


def _check_end(name: str, end: Any) -> None:
    if isinstance(end, str) and _MAC.fullmatch(end):
        return
    numbers = (
        end.values() if isinstance(end, dict) and "base" in end and {*end} <= {"base", "first", "step"} else [None]
    )
    if not all(isinstance(each, int) and 0 <= each <= 0xFFFFFFFF for each in numbers):
        raise ValueError(f"{name}: expected a MAC or the base of invented ones, not {end!r}")

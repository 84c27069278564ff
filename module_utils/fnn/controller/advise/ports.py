# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports of the nodes that a network uses, and the parts of a price list that fit them.

The engine compares parts by their speed alone. So it gets a list of what fits the sockets of these ports:

    8x2.5 + 2x10 SFP+, for 90 EUR    for RJ45: 8 ports of 2.5 Gb/s, for 90 EUR
                                     for SFP+: 2 ports of 10 Gb/s, for 90 EUR
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..init.answers import Group
from ..init.words import read_groups
from ..numbers import format_rate
from ..spec.ports import media_family

Entry = Mapping[str, Any]
RJ45 = "rj45"


@dataclass(frozen=True)
class Ports:
    """Equal ports of each node: how many (`nics`), their speed, and their socket; None fits every part.

    offers: the whole price list. present: the nodes have these ports, at no price. module: price of what each cable
    needs at one end, where these ports and those of switches are of different families. single: compared only with one
    switch that has a port for each node.
    """

    mbps: int
    nics: int
    offers: Entry
    media: str | None = None
    present: bool = False
    module: float | None = None
    single: bool = False

    @property
    def prices(self) -> dict[str, Any]:
        """The price list of the parts that fit, as the engine reads it."""
        switches = [plain for each in self.offers.get("switches", []) for plain in _list_plain(each, self._far_media)]
        own = {"name": "present", "ports": 1, "speed_mbps": self.mbps, "price": 0, "source": "the request"}
        nics = [_strip(each) for each in self.offers.get("nics", []) if _fits(each, self.media)]
        return {
            **{key: value for key, value in self.offers.items() if key != "modules"},
            "switches": switches,
            "nics": [own] if self.present else nics,
            "cables": [
                {**_strip(each), "price": each["price"] + (self.module or 0)}
                for each in self.offers.get("cables", [])
                if _fits(each, self.media if self.module is None else RJ45)
            ],
        }

    @property
    def _far_media(self) -> str | None:
        """The socket of switches."""
        if self.module is None:
            return self.media
        return next(each["media"] for each in self.offers["modules"]) if self.media == RJ45 else RJ45

    def find_switch(self, ports: int, price: float | None) -> Entry | None:
        """The entry of the price list for a switch of which so many ports fit; None if it has none."""
        switches: Sequence[Entry] = self.offers.get("switches", [])
        return next(
            (
                each
                for each in switches
                for plain in _list_plain(each, self._far_media)
                if (plain["ports"], plain["price"]) == (ports, price) and plain["speed_mbps"] >= self.mbps
            ),
            None,
        )


def list_groups(switch: Entry) -> list[Group]:
    """The ports of a switch of a price list, by kind. Raises FnnError for words that describe none."""
    first = Group(switch["ports"], switch["speed_mbps"], switch.get("media", RJ45))
    more = switch.get("more_ports")
    return [first, *(read_groups(f"more_ports of {switch['name']}", more, first) if more else ())]


def format_groups(groups: Iterable[Group]) -> str:
    """Ports in words: 8 x 2.5 Gb/s + 2 x 10 Gb/s SFP+."""
    return " + ".join(f"{each.count} x {format_socket(each.speed_mbps, each.media)}" for each in groups)


def format_socket(mbps: int, media: str | None) -> str:
    """Speed and socket: 10 Gb/s SFP+. RJ45 is the usual one, and not named."""
    return format_rate(mbps) + (f" {media.upper()}" if media not in (None, RJ45) else "")


def choose_bought(offers: Entry, mbps: int, nics: int, single: bool = False) -> Ports:
    """Ports of NICs to buy. Their socket is that of the slowest NIC that is fast enough, and of these the cheapest."""
    fit = [each for each in offers.get("nics", []) if each["speed_mbps"] >= mbps]
    media = min(fit, key=lambda each: (each["speed_mbps"], each["price"] / each["ports"])).get("media") if fit else None
    return Ports(mbps, nics, offers, media, single=single)


def choose_present(offers: Entry, groups: Sequence[Group]) -> Iterator[Ports]:
    """Ports that the nodes have, by speed and family. A port counts also for lower speeds of its family."""
    for mbps, family in sorted({(each.speed_mbps, media_family(each.media)) for each in groups}):
        of_family = [each for each in groups if media_family(each.media) == family and each.speed_mbps >= mbps]
        nics = sum(each.count for each in of_family)
        media = next(each.media for each in of_family if each.speed_mbps == mbps)
        yield Ports(mbps, nics, offers, media, True)
        for module in offers.get("modules", []):
            if (
                module["speed_mbps"] == mbps
                and family in (RJ45, media_family(module["media"]))
                and offers.get("cables")
            ):
                yield Ports(mbps, nics, offers, media, True, module["price"])


def _list_plain(switch: Entry, media: str | None) -> list[dict[str, Any]]:
    """A switch as one of equal ports, for each speed of its ports that fit."""
    groups = [each for each in list_groups(switch) if fits_group(switch, each, media)]
    speeds = sorted({each.speed_mbps for each in groups})
    counts = [sum(each.count for each in groups if each.speed_mbps >= speed) for speed in speeds]
    plain = _strip(switch)
    return [{**plain, "ports": count, "speed_mbps": speed} for count, speed in zip(counts, speeds, strict=True)]


def fits_group(switch: Entry, group: Group, media: str | None) -> bool:
    """Whether these ports of a switch take cables for this socket. Those without a stated socket take all."""
    is_stated = "media" in switch or group.speed_mbps != switch["speed_mbps"]
    return not is_stated or fits_socket(group.media, media)


def fits_socket(one: str, other: str | None) -> bool:
    """Whether a cable with equal plugs joins both sockets."""
    return other is None or media_family(one) == media_family(other)


def _fits(entry: Entry, media: str | None) -> bool:
    return "media" not in entry or fits_socket(entry["media"], media)


def _strip(entry: Entry) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in ("media", "more_ports")}

# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/switch_check/passport.py and show.py"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.switch_check.passport import FORMAT, Check, make_entry, merge
from ansible.module_utils.fnn.controller.switch_check.show import show, write_lines
from ansible.module_utils.fnn.controller.switch_check.stations import Participants, Station
from ansible.module_utils.fnn.shared.errors import FnnError
from switch_results import PLAIN

STATIONS = (Station("k00", "02:f0:00:00:00:00"), Station("k01", "02:f0:00:00:01:00"))
CHECK = Check(
    switch="red",
    participants=Participants(STATIONS, "experimental", (), ()),
    stations=STATIONS,
    results=PLAIN,
    nics={"k00": {"driver": "igc", "speed_mbps": 2500}, "k01": {"driver": "igc", "speed_mbps": 2500}},
    model="Example GS108",
    date="2026-11-27",
    seconds=394.4,
)


def test_an_entry_is_valid_and_has_every_trait(documents: Documents) -> None:
    entry = make_entry(CHECK)
    documents.check(merge(None, entry), FORMAT)
    assert (entry["nodes"], entry["seconds"]) == (2, 394)
    assert entry["nics"] == [{"driver": "igc", "speed_mbps": 2500, "count": 2}]


def test_there_are_no_macs_in_a_passport() -> None:
    results = {
        **PLAIN,
        "sizes": {**PLAIN["sizes"], "all": 1404, "short": ["02:f0:00:00:01:00"]},
        "ageing": {"error": "02:f0:00:00:01:00 does not answer any more"},
        "storm": {"bursts": [], "strangers": ["9c:c7:a6:00:00:01"]},
    }
    entry = make_entry(replace(CHECK, results=results))
    text = json.dumps(entry, ensure_ascii=False)
    assert "02:f0:" not in text
    assert "9c:c7:a6:00" not in text
    assert "only the ports of k01 stop there" in text
    assert entry["traits"]["ageing"]["reason"] == "k01 does not answer any more"
    assert "(9c:c7:a6:…)" in entry["traits"]["broadcast_limit"]["reason"]


def test_a_new_check_replaces_the_entry_of_its_switch() -> None:
    red = make_entry(CHECK)
    blue = {**red, "switch": "blue"}
    document = merge(merge(merge(None, red), blue), {**red, "date": "2026-12-01"})
    assert [(each["switch"], each["date"]) for each in document["switches"]] == [
        ("blue", "2026-11-27"),
        ("red", "2026-12-01"),
    ]


def test_an_unknown_trait_without_a_reason_is_invalid(documents: Documents) -> None:
    document = merge(None, make_entry(CHECK))
    document["switches"][0]["traits"]["pause_sent"]["reason"] = ""
    with pytest.raises(FnnError, match="/switches/0/traits/pause_sent/reason"):
        documents.check(document, FORMAT)


def test_known_traits_are_shown_before_unknown_ones() -> None:
    lines = list(write_lines(make_entry(CHECK)))
    assert lines[0] == "red (Example GS108): 2 nodes, 394 s, 2026-11-27"
    at = lines.index("not known:")
    assert "  The switch learns addresses." in lines[:at]
    assert lines[at + 1 :] == [
        "  What the switch advertises about pause frames is not known: no driver shows what the other end of its link "
        "advertises.",
        "  Whether the switch sends pause frames is not known: no driver counts received pause frames.",
    ]
    absent = make_entry(replace(CHECK, participants=replace(CHECK.participants, absent=("k02",))))
    assert list(write_lines(absent))[1] == "  no frame of these nodes passes: k02"
    assert json.loads(show(make_entry(CHECK), "json"))["switch"] == "red"

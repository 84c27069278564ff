# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/fronts.py: the drawing of each switch's front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.labels.cabling import Cabling, SwitchCables, make_cabling
from ansible.module_utils.fnn.controller.labels.fronts import draw_front, draw_fronts, measure_front
from ansible.module_utils.fnn.controller.labels.jackets import Color
from ansible.module_utils.fnn.controller.labels.paper import PAPERS
from ansible.module_utils.fnn.controller.labels.shapes import Box, Shape, Words, fits
from ansible.module_utils.fnn.controller.labels.shapes import Style as TextStyle

ReadDesign = Callable[[str], dict[str, Any]]
WIDTH = PAPERS["a4"].inside


def draw(switch: SwitchCables, width: float = WIDTH) -> list[Shape]:
    return [*draw_front(switch, 0, 0, width)]


def read_ports(shapes: list[Shape]) -> list[tuple[Box, list[str]]]:
    """The box of each port with the words in it, in the order of drawing."""
    words = [shape for shape in shapes if isinstance(shape, Words)]
    ports = [shape for shape in shapes if isinstance(shape, Box)][1:]
    inside = [
        [each.text for each in words if box.y < each.y < box.y + box.height and holds(box, each)] for box in ports
    ]
    return [*zip(ports, inside)]


def holds(box: Box, words: Words) -> bool:
    return box.x <= words.left and words.left + words.width <= box.x + box.width


@pytest.fixture(params=["klat2", "lab", "two-switches", "homelab16/ports8-uplink"])
def cabling(request: pytest.FixtureRequest, read_design: ReadDesign) -> Cabling:
    return make_cabling(read_design(request.param))


def test_each_port_has_its_cable_in_its_color_with_the_other_end(cabling: Cabling) -> None:
    for switch in cabling.switches:
        ports = read_ports(draw(switch))
        assert len(ports) == switch.ports
        for number, (box, words) in enumerate(ports, start=1):
            cable = {**switch.cables, **switch.linked}.get(number)
            if cable is None:
                assert box.dashed and not words
                continue
            other = cable.near if cable.far.device == switch.name else cable.far
            assert box.fill == cable.color.rgb
            assert words == [other.device, other.port] if other.port else words[0] == other.device


def test_odd_ports_are_above_even_ones_from_eleven_ports_on(read_design: ReadDesign) -> None:
    ports = [box for box, _ in read_ports(draw(make_cabling(read_design("klat2")).switches[0]))]
    assert len({box.y for box in ports[::2]}) == len({box.y for box in ports[1::2]}) == 1
    assert ports[0].y < ports[1].y and ports[0].x == ports[1].x < ports[2].x
    small = [box for box, _ in read_ports(draw(make_cabling(read_design("lab")).switches[0]))]
    assert len({box.y for box in small}) == 1


@pytest.mark.parametrize("ports", [1, 5, 8, 10, 11, 24, 48, 52, 300])
def test_a_front_has_every_port_once_within_its_case(ports: int) -> None:
    switch = SwitchCables("red", Color("red"), None, ports, 0)
    case, *boxes = [shape for shape in draw(switch) if isinstance(shape, Box)]
    assert len({(box.x, box.y) for box in boxes}) == ports
    assert case.height == measure_front(switch, WIDTH) and case.width <= WIDTH + 0.01
    for box in boxes:
        assert box.x > 0 and box.x + box.width < case.width and box.y > 0 and box.y + box.height < case.height


def test_the_numbers_of_the_ports_are_above_them(read_design: ReadDesign) -> None:
    shapes = draw(make_cabling(read_design("lab")).switches[0])
    numbers = [shape.text for shape in shapes if isinstance(shape, Words) and shape.size == 5.5]
    assert numbers == ["1", "2", "3", "4", "5"]


def test_long_names_get_wider_ports_in_more_banks(awkward: dict[str, Any]) -> None:
    switch = make_cabling(awkward).switches[-1]
    ports = read_ports(draw(switch))
    assert switch.ports == 30 and len({box.y for box, _ in ports}) > 2
    assert all(fits(words[0], box.width - 2, TextStyle(5.5, True)) for box, words in ports if words)
    assert not [words for _, words in ports if words and words[0].endswith("...")]


def test_a_picture_has_all_switches_with_their_used_ports(cabling: Cabling) -> None:
    page = draw_fronts(cabling)
    words = [shape.text for shape in page.shapes if isinstance(shape, Words)]
    for switch in cabling.switches:
        used = len(switch.cables) + len(switch.linked)
        assert switch.name in words
        assert any(text.startswith(f"{used} of {switch.ports} port") for text in words)
    bottom = max(shape.y + shape.height for shape in page.shapes if isinstance(shape, Box))
    assert bottom <= page.height

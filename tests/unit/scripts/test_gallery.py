# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of README and docs, the terminal that some of them show, and the outputs that pages quote."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ansible.module_utils.fnn.controller.labels.jackets import JACKETS
from PIL import Image

from scripts.checkout import copy_checkout
from scripts.docs.stage import list_docs
from scripts.gallery.designs import draw_design, read_design
from scripts.gallery.outputs import renew
from scripts.gallery.pages import COLORS, compress
from scripts.gallery.recording import draw_recording, make_environment
from scripts.gallery.terminal import Recording, draw_terminal

SVG = "{http://www.w3.org/2000/svg}"
SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize("name", ["cluster.svg", "wire.svg"])
def test_committed_pictures_show_the_committed_design(name: str, root: Path) -> None:
    """After a change: make gallery."""
    assert (root / "docs/pictures" / name).read_text() == draw_design(read_design("sixteen"))[name]


def test_the_picture_of_a_cluster_has_each_cable_once() -> None:
    design = read_design("sixteen")
    drawn = ElementTree.fromstring(draw_design(design)["cluster.svg"])
    titles = Counter(each.text for path in drawn.iter(f"{SVG}path") for each in path.iter(f"{SVG}title"))
    links = [(node["name"], each) for node in design["nodes"] for each in node["links"]]
    assert titles == Counter(f"{node} NIC {each['nic']} to {each['switch']}" for node, each in links)


def test_every_picture_is_shown_and_all_are_less_than_a_megabyte(root: Path) -> None:
    pictures = {path.name: path.stat().st_size for path in (root / "docs/pictures").iterdir()}
    pages = [root / "README.md", *(root / name for name in list_docs(root) if name.endswith(".md"))]
    shown = {name for page in pages for name in re.findall(r"pictures/([\w.-]+)", page.read_text())}
    assert pictures.keys() == shown
    assert sum(pictures.values()) < 1_000_000


def test_the_readme_shows_a_wired_cluster_first_and_at_least_five_pictures(root: Path) -> None:
    text = (root / "README.md").read_text()
    pictures = re.findall(r"docs/pictures/([\w.-]+)", text)
    assert pictures[0] == "cluster.svg"
    assert len({*pictures}) >= 5
    head = text.splitlines()[:25]
    assert [line for line in head if line.startswith("    make ")] == [
        line for line in text.splitlines() if line.startswith(("    make site ", "    make test "))
    ]


def list_texts(svg: str) -> list[str]:
    inner = next(ElementTree.fromstring(svg).iter(f"{SVG}svg")).find(f"{SVG}svg")
    assert inner is not None
    return [(each.text or "").replace(SPACE, " ") for each in inner.iter(f"{SVG}text")]


def test_a_terminal_shows_the_last_lines_with_their_colors() -> None:
    svg = draw_terminal(["first", "a  b", "\x1b[31mred & bold\x1b[0m", ""], "title", 20, 3)
    assert list_texts(svg) == ["a  b", "red & bold"]
    assert 'fill="#ff7b72"' in svg


def test_a_colored_background_is_as_wide_as_its_text() -> None:
    svg = draw_terminal(["in \x1b[48;2;255;230;0mYELLOW\x1b[0m"], "title", 20, 1)
    assert '<rect x="25.2" y="0" width="50.4" height="19" fill="#ffe600"/>' in svg


def test_lines_of_a_recording_appear_at_their_times_and_scroll() -> None:
    svg = draw_terminal(["one", "two", "three"], "title", 20, 2, Recording([0.0, 1.0, 2.0], 4.0))
    assert list_texts(svg) == ["one", "two", "three"]
    root = ElementTree.fromstring(svg)
    assert [each.get("keyTimes") for each in root.iter(f"{SVG}animate")] == ["0;0.0000", "0;0.2500", "0;0.5000"]
    (scroll,) = root.iter(f"{SVG}animateTransform")
    assert (scroll.get("keyTimes"), scroll.get("values")) == ("0.0000;0.5000", "0 0;0 -19")


def test_a_recording_has_each_command_before_its_output() -> None:
    assert list_texts(draw_recording([("./fnn design", "a\nb\n"), ("./fnn site", "c\n")])) == [
        "$", "./fnn design", "a", "b", "$", "./fnn site", "c",
    ]  # fmt: skip


def test_settings_of_the_user_do_not_reach_recorded_commands() -> None:
    made = make_environment({"FNN_INVENTORY": "mine", "ANSIBLE_CONFIG": "/a", "PATH": "/bin", "TERM": "xterm"})
    assert (made["PATH"], made["TERM"]) == ("/bin", "dumb")
    assert not {"FNN_INVENTORY", "ANSIBLE_CONFIG"} & made.keys()


def test_quoted_outputs_are_renewed(tmp_path: Path) -> None:
    page = "# A\n\n<!-- output of: printf 'a\\nb\\n' -->\n```\nold\n```\n\n```\nother\n```\n"
    renewed = page.replace("old", "a\nb")
    assert renew(page, tmp_path) == renewed
    assert renew(renewed, tmp_path) == renewed


def test_a_picture_with_few_colors_keeps_those_of_small_patches() -> None:
    picture = Image.effect_noise((400, 300), 60).convert("RGB")
    patches = {(10 * at, 5): find_jacket_color(name) for at, name in enumerate(("red", "orange", "brown", "purple"))}
    for (x, y), color in patches.items():
        picture.paste(color, (x, y, x + 8, y + 8))
    few = Image.open(io.BytesIO(compress(picture)))
    assert len(few.getcolors() or ()) <= COLORS
    assert {place: few.convert("RGB").getpixel(place) for place in patches} == patches


def find_jacket_color(name: str) -> tuple[int, int, int]:
    red, green, blue = (int(JACKETS[name].rgb[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def test_a_copy_of_the_checkout_has_no_ignored_files(root: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy/old").touch()
    copy_checkout(root, tmp_path / "copy")
    assert not (tmp_path / "copy/old").exists()
    assert (tmp_path / "copy/site.yml").read_bytes() == (root / "site.yml").read_bytes()
    assert not (tmp_path / "copy/build").exists()
    assert (tmp_path / "copy/bin").resolve() == (root / "bin").resolve()

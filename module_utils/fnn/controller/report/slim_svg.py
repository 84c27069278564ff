# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes an SVG smaller without changing what it shows, by rules that suit matplotlib's output.

matplotlib writes a group with an id for every tick, six decimals per coordinate and all styles at every element:
124,000 characters for four graphs. A tenth of a point is finer than a pixel, and styles can be inherited:

    <g id="patch_3"><path d="M 82.496881 18.591457 L 174.308459 18.591457 ..." style="fill: #2b5c8f; ..."/></g>
    <g id="patch_4"><path d="M 82.496881 35.689513 L 120.308459 35.689513 ..." style="fill: #2b5c8f; ..."/></g>

    <g fill="#2b5c8f"><path d="M82.5 18.6H174.3..."/><path d="M82.5 35.7H120.3..."/></g>
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from .simplify import Point, simplify_line

_SVG, _XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_STEP = re.compile(r"([MLHVCQZz])([^MLHVCQZz]*)")
_LENGTHS = {"x", "y", "x1", "x2", "y1", "y2", "width", "height", "textLength"}
#: Attributes that a group can carry for its members: inherited ones, and a clip, which then clips the group.
_SHARED = (
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "clip-path"),
    *("font-size", "font-weight", "text-anchor", "lengthAdjust", "textLength"),
)
_DEFAULTS = {"text-anchor": "start", "stroke-dashoffset": "0", "stroke-opacity": "1", "fill-opacity": "1"}
#: Of a mark, which inherits them from its definition.
_OF_MARKS = ("fill", "stroke", "stroke-width")
#: Points of a line from which on those are left out because they cannot be seen.
_LONG = 12
#: A bar of no length.
_FLAT = re.compile(r"M[-\d.]+ [-\d.]+[HV][-\d.]+z")


def slim_svg(text: str) -> str:
    """The same picture as a single element `<svg>`, with a final newline. The same text gives the same bytes."""
    ElementTree.register_namespace("", _SVG[1:-1])
    ElementTree.register_namespace("xlink", _XLINK[1:-1])
    root = ElementTree.fromstring(text)
    size = root.get("width"), root.get("height"), root.get("viewBox")
    for element in root.iter():
        element.text = element.text if (element.text or "").strip() else None
        element.tail = None
        _write_attributes(element)
        _round_numbers(element)
    root.attrib.update({name: value for name, value in zip(("width", "height", "viewBox"), size) if value})
    _share_fonts(root)
    _drop_style_sheet(root)
    _rename(root)
    _unwrap(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _write_attributes(element: Element) -> None:
    """Replaces the style by attributes, and drops those that say nothing."""
    for part in (element.attrib.pop("style", "") or "").split(";"):
        name, _, value = part.partition(":")
        if value:
            element.set(name.strip(), value.strip())
    for name, value in _DEFAULTS.items():
        if element.get(name) == value:
            del element.attrib[name]
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]
    if element.tag == f"{_SVG}use":
        for name in _OF_MARKS:
            if element.get("fill") == element.get("stroke"):
                element.attrib.pop(name, None)
    if element.tag == f"{_SVG}path" and element.get("fill") == "none" and "stroke" not in element.attrib:
        element.set("d", "")


def _round_numbers(element: Element) -> None:
    for name in _LENGTHS & set(element.attrib):
        element.set(name, re.sub(r"-?\d+\.\d+", lambda match: _format(float(match[0])), element.attrib[name]))
    if "transform" in element.attrib and "scale" not in element.attrib["transform"]:
        element.set(
            "transform", re.sub(r"-?\d+\.\d+", lambda match: _format(float(match[0])), element.attrib["transform"])
        )
    if "d" in element.attrib:
        closed = element.get("fill", "") != "none"
        data = slim_path(element.attrib["d"], closed)
        element.set("d", "" if _FLAT.fullmatch(data) else data)


def slim_path(data: str, filled: bool = True) -> str:
    """A path of absolute steps with one decimal; other paths as they are. filled: no point of its lines is left out."""
    if re.search(r"[a-y]|A|S|T", data):
        return data
    steps = [(match[1], _read(match[2])) for match in _STEP.finditer(data)]
    if any(kind in "ML" and len(numbers) != 2 for kind, numbers in steps):
        return data
    if not filled and all(kind in "ML" for kind, _ in steps) and len(steps) > _LONG:
        line = simplify_line([(numbers[0], numbers[1]) for _, numbers in steps])
        steps = [("L" if at else "M", list(point)) for at, point in enumerate(line)]
    return "".join(_write_steps(steps))


def _read(numbers: str) -> list[float]:
    return [round(float(each), 1) for each in numbers.replace(",", " ").split()]


def _write_steps(steps: Sequence[tuple[str, list[float]]]) -> Iterator[str]:
    """Lines along an axis need only one number, and points that repeat need none."""
    here: Point = (float("nan"), float("nan"))
    for kind, numbers in steps:
        if kind in "Zz":
            yield "z"
            continue
        if kind in "HV":
            here = (numbers[0], here[1]) if kind == "H" else (here[0], numbers[0])
            yield kind + _format(numbers[0])
            continue
        x, y = numbers[-2:]
        if kind == "L" and (x, y) == here:
            continue
        if kind == "L" and y == here[1]:
            yield f"H{_format(x)}"
        elif kind == "L" and x == here[0]:
            yield f"V{_format(y)}"
        else:
            yield kind + " ".join(map(_format, numbers))
        here = (x, y)


def _format(value: float) -> str:
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def _share_fonts(root: Element) -> None:
    """The commonest font is that of the picture."""
    texts = list(root.iter(f"{_SVG}text"))
    for name in ("font-family", "font-size"):
        found = [each.attrib[name] for each in texts if name in each.attrib]
        if found and len(found) == len(texts):
            common = max(sorted(set(found)), key=found.count)
            root.set(name, common)
            for each in texts:
                if each.attrib[name] == common:
                    del each.attrib[name]


def _drop_style_sheet(root: Element) -> None:
    """matplotlib's style sheet has one rule, for the joints of lines."""
    for parent in list(root.iter()):
        for sheet in parent.findall(f"{_SVG}style"):
            parent.remove(sheet)
            root.set("stroke-linejoin", "round")


def _rename(root: Element) -> None:
    """Short ids for what is referenced, none for all else."""
    used = [name for element in root.iter() for value in element.attrib.values() for name in _REFERENCE.findall(value)]
    used += [value[1:] for element in root.iter() if (value := element.get(f"{_XLINK}href"))]
    names = {name: f"i{number}" for number, name in enumerate(dict.fromkeys(used))}
    for element in root.iter():
        name = element.attrib.pop("id", "")
        if name in names:
            element.set("id", names[name])
        for key, value in element.attrib.items():
            if key == f"{_XLINK}href":
                element.set(key, f"#{names[value[1:]]}")
            elif "url(#" in value:
                element.set(key, _REFERENCE.sub(lambda match: f"url(#{names[match[1]]})", value))


def _unwrap(parent: Element) -> None:
    """Replaces groups without attributes by their members, and puts what is alike into groups."""
    members: list[Element] = []
    for child in list(parent):
        _unwrap(child)
        parent.remove(child)
        if (child.tag in (f"{_SVG}g", f"{_SVG}defs") and not len(child)) or child.get("d") == "":
            continue
        if child.tag == f"{_SVG}g" and not child.attrib:
            members.extend(child)
        else:
            members.append(child)
    for shared, run in groupby(members, key=_find_shared):
        alike = list(run)
        if shared and len(alike) > 1:
            group = ElementTree.SubElement(parent, f"{_SVG}g", dict(shared))
            for each in alike:
                for name, _ in shared:
                    del each.attrib[name]
            group.extend(alike)
        else:
            parent.extend(alike)


def _find_shared(element: Element) -> tuple[tuple[str, str], ...]:
    if element.tag in (f"{_SVG}g", f"{_SVG}defs", f"{_SVG}clipPath"):
        return ()
    return tuple((name, element.attrib[name]) for name in _SHARED if name in element.attrib)

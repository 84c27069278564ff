# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves out points of a line that do not change how it looks (Ramer-Douglas-Peucker).

A curve of a thousand steps on a logarithmic axis has most of its points within a few pixels. A point stays if the line
without it would pass more than a tolerance beside it:

    . . .                  .     .
            .      ->             \\  .
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float]
#: In points of 1/72 inch: a third of a pixel.
_TOLERANCE = 0.25


def simplify_line(points: Sequence[Point], tolerance: float = _TOLERANCE) -> list[Point]:
    """The points that stay, the first and the last among them."""
    if len(points) < 3:
        return list(points)
    kept = {0, len(points) - 1}
    open_parts = [(0, len(points) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        distances = [_measure(points[at], points[first], points[last]) for at in range(first + 1, last)]
        if distances and max(distances) > tolerance:
            middle = first + 1 + distances.index(max(distances))
            kept.add(middle)
            open_parts += [(first, middle), (middle, last)]
    return [points[at] for at in sorted(kept)]


def _measure(point: Point, start: Point, end: Point) -> float:
    """The distance of a point from a line segment."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across * across + down * down
    share = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    x, y = start[0] + share * across - point[0], start[1] + share * down - point[1]
    return float((x * x + y * y) ** 0.5)

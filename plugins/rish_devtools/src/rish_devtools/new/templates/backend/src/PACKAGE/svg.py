"""SVG elements for the batches of a frame: one function for each kind.

Each function takes a batch and returns a list of elements in the units of the pass, with the
y axis up. `rgba` are straight colors. What is not finite is left out.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

SPRITE_POSITION, SPRITE_SIZE, SPRITE_TURN = 8, 16, 65536  # see rish_frame.frame.instances


def shapes(batch: Any) -> list[str]:
    """Return boxes and ellipses: the unit square around (0, 0), placed by a matrix."""
    found, a = [], batch.arrays
    for i in np.flatnonzero(np.isfinite(a["matrix"]).all(axis=1)):
        half, rgba, edge = a["half"][i], a["rgba"][i], a["edge"][i]
        fill = (rgba.astype(int) + a["rgba2"][i]) // 2
        style = paint("fill", fill)
        if a["line"][i] > 0 and edge[3]:
            width = float(a["line"][i]) / max(float(half.max()) * 2, 1e-6)
            style += f' {paint("stroke", edge)} stroke-width="{number(width)}"'
        place = f'transform="matrix({numbers(a["matrix"][i])})"'
        if a["kind"][i]:
            found.append(f'<circle r="0.5" {place} {style}/>')
        else:
            round_ = float(a["corner"][i]) / max(float(half.min()) * 2, 1e-6)
            box = f'x="-0.5" y="-0.5" width="1" height="1" rx="{number(round_)}"'
            found.append(f"<rect {box} {place} {style}/>")
    return found


def lines(batch: Any) -> list[str]:
    """Return lines with round caps."""
    found, a = [], batch.arrays
    for (x0, y0, x1, y1), width, rgba in zip(a["points"], a["width"], a["rgba"], strict=True):
        if np.isfinite((x0, y0, x1, y1, width)).all():
            d = f"M{numbers((x0, y0))} L{numbers((x1, y1))}"
            style = f'{paint("stroke", rgba)} stroke-width="{number(width)}"'
            found.append(f'<path d="{d}" {style} stroke-linecap="round"/>')
    return found


def polygons(batch: Any) -> list[str]:
    """Return filled polygons."""
    found, a = [], batch.arrays
    for i, rgba in enumerate(a["rgba"]):
        points = a["points"][a["starts"][i] : a["starts"][i + 1]]
        if np.isfinite(points).all():
            found.append(f'<polygon points="{numbers(points.ravel())}" {paint("fill", rgba)}/>')
    return found


def sprites(batch: Any) -> list[str]:
    """Return a box in the tint of each sprite, because pages are not written."""
    found, (left, low) = [], batch.origin
    for each in batch.arrays["instances"]:
        x = left + each["x"] / SPRITE_POSITION * batch.unit
        y = low + each["y"] / SPRITE_POSITION * batch.unit
        w, h = (each[side] / SPRITE_SIZE * batch.unit for side in ("w", "h"))
        turn = each["rotation"] / SPRITE_TURN * 360
        place = f'transform="translate({numbers((x, y))}) rotate({number(turn)})"'
        box = f'x="{number(-w / 2)}" y="{number(-h / 2)}" width="{number(w)}" height="{number(h)}"'
        found.append(f"<rect {box} {place} {paint('fill', each['rgba'])}/>")
    return found


ELEMENTS = {"shapes": shapes, "lines": lines, "polygons": polygons, "sprites": sprites}
"""The function of each kind that is drawn."""


def paint(what: str, rgba: Any) -> str:
    """Return a color as attributes. what: `fill` or `stroke`. rgba: four bytes."""
    red, green, blue, alpha = (int(value) for value in rgba)
    return f'{what}="#{red:02x}{green:02x}{blue:02x}" {what}-opacity="{number(alpha / 255)}"'


def numbers(values: Iterable[Any]) -> str:
    """Return numbers separated by spaces."""
    return " ".join(number(value) for value in values)


def number(value: Any) -> str:
    """Return a number with at most three digits behind the point."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")

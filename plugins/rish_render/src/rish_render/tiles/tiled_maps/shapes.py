"""The shapes of Tiled's objects as corners: boxes, ellipses, capsules and polygons."""

from __future__ import annotations

import math

import numpy as np

from rish_jit import Array, maths

from .documents import Node, angle_of

_ROUND = 16  # corners of an ellipse; each end of a capsule has the half of them


def form_of(node: Node) -> str:
    """Return the form of an object, as `MapObject.form` has it."""
    for key, form in _FORMS.items():
        value = node.get(key)
        if value is not None and value is not False and value != 0:
            return form
    return "box"


_FORMS = {
    "gid": "tile", "point": "point", "ellipse": "ellipse", "capsule": "capsule", "polygon": "polygon",
    "polyline": "line", "text": "text",
}  # fmt: skip


def corners_of(node: Node) -> list[tuple[float, float]]:
    """Return the corners of a polygon or line relative to the object's position, y down."""
    points = node.nodes("polygon") or node.nodes("polyline")
    return [(point.number("x"), point.number("y")) for point in points]


def tile_shape(node: Node, height: float) -> Array | None:
    """Convert a shape of Tiled's collision editor to corners from the tile's bottom left, counter-clockwise.

    height: of the tile's picture. Returns None for what has no area.
    """
    ring = _ring(node)
    if ring is None or len(ring) < 3:
        return None
    angle = angle_of(node)
    cos, sin = maths.cos(angle), maths.sin(angle)
    x, y = node.number("x"), node.number("y")
    px, py = ring[:, 0] * cos - ring[:, 1] * sin + x, ring[:, 0] * sin + ring[:, 1] * cos + y
    corners = np.stack([px, height - py], axis=1)
    area = np.sum(corners[:, 0] * np.roll(corners[:, 1], -1) - np.roll(corners[:, 0], -1) * corners[:, 1])
    return corners if area >= 0 else corners[::-1].copy()


def _ring(node: Node) -> Array | None:
    """Return the corners of a shape relative to its position, y down, not yet rotated; None for a point or line."""
    form = form_of(node)
    if form == "polygon":
        return np.array(corners_of(node), np.float64).reshape(-1, 2)
    w, h = node.number("width"), node.number("height")
    if form not in ("box", "ellipse", "capsule") or w <= 0 or h <= 0:
        return None
    if form == "box":
        return np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
    turn = np.arange(_ROUND) * (2 * math.pi / _ROUND)
    if form == "ellipse":
        return np.stack([w / 2 + maths.cos(turn) * w / 2, h / 2 + maths.sin(turn) * h / 2], axis=1)
    # A capsule is a half circle at each end of the line in its middle.
    radius, length = min(w, h) / 2, max(w, h)
    turn = np.linspace(-math.pi / 2, math.pi / 2, _ROUND // 2 + 1)
    cos, sin = maths.cos(turn) * radius, maths.sin(turn) * radius
    along = np.concatenate([length - radius + cos, radius - cos])
    across = np.concatenate([radius + sin, radius - sin])
    return np.stack([along, across] if w >= h else [across, along], axis=1)

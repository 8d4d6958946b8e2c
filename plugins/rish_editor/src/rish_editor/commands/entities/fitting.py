"""Fitting: the initial size and form of a component, such as a collider, are those of what its entity draws.

A component has a form if it is not drawn itself and has a field `size` in units: colliders, occluders, water.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import kind_of
from rish_render import Shape, ShapeForm, drawn_boxes
from rish_space3d import Bounds3D, Transform3D

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs.declarations import FieldSpec

Values = dict[str, Any]
Box = tuple[float, float, float, float]
Points = npt.NDArray[np.float64]
_MAX_CORNERS = 8
"""The greatest number of points of a convex polygon."""
_DIGITS = 4
_FORMS = {"ellipse": ("circle",), "polygon": ("polygon",), "outline": ("outline", "polygon"),
          "segment": ("segment", "line"), "chain": ("chain", "line")}  # fmt: skip
"""By the drawn shape: the names of fitting forms in components, the best first."""


def fit_to_drawn(world: World, handles: Sequence[int], cls: type) -> None:
    """Set the size and form of a component of entities to those of what each of them draws; unchanged for entities that
    draw nothing.

    For a Shape, the form is that of the shape; for others, it is the box around what is drawn. Sizes are in the space
    of the entity, whose scale applies to both.
    """
    fields = kind_of(cls).fields
    size = fields.get("size")
    if size is None or size.unit != "units" or size.low is None or "visible" in fields or not np.any(size.default):
        return
    groups: dict[str, tuple[Values, list[int]]] = {}
    for handle, box in zip(handles, _boxes(world, handles), strict=True):
        values = _of_shape(world, handle, fields) if world.has(handle, Shape) else {}
        values = values or (_of_box(box, fields) if box is not None else {})
        if values:
            groups.setdefault(repr(values), (values, []))[1].append(handle)
    for values, entities in groups.values():
        world.set(np.array(entities, np.int64), cls(**values))


def _boxes(world: World, handles: Sequence[int]) -> list[Box | None]:
    """Return the box around what each entity draws on the plane, or else in space, seen from the front."""
    entities = np.asarray(handles, np.int64)
    boxes = drawn_boxes(world, entities).local
    if Transform3D in world.tables and Bounds3D in world:
        deep = world[Bounds3D].of(world, entities)[:, :, :2].reshape(-1, 4)
        boxes = np.where(np.isfinite(boxes), boxes, deep)
    return [(x0, y0, x1, y1) if np.isfinite(x0) and x1 > x0 and y1 > y0 else None for x0, y0, x1, y1 in boxes.tolist()]


def _of_box(box: Box, fields: Mapping[str, FieldSpec]) -> Values:
    x0, y0, x1, y1 = box
    values: Values = {"size": _rounded((x1 - x0, y1 - y0))}
    return _placed(values, ((x0 + x1) / 2, (y0 + y1) / 2), fields)


def _of_shape(world: World, handle: int, fields: Mapping[str, FieldSpec]) -> Values:
    """Return the values for the form of a `Shape`; empty if the component does not have that form."""
    shape: Any = world.get(handle, Shape)
    points = np.asarray(shape.points, np.float64).reshape(-1, 2)
    form = shape.shape
    if form is ShapeForm.CIRCLE:
        return _of_circle(shape, fields)
    if form is ShapeForm.POLYGON and len(points) > 2 and len(shape.holes) == 0:
        return _of_points(
            points, "polygon" if _is_convex(points) and len(points) <= _MAX_CORNERS else "outline", fields
        )
    if form is ShapeForm.LINE and len(points) > 1:
        return _of_points(points, "segment" if len(points) == 2 else "chain", fields)
    if form is ShapeForm.BOX:
        width, height = (float(part) for part in shape.size)
        return _placed({"size": _rounded((width, height))}, _middle(shape, width, height), fields)
    return {}


def _of_circle(shape: Any, fields: Mapping[str, FieldSpec]) -> Values:
    radius = float(shape.radius)
    width, height = (2 * radius, 2 * radius) if radius > 0 else (float(part) for part in shape.size)
    middle, values = _middle(shape, width, height), {"size": _rounded((width, height))}
    if width == height or "density" not in fields:  # others than colliders have ellipses
        form = _form("ellipse", fields)
        if form is None:
            return _placed(values, middle, fields)
        return _placed(
            {"shape": form, **values, **({"radius": round(radius, _DIGITS)} if radius else {})}, middle, fields
        )
    turn = np.linspace(0.0, 2 * np.pi, _MAX_CORNERS, endpoint=False)
    return _of_points(
        np.stack([np.cos(turn) * width / 2, np.sin(turn) * height / 2], axis=1) + middle, "polygon", fields
    )


def _of_points(points: Points, shape: str, fields: Mapping[str, FieldSpec]) -> Values:
    form = _form(shape, fields)
    if form is None or "points" not in fields:
        return {}
    return {"shape": form, "points": [_rounded(point) for point in points.tolist()]}


def _form(shape: str, fields: Mapping[str, FieldSpec]) -> Any:
    """Return the member of the component's own enum of forms; None if it has none for what is drawn."""
    default = fields["shape"].default if "shape" in fields else None
    if not isinstance(default, Enum):
        return None
    members = {member.value: member for member in type(default)}
    return next((members[name] for name in _FORMS[shape] if name in members), None)


def _placed(values: Values, middle: tuple[float, float], fields: Mapping[str, FieldSpec]) -> Values:
    """Add the offset of the center, if it is not at the position of the entity."""
    offset = _rounded(middle)
    return {**values, "offset": offset} if "offset" in fields and any(offset) else values


def _middle(shape: Any, width: float, height: float) -> tuple[float, float]:
    x, y = (float(part) for part in shape.anchor)
    return (0.5 - x) * width, (0.5 - y) * height


def _is_convex(points: Points) -> bool:
    way = np.roll(points, -1, axis=0) - points
    after = np.roll(way, -1, axis=0)
    turns = way[:, 0] * after[:, 1] - way[:, 1] * after[:, 0]
    bend = np.arctan2(turns, (way * after).sum(axis=1)).sum()
    return bool(((turns >= 0).all() or (turns <= 0).all()) and abs(abs(bend) - 2 * np.pi) < 1e-3)


def _rounded(pair: Any) -> tuple[float, float]:
    return round(float(pair[0]), _DIGITS) + 0.0, round(float(pair[1]), _DIGITS) + 0.0

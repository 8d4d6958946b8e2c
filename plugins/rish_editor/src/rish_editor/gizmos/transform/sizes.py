"""The sizes of entities: which fields of their components are changed when an entity is stretched.

A component has a size if it has a field `size` in units, as `Sprite`, `Shape`, `NinePatch`, `Text` and colliders have.
All components of an entity are stretched together. What is drawn through points, and tile maps, has no size; such an
entity is scaled instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform, kind_of
from rish_jit import Array
from rish_render import TileMap

from ...views.rounding import significant, step_of, tidy

if TYPE_CHECKING:
    from rish_core import World

    from ...views.plane.draw import SceneDraw
    from ...views.plane.group import Group

_ROUND = ("circle", "capsule")
"""The forms whose radius is their size; that of other forms only rounds their corners."""


@dataclass
class Part:
    """A field to stretch. which: indices of the entities in the group. values: at the begin of the drag, float64 (m, 2)
    or m."""

    cls: type
    field: str
    which: Array
    values: Array


@dataclass
class Sizes:
    """The fields of a group. sized: bool n, which entities have a size. even: bool n, which must keep their aspect."""

    parts: list[Part]
    sized: Array
    even: Array

    def write(self, scene: SceneDraw, group: Group, factors: Array, name: str, key: Any) -> None:
        """Multiply the sizes, and the scale of entities without one. factors: (n, 2)."""
        game, fine = scene.editor.game, scene.fine
        assert game is not None
        own = np.hypot(group.matrix[:, [0, 2]], group.matrix[:, [1, 3]])
        for part in self.parts:
            by = factors[part.which]
            value = part.values * (by if part.values.ndim == 2 else np.sqrt(np.abs(by[:, 0] * by[:, 1])))
            step = step_of(fine / max(float(own[part.which].max()), 1e-9)) if fine > 0 else 0.0
            value = tidy(value, part.values, step)
            game.set(group.handles[part.which], part.cls, part.field, value.astype(np.float32), name=name, merge=key)
        others = ~self.sized
        if others.any():
            scale = (group.scale * factors)[others]
            scale = (significant(scale) if fine > 0 else scale).astype(np.float32)
            game.set(group.handles[others], Transform, "scale", scale, name=name, merge=key)


def sizes_of(world: World, group: Group) -> Sizes:
    """Return the fields that stretching a group changes."""
    count = len(group)
    sized, even, pointed = (np.zeros(count, np.bool_) for _ in range(3))
    parts: list[Part] = []
    for cls, table in world.tables.items():
        kind = kind_of(cls)
        if kind is None or kind.category != "component" or cls is Transform or not len(table):
            continue
        rows = table.rows_of(group.handles)
        indices = np.flatnonzero(rows >= 0)
        if not len(indices):
            continue
        if "points" in kind.fields and kind.fields["points"].type.special == "list":
            pointed[indices] |= table.column("points")[rows[indices], 1] > 0
        pointed[indices] |= cls is TileMap
        parts += _parts(cls, kind.fields, table, rows[indices], indices, group)
        parts_of_class = [part for part in parts if part.cls is cls]
        sized[indices] |= bool(parts_of_class)
        for part in parts_of_class:
            even[part.which] |= part.values.ndim == 1
    sized &= ~pointed
    sized_parts = [
        Part(part.cls, part.field, part.which[sized[part.which]], part.values[sized[part.which]]) for part in parts
    ]
    return Sizes([part for part in sized_parts if len(part.which)], sized, even & sized)


def _parts(cls: type, fields: Any, table: Any, rows: Array, indices: Array, group: Group) -> list[Part]:
    """Return the fields of one component."""
    size = fields.get("size")
    if size is None or size.unit != "units":
        return []
    values = table.column("size")[rows].astype(np.float64)
    if values.ndim == 2 and (values <= 0).any():  # the size of its picture
        local = group.boxes.local[indices]
        times = np.maximum(table.column("repeat")[rows], 1) if "repeat" in fields else 1
        values = np.where(values > 0, values, np.nan_to_num(local[:, 2:] - local[:, :2]) / times)
    parts = [Part(cls, "size", indices, values)]
    radius, offset, wrap = (fields.get(name) for name in ("radius", "offset", "wrap"))
    if radius is not None and radius.unit == "units":
        length = table.column("radius")[rows].astype(np.float64)
        with_length = np.flatnonzero(
            (length > 0) & np.array([_is_round(fields, table, row) for row in rows.tolist()], np.bool_)
        )
        if len(with_length):
            parts.append(Part(cls, "radius", indices[with_length], length[with_length]))
    for name, extra in (("offset", offset), ("wrap", wrap)):
        if extra is not None and extra.unit == "units":
            parts.append(Part(cls, name, indices, table.column(name)[rows].astype(np.float64)))
    return parts


def _is_round(fields: Any, table: Any, row: int) -> bool:
    form = table.read_row("shape", row) if "shape" in fields else ""
    return (form.value if isinstance(form, Enum) else form) in _ROUND

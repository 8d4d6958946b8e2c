"""Lamps: all lights of this frame, of any plugin, as one table of numbers in world units.

A lamp is a row of `formulas` with its position in the world, and further values that the drawers do not need: the
layers that it lights, the edges that block it, its entity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Disabled, Layers, LayerStack, Transform, derived, world_matrices
from rish_frame import Frame, LightPoints, WorldMatrices
from rish_jit import Array, maths

from .. import formulas as f
from ..components.light import Ambient, Light
from ..walls.walls import families
from .flicker import brightness

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs.derivations import InputChanges

EVERY_LAYER = -1
_KIND_OF = np.array([f.POINT, f.SPOT, f.SUN, f.AREA, f.TEXTURE])
_FALLOFF_OF = np.array([f.INVERSE, f.LINEAR, f.NONE])
"""The numbers of kinds and falloffs in `formulas`, in the order of `LightKind` and `LightFalloff`."""
_COLUMNS = ("table", "mask", "family", "number", "casts", "length", "wavering")
_WAVERING = ("flicker", "flicker_speed", "pulse", "pulse_time")
_MAX_PATCHED = 16
"""The greatest number of lamps that are collected without the others. A frame in which one of 200 changes takes 15 %
longer if all are collected."""
_FIRST_POINT = -(1 << 40)
"""The first of the numbers that identify lamps which are not components."""


def layer_numbers(world: World) -> dict[str, int]:
    """Return the number of each layer by its name; these are the layer numbers of batches."""
    if LayerStack not in world or Layers not in world:
        return {}
    return {layer.name: number for number, layer in enumerate(world[LayerStack].bottom_up(world))}


@derived(reads=(Light, LightPoints, Transform.parent, Disabled, WorldMatrices, layer_numbers))
class Lamps:
    """n lamps that are switched on.

    table: float64 (n, COLUMNS), see `formulas`, X and Y in the world. bits: n integers, the layers that each lamp
    lights as a bit mask, -1 for all. mask: int32 n, the edges that block it. family: int64 n, the topmost parent whose
    edges don't block it. number: int64 n, identifies a lamp from frame to frame. casts: bool n, whether it has
    shadows. length: float64 n, of a sun's shadows, 0 for endless ones. wavering: float32 (n, 4), flicker, its speed,
    pulse and its period. images: the paths of the textured lamps' images, in the order of their numbers.
    """

    table: Array = np.zeros((0, f.COLUMNS))
    bits: list[int] = []
    mask: Array = np.zeros(0, np.int32)
    family: Array = np.zeros(0, np.int64)
    number: Array = np.zeros(0, np.int64)
    casts: Array = np.zeros(0, np.bool_)
    length: Array = np.zeros(0)
    wavering: Array = np.zeros((0, 4), np.float32)
    images: list[str] = []

    def __len__(self) -> int:
        return len(self.table)

    def compute(self, world: World) -> None:
        """Collect the lamps of all plugins."""
        query, light = world.query(Light, Transform), world.table(Light)
        rows = query.rows(Light)
        shining = light.column("enabled")[rows] & (light.column("intensity")[rows] > 0)
        rows, places = rows[shining], query.rows(Transform)[shining]
        parts = [_of_components(world, layer_numbers(world), rows, places), _of_points(world)]
        for name in _COLUMNS:
            setattr(self, name, np.concatenate([getattr(part, name) for part in parts]))
        self.bits = [bits for part in parts for bits in part.bits]
        self.images = [image for part in parts for image in part.images]

    def patch(self, world: World, changes: InputChanges) -> bool:
        """Collect only the lamps that changed, if none of them was switched on or off, and none has an image."""
        change, light, space = changes[Light], world.table(Light), world.table(Transform)
        if changes.of_table(Light) is None or len(change.removed) or len(change.rows) > _MAX_PATCHED:
            return False
        if not world[WorldMatrices].knows(np.arange(len(space))[-1:]):
            return False
        entities = light.entities[change.rows]
        same = self.number == entities[:, None]
        which = same.argmax(axis=1) if len(self) else change.rows
        on = light.column("enabled")[change.rows] & (light.column("intensity")[change.rows] > 0)
        places = space.rows_of(entities)
        if not on.all() or not same.any(axis=1).all() or (places < 0).any():
            return False
        part = _of_components(world, layer_numbers(world), change.rows, places)
        kinds = np.append(part.table[:, f.KIND], self.table[which, f.KIND])
        if len(part) != len(which) or (kinds == f.TEXTURE).any():
            return False
        for name in _COLUMNS:
            getattr(self, name)[which] = getattr(part, name)
        for index, bits in zip(which.tolist(), part.bits, strict=True):
            self.bits[index] = bits
        return True


def collect_lamps(world: World, *, shadows: bool, rows: int) -> Lamps:
    """Return all lamps that are switched on, as they shine now. shadows: whether lamps cast shadows. rows: points of an
    area light.
    """
    lamps = world[Lamps]
    table = lamps.table.copy()
    table[:, f.RED : f.BLUE + 1] *= brightness(_time(world), lamps.number, *lamps.wavering.T)[:, None]
    table[table[:, f.KIND] == f.AREA, f.INNER] = rows
    return replace(lamps, table=table, casts=lamps.casts & shadows)


def wavering_time(world: World) -> float:
    """Return the time if the brightness of a lamp changes with it, otherwise 0."""
    return _time(world) if world[Lamps].wavering[:, [0, 2]].any() else 0.0


def _time(world: World) -> float:
    return world[Frame].time if Frame in world else world.time


def bits_of(names: Any, numbers: dict[str, int]) -> int:
    """Return layers as a bit mask; -1 if no names are given, and 0 if none of them is on the stack."""
    if not names:
        return EVERY_LAYER
    return sum({1 << numbers[name] for name in names if name in numbers})


def _of_components(world: World, numbers: dict[str, int], which: Array, places: Array) -> Lamps:
    """Return the lamps of rows of Light. places: their rows of Transform."""
    table = world.table(Light)
    entities = table.entities[which]

    def column(name: str) -> Array:
        return table.column(name)[which]

    kind = _KIND_OF[column("kind")]
    matrices = world[WorldMatrices]  # it has no rows of a scene that is only warmed up
    matrix = (matrices.rows(places) if matrices.knows(places) else world_matrices(world)[places]).astype(np.float64)
    lamps = np.zeros((len(which), f.COLUMNS))
    lamps[:, f.X], lamps[:, f.Y] = matrix[:, 4], matrix[:, 5]
    lamps[:, f.KIND] = kind
    lamps[:, f.RADIUS] = np.where(kind == f.SUN, 0, column("radius"))
    lamps[:, f.RED : f.BLUE + 1] = _linear(column("color"), column("intensity"))
    lamps[:, f.HEIGHT] = column("height")
    lamps[:, f.HALF] = np.where(
        column("half_distance") > 0, column("half_distance"), np.maximum(column("radius") / 4, 1e-6)
    )
    lamps[:, f.POWER], lamps[:, f.WINDOW] = column("power"), column("windowed")
    lamps[:, f.FALLOFF] = np.where(kind == f.SUN, f.NONE, _FALLOFF_OF[column("falloff")])
    _aim(lamps, kind, matrix, column)
    area = kind == f.AREA
    lamps[area, f.OUTER] = column("length")[area] / 2
    lamps[:, f.SIZE] = column("source_size") / 2
    bits = [EVERY_LAYER] * len(which)
    for k in np.flatnonzero(column("layers")[:, 1] > 0).tolist():
        bits[k] = bits_of(table.read_row("layers", int(which[k])), numbers)
    textured = np.flatnonzero(kind == f.TEXTURE)
    lamps[textured, f.OUTER] = np.arange(len(textured))
    images = [world.text(number) for number in column("image")[textured].tolist()]
    alive = ((lamps[:, f.RADIUS] > 0) | (kind == f.SUN)) & np.isfinite(lamps).all(axis=1)
    collected = Lamps(
        lamps, bits, column("mask"), families(world, entities), entities.astype(np.int64), column("shadows").copy(),
        column("length").astype(np.float64), np.stack([column(name) for name in _WAVERING], axis=1), images,
    )  # fmt: skip
    return collected if alive.all() else _some(collected, alive)


def _some(lamps: Lamps, which: Array) -> Lamps:
    """Return the lamps for which `which`, bool (n,), is True."""
    bits = [bits for bits, is_kept in zip(lamps.bits, which.tolist(), strict=True) if is_kept]
    return replace(lamps, bits=bits, **{name: getattr(lamps, name)[which] for name in _COLUMNS})


def _linear(color: Array, intensity: Array) -> Array:
    """Return linear colors, float64 (n, 3), times opacity and intensity."""
    return f.decode(color[:, :3]) * (color[:, 3] * intensity.astype(np.float64))[:, None]


def _aim(lamps: Array, kind: Array, matrix: Array, column: Any) -> None:
    """Write the directions of the lamps and the cones of spots into the table."""
    aimed = np.flatnonzero(kind != f.POINT)
    if not len(aimed):
        return
    turn_sin, turn_cos = maths.sincos(column("direction")[aimed].astype(np.float64))
    a, b, c, d = matrix[aimed, :4].T
    x, y = a * turn_cos + c * turn_sin, b * turn_cos + d * turn_sin
    length = np.sqrt(x * x + y * y)
    has_direction = length > 0
    lamps[aimed, f.AXIS_X] = np.where(has_direction, x / np.where(has_direction, length, 1), 1)
    lamps[aimed, f.AXIS_Y] = np.where(has_direction, y / np.where(has_direction, length, 1), 0)
    spot = np.flatnonzero(kind == f.SPOT)
    outer = column("angle")[spot].astype(np.float64) / 2
    inner = outer * (1 - column("edge")[spot])
    lamps[spot, f.OUTER], lamps[spot, f.INNER] = maths.cos(outer), maths.cos(np.minimum(inner, outer - 1e-4))


def _of_points(world: World) -> Lamps:
    """Return the `LightPoints` of all plugins as lamps, with the default attenuation."""
    table = world[LightPoints]
    count = len(table)
    lamps = np.zeros((count, f.COLUMNS))
    lamps[:, f.X], lamps[:, f.Y], lamps[:, f.RADIUS] = table.column("x"), table.column("y"), table.column("radius")
    color = table.column("color").astype(np.float64)
    shine = color[:, 3] * table.column("intensity")
    lamps[:, f.RED : f.BLUE + 1] = color[:, :3] * shine[:, None]
    lamps[:, f.HALF] = np.maximum(lamps[:, f.RADIUS] / 4, 1e-6)
    lamps[:, f.POWER] = lamps[:, f.WINDOW] = lamps[:, f.AXIS_X] = 1
    lamps[:, f.HEIGHT] = 40
    fine = np.isfinite(lamps).all(axis=1) & (lamps[:, f.RADIUS] > 0) & (shine > 0)
    collected = Lamps(
        lamps, [int(bits) for bits in table.column("layers").tolist()], np.full(count, -1, np.int32),
        np.zeros(count, np.int64), _FIRST_POINT + np.arange(count), np.ones(count, np.bool_), np.zeros(count),
        np.zeros((count, 4), np.float32), [],
    )  # fmt: skip
    return _some(collected, fine)


# Ambient light


@dataclass
class Haze:
    """Ambient light: a linear color, the layers that it lights as a bit mask, and an optional gradient.

    below: the linear color of the lower end, None without a gradient. ends: world heights of the gradient's lower and
    upper end; None if these are the edges of the view.
    """

    color: Array
    bits: int
    below: Array | None = None
    ends: tuple[float, float] | None = None


def collect_ambient(world: World, default: Any) -> list[Haze]:
    """Return all ambient light. default: the sRGB color of the settings, used if there is no `Ambient`."""
    table = world.table(Ambient)
    rows = world.query(Ambient).rows(Ambient).tolist()
    if not rows:
        return [Haze(_linear(np.array([default], np.float64), np.ones(1))[0], EVERY_LAYER)]
    numbers = layer_numbers(world)
    hazes: list[Haze] = []
    for row in rows:
        if not table.column("enabled")[row]:
            continue
        shine = table.column("intensity")[row : row + 1]
        color, below = (_linear(table.column(name)[row : row + 1], shine)[0] for name in ("color", "color_end"))
        bits = bits_of(table.read_row("layers", row), numbers)
        if not table.column("gradient")[row]:
            hazes.append(Haze(color, bits))
            continue
        top, bottom = float(table.column("top")[row]), float(table.column("bottom")[row])
        hazes.append(Haze(color, bits, below, (bottom, top) if top != bottom else None))
    return hazes

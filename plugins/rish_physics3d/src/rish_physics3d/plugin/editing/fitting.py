"""Fills colliders from the models of their entities: a box, a sphere, a capsule or a hull around all points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import UsageError
from rish_jit import Array
from rish_space3d import Bounds3D, quaternions, world_poses

from ...components.bodies import Collider3D, ColliderShape3D
from ...geometry import aligned_box, bounding_capsule, bounding_sphere, hull_of, oriented_box

if TYPE_CHECKING:
    from rish_core import World
    from rish_editor import Editor

FITS = {
    "box": "Box", "oriented_box": "Oriented Box", "sphere": "Sphere", "capsule": "Capsule", "hull": "Hull",
}  # fmt: skip
"""The shapes that can be fitted, and their titles."""
_THIN = 0.001
"""The least side of a box, meters: flat models get one of this height."""
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
Fields = dict[str, Any]


def fit_all(editor: Editor, handles: list[int], kind: str) -> None:
    """Fit the colliders of entities to their models, as one step. kind: of `FITS`."""
    game = editor.game
    assert game is not None
    with game.edit(editor.tr("Fit a collider to the model")):
        for handle in handles:
            points = model_points(game.world, handle)
            if not len(points):
                continue
            for field, value in fitted(points, _scale(game.world, handle), kind).items():
                game.set([handle], Collider3D, field, value)


def has_model(world: World, handle: int) -> bool:
    """Return whether something is drawn for an entity, to which a collider can be fitted."""
    return bool(np.isfinite(world[Bounds3D].of(world, [handle])).all())


def model_points(world: World, handle: int) -> Array:
    """Return the points of the model of an entity at rest, float64 (n, 3), in its space; none without a model.

    Of what another plugin than scene3d draws, these are the corners of its box.
    """
    try:
        from rish_scene3d import Model3D, Models3D  # physics runs without it
    except ImportError:
        return _box_corners(world, handle)
    if not world.has(handle, Model3D):
        return _box_corners(world, handle)
    table, models = world.table(Model3D), world[Models3D]
    row = table.row_of(handle)
    model = models.model(world, str(table.read_row("asset", row)), str(table.read_row("part", row)))
    parts = [np.zeros((0, 3))]
    for piece in model.pieces:
        points = models.library.meshes[piece.mesh].positions.astype(np.float64)
        if piece.node >= 0:
            matrix = model.rest[piece.node].astype(np.float64)
            points = points @ matrix[:, :3].T + matrix[:, 3]
        parts.append(points)
    return np.unique(np.concatenate(parts), axis=0)


def _box_corners(world: World, handle: int) -> Array:
    [(low, high)] = world[Bounds3D].of(world, [handle])
    return low + _CORNERS * (high - low) if np.isfinite(low).all() else np.zeros((0, 3))


def _scale(world: World, handle: int) -> Array:
    """Return the scale of an entity in the world, float64 (3,)."""
    from rish_space3d import Transform3D

    return world_poses(world)[2][world.table(Transform3D).row_of(handle)]


def fitted(points: Array, scale: Array, kind: str) -> Fields:
    """Return the fields of a collider around points.

    points: float64 (n, 3), in the space of the entity. scale: of the entity, (3,). kind: of `FITS`. Flat points get a
    thin box, or the box along the axes of the entity instead of an oriented one, a capsule or a hull.
    """
    factors = np.where(scale != 0, scale, 1.0)
    try:
        fields = _FITTERS[kind](points * factors, np.abs(factors))
    except UsageError:
        fields = _box(points * factors, np.abs(factors))
    fields["offset"] = _numbers(fields["offset"] / factors)
    return {"asset": "", "rotation": (0.0, 0.0, 0.0, 1.0), **fields}


def _numbers(values: Any) -> tuple[float, ...]:
    """Return numbers of float32 precision that are short in files."""
    return tuple(float(f"{value:.6g}") + 0.0 for value in np.asarray(values, np.float64).tolist())


def _box(points: Array, factors: Array) -> Fields:
    box = aligned_box(points)
    size = np.maximum(2 * box.half_extents, _THIN) / factors
    return {"shape": ColliderShape3D.BOX, "size": _numbers(size), "offset": box.center}


def _oriented_box(points: Array, factors: Array) -> Fields:
    box = oriented_box(points)
    size = np.maximum(2 * box.half_extents, _THIN) / factors
    return {
        "shape": ColliderShape3D.BOX, "size": _numbers(size), "offset": box.center, "rotation": _numbers(box.rotation),
    }  # fmt: skip


def _sphere(points: Array, factors: Array) -> Fields:
    sphere = bounding_sphere(points)
    [radius] = _numbers([sphere.radius / factors.max()])
    return {"shape": ColliderShape3D.SPHERE, "radius": radius, "offset": sphere.center}


def _capsule(points: Array, factors: Array) -> Fields:
    capsule = bounding_capsule(points)
    way = capsule.end - capsule.start
    length, radius = float(np.sqrt(way @ way)), capsule.radius / factors.max()
    wide, high = _numbers([2 * radius, length / factors.max() + 2 * radius])
    return {
        "shape": ColliderShape3D.CAPSULE, "radius": _numbers([radius])[0], "size": (wide, high, wide),
        "offset": (capsule.start + capsule.end) / 2, "rotation": _numbers(_upright(way, length)),
    }  # fmt: skip


def _upright(way: Array, length: float) -> Array:
    """Return the smallest rotation that turns the y axis along a segment, whose direction does not matter."""
    if length < 1e-9:
        return np.array([0.0, 0.0, 0.0, 1.0])
    x, y, z = (way / length * (1.0 if way[1] >= 0 else -1.0)).tolist()
    return quaternions.normalized(np.array([z, 0.0, -x, 1.0 + y]))


def _hull(points: Array, factors: Array) -> Fields:
    hull = hull_of(points)
    corners = (hull.points[:, :3].astype(np.float64) + hull.center) / factors
    rounded = np.array([_numbers(corner) for corner in corners])
    return {"shape": ColliderShape3D.HULL, "points": rounded, "offset": np.zeros(3)}


_FITTERS = {"box": _box, "oriented_box": _oriented_box, "sphere": _sphere, "capsule": _capsule, "hull": _hull}

"""The models that colliders are made of: files are read once, and again when they change."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_assets import AssetLibrary, AssetReader
from rish_core import resource
from rish_ecs import UsageError
from rish_jit import Array
from rish_space3d import MODEL_SHAPES, ModelTriangles, check_model_name, model_triangles, quaternions

from ..components.bodies import ColliderShape3D
from ..geometry.fitting import aligned_box, bounding_capsule, bounding_sphere, oriented_box
from .solids import Solid, hull_solid, mesh_of, solid_of

if TYPE_CHECKING:
    from rish_core import World

_SHAPES = list(ColliderShape3D)
_FITTED = tuple(each.value for each in _SHAPES if each not in (ColliderShape3D.PLANE, ColliderShape3D.HEIGHTFIELD))
_ONE = np.ones(3).tobytes()
_FLAT = 1e-6
"""A box with a side below this share of its longest one has no volume."""


class ModelFile:
    """A model of which colliders are made. asset: its name. content: what the loader of its file returns."""

    def __init__(self, asset: str, content: Any) -> None:
        self.asset, self.content = asset, content
        self._parts: dict[str, ModelTriangles] = {}

    def triangles(self, part: str) -> ModelTriangles:
        """Return the triangles of a part, "" for all; computed once. Raises UsageError."""
        if part not in self._parts:
            self._parts[part] = model_triangles(self.asset, self.content, part)
        return self._parts[part]


@resource(derived=True)
class ColliderModels3D(AssetLibrary["ModelFile | None"]):
    """The models that colliders name, by their names. `Layout` is computed again when a file changes."""

    def __init__(self) -> None:
        super().__init__("model", _read, placeholder=lambda: None, log="rish.physics3d")

    def triangles(self, world: World, asset: str, part: str) -> ModelTriangles:
        """Return the triangles of a model or of a part of it. Raises UsageError that says what is wrong with it."""
        model = self.get(world, asset)
        if model is None:
            problem = self.problems[asset]
            raise UsageError(problem.what, hint=problem.hint)
        return model.triangles(part)


def _read(asset: str, read: AssetReader) -> ModelFile:
    check_model_name(asset)
    return ModelFile(asset, None if asset in MODEL_SHAPES else read())


class Fitted(NamedTuple):
    """The solid of a model, and where it is relative to the collider: position float64 (3,), rotation quaternion."""

    solid: Solid
    position: Array
    rotation: Array


@functools.lru_cache(256)
def fitted(model: ModelTriangles, shape: int, oriented: bool, density: float, scale: bytes) -> Fitted:
    """Return the smallest shape of a kind around a model, its hull, or the model itself as a mesh.

    shape: number of a `ColliderShape3D`. oriented: whether a box may have any rotation. scale: 3 float64, of the model.
    A hull with too many points is made smaller, see `quickhull`. Raises UsageError if the model is flat.
    """
    kind, factors = _SHAPES[shape], np.frombuffer(scale, np.float64)
    points = model.positions * factors
    place, turn = np.zeros(3), np.array([0.0, 0, 0, 1])
    if kind is ColliderShape3D.HULL:
        return Fitted(hull_solid(points, density), place, turn)
    if kind is ColliderShape3D.MESH:
        return Fitted(mesh_of(points, model.triangles, factors, allow_twisted=True), place, turn)
    if kind is ColliderShape3D.BOX:
        box = oriented_box(points) if oriented else aligned_box(points)
        sides = 2 * box.half_extents
        if sides.min() <= _FLAT * sides.max():
            raise UsageError("the model is flat, so no box is around it", hint="Use the shape mesh, or set `size`")
        return Fitted(solid_of(shape, sides.tobytes(), 0.0, b"", density, _ONE), box.center, box.rotation)
    if kind is ColliderShape3D.SPHERE:
        sphere = bounding_sphere(points)
        return Fitted(solid_of(shape, _ONE, sphere.radius, b"", density, _ONE), sphere.center, turn)
    if kind is ColliderShape3D.CAPSULE:
        capsule = bounding_capsule(points)
        way = capsule.end - capsule.start
        length = float(np.sqrt((way * way).sum()))
        size = np.array([0, length + 2 * capsule.radius, 0]).tobytes()
        solid = solid_of(shape, size, capsule.radius, b"", density, _ONE)
        return Fitted(solid, (capsule.start + capsule.end) / 2, _from_y(way / length) if length else turn)
    raise UsageError(
        f"a {kind.value} can't be made of a model", hint=f"Choose one of {', '.join(_FITTED)}, or remove `asset`"
    )


def _from_y(axis: Array) -> Array:
    """Return the smallest rotation of the y axis to an axis or its opposite, as a quaternion."""
    x, y, z = (axis if axis[1] >= 0 else -axis).tolist()
    return quaternions.normalized(np.array([z, 0.0, -x, 1 + y]))

"""The bodies and shapes of the World as arrays for the kernels; computed again when colliders come, go or change.

A body's frame is at its center of mass, along its principal axes, so its inertia is three numbers. Bodies and shapes
are sorted by their entities, so that the order of everything that follows does not depend on the order of rows.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Disabled
from rish_ecs import derived
from rish_ecs.derivations import Rows
from rish_jit import Array
from rish_space3d import Bvh, Transform3D, quaternions

from ..components.bodies import DYNAMIC, STATIC, Body3D, Collider3D
from ..components.filters import filters_of
from ..components.settings import Physics3DSettings
from ..contacts.shapes import BOX, CAPSULE, HULL, PLANE
from ..geometry.collide.hulls import HEAD
from ..geometry.hulls import Hull
from ..geometry.masses import combine_masses, move_mass, principal_axes
from ..geometry.meshes import TriangleMesh
from ..maths.digests import alike, digests
from .models import ColliderModels3D
from .parts import Part, read_parts

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_FAR = 1e9
_HUGE = 1e30
"""Masses, moments and their inverses are at most this, so that their products in float32 are finite."""
_IDENTITY = np.array([0, 0, 0, 1], np.float64)


def child_poses(world: World) -> bytes:
    """Return the poses of all colliders that are children of other entities, to notice when one is moved."""
    places, colliders = world.table(Transform3D), world.table(Collider3D)
    if not places.parent.any():
        return b""
    rows = places.rows_of(colliders.entities)
    rows = rows[(rows >= 0) & (places.parent[rows] != 0)]
    return places.position[rows].tobytes() + places.rotation[rows].tobytes()


def layers_of(world: World) -> str:
    """Return the written collision layers, to notice a change."""
    return repr(world[Physics3DSettings].layers)


@derived(
    reads=(
        Collider3D, Disabled, Rows(Transform3D), Transform3D.parent, Transform3D.scale, Rows(Body3D), Body3D.type,
        Body3D.mass, Body3D.bullet, child_poses, layers_of, ColliderModels3D,
    )
)  # fmt: skip
class Layout:
    """Bodies and shapes. Body 0 is a dummy without mass, so that real bodies begin at 1.

    entities: int64, of the bodies; places, rows: int64, their rows of Transform3D and Body3D, -1 without a Body3D.
    types: uint8. frames: float32 (n, 8), center of mass and principal axes in the entity's frame: x, y, z, 0,
    quaternion. mass: float32 (n, 8), see `solver.integrate`. shape_entities: int64 of the colliders. form, size, place:
    of the shapes, see `contacts.shapes`. friction, restitution, rolling: float32. filters: int32 (m, 3), see `filters`.
    sensors: bool. body_digests: int64, of the type, mass and shapes of each body. extents: float32, the greatest
    distance of a body's shapes from its center, m. arms: the same without the radius of spheres and capsules. inners:
    float32, the least inner radius of a body's solid shapes, m, inf without any. bullets: bool. pool: the hulls, by the
    number in `form`. hulls: the same for kernels, see `pool_of`. meshes: see `meshes_of`. trees: of each mesh. faults:
    why colliders are no shapes, by entity. unknown_layers: names that no layer has.
    wrong_masses: bodies whose `mass` is no mass.
    """

    entities: Array = np.zeros(0, np.int64)
    places: Array = np.zeros(0, np.int64)
    rows: Array = np.zeros(0, np.int64)
    types: Array = np.zeros(0, np.uint8)
    frames: Array = np.zeros((0, 8), F32)
    mass: Array = np.zeros((0, 8), F32)
    shape_entities: Array = np.zeros(0, np.int64)
    form: Array = np.zeros((0, 3), np.int32)
    size: Array = np.zeros((0, 4), F32)
    place: Array = np.zeros((0, 8), F32)
    friction: Array = np.zeros(0, F32)
    restitution: Array = np.zeros(0, F32)
    rolling: Array = np.zeros(0, F32)
    filters: Array = np.zeros((0, 3), np.int32)
    sensors: Array = np.zeros(0, np.bool_)
    pool: Sequence[Hull] = ()
    body_digests: Array = np.zeros(0, np.int64)
    extents: Array = np.zeros(0, F32)
    arms: Array = np.zeros(0, F32)
    inners: Array = np.zeros(0, F32)
    bullets: Array = np.zeros(0, np.bool_)
    hulls: Any = None
    meshes: Any = None
    trees: list[Bvh] = []
    faults: dict[int, str] = {}
    unknown_layers: list[str] = []
    wrong_masses: list[int] = []

    def compute(self, world: World) -> None:
        """Read all colliders and bodies."""
        plain, parts, self.faults = read_parts(world)
        bodies, places, disabled = world.table(Body3D), world.table(Transform3D), world.table(Disabled)
        alone = bodies.entities[(places.rows_of(bodies.entities) >= 0) & (disabled.rows_of(bodies.entities) < 0)]
        special = np.array(list(parts), np.int64)
        self.entities = np.concatenate([[0], np.unique(np.concatenate([plain.entities, special, alone]))])
        self.places, self.rows = places.rows_of(self.entities), bodies.rows_of(self.entities)
        self.places[0] = self.rows[0] = -1
        n = len(self.entities)
        types = np.where(self.rows >= 0, bodies.type[self.rows] if len(bodies) else STATIC, STATIC)
        self.types = types.astype(np.uint8)
        self.frames, self.mass = np.zeros((n, 8), F32), np.zeros((n, 8), F32)
        self.frames[:, 7] = 1
        given = np.where(self.rows >= 0, bodies.mass[self.rows] if len(bodies) else 0, 0)
        is_mass = (given >= 0) & np.isfinite(given)
        self.wrong_masses, given = self.entities[~is_mass].tolist(), np.where(is_mass, given, 0)
        pool: dict[int, tuple[int, Any]] = {}
        meshes: dict[int, tuple[int, Any]] = {}
        compound = _arrays_of(parts, np.searchsorted(self.entities, special), given, pool, meshes)
        owners = np.searchsorted(self.entities, plain.entities)
        # Bodies that are alike are computed once.
        first, which = alike(np.stack([plain.which, given[owners]], axis=1).astype(np.float64))
        samples = {int(plain.entities[k]): [plain.parts[int(plain.which[k])]] for k in first.tolist()}
        sample = _arrays_of(samples, owners[first], given, pool, meshes)
        for body, each in ((np.searchsorted(self.entities, special), compound), (owners, sample)):
            rows = slice(None) if each is compound else which
            self.frames[body], self.mass[body] = each.frames[rows], each.mass[rows]
        self.mass[self.types != DYNAMIC] = 0
        form = sample.form[which]
        form[:, 1] = owners
        entities = np.concatenate([compound.entities, plain.entities])
        order = np.argsort(entities)
        self.shape_entities = entities[order]
        self.form = np.concatenate([compound.form, form])[order]
        self.size = np.concatenate([compound.size, sample.size[which]])[order]
        self.place = np.concatenate([compound.place, sample.place[which]])[order]
        points = np.concatenate([compound.digests, sample.digests[which]])[order]
        filters, self.unknown_layers = filters_of(world)
        table = world.table(Collider3D)
        rows = table.rows_of(self.shape_entities)
        self.friction, self.restitution = table.friction[rows].copy(), table.restitution[rows].copy()
        self.rolling = table.rolling_resistance[rows].copy()
        self.filters, self.sensors = filters[rows], table.sensor[rows]
        self.pool = [hull for _, hull in pool.values()]
        self._measure(n)
        self.bullets = (self.types == DYNAMIC) & (self.rows >= 0)
        self.bullets &= bodies.bullet[self.rows] if len(bodies) else False
        self.hulls = pool_of(self.pool)
        self.meshes = meshes_of([mesh for _, mesh in meshes.values()])
        self.trees = [mesh.tree for _, mesh in meshes.values()]
        self.body_digests = _body_digests(self, points)

    def _measure(self, n: int) -> None:
        """Compute `extents`, `arms` and `inners` of n bodies."""
        self.extents, self.arms, self.inners = np.zeros(n, F32), np.zeros(n, F32), np.full(n, np.inf, F32)
        kinds, owners, far = self.form[:, 0], self.form[:, 1], self.size[:, 3]
        radius = np.where(kinds <= CAPSULE, self.size[:, 0], 0)
        has_hull = (kinds == BOX) | (kinds == HULL)
        inner = np.array([*[hull.inner for hull in self.pool], 0], F32)[np.where(has_hull, self.form[:, 2], -1)]
        inner = np.where(has_hull, inner, radius)
        solid = ~self.sensors & (kinds != PLANE)
        np.maximum.at(self.extents, owners, far)
        np.maximum.at(self.arms, owners, far - radius)
        np.minimum.at(self.inners, owners[solid], inner[solid])


class _BodyArrays(NamedTuple):
    """Bodies and their shapes as arrays, see `Layout`; entities, form, size, place and digests are those of shapes."""

    frames: Array
    mass: Array
    entities: Array
    form: Array
    size: Array
    place: Array
    digests: Array


def _arrays_of(
    parts: Mapping[int, Sequence[Part]], bodies: Array, given: Array, pool: dict[int, tuple[int, Any]],
    meshes: dict[int, tuple[int, Any]],
) -> _BodyArrays:  # fmt: skip
    """Return the arrays of bodies with these parts. bodies: their numbers. given: the masses of all bodies, kg."""
    frames, mass = np.zeros((len(parts), 8), F32), np.zeros((len(parts), 8), F32)
    shapes: list[tuple[Any, ...]] = []
    for k, (own, body) in enumerate(zip(parts.values(), bodies.tolist(), strict=True)):
        frame = _frame(own, float(given[body]))
        frames[k, :3], frames[k, 4:] = frame.center, frame.axes
        mass[k, :3], mass[k, 4:7], mass[k, 7] = frame.moments, frame.inverse_moments, frame.inverse_mass
        shapes += [_shape(body, part, frame, pool, meshes) for part in own]
    columns = list(zip(*shapes, strict=True)) if shapes else [()] * 5
    return _BodyArrays(
        frames, mass, np.array(columns[0], np.int64), np.array(columns[1], np.int32).reshape(-1, 3),
        np.array(columns[2], F32).reshape(-1, 4), np.array(columns[3], F32).reshape(-1, 8),
        np.array(columns[4], np.int64),
    )  # fmt: skip


def _body_digests(layout: Layout, points: Array) -> Array:
    """Return a digest of the type, mass and shapes of each body, int64. points: that of the points of each shape."""
    total = digests(layout.types.astype(np.int64), layout.frames, layout.mass)
    if len(layout.form):
        shapes = digests(
            layout.shape_entities, layout.form[:, 0].astype(np.int64), layout.size, layout.place, layout.friction,
            layout.restitution, layout.rolling, layout.filters, layout.sensors.astype(np.int64), points,
        )  # fmt: skip
        np.add.at(total.view(np.uint64), layout.form[:, 1], shapes.view(np.uint64))
    return total


class _Frame:
    """A body's frame in that of its entity, and its mass about it."""

    __slots__ = ("axes", "center", "inverse_mass", "inverse_moments", "moments")

    def __init__(self, center: Array, axes: Array, mass: float, moments: Array) -> None:
        self.center, self.axes, self.moments = center, axes, np.minimum(moments, _HUGE)
        self.inverse_mass = min(1 / mass, _HUGE) if mass > 0 else 0.0
        self.inverse_moments = np.array([min(1 / m, _HUGE) if m > 0 else 0.0 for m in moments.tolist()])


def _frame(parts: Sequence[Part], given: float) -> _Frame:
    """Return the frame and mass of a body. given: its mass in kg, 0 for that of its parts."""
    masses = [move_mass(part.solid.mass, part.position, part.rotation) for part in parts if part.solid.mass.mass > 0]
    if not masses:
        return _Frame(np.zeros(3), _IDENTITY, given, np.zeros(3))
    single = len(parts) == 1
    data = masses[0] if len(masses) == 1 else combine_masses(masses)
    if single:  # exactly the frame of the shape, so that boxes are not rotated by rounding
        moments, axes = principal_axes(parts[0].solid.mass.inertia)
        axes = quaternions.product(parts[0].rotation, axes)
    else:
        moments, axes = principal_axes(data.inertia)
    factor = given / data.mass if given > 0 else 1.0
    return _Frame(data.center, axes, data.mass * factor, moments * factor)


def _shape(
    body: int, part: Part, frame: _Frame, pool: dict[int, tuple[int, Any]], meshes: dict[int, tuple[int, Any]]
) -> tuple[Any, ...]:
    """Return a shape's entity, form, size, place in the body's frame, and a digest of its points."""
    solid, back = part.solid, quaternions.inverse(frame.axes)
    turn = quaternions.product(back, part.rotation)
    center = part.position + quaternions.turned(part.rotation, np.array(solid.center))
    place = quaternions.turned(back, center - frame.center)
    hull, digest = 0, 0
    if solid.hull is not None:
        digest = zlib.crc32(solid.hull.points.tobytes())
        hull = pool.setdefault(id(solid.hull), (len(pool), solid.hull))[0]
    if solid.mesh is not None:
        digest = zlib.crc32(solid.mesh.corners.tobytes())
        hull = meshes.setdefault(id(solid.mesh), (len(meshes), solid.mesh))[0]
    far = float(np.sqrt((place * place).sum())) + solid.radius
    return (
        part.entity, (solid.kind, body, hull), (*solid.size, min(far, _FAR)), (*place, 0.0, *turn), digest,
    )  # fmt: skip


def pool_of(hulls: Sequence[Hull]) -> Any:
    """Return the arrays of all hulls for the kernels: heads (see `collide.hulls`), points, planes, and the topology:
    entries of loops, loops, edges.
    """
    heads = np.zeros((max(1, len(hulls)), HEAD), np.int32)
    starts = [0] * 5
    for head, hull in zip(heads, hulls, strict=False):
        head[:] = (
            starts[0], len(hull.points), starts[1], len(hull.planes), starts[2], starts[3], starts[4], len(hull.edges),
        )  # fmt: skip
        for k, part in enumerate((hull.points, hull.planes, hull.first, hull.loops, hull.edges)):
            starts[k] += len(part)

    def joined(name: str, dtype: Any) -> Array:
        return np.concatenate([np.zeros(0, dtype), *[getattr(hull, name).ravel() for hull in hulls]]).astype(dtype)

    topology = joined("first", np.int32), joined("loops", np.int32), joined("edges", np.int32)
    return heads.ravel(), joined("points", F32), joined("planes", F32), topology


def meshes_of(meshes: Sequence[TriangleMesh]) -> Any:
    """Return the arrays of all meshes for the kernels of the step: the first triangle and the first node of the tree of
    each, corners, planes, and a triangle as a hull: its head and topology.
    """
    starts = np.zeros((max(1, len(meshes)), 2), np.int32)
    triangles = nodes = 0
    for start, mesh in zip(starts, meshes, strict=False):
        start[:] = triangles, nodes
        triangles += len(mesh.corners)
        nodes += len(mesh.tree.nodes()[0]) // 8
    flat = [
        np.concatenate([np.zeros(0, F32), *[getattr(mesh, name).ravel() for mesh in meshes]])
        for name in ("corners", "planes")
    ]
    return starts.ravel(), *flat, (_TRIANGLE, (_LOOP, _CORNERS, _SIDES))


_TRIANGLE = np.array([0, 3, 0, 1, 0, 0, 0, 3], np.int32)
_LOOP, _CORNERS = np.array([0, 3], np.int32), np.array([0, 1, 2], np.int32)
_SIDES = np.array([0, 1, 0, 1, 1, 2, 0, 2, 2, 0, 0, 3], np.int32)
"""A triangle as a hull, see `collide.hulls`: its face is 0, the neighbors are 1 to 3."""

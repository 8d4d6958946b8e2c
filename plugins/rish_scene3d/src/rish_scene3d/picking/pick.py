"""Picking in three dimensions: below the pointer, along a ray, or in a box of the screen.

Poses are those that are drawn, between two ticks, so results are for tools and for the display only; they must not
become state of the World.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import UsageError, resource
from rish_ecs import Inputs
from rish_frame import Hits
from rish_jit import Array
from rish_space3d import WorldMatrices3D, frustum_planes, interpolate_poses_3d, to_pixels

from ..clips.skeleton_poses import Poses3D
from ..components.models import Model3D
from ..models.store import Models3D
from ..scene.drawlist import DrawList
from .billboards import BELOW
from .cameras import camera_at, eye_of, eye_of_region
from .casting import Hit3D, RayHits, cast
from .ray_targets import Shapes, Things

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from .cameras import Eye

_RAYS = 9
"""The number of rays along each side of a box that is picked in."""


@resource(derived=True)
class Picking3D:
    """The data of picking: trees of triangles, which stay, and the things of this frame."""

    def __init__(self) -> None:
        self._shapes: Shapes | None = None
        self._things: Things | None = None
        self._inputs = Inputs((WorldMatrices3D, Poses3D))

    def things(self, world: World) -> Things:
        """Return all pieces that rays can hit, as they are drawn; moved pieces are updated, see `Things.follow`."""
        draw = world[DrawList]
        draw.update(world)  # loads models that are new
        library = world[Models3D].library
        if self._shapes is None or self._shapes.library is not library:
            self._shapes, self._things = Shapes(library), None
        changes = self._inputs.take(world)
        if self._things is None or self._things.listing is not draw.models.listing:
            self._things = Things(draw, self._shapes)
        elif changes is not None:
            moves = changes[WorldMatrices3D]
            self._things.follow(None if moves.all else moves.rows, posed=bool(changes[Poses3D]))
        return self._things

    def rebuild(self, world: World) -> None:
        """Forget the things of the frame after a restore."""
        self._things = None


def cast_rays_3d(
    world: World, origins: npt.ArrayLike, directions: npt.ArrayLike, reach: Any = np.inf,
    layers: frozenset[str] | None = None,
) -> RayHits:  # fmt: skip
    """Return the first visible triangles of models that rays hit.

    origins, directions: (n, 3), of any length but 0. reach: meters, one or (n,). layers: models on no layer and on
    these count; None: all. The front of triangles is hit, and the back where it is drawn. Rays pass where the alpha
    mode mask cuts a surface out, and where one that blends has next to no opacity. A ray with NaN or without a
    direction hits nothing. Poses are those that are drawn, between two ticks, so results must not become state: use a
    `Bvh` for what the game decides. Raises UsageError if there are not as many directions as origins.
    """
    starts, units = (np.asarray(vectors, np.float64).reshape(-1, 3) for vectors in (origins, directions))
    if len(starts) != len(units):
        message = f"{len(starts)} origins and {len(units)} directions don't go together"
        raise UsageError(message, hint="Give one direction for each origin")
    length = np.linalg.norm(units, axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        units = np.where(length > 0, units / length, 0.0)
    things = _things_now(world)
    limits = np.broadcast_to(np.asarray(reach, np.float64), len(starts))
    return cast(things, starts, units, limits, _seen(world, things, layers))


def pick_3d(world: World, camera: int | None, point: tuple[float, float]) -> Hit3D | None:
    """Return the first thing that a camera shows at a point of the screen; None for nothing.

    camera: its entity; None: the uppermost one at the point. point: logical pixels, y up, as `Input.pointer`. Raises
    UsageError if the entity is no camera. The distance is that from the camera.
    """
    interpolate_poses_3d(world, 0.0)
    eye = camera_at(world, point) if camera is None else eye_of(world, camera)
    return None if eye is None else first_hit(world, eye, point)


def first_hit(world: World, eye: Eye, point: tuple[float, float]) -> Hit3D | None:
    """Return the first thing that an eye shows at a point of the screen; None for nothing."""
    things = _things_now(world)
    hit = cast(things, *eye.rays([point]), np.array([np.inf]), _seen(world, things, eye.layers)).one(0)
    return hit and hit._replace(distance=float(np.linalg.norm(hit.point - eye.place)))


def pick_models(world: World, region: Region) -> list[Hits]:
    """Return the models that a region touches; see the hook `rish_pickers`."""
    interpolate_poses_3d(world, 0.0)
    eye = eye_of_region(world, region)
    if eye is None:
        return []
    things = _things_now(world)
    visible = _seen(world, things, eye.layers)
    entities, distances = (_at_point if region.is_point else _in_box)(things, eye, region.screen, visible)
    order = np.argsort(-distances, kind="stable")
    count, zeros = len(entities), np.zeros(len(entities))
    return [Hits(Model3D, entities[order], np.full(count, BELOW), -distances[order], zeros, np.zeros(count, np.int64))]


pick_models.in_space = True  # pyright: ignore[reportFunctionMemberAccess]


def _at_point(things: Things, eye: Eye, points: Array, visible: Array | None) -> tuple[Array, Array]:
    """Return all entities below a point, also those behind the first one, and their distances."""
    origins, directions = eye.rays(points)
    left = np.ones(len(things), np.bool_) if visible is None else visible.copy()
    entities: list[int] = []
    distances: list[float] = []
    while True:
        hit = cast(things, origins, directions, np.array([np.inf]), left).one(0)
        if hit is None:
            return np.array(entities, np.int64), np.array(distances)
        entities.append(hit.entity)
        distances.append(hit.distance)
        left &= things.entities != hit.entity


def _in_box(things: Things, eye: Eye, corners: Array, visible: Array | None) -> tuple[Array, Array]:
    """Return the entities with a corner of a triangle in a box of the screen, or at one of some rays through it."""
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    within = np.linalg.inv(to_pixels((x0, y0, max(x1 - x0, 1e-3), max(y1 - y0, 1e-3)))) @ eye.pixels
    planes = frustum_planes(within).astype(np.float64)
    rows = things.tree.inside(planes)
    rows = rows if visible is None else rows[visible[rows]]
    nearest: dict[int, float] = {}
    for row in rows.tolist():
        entity = int(things.entities[row])
        tree = things.triangles(row)
        matrix = things.matrices(row)
        corner_points = tree.corners(np.arange(len(tree))).reshape(-1, 3) @ matrix[:, :3].T + matrix[:, 3]
        depth = corner_points @ planes[:, :3].T + planes[:, 3]
        inside = (depth >= 0).all(axis=1)
        if inside.any():
            nearest[entity] = min(nearest.get(entity, np.inf), float(depth[inside, 4].min()))
    xs, ys = np.meshgrid(np.linspace(x0, x1, _RAYS), np.linspace(y0, y1, _RAYS))
    points = np.stack([xs.ravel(), ys.ravel()], axis=1)
    hits = cast(things, *eye.rays(points), np.full(len(points), np.inf), visible)
    for entity, distance in zip(hits.entities.tolist(), hits.distances.tolist(), strict=True):
        if entity >= 0:
            nearest[entity] = min(nearest.get(entity, np.inf), distance)
    return np.fromiter(nearest, np.int64, len(nearest)), np.fromiter(nearest.values(), np.float64, len(nearest))


def local_bounds(world: World, entities: Array) -> Array:
    """Return the boxes of models in the space of their entities, at rest, float64 (n, 2, 3); NaN for no model."""
    table, store = world.table(Model3D), world[Models3D]
    bounds = np.full((len(entities), 2, 3), np.nan)
    for k, row in enumerate(table.rows_of(np.asarray(entities, np.int64)).tolist()):
        if row >= 0:
            model = store.model(world, str(table.read_row("asset", row)), str(table.read_row("part", row)))
            if model.pieces:
                bounds[k] = model.bounds
    return bounds


def _things_now(world: World) -> Things:
    interpolate_poses_3d(world, 0.0)
    return world[Picking3D].things(world)


def _seen(world: World, things: Things, layers: frozenset[str] | None) -> Array | None:
    """Return which things a camera with these layers shows; None for all."""
    return None if layers is None else (things.bits & world[DrawList].layers.of(layers)) != 0

"""Picking in three dimensions: what lies below the pointer, in the sight of a ray, or in a box of the screen.

Poses are those that are drawn, between two ticks, so results are for tools and for what only the player sees; they must
not become state of the World.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import UsageError, resource
from rish_frame import Hits
from rish_space3d import Transform3D, WorldMatrices3D, frustum_planes, interpolate_poses_3d, to_pixels

from ..clips.poses import Poses3D
from ..components.models import Material3D, Model3D
from ..models.store import Models3D
from .billboards import BELOW
from .cameras import camera_at, eye_of, eye_of_region
from .casting import Hit3D, RayHits, cast
from .things import Shapes, Shown, Things

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from .cameras import Eye

Array = npt.NDArray[Any]
_RAYS = 9
"""The number of rays along each side of a box that is picked in."""


@resource(derived=True)
class Picking3D:
    """What picking knows of the models: trees of triangles, which stay, and the things of this frame."""

    def __init__(self) -> None:
        self._shapes: Shapes | None = None
        self._known: tuple[Any, Things] | None = None

    def things(self, world: World) -> Things:
        """Return everything that rays can hit, as it is drawn; made again only after changes."""
        store: Models3D = world[Models3D]
        shown = _shown(world, store)  # loads models that are new
        if self._shapes is None or self._known is None or self._known[0][0] != store.library.version:
            meshes = store.library.meshes
            self._shapes = Shapes(lambda number: meshes[number])
        tables = [world.table(kind).version for kind in (Model3D, Material3D)]
        moved = world[WorldMatrices3D].version, world[Poses3D].version, world.membership
        key = (store.library.version, store.version, *tables, *moved)
        if self._known is None or self._known[0] != key:
            self._known = key, Things(self._shapes, shown, world[Poses3D])
        return self._known[1]

    def rebuild(self, world: World) -> None:
        """Forget the things of the frame after a restore."""
        self._known = None


def _shown(world: World, store: Models3D) -> list[Shown]:
    """Return all visible models with their entities and world matrices."""
    table, query = world.table(Model3D), world.query(Model3D, Transform3D)
    rows, places, entities = query.rows(Model3D), query.rows(Transform3D), query.entities
    matrices = world[WorldMatrices3D].matrix
    shown = table.column("visible")[rows] & (places < len(matrices))
    rows, places, entities = rows[shown], places[shown], entities[shown]
    own = world.table(Material3D)
    with_own = own.rows_of(entities)
    doubles = own.column("double_sided")[np.maximum(with_own, 0)] if len(own) else np.zeros(len(entities), np.bool_)
    sided = np.where(with_own >= 0, doubles.astype(np.int64), -1)
    names = table.column("asset")[rows].astype(np.int64) << 32 | table.column("part")[rows]
    found: list[Shown] = []
    for each in np.unique(names).tolist():
        some = names == each
        model = store.model(world, world.text(each >> 32), world.text(each & 0xFFFFFFFF))
        pieces = tuple(enumerate(model.pieces))
        found.append(Shown(model, pieces, entities[some], matrices[places[some]], sided[some]))
    return found


def cast_rays_3d(
    world: World, origins: npt.ArrayLike, directions: npt.ArrayLike, reach: Any = np.inf,
    layers: frozenset[str] | None = None,
) -> RayHits:  # fmt: skip
    """Return the first visible triangles of models that rays hit.

    origins, directions: (n, 3), of any length but 0. reach: metres, one or (n,). layers: models on no layer and on
    these count; None: all. The front of triangles is hit, and the back where it is drawn. Transparent parts of maps are
    hit too. A ray with NaN or without a direction hits nothing. Poses are those that are drawn, between two ticks, so
    results must not become state: use a `Bvh` for what the game decides. Raises UsageError if there are not as many
    directions as origins.
    """
    starts, ways = (np.asarray(given, np.float64).reshape(-1, 3) for given in (origins, directions))
    if len(starts) != len(ways):
        what = f"{len(starts)} origins and {len(ways)} directions don't go together"
        raise UsageError(what, hint="Give one direction for each origin")
    length = np.linalg.norm(ways, axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        ways = np.where(length > 0, ways / length, 0.0)
    things = _things_now(world)
    limits = np.broadcast_to(np.asarray(reach, np.float64), len(starts))
    return cast(things, starts, ways, limits, _seen(world, things, layers))


def pick_3d(world: World, camera: int | None, point: tuple[float, float]) -> Hit3D | None:
    """Return the first thing that a camera shows at a point of the screen; None for nothing.

    camera: its entity; None: the uppermost one at the point. point: logical pixels, y up, as `Input.pointer`. Raises
    UsageError if the entity is no camera. The distance is that from the camera.
    """
    interpolate_poses_3d(world, 0.0)
    eye = camera_at(world, point) if camera is None else eye_of(world, camera)
    if eye is None:
        return None
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
    seen = _seen(world, things, eye.layers)
    entities, distances = (_at_point if region.is_point else _in_box)(things, eye, region.screen, seen)
    order = np.argsort(-distances, kind="stable")
    count, still = len(entities), np.zeros(len(entities))
    return [Hits(Model3D, entities[order], np.full(count, BELOW), -distances[order], still, np.zeros(count, np.int64))]


pick_models.in_space = True  # pyright: ignore[reportFunctionMemberAccess]


def _at_point(things: Things, eye: Eye, points: Array, seen: Array | None) -> tuple[Array, Array]:
    """Return all entities below a point, and their distances: those behind the first one too."""
    origins, ways = eye.rays(points)
    left = np.ones(len(things), np.bool_) if seen is None else seen.copy()
    entities: list[int] = []
    distances: list[float] = []
    while True:
        hit = cast(things, origins, ways, np.array([np.inf]), left).one(0)
        if hit is None:
            return np.array(entities, np.int64), np.array(distances)
        entities.append(hit.entity)
        distances.append(hit.distance)
        left &= things.entities != hit.entity


def _in_box(things: Things, eye: Eye, corners: Array, seen: Array | None) -> tuple[Array, Array]:
    """Return the entities with a corner of a triangle in a box of the screen, or at one of some rays through it."""
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    within = np.linalg.inv(to_pixels((x0, y0, max(x1 - x0, 1e-3), max(y1 - y0, 1e-3)))) @ eye.pixels
    planes = frustum_planes(within).astype(np.float64)
    rows = things.tree.inside(planes)
    rows = rows if seen is None else rows[seen[rows]]
    found: dict[int, float] = {}
    for row in rows.tolist():
        entity = int(things.entities[row])
        tree = things.triangles(row)
        places = tree.corners(np.arange(len(tree))).reshape(-1, 3) @ things.matrices[row][:, :3].T
        depth = (places + things.matrices[row][:, 3]) @ planes[:, :3].T + planes[:, 3]
        inside = (depth >= 0).all(axis=1)
        if inside.any():
            found[entity] = min(found.get(entity, np.inf), float(depth[inside, 4].min()))
    xs, ys = np.meshgrid(np.linspace(x0, x1, _RAYS), np.linspace(y0, y1, _RAYS))
    points = np.stack([xs.ravel(), ys.ravel()], axis=1)
    hits = cast(things, *eye.rays(points), np.full(len(points), np.inf), seen)
    for entity, distance in zip(hits.entities.tolist(), hits.distances.tolist(), strict=True):
        if entity >= 0:
            found[entity] = min(found.get(entity, np.inf), distance)
    return np.fromiter(found, np.int64, len(found)), np.fromiter(found.values(), np.float64, len(found))


def local_bounds(world: World, entities: Array) -> Array:
    """Return the boxes of models in the space of their entities, at rest, float64 (n, 2, 3); NaN for no model."""
    table, store = world.table(Model3D), world[Models3D]
    found = np.full((len(entities), 2, 3), np.nan)
    for k, row in enumerate(table.rows_of(np.asarray(entities, np.int64)).tolist()):
        if row >= 0:
            model = store.model(world, str(table.read_row("asset", row)), str(table.read_row("part", row)))
            if model.pieces:
                found[k] = model.bounds
    return found


def _things_now(world: World) -> Things:
    interpolate_poses_3d(world, 0.0)
    return world[Picking3D].things(world)


def _seen(world: World, things: Things, layers: frozenset[str] | None) -> Array | None:
    """Return which things a camera with these layers shows; None for all."""
    table = world.table(Model3D)
    if layers is None or not len(table) or not table.column("layers")[:, 1].any():
        return None
    rows, which = np.unique(table.rows_of(things.entities), return_inverse=True)
    names = [frozenset(table.read_row("layers", row)) if row >= 0 else frozenset[str]() for row in rows.tolist()]
    return np.array([not each or bool(each & layers) for each in names], np.bool_)[which]

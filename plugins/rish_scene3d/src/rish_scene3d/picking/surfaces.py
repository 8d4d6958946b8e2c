"""Surfaces that show the pictures of cameras: which picture is below a point of the screen, and where in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_frame import SurfacePoint
from rish_jit import Array
from rish_space3d import interpolate_poses_3d

from ..components.models import Material3D
from ..models.store import CAMERA, Models3D
from .cameras import camera_at, eye_of, screen_cameras
from .pick import Picking3D, first_hit

if TYPE_CHECKING:
    from rish_core import World


class _Part(NamedTuple):
    """A triangle of a surface, and the camera of the screen that showed it. tile: number of the copy of the picture, if
    the material repeats it, (2,)."""

    eye: int
    entity: int
    piece: int
    triangle: int
    tile: Array


def surface_at(world: World, point: tuple[float, float], held: SurfacePoint | None = None) -> SurfacePoint | None:
    """Return the picture that the nearest surface shows at a point of the screen; see `rish_frame.SurfaceSource`.

    Surfaces are models with a Material3D whose `map` or `emission_map` is `camera:NAME`.
    """
    if not world[Models3D].cameras:
        return None
    if held is not None:
        uv = _continued(world, point, held.surface)
        return held if uv is None else held._replace(place=_place(world, held.surface.entity, uv, held.surface.tile)[0])
    interpolate_poses_3d(world, 0.0)
    eye = camera_at(world, point)
    hit = first_hit(world, eye, point) if eye is not None else None
    camera = _camera_of(world, hit.entity) if hit is not None else ""
    if eye is None or hit is None or not camera:
        return None
    place, tile = _place(world, hit.entity, hit.uv)
    return SurfacePoint(camera, place, _Part(eye.camera, hit.entity, hit.piece, hit.triangle, tile))


def _camera_of(world: World, entity: int) -> str:
    """Return the name of the camera whose picture the material of an entity shows; "" for none."""
    table = world.table(Material3D)
    row = table.row_of(entity)
    paths = [str(table.read_row(name, row)) for name in ("map", "emission_map")] if row >= 0 else []
    return next((path.removeprefix(CAMERA) for path in paths if path.startswith(CAMERA)), "")


def _place(world: World, entity: int, uv: Array, tile: Array | None = None) -> tuple[tuple[float, float], Array]:
    """Return the place in the picture at texture coordinates, from the bottom left, and the tile that it is in."""
    table = world.table(Material3D)
    row = table.row_of(entity)
    repeat, offset = ((1, 1), (0, 0)) if row < 0 else (table.column(name)[row] for name in ("repeat", "offset"))
    at = uv * repeat + offset
    tile = np.floor(at) if tile is None else tile
    x, y = (at - tile).tolist()
    return (x, 1 - y), tile


def _continued(world: World, point: tuple[float, float], part: _Part) -> Array | None:
    """Return the texture coordinates where the ray through a point meets the plane of a triangle; None if it does not
    meet it, or if the surface is gone."""
    interpolate_poses_3d(world, 0.0)
    things = world[Picking3D].things(world)
    rows = np.flatnonzero((things.entities == part.entity) & (things.pieces == part.piece))
    if part.eye not in screen_cameras(world) or not len(rows):
        return None
    row = int(rows[0])
    mesh, matrix = things.shapes.mesh(int(things.meshes[row])), things.matrices(row)
    corners = things.triangles(row).corners(np.array([part.triangle]))[0] @ matrix[:, :3].T + matrix[:, 3]
    origins, directions = eye_of(world, part.eye).rays([point])
    sides = np.stack([corners[1] - corners[0], corners[2] - corners[0], -directions[0]], axis=1)
    if mesh.uv0 is None or not np.linalg.det(sides):
        return None
    u, v, distance = np.linalg.solve(sides, origins[0] - corners[0]).tolist()
    a, b, c = mesh.uv0[mesh.indices[part.triangle]].astype(np.float64)
    return a + u * (b - a) + v * (c - a) if distance > 0 else None

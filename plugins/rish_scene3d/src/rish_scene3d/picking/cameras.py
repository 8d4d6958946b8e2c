"""Rays of the game's cameras: which camera shows a point of the screen, and the ray through that point."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import UsageError
from rish_frame import Frame
from rish_jit import Array
from rish_space3d import (
    SpaceView,
    Transform3D,
    WorldMatrices3D,
    camera_rays,
    quaternions,
    to_pixels,
    world_matrices_3d,
)

from ..components.views import Camera3D, Lens

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region


@dataclass(frozen=True, eq=False)
class Eye:
    """A camera of the screen. camera: its entity, 0 for that of a tool. pixels: float64 (4, 4), from the world to
    logical pixels. rect: x y w h of its part of the screen, logical pixels. layers: as in `SpaceView`. place: its
    position, (3,)."""

    camera: int
    pixels: Array
    rect: tuple[float, float, float, float]
    layers: frozenset[str] | None
    place: Array = field(default_factory=lambda: np.zeros(3))

    def rays(self, points: npt.ArrayLike) -> tuple[Array, Array]:
        """Return the origins and directions, float64 (n, 3), of the rays through points (n, 2) in logical pixels."""
        pixels = np.asarray(points, np.float64).reshape(-1, 2)
        origins, directions = camera_rays(self.pixels, pixels + 1.0, (2, 2))  # pixels take the place of clip space
        return origins.astype(np.float64), directions.astype(np.float64)

    @cached_property
    def axes(self) -> Array:
        """The directions right, up and back, float64 (3, 3), one a row."""
        ahead = self.pixels[3, :3] if self.pixels[3, :3].any() else self.rays([(0.0, 0.0)])[1][0]
        ahead = ahead / np.linalg.norm(ahead)
        sides = self.pixels[:2, :3] - (self.pixels[:2, :3] @ ahead)[:, None] * ahead
        return np.concatenate([sides / np.linalg.norm(sides, axis=1, keepdims=True), [-ahead]])

    @property
    def point(self) -> Array | None:
        """The common origin of all rays, (3,); None if they are parallel."""
        linear = self.pixels[[0, 1, 3]]
        return np.linalg.solve(linear[:, :3], -linear[:, 3]) if linear[2, :3].any() else None

    def has(self, point: tuple[float, float]) -> bool:
        """Return whether a point lies in the part of the screen that the camera fills."""
        x, y, w, h = self.rect
        return x <= point[0] < x + w and y <= point[1] < y + h


def to_screen_3d(world: World, places: npt.ArrayLike, camera: int | None = None) -> Array:
    """Convert places in space to the screen, with the camera of this tick; float64 (n, 2).

    places: (n, 3), in the world. Returns logical pixels, y up, as the pointer's and those of layers in screen space;
    NaN for what is behind the camera, and if there is no camera. camera: its entity; None: the uppermost one on the
    screen. Raises UsageError if the entity is no camera. One call for many places is much faster than many calls.
    """
    points = np.asarray(places, np.float64).reshape(-1, 3)
    matrices = world_matrices_3d(world)
    if camera is None:
        camera = next(iter(screen_cameras(world, len(matrices))), None)
    if camera is None:
        return np.full((len(points), 2), np.nan)
    x, y, depth, w = (points @ (m := eye_of(world, camera, matrices).pixels)[:, :3].T + m[:, 3]).T
    ahead = (w > 0) & (depth >= -w)
    return np.where(ahead[:, None], np.stack([x, y], axis=1) / np.where(ahead, w, 1.0)[:, None], np.nan)


def space_view(world: World, camera: int, matrices: Array | None = None) -> SpaceView:
    """Return how a camera looks at space. Raises UsageError if the entity is no Camera3D in space.

    matrices: of all Transform3Ds, (n, 3, 4); None: those that are drawn.
    """
    table, poses = world.table(Camera3D), world.table(Transform3D)
    row, pose = table.row_of(camera), poses.row_of(camera)
    poses_of = world[WorldMatrices3D].matrix if matrices is None else matrices
    if row < 0 or not 0 <= pose < len(poses_of):
        message = f"entity {camera} is no Camera3D with a Transform3D"
        raise UsageError(message, hint="Give the entity of a camera, or None for the uppermost one")
    matrix = poses_of[pose].astype(np.float64)
    axes = quaternions.normalized(matrix[:, :3].T).T
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    value: Any = {name: float(table.column(name)[row]) for name in ("fov", "height", "near", "far", "exposure")}
    if table.read_row("lens", row) is not Lens.ORTHOGRAPHIC:
        value["height"] = 0.0
    value["far"] = max(value["far"], value["near"] * 1.001)
    x, y, z = matrix[:, 3].tolist()
    a, b, c, d = quaternions.from_matrix(axes).tolist()
    return SpaceView((x, y, z), (a, b, c, d), layers=frozenset(table.read_row("layers", row)), **value)


def eye_of(world: World, camera: int, matrices: Array | None = None) -> Eye:
    """Return a camera of the screen. Raises UsageError if the entity is no camera. matrices: as for `space_view`."""
    table, (wide, high) = world.table(Camera3D), world[Frame].logical
    view = space_view(world, camera, matrices)
    x, y, w, h = table.column("viewport")[table.row_of(camera)].astype(np.float64).tolist()
    rect = x * wide, y * high, max(w * wide, 1e-3), max(h * high, 1e-3)
    return Eye(
        camera,
        to_pixels(rect) @ view.projection(rect[2] / rect[3]) @ view.view,
        rect,
        view.layers,
        np.array(view.position),
    )


def screen_cameras(world: World, count: int | None = None) -> list[int]:
    """Return the enabled cameras that are drawn onto the screen, the uppermost first.

    count: cameras among so many Transform3Ds; None: those that are drawn.
    """
    table = world.table(Camera3D)
    poses = world.table(Transform3D).rows_of(table.entities)
    is_shown = table.column("enabled") & (table.column("target") == 0) & (poses >= 0)
    is_shown &= poses < (len(world[WorldMatrices3D].matrix) if count is None else count)
    order = np.argsort(table.column("order"), kind="stable")[::-1]
    return table.entities[order[is_shown[order]]].tolist()


def camera_at(world: World, point: tuple[float, float]) -> Eye | None:
    """Return the uppermost camera that shows a point of the screen, logical pixels; None if no camera shows it."""
    for camera in screen_cameras(world):
        eye = eye_of(world, camera)
        if eye.has(point):
            return eye
    return None


def eye_of_region(world: World, region: Region) -> Eye | None:
    """Return the camera of a region of picking; None if no camera shows space there."""
    if region.space is not None:
        return Eye(0, np.asarray(region.space), (0.0, 0.0, np.inf, np.inf), region.layers)
    if not region.flat:
        return None
    x, y = region.screen.mean(axis=0).tolist()
    return camera_at(world, (x, y))

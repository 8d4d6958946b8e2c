"""Cameras: which part of the world is visible, and the conversion between screen and world positions.

Without a camera, the world's origin is the bottom left corner of the screen, and one unit is one pixel. A camera is
centered on its Transform; its `height` sets how many units fit into its viewport, whatever the window's size. Several
cameras share the screen, each in its viewport, or draw onto targets of their own. Positions on the screen are in the
game's logical pixels, see `stretch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform
from rish_ecs import UsageError
from rish_frame import Frame, Region, WorldMatrices
from rish_frame.frame import pixel_rect
from rish_jit import Array, maths

from ..components.visible import Camera
from .camera_views import CameraViews
from .shaking import shaken
from .stretch import surface_of
from .tool_view import ToolView, tool_view
from .view import MAIN, Color, DrawArea, View, screen_view

if TYPE_CHECKING:
    from rish_ecs import World

__all__ = ["View", "camera_at", "main_view", "screen_view", "to_screen", "to_world", "view_of", "views_of"]

Pose = tuple[float, float, float, float, float, float]
_DEEPEST = 64
"""How many levels of parents are followed; a cycle ends there."""


def target_name(name: str) -> str:
    """Return the frame's name for the target of a camera whose `target` has this name."""
    return "camera." + name.replace(":", "_")


def views_of(world: World) -> Sequence[View]:
    """Return the views of all active cameras as they are drawn, interpolated between the last two ticks and shaken.

    Cameras with a target of their own come first, then those of the screen; both are sorted by order, then by age. If
    no camera draws onto the screen, the plain view of the screen is the last; the view of a tool replaces all of the
    screen. While no camera moves or changes, the result is the same object.
    """
    surface, tool = surface_of(world), tool_view(world)
    if tool is not None or world[ToolView].arranging or not world.table(Camera).used:
        return _views_of(world, surface, tool)
    views = world[CameraViews]
    last = views.all(world, surface)
    if not last:
        last = _views_of(world, surface, None)
        views.put_all(world, surface, last)
    return last


def _views_of(world: World, surface: DrawArea, tool: View | None) -> list[View]:
    """Compute the views of all active cameras. tool: replaces those of the screen."""
    cameras = _active(world)
    if tool is not None:
        cameras = [each for each in cameras if _target_of(world, each[0])]
    plain = tool or screen_view(surface)
    if not cameras:
        return [plain]
    main = _main(world, cameras)
    own: list[View] = []
    shared: list[View] = []
    taken: set[str] = set()
    for row, handle in cameras:
        target = _target_of(world, row)
        name = MAIN if handle == main else "" if target in taken else target
        view = _view(world, row, handle, surface, name)
        (own if target else shared).append(view)
        taken.add(target)
    return [*own, *shared] if main else [*own, plain]


def area_of(world: World, target: str) -> Region | None:
    """Return all that the camera with a target shows, see `rish_frame.frame.AreaSource`; None without a camera."""
    surface, name = surface_of(world), target_name(target)
    for row, handle in _active(world):
        if _target_of(world, row) == name:
            view = _view(world, row, handle, surface)
            (x, y), (w, h) = view.corner, view.size
            corners = np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], np.float64)
            return Region(corners, view.to_world(corners), view.center, view.density, view.layers)
    return None


def main_view(world: World, *, interpolated: bool = False) -> View:
    """Return the view of the primary camera, or the plain view of the screen if there is no camera.

    interpolated: as it is drawn, between the last two ticks and shaken; for systems of the frame, not of a tick.
    """
    surface = surface_of(world)
    main = _main(world, _active(world))
    if not main:
        return screen_view(surface)
    return _view(world, world.table(Camera).row_of(main), main, surface, MAIN, interpolated=interpolated)


def view_of(world: World, camera: int | None = None, *, interpolated: bool = False) -> View:
    """Return the view of a camera, given by its entity; None means the main one. Raises UsageError for others."""
    if camera is None:
        return main_view(world, interpolated=interpolated)
    row = world.table(Camera).row_of(camera)
    if row < 0 or world.table(Transform).row_of(camera) < 0:
        raise UsageError(f"entity {camera} is not a camera with a Transform", hint="Add a Camera and a Transform")
    return _view(world, row, camera, surface_of(world), interpolated=interpolated)


def to_world(world: World, points: npt.ArrayLike, camera: int | None = None) -> Array:
    """Convert points of the screen to the world, with the camera of this tick; float64 (..., 2).

    points: logical pixels, y up, as the pointer's. camera: its entity; None means the main one.
    """
    return view_of(world, camera).to_world(points)


def to_screen(world: World, points: npt.ArrayLike, camera: int | None = None) -> Array:
    """Convert positions of the world to the screen, with the camera of this tick; float64 (..., 2).

    Returns logical pixels, y up. camera: its entity; None means the main one.
    """
    return view_of(world, camera).to_screen(points)


def camera_at(world: World, point: tuple[float, float]) -> int | None:
    """Return the entity of the camera whose viewport is uppermost at a point of the screen, or None if there is none.

    point: logical pixels.
    """
    surface = surface_of(world)
    uppermost = None
    for row, handle in _active(world):
        view = _view(world, row, handle, surface, interpolated=False)
        (x, y), (w, h) = view.corner, view.size
        if view.target == surface.target and x <= point[0] < x + w and y <= point[1] < y + h:
            uppermost = handle
    return uppermost


def target_size(table: Any, row: int) -> tuple[int, int]:
    """Return the size in pixels of the target of a camera; row: of the table of cameras."""
    width, height = (int(min(max(side, 1), 4096)) for side in table.column("target_size")[row])
    return width, height


def picture_size(world: World, name: str) -> tuple[int, int] | None:
    """Return the size in pixels of the picture of the camera whose target has a name; None if there is no such camera.

    Pictures that other plugins draw count as well, see `Frame.cameras`.
    """
    table = world.table(Camera)
    number = world.texts.find(name) if name else -1
    rows = np.flatnonzero(table.column("target") == number) if number > 0 else []
    return target_size(table, int(rows[0])) if len(rows) else world[Frame].cameras.get(name)


def _active(world: World) -> list[tuple[int, int]]:
    """Return (row, entity) of every active camera that has a Transform, in drawing order."""
    if not world.table(Camera).used:
        return []
    query = world.query(Camera, Transform)
    rows = query.rows(Camera)
    if not len(rows):
        return []
    active, order = [world.table(Camera).flat(name) for name in ("enabled", "order")]
    cameras = [each for each in zip(rows.tolist(), query.entities.tolist(), strict=True) if active[each[0]]]
    return sorted(cameras, key=lambda each: int(order[each[0]])) if len(cameras) > 1 else cameras


def _main(world: World, cameras: list[tuple[int, int]]) -> int:
    """Return the first primary camera that draws onto the screen, else the first such camera; 0 if there is none."""
    table = world.table(Camera)
    target, primary = table.column("target"), table.column("primary")
    shared = [each for each in cameras if not target[each[0]]]
    return next((handle for row, handle in shared if primary[row]), shared[0][1] if shared else 0)


def _target_of(world: World, row: int) -> str:
    """Return the name of the target that a camera draws onto; empty if it draws onto the screen."""
    table = world.table(Camera)
    return target_name(table.read_row("target", row)) if table.column("target")[row] else ""


def _view(world: World, row: int, handle: int, surface: DrawArea, name: str = "", *, interpolated: bool = True) -> View:
    place = world.table(Transform).row_of(handle)
    drawn = world[WorldMatrices].one(place) if interpolated else None
    a, b, _, _, x, y = pose = drawn or world_pose(world, handle)
    first = world[ToolView].arranging
    if first or not interpolated or world.table(Camera).flat("trauma")[row] > 0:
        at = (followed(world, row) if first else None) or (x, y)
        view = look(world, row, handle, surface, at, maths.atan2(b, a), name)
        view = shaken(world, row, view) if interpolated and not first else view
        return view.kept_within(limits_of(world, row)) if interpolated or first else view
    views, key = world[CameraViews], (pose, surface, name)
    view = views.get(world, handle, key)
    if view is None:
        view = look(world, row, handle, surface, (x, y), maths.atan2(b, a), name).kept_within(limits_of(world, row))
        views.put(handle, key, view)
    return view


def look(
    world: World, row: int, handle: int, surface: DrawArea, center: tuple[float, float], rotation: float, name: str = ""
) -> View:
    """Return the view of a camera from a given position; of the camera, only the row of its component is read."""
    table = world.table(Camera)
    target = _target_of(world, row)
    if target:
        surface = DrawArea.plain(target, target_size(table, row))
    x, y, w, h = pixel_rect(tuple(table.column("viewport")[row].tolist()), surface.logical)
    w, h = max(w, 1), max(h, 1)
    tall, zoom = float(table.column("height")[row]), float(table.column("zoom")[row])
    density = (h / tall if tall > 0 else 1.0) * max(zoom, 1e-6)
    red, green, blue, alpha = table.column("background")[row].tolist()
    background: Color | None = (red, green, blue, alpha) if alpha > 0 else None
    layers = frozenset(table.read_row("layers", row)) if table.column("layers")[row, 1] else None
    name = name or f"view.{handle}"
    return View.on(surface, (x, y, w, h), center, rotation, density, background, handle, layers, name)


def followed(world: World, row: int) -> tuple[float, float] | None:
    """Return the point that the camera of a row follows: its entity's position and its offset; None if it follows none.

    A camera jumps there in its first tick; later it keeps its distance by its dead zone and smoothing.
    """
    table = world.table(Camera)
    target = int(table.column("follow")[row])
    if world.table(Transform).row_of(target) < 0:
        return None
    dx, dy = table.column("offset")[row].tolist()
    x, y = world_pose(world, target)[4:]
    return x + dx, y + dy


def limits_of(world: World, row: int) -> tuple[float, float, float, float]:
    """Return the rectangle x y w h that bounds a camera's view; a width or height of 0 sets no limit."""
    x, y, w, h = world.table(Camera).column("limits")[row].tolist()
    return x, y, w, h


def world_pose(world: World, handle: int) -> Pose:
    """Return the current world matrix a b c d tx ty of one entity; the same bits on every machine.

    It walks from parent to parent, so it is fast for a few entities; use `world_matrices` for all of them.
    """
    table = world.table(Transform)
    position, rotation, scale, parents = (table.column(name) for name in ("position", "rotation", "scale", "parent"))
    pose: Pose = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    row = table.row_of(handle)
    for _ in range(_DEEPEST):
        if row < 0:
            break
        sin, cos = maths.sincos(float(rotation[row]))
        sx, sy = float(scale[row, 0]), float(scale[row, 1])
        a, b, c, d = cos * sx, sin * sx, -sin * sy, cos * sy
        pose = (
            a * pose[0] + c * pose[1],
            b * pose[0] + d * pose[1],
            a * pose[2] + c * pose[3],
            b * pose[2] + d * pose[3],
            a * pose[4] + c * pose[5] + float(position[row, 0]),
            b * pose[4] + d * pose[5] + float(position[row, 1]),
        )
        parent = int(parents[row])
        row = table.row_of(parent) if parent else -1
    return pose

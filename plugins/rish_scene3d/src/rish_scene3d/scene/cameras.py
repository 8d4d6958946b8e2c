"""Cameras: from Camera3D to the views that are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Disabled, Inputs
from rish_frame import Frame, orthographic, perspective
from rish_frame.frame import Rect, pixel_rect
from rish_jit import Array
from rish_space3d import SpaceView, ToolView3D, Transform3D, WorldMatrices3D, matrices_of

from ..components.views import Camera3D, Lens
from .listing.layers import LayerBits
from .views import View3D

if TYPE_CHECKING:
    from rish_core import World

VIEW, PICTURE = "scene3d.view", "scene3d.camera."
"""The name of the first view of the screen, and the prefix of views with a picture of their own."""
_FULL_VIEWPORT: Rect = (0.0, 0.0, 1.0, 1.0)


def _canvas(world: World) -> tuple[Any, ...]:
    """Return where the scene is drawn, and the view of a tool."""
    frame, tool = world[Frame], world[ToolView3D]
    return frame.canvas, frame.canvas_size, frame.size, frame.fit, tool.view, tool.hidden


class Cameras:
    """The views of the last frame, which stay the same objects until a camera moves or changes."""

    def __init__(self) -> None:
        self._inputs = Inputs((Camera3D, Disabled, _canvas, matrices_of(Camera3D)))
        self._layers: LayerBits | None = None
        self._views: list[View3D] = []

    def views(self, world: World, layers: LayerBits) -> list[View3D]:
        """Return the views of all cameras, see `views_of`."""
        if self._inputs.changed(world) or self._layers is not layers:
            self._layers, self._views = layers, views_of(world, layers)
        return self._views


def views_of(world: World, layers: LayerBits) -> list[View3D]:
    """Return the views of all enabled cameras as they are drawn, in drawing order; those with pictures come first. The
    view of a tool replaces those of the screen.
    """
    table = world.table(Camera3D)
    query = world.query(Camera3D, Transform3D)
    rows, poses = query.rows(Camera3D), query.rows(Transform3D)
    matrices = world[WorldMatrices3D].matrix
    on = table.column("enabled")[rows] & (poses < len(matrices))
    order = table.column("order")
    cameras = sorted(zip(rows[on].tolist(), poses[on].tolist(), strict=True), key=lambda each: int(order[each[0]]))
    views: list[View3D] = []
    tool = world[ToolView3D]
    for has_target in (True, False) if tool.view is None and not tool.hidden else (True,):
        for row, pose in cameras:
            if bool(table.column("target")[row]) == has_target:
                views.append(_view(world, row, matrices[pose], views, layers))
    if tool.view is not None:
        views.append(_tool_view(world[Frame], tool.view, layers))
    return views


def picture_sizes(world: World) -> dict[str, tuple[int, int]]:
    """Return the sizes of the pictures of enabled cameras by the name of their target."""
    table = world.table(Camera3D)
    sizes: dict[str, tuple[int, int]] = {}
    if not table.used:
        return sizes
    for row in np.flatnonzero((table.column("target") > 0) & table.column("enabled")).tolist():
        sizes.setdefault(table.read_row("target", row), picture_size(table, row))
    return sizes


def picture_size(table: Any, row: int) -> tuple[int, int]:
    """Return the size in pixels of the picture of a camera; row: of the table of cameras."""
    wide, high = (int(min(max(side, 1), 4096)) for side in table.column("target_size")[row])
    return wide, high


def view_matrix(matrix: Array) -> Array:
    """Return the view matrix (4, 4) of a camera with a world matrix (3, 4), whose scale does not matter."""
    transform = np.asarray(matrix, np.float64)
    length = np.sqrt((transform[:, :3] ** 2).sum(0))
    axes = transform[:, :3] / np.where(length > 0, length, 1)
    if (length == 0).any():
        axes = np.eye(3)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    view = np.eye(4)
    view[:3, :3] = axes.T
    view[:3, 3] = -axes.T @ transform[:, 3]
    return view.astype(np.float32)


def canvas_part(frame: Frame, viewport: Rect) -> Rect:
    """Return a part of the game's view as a part of the canvas, which may have bars beside the view."""
    if frame.fit is None or frame.canvas != "screen":
        return viewport
    (x, y, w, h), (wide, high) = frame.fit.place, frame.size
    left, bottom, width, height = viewport
    return (x + left * w) / wide, (y + bottom * h) / high, width * w / wide, height * h / high


def _view(world: World, row: int, matrix: Array, others: list[View3D], layers: LayerBits) -> View3D:
    table, frame = world.table(Camera3D), world[Frame]
    target = table.read_row("target", row)
    name = f"{PICTURE}{target.replace(':', '_')}" if target else VIEW
    size = picture_size(table, row) if target else frame.canvas_size
    viewport = tuple(table.column("viewport")[row].tolist())
    part = viewport if target else canvas_part(frame, viewport)
    onto = next((view.size for view in others if view.target == name), size)
    count = sum(view.target == name for view in others)
    near, far = (float(table.column(each)[row]) for each in ("near", "far"))
    far = max(far, near * 1.001)
    _, _, wide, high = pixel_rect(part, onto)
    aspect = max(wide, 1) / max(high, 1)
    flat = table.read_row("lens", row) is Lens.ORTHOGRAPHIC
    if flat:
        half = float(table.column("height")[row]) / 2
        projection = orthographic(-half * aspect, half * aspect, -half, half, near, far)
    else:
        projection = perspective(float(table.column("fov")[row]), aspect, near, far)
    return View3D(
        name=f"{name}.{count + 1}" if count else name,
        target=name,
        size=onto,
        viewport=part,
        view=view_matrix(matrix),
        projection=projection,
        eye=np.ascontiguousarray(matrix[:, 3], np.float32),
        near=near,
        far=far,
        orthographic=flat,
        bits=layers.of(table.read_row("layers", row)),
        exposure=float(table.column("exposure")[row]),
    )


def _tool_view(frame: Frame, tool: SpaceView, layers: LayerBits) -> View3D:
    wide, high = frame.canvas_size
    return View3D(
        name=VIEW,
        target=VIEW,
        size=(wide, high),
        viewport=_FULL_VIEWPORT,
        view=tool.view.astype(np.float32),
        projection=tool.projection(wide / high).astype(np.float32),
        eye=np.array(tool.position, np.float32),
        near=tool.near,
        far=tool.far,
        orthographic=tool.height > 0,
        bits=-1 if tool.layers is None else layers.of(tool.layers),
        exposure=tool.exposure,
    )

"""The points of lines and polygons: each can be dragged, one in the middle of a side is added, Alt removes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_jit import Array
from rish_render import Line, Shape, ShapeForm

from ..views.plane.entity_poses import into, world_poses
from ..views.rounding import on_step

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..views.interaction.handles import Drag
    from ..views.plane.draw import SceneDraw

_MAX_POINTS = 128
"""Lists of more points have no handles."""


def draw_lines(scene: SceneDraw, editor: Editor, handles: Any) -> None:
    """Draw the points of the selected line."""
    handle = _chosen(editor, Line)
    if handle is not None and editor.game is not None:
        _draw(scene, editor, handle, Line, closed=bool(editor.game.read(handle, Line, "closed")))


def draw_shapes(scene: SceneDraw, editor: Editor, handles: Any) -> None:
    """Draw the points of the selected shape, if it is a line or a polygon."""
    handle = _chosen(editor, Shape)
    if handle is None or editor.game is None:
        return
    form = editor.game.read(handle, Shape, "shape")
    if form in (ShapeForm.LINE, ShapeForm.POLYGON):
        _draw(scene, editor, handle, Shape, closed=form is ShapeForm.POLYGON)


def _chosen(editor: Editor, cls: type) -> int | None:
    """Return the selected entity if only one is selected and its points can be edited, otherwise None."""
    game = editor.game
    if game is None or len(game.selection) != 1 or editor.view.tool not in ("select", "move"):
        return None
    handle = game.selection.primary
    return handle if handle is not None and game.world.has(handle, cls) else None


def _draw(scene: SceneDraw, editor: Editor, handle: int, cls: type, *, closed: bool) -> None:
    game = editor.game
    assert game is not None
    points = np.asarray(game.read(handle, cls, "points"), np.float64).reshape(-1, 2)
    if not 1 < len(points) <= _MAX_POINTS or not game.world.has(handle, Transform):
        return
    holes = len(game.read(handle, cls, "holes")) if cls is Shape else 0
    placed = scene.placed(handle, points)
    scene.polyline(placed, "outline", 1.0, closed=closed and not holes, opacity=0.6)
    name = f"{cls.__name__.lower()}.{handle}"
    if not holes:
        _middles(scene, editor, handle, cls, points, placed, closed=closed)
    for k, place in enumerate(placed.tolist()):
        drag = scene.handle(f"{name}.{k}", tuple(place), "outline", mark="dot", pixels=5.0, priority=2)
        if drag is None:
            continue
        if drag.began and editor.ui.alt and len(points) > 2 + closed and not holes:
            _write(editor, handle, cls, np.delete(points, k, axis=0), drag, "Remove a point")
            return
        if not (editor.ui.alt and drag.delta == (0.0, 0.0)):
            _drag(scene, editor, handle, cls, drag, k, points)


def _middles(
    scene: SceneDraw, editor: Editor, handle: int, cls: type, points: Array, placed: Array, *, closed: bool
) -> None:  # fmt: skip
    """Draw a mark in the middle of each side; dragging one adds a point."""
    after = np.roll(placed, -1, axis=0) if closed else placed[1:]
    near = np.hypot(*(after - placed[: len(after)]).T) / scene.px(1.0) > 32.0
    for k in np.flatnonzero(near).tolist():
        middle = (placed[k] + after[k]) / 2
        drag = scene.handle(f"{cls.__name__.lower()}.{handle}.add.{k}", tuple(middle), "outline", mark="diamond",
                            pixels=4.0, priority=1, tooltip=editor.tr("Drag to add a point"))  # fmt: skip
        if drag is not None:
            before = points if scene.handles.kept is None else scene.handles.kept
            own = (before[k] + before[(k + 1) % len(before)]) / 2
            _drag(scene, editor, handle, cls, drag, k + 1, before, np.insert(before, k + 1, own, axis=0))


def _drag(
    scene: SceneDraw, editor: Editor, handle: int, cls: type, drag: Drag, k: int, points: Array,
    grown: Array | None = None,
) -> None:  # fmt: skip
    """Move the point k while it is dragged. grown: the points with a new one inserted at k; None without a new one."""
    if scene.handles.kept is None:
        scene.handles.kept = points
    if drag.cancelled:
        scene.cancel(drag)
        return
    moved = (scene.handles.kept if grown is None else grown).copy()
    pose = world_poses(scene.world, np.array([handle]))
    step = scene.fine or editor.settings.grid
    a, b, c, d, x, y = pose[0].tolist()
    u, v = moved[k].tolist()
    end = [a * u + c * v + x + drag.delta[0], b * u + d * v + y + drag.delta[1]]
    end = on_step(end, step)
    moved[k] = scene.rounded(handle, cls, "points", into(pose, np.array([[end[0] - x, end[1] - y]]))[0])
    scene.say(f"{moved[k, 0]:.1f}, {moved[k, 1]:.1f}")
    if drag.delta != (0.0, 0.0):
        _write(editor, handle, cls, moved, drag, "Add a point" if grown is not None else "Move a point")


def _write(editor: Editor, handle: int, cls: type, points: Array, drag: Drag, name: str) -> None:
    assert editor.game is not None
    editor.game.set([handle], cls, "points", points.tolist(), name=editor.tr(name), merge=drag.key)

"""Paths in scene views: their line, and handles at their points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_jit import Array

from ...paths.components import FollowPath, MotionPath, PathShape
from ...paths.shapes import path_points

if TYPE_CHECKING:
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
BY_POINTS = (PathShape.LINES, PathShape.SMOOTH, PathShape.BEZIER)
_MAX_PATHS = 64
"""The maximum number of paths that are drawn."""
_MAX_HANDLES = 200
"""The maximum number of points of a path with handles."""
_CLICKED = (0.0, 0.0)
"""Stored in a handle after a click on it has changed the points, so that the rest of the drag does nothing."""


def draw_paths(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw the paths of selected entities, and those that selected entities follow; handles at the selected ones."""
    game = editor.game
    assert game is not None
    follow = game.world.table(FollowPath)
    rows = follow.rows_of(game.selection.array)
    followed = set(follow.path[rows[rows >= 0]].tolist())
    visible = [handle for handle in handles.tolist() if handle in game.selection or handle in followed]
    for handle in visible[:_MAX_PATHS]:
        _draw_path(scene, editor, handle, chosen=handle in game.selection)


def draw_followers(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Write "no path" at selected followers whose path does not exist."""
    game = editor.game
    assert game is not None
    for handle in [each for each in handles.tolist() if each in game.selection][:_MAX_PATHS]:
        path = int(game.read(handle, FollowPath, "path")) or handle
        if game.world.table(MotionPath).row_of(path) < 0:
            scene.text(scene.position(handle), editor.tr("no path"), "warning", offset=(12, 8), backed=True)


def _frame_of(game: Any, handle: int) -> int:
    """Return the entity to which a path is relative: its own, or its parent (0: the world) if it follows itself."""
    follow, table = game.world.table(FollowPath), game.world.table(Transform)
    row = follow.row_of(handle)
    own = row >= 0 and int(follow.path[row]) in (0, handle)
    return int(table.parent[table.row_of(handle)]) if own and table.row_of(handle) >= 0 else handle


def points_of(game: Any, handle: int) -> Array:
    """Return the line of a path, relative to its frame, float64 (n, 2)."""
    read = {
        name: game.read(handle, MotionPath, name)
        for name in ("shape", "points", "closed", "size", "turns", "ratio", "phase")
    }
    return path_points(
        read["shape"], np.asarray(read["points"], np.float64).reshape(-1, 2), closed=bool(read["closed"]),
        size=read["size"], turns=float(read["turns"]), ratio=read["ratio"], phase=float(read["phase"]),
    )  # fmt: skip


def _draw_path(scene: SceneDraw, editor: Editor, handle: int, *, chosen: bool) -> None:
    game = editor.game
    assert game is not None
    frame = _frame_of(game, handle)
    scene.polyline(scene.placed(frame, points_of(game, handle)), "camera", 2.0, opacity=1.0 if chosen else 0.6)
    if not chosen:
        return
    shape = game.read(handle, MotionPath, "shape")
    points = np.asarray(game.read(handle, MotionPath, "points"), np.float64).reshape(-1, 2)
    if shape not in BY_POINTS:
        _size(scene, editor, handle, frame)
    elif len(points) <= _MAX_HANDLES:
        _points(scene, editor, handle, frame, shape, points)


def _size(scene: SceneDraw, editor: Editor, handle: int, frame: int) -> None:
    """Offer the corner of a function's box."""
    assert editor.game is not None
    half = editor.game.read(handle, MotionPath, "size").astype(np.float64) / 2
    corner = tuple(scene.placed(frame, half)[0].tolist())

    def change(at: Point) -> dict[str, Any]:
        x, y = scene.to_local(frame, at)
        return {"size": (2 * abs(x), 2 * abs(y))}

    scene.field_handle(
        f"path.{handle}.size",
        corner,
        handle,
        MotionPath,
        change,
        color="camera",
        tooltip=editor.tr("Size of the path"),
    )


def _points(scene: SceneDraw, editor: Editor, handle: int, frame: int, shape: PathShape, points: Array) -> None:
    """Offer the points: drag them, Ctrl and a click removes one, Alt and a click adds one after it."""
    placed = scene.placed(frame, points).tolist()
    bezier = shape is PathShape.BEZIER
    tip = editor.tr("Drag; Alt and a click add a point after it, Ctrl and a click remove it")
    for index, at in enumerate(placed):
        control = bezier and index % 3 != 0
        if control and (index % 3 == 1 or index + 1 < len(placed)):
            scene.line(tuple(placed[index - 1 if index % 3 == 1 else index + 1]), tuple(at), "camera", 1.0, opacity=0.5)

        def move(at: Point, index: int = index) -> dict[str, Any]:
            if scene.handles.kept is _CLICKED:
                return {}
            grid = editor.settings.grid
            made = points.copy()
            made[index] = scene.to_local(frame, (scene.snapped(at[0], grid), scene.snapped(at[1], grid)))
            return {"points": made}

        drag = scene.field_handle(f"path.{handle}.{index}", tuple(at), handle, MotionPath, move, color="camera",
                                  mark="diamond" if control else "dot", tooltip=tip)  # fmt: skip
        if drag is not None and drag.began and (editor.ui.ctrl or editor.ui.alt):
            scene.handles.kept = _CLICKED
            _click(editor, handle, points, index, bezier=bezier)


def _click(editor: Editor, handle: int, points: Array, index: int, *, bezier: bool) -> None:
    """Remove a point, or add one between it and the next one. bezier: with its two control points."""
    assert editor.game is not None
    step = 3 if bezier else 1
    first = index - index % step
    if editor.ui.ctrl:
        if len(points) - step < 2:
            return
        new_points, title = np.delete(points, slice(first, first + step), axis=0), editor.tr("Remove a point")
    else:
        after = points[first + step] if first + step < len(points) else points[first] + (60.0, 0.0)
        shares = np.linspace(0, 1, step + 2)[1:-1, None] if bezier else np.array([[0.5]])
        new = points[first] + (after - points[first]) * (shares if first + step < len(points) else np.ones_like(shares))
        new_points, title = np.insert(points, first + 1, np.round(new, 1), axis=0), editor.tr("Add a point")
    editor.game.set([handle], MotionPath, "points", new_points, name=title)

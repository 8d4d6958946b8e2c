"""Colliders in scene views: their outlines, and handles that change their shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform, World
from rish_ecs import Inputs, Rows
from rish_jit import Array

from ...bodies.tool_shapes import collider_outlines
from ...components.bodies import Collider, ColliderShape

if TYPE_CHECKING:
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
OPTION = "physics.show_colliders"
MAX_OUTLINES = 200
"""The greatest number of outlines that are drawn."""
_MAX_COLLIDERS = 8
"""The greatest number of selected colliders that have handles."""
_MAX_HANDLES = 100
"""The greatest number of points of a collider that have handles."""
_MAX_DEPTH = 8
_CLICK_DONE = (0.0, 0.0)
"""The stored value of a handle after a click that has changed the points: the rest of this drag does nothing."""
_BY_POINTS = (ColliderShape.POLYGON, ColliderShape.SEGMENT, ColliderShape.CHAIN, ColliderShape.OUTLINE)
_MIN_POINTS = {ColliderShape.POLYGON: 3, ColliderShape.OUTLINE: 3, ColliderShape.SEGMENT: 2, ColliderShape.CHAIN: 2}
_MAX_POINTS = {ColliderShape.POLYGON: 8, ColliderShape.SEGMENT: 2}


def draw_colliders(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw the outlines of the colliders of selected bodies, or of all colliders if the option is on, and handles at
    the colliders of selected entities.
    """
    assert editor.game is not None
    world = editor.game.world
    selected = _belong(world, handles, editor.game.selection.array)
    if editor.settings.options.get(OPTION, False):
        others = handles[~np.isin(handles, selected)]
        visible = np.asarray(scene.shown(others[: 8 * MAX_OUTLINES].tolist(), margin=200), np.int64)[:MAX_OUTLINES]
        _outlines(scene, world, visible, 1.0, 0.6, _kept_outlines(editor, world, visible))
    if not len(selected):
        return
    _outlines(scene, world, selected[:MAX_OUTLINES], 1.5, 1.0)
    for handle in [handle for handle in editor.game.selection.handles if handle in set(selected.tolist())][
        :_MAX_COLLIDERS
    ]:
        _shape_handles(scene, editor, handle)


def _belong(world: Any, colliders: Array, selected: Array) -> Array:
    """Return the colliders of selected entities and of their descendants."""
    if not len(selected):
        return selected
    table = world.table(Transform)
    belongs = np.isin(colliders, selected)
    above = colliders
    for _ in range(_MAX_DEPTH):
        rows = table.rows_of(above)
        above = np.where(rows >= 0, table.parent[rows], 0)
        if not above.any():
            break
        belongs |= np.isin(above, selected)
    return colliders[belongs]


def _kept_outlines(editor: Editor, world: Any, handles: Array) -> list[Array]:
    """Return the outlines of colliders; they are computed again only after something has moved or changed."""
    nothing = Inputs((Collider, Transform, Rows(World))), b"", list[Array]()
    inputs, shown, outlines = editor.memory.get("physics.outlines") or nothing
    if inputs.changed(world) or shown != handles.tobytes():
        outlines = collider_outlines(world, handles)
        editor.memory["physics.outlines"] = inputs, handles.tobytes(), outlines
    return outlines


def _outlines(
    scene: SceneDraw, world: Any, handles: Array, width: float, opacity: float, lines: list[Array] | None = None
) -> None:  # fmt: skip
    if not len(handles):
        return
    table = world.table(Collider)
    rows = table.rows_of(handles)
    colors = {
        (sensor, enabled): scene.color("sensor" if sensor else "collider", opacity if enabled else opacity * 0.4)
        for sensor in (False, True)
        for enabled in (False, True)
    }
    each = zip(table.sensor[rows].tolist(), table.enabled[rows].tolist(), strict=True)
    lines = collider_outlines(world, handles) if lines is None else lines
    scene.polylines(lines, [colors[bool(s), bool(e)] for s, e in each], width)


class _Frame:
    """The frame of a collider's shape: the frame of its entity, moved by the offset and turned by the rotation of the
    collider.
    """

    def __init__(self, scene: SceneDraw, game: Any, handle: int) -> None:
        self.scene, self.handle = scene, handle
        self.offset = game.read(handle, Collider, "offset").astype(np.float64)
        angle = float(game.read(handle, Collider, "rotation"))
        self.cos, self.sin = float(np.cos(angle)), float(np.sin(angle))

    def out(self, x: float, y: float) -> Point:
        """Return a point of the shape in the world."""
        point = self.turned(x, y) + self.offset
        px, py = self.scene.placed(self.handle, point)[0].tolist()
        return px, py

    def turned(self, x: float, y: float) -> Array:
        """Return a vector of the shape in the frame of the entity."""
        return np.array([self.cos * x - self.sin * y, self.sin * x + self.cos * y])

    def inside(self, point: Point) -> Point:
        """Return a point of the world in the frame of the shape."""
        x, y = np.subtract(self.scene.to_local(self.handle, point), self.offset).tolist()
        return self.cos * x + self.sin * y, self.cos * y - self.sin * x


def _shape_handles(scene: SceneDraw, editor: Editor, handle: int) -> None:
    game = editor.game
    assert game is not None
    frame = _Frame(scene, game, handle)
    shape = game.read(handle, Collider, "shape")
    options = {"color": "sensor" if game.read(handle, Collider, "sensor") else "collider"}
    points = np.asarray(game.read(handle, Collider, "points"), np.float64).reshape(-1, 2)
    two_centers = shape is ColliderShape.CAPSULE and len(points) == 2
    if shape in _BY_POINTS or two_centers:
        _point_handles(scene, editor, frame, shape, points)
    elif shape is ColliderShape.CIRCLE:
        _circle_handle(scene, game, frame, options)
    else:
        _edge_handles(scene, editor, frame, options)
    if two_centers:
        _circle_handle(scene, game, frame, options, center=tuple(points[1].tolist()))
    if shape not in _BY_POINTS and not two_centers:

        def move(at: Point) -> dict[str, Any]:
            x, y = scene.to_local(handle, at)
            return {"offset": (scene.snapped(x, editor.settings.grid), scene.snapped(y, editor.settings.grid))}

        scene.field_handle(f"collider.{handle}.offset", frame.out(0, 0), handle, Collider, move, mark="diamond",
                           tooltip=editor.tr("Drag to move the collider on its entity"), **options)  # fmt: skip


def _circle_handle(
    scene: SceneDraw, game: Any, frame: _Frame, options: dict[str, Any], center: Point = (0.0, 0.0)
) -> None:
    """Show a handle for the radius of a circle, or of a capsule between two points."""
    handle = frame.handle
    radius, size = float(game.read(handle, Collider, "radius")), game.read(handle, Collider, "size")
    width = float(size.min() if center != (0.0, 0.0) else size[0])

    def change(at: Point) -> dict[str, Any]:
        x, y = np.subtract(frame.inside(at), center)
        radius_now = max(float(np.hypot(x, y)), 1e-3)
        return (
            {"radius": radius_now} if radius > 0 or center != (0.0, 0.0) else {"size": (2 * radius_now, 2 * radius_now)}
        )

    at = frame.out(center[0] + (radius if radius > 0 else width / 2), center[1])
    scene.field_handle(f"collider.{handle}.radius", at, handle, Collider, change, **options)


def _edge_handles(scene: SceneDraw, editor: Editor, frame: _Frame, options: dict[str, Any]) -> None:
    """Show handles for the four edges of a box, or of the box around a capsule. The opposite edge does not move; with
    Shift the center does not move.
    """
    game, handle = editor.game, frame.handle
    assert game is not None
    width, height = game.read(handle, Collider, "size").tolist()
    half = {0: width / 2, 1: height / 2}
    tip = editor.tr("Drag to change the size; with Shift, around the center")
    for name, axis, side in (("left", 0, -1), ("right", 0, 1), ("bottom", 1, -1), ("top", 1, 1)):

        def change(at: Point, axis: int = axis, side: int = side) -> dict[str, Any]:
            distance = side * frame.inside(at)[axis]
            symmetric = editor.ui.shift
            size = [width, height]
            size[axis] = max(2 * distance if symmetric else half[axis] + distance, 0.0)
            shift = [0.0, 0.0]
            shift[axis] = 0.0 if symmetric else side * (size[axis] / 2 - half[axis])
            return {"size": tuple(size), "offset": tuple((frame.offset + frame.turned(*shift)).tolist())}

        at = frame.out(*[side * half[k] if k == axis else 0.0 for k in (0, 1)])
        scene.field_handle(f"collider.{handle}.{name}", at, handle, Collider, change, tooltip=tip, **options)


def _point_handles(scene: SceneDraw, editor: Editor, frame: _Frame, shape: ColliderShape, points: Array) -> None:
    """Show handles for points and edges, which can be dragged. A double or Alt click on an edge adds a point; a Ctrl
    click removes one.
    """
    if len(points) > _MAX_HANDLES:
        return
    game, handle = editor.game, frame.handle
    assert game is not None
    closed = shape in (ColliderShape.POLYGON, ColliderShape.OUTLINE) or bool(game.read(handle, Collider, "closed"))
    ends = [(k, (k + 1) % len(points)) for k in range(len(points) if closed and len(points) > 2 else len(points) - 1)]
    corners = [frame.out(*point) for point in points.tolist()]
    for first, second in ends:
        _edge(scene, editor, frame, shape, points, corners, first, second)
    tip = editor.tr("Drag to move; Ctrl and a click remove it")
    color = "sensor" if game.read(handle, Collider, "sensor") else "collider"
    for k, at in enumerate(corners):

        def move(at: Point, k: int = k) -> dict[str, Any]:
            if scene.handles.kept is _CLICK_DONE:
                return {}
            edited = points.copy()
            edited[k] = frame.inside(_on_grid(scene, editor, at))
            return {"points": edited}

        drag = scene.field_handle(f"collider.{handle}.point.{k}", at, handle, Collider, move, mark="dot",
                                  color=color, tooltip=tip)  # fmt: skip
        if drag is not None and drag.began and editor.ui.ctrl and len(points) > _MIN_POINTS.get(shape, 2):
            scene.handles.kept = _CLICK_DONE
            game.set([handle], Collider, "points", np.delete(points, k, axis=0), name=editor.tr("Remove a point"))


def _on_grid(scene: SceneDraw, editor: Editor, at: Point) -> Point:
    grid = editor.settings.grid
    return scene.snapped(at[0], grid), scene.snapped(at[1], grid)


def _edge(
    scene: SceneDraw, editor: Editor, frame: _Frame, shape: ColliderShape, points: Array, corners: list[Point],
    first: int, second: int,
) -> None:  # fmt: skip
    """Let an edge be dragged with both of its points, and points be added to it."""
    handle = frame.handle
    tip = editor.tr("Drag the edge; double-click or Alt and a click add a point")
    drag = scene.line_handle(
        f"collider.{handle}.edge.{first}", [corners[first], corners[second]], priority=-1, tooltip=tip
    )
    if drag is None:
        return
    if drag.began:
        scene.handles.kept = points.copy()
        if (scene.double_clicked or editor.ui.alt) and len(points) < _MAX_POINTS.get(shape, _MAX_HANDLES):
            scene.handles.kept = _CLICK_DONE
            point = scene.fitted(frame.inside(drag.now), scene.length_of_pixel(handle))
            edited = np.insert(points, first + 1, point, axis=0)
            assert editor.game is not None
            editor.game.set([handle], Collider, "points", edited, name=editor.tr("Add a point"))
            return
    before = scene.handles.kept

    def move() -> dict[str, Any]:
        if before is _CLICK_DONE:
            return {}
        edited = np.array(before)
        edited[[first, second]] += np.subtract(frame.inside(drag.now), frame.inside(drag.start))
        return {"points": edited}

    scene.apply(drag, handle, Collider, move)

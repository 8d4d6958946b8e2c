"""Colliders in views of space: their outlines, and handles that change their shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, quaternions, unit_quaternions, world_poses

from ...bodies.layout import Layout
from ...bodies.outlines import placed_lines, shapes_of
from ...components.bodies import Collider3D, ColliderShape3D

if TYPE_CHECKING:
    from rish_editor import Editor, SpaceDraw

OPTION = "physics3d.show_colliders"
MAX_OUTLINES = 200
"""The greatest number of outlines that are drawn."""
_MAX_COLLIDERS = 8
"""The greatest number of selected colliders that have handles."""
_MAX_HANDLES = 64
"""The greatest number of points of a collider that have handles."""
_MAX_ANCESTORS = 16
_NAMES = "xyz"


def draw_colliders(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
    """Draw the outlines of the colliders of selected bodies, or of all colliders if the option is on, and handles at
    the colliders of selected entities.
    """
    assert editor.game is not None
    selected = _belong(scene, handles, editor.game.selection.array)
    if editor.settings.options.get(OPTION, False):
        _outlines(scene, handles[~np.isin(handles, selected)][:MAX_OUTLINES], 1.0, 0.85)
    _outlines(scene, selected[:MAX_OUTLINES], 1.5, 1.0)
    own = np.intersect1d(editor.game.selection.array, handles)
    for handle in own[:_MAX_COLLIDERS].tolist():
        if scene.holds(handle):
            _shape_handles(scene, editor, handle)


draw_colliders.in_space = True  # pyright: ignore[reportFunctionMemberAccess]


def _belong(scene: SpaceDraw, colliders: Array, selected: Array) -> Array:
    """Return the colliders of selected entities and of their descendants."""
    if not len(selected):
        return selected
    table = scene.world.table(Transform3D)
    belongs, above = np.isin(colliders, selected), colliders
    for _ in range(_MAX_ANCESTORS):
        rows = table.rows_of(above)
        above = np.where(rows >= 0, table.column("parent")[rows], 0)
        if not above.any():
            break
        belongs |= np.isin(above, selected)
    return colliders[belongs]


def _outlines(scene: SpaceDraw, handles: Array, width: float, opacity: float) -> None:
    """Draw outlines; a warning at each collider that the solver refuses."""
    if not len(handles):
        return
    world = scene.world
    shapes = shapes_of(world, handles)
    faults = world[Layout].faults
    for handle in handles[shapes < 0].tolist():
        if handle in faults and scene.holds(handle):
            scene.icon(scene.position(handle), scene.editor.ui.icon("warning"), "warning", entity=handle)
    known = shapes[shapes >= 0]
    lines, owners = placed_lines(world, known)
    is_sensor = world[Layout].sensors[known][owners]
    scene.lines(lines[~is_sensor], "collider", width, opacity=opacity, edged=True)
    scene.lines(lines[is_sensor], "sensor", width, opacity=opacity, edged=True)


class ShapeFrame:
    """The frame of a collider's shape in the world.

    position: of the origin of the shape. axes: float64 (3, 3), its axes, one a row. scale: of the entity, along each
    axis. size: the factor of radii and of the height of a capsule.
    """

    def __init__(self, scene: SpaceDraw, handle: int) -> None:
        world, game = scene.world, scene.editor.game
        assert game is not None
        row = world.table(Transform3D).row_of(handle)
        position, self._turn, self.scale = (column[row] for column in world_poses(world))
        self._origin = position
        offset = np.asarray(game.read(handle, Collider3D, "offset"), np.float64)
        self.position = position + quaternions.turned(self._turn, offset * self.scale)
        own = unit_quaternions(np.asarray(game.read(handle, Collider3D, "rotation"))[None])[0]
        self.axes = quaternions.to_matrix(quaternions.product(self._turn, own)).T
        self.size = max(float(np.abs(self.scale).max()), 1e-9)

    def offset(self, place: Array) -> tuple[float, ...]:
        """Return the offset that puts the origin of the shape at a place of the world."""
        local = quaternions.turned(quaternions.inverse(self._turn), np.asarray(place) - self._origin)
        return tuple((local / np.where(self.scale != 0, self.scale, 1.0)).tolist())

    def out(self, points: Array) -> Array:
        """Return points of the shape, (..., 3), in the world."""
        return self.position + (points * self.scale) @ self.axes

    def inside(self, place: Array) -> Array:
        """Return a place of the world in the coordinates of points of the shape."""
        return self.axes @ (np.asarray(place) - self.position) / np.where(self.scale != 0, self.scale, 1.0)


def _shape_handles(scene: SpaceDraw, editor: Editor, handle: int) -> None:
    game = editor.game
    assert game is not None
    frame, shape = ShapeFrame(scene, handle), game.read(handle, Collider3D, "shape")
    options = {"color": "sensor" if game.read(handle, Collider3D, "sensor") else "collider"}
    if game.read(handle, Collider3D, "asset"):
        pass  # its size is that of the model
    elif shape is ColliderShape3D.BOX:
        size = np.abs(np.asarray(game.read(handle, Collider3D, "size"), np.float64) * frame.scale)
        for axis in range(3):
            _side_handles(scene, editor, handle, frame, axis, size, np.abs(frame.scale), options)
    elif shape is ColliderShape3D.SPHERE:
        _radius_handles(scene, editor, handle, frame, (0, 1, 2), options)
    elif shape is ColliderShape3D.CAPSULE:
        radius = float(game.read(handle, Collider3D, "radius"))
        size = np.asarray(game.read(handle, Collider3D, "size"), np.float64) * frame.size
        size[1] = max(size[1], 2 * radius * frame.size)
        _side_handles(scene, editor, handle, frame, 1, size, np.full(3, frame.size), options)
        _radius_handles(scene, editor, handle, frame, (0, 2), options)
    elif shape is ColliderShape3D.HULL:
        _point_handles(scene, editor, handle, frame, options)
    scene.point_handle(
        f"collider3d.{handle}.offset", frame.position, handle, Collider3D,
        lambda place: {"offset": _on_grid(scene, editor, frame.offset(place))}, mark="diamond",
        tooltip=editor.tr("Drag to move the collider on its entity"), **options,
    )  # fmt: skip


def _on_grid(scene: SpaceDraw, editor: Editor, values: Any) -> tuple[float, ...]:
    return tuple(scene.snapped(value, editor.settings.grid_3d) for value in values)


def _side_handles(
    scene: SpaceDraw, editor: Editor, handle: int, frame: ShapeFrame, axis: int, size: Array, factors: Array,
    options: dict[str, Any],
) -> None:  # fmt: skip
    """Show handles for two opposite sides of a box, or for the ends of a capsule. The other side does not move; with
    Shift the center does not move.

    axis: of the shape. size: in the world, meters. factors: by which its field is smaller, for each axis.
    """
    assert editor.game is not None
    half, way = size[axis] / 2, frame.axes[axis]
    tip = editor.tr("Drag to change the size; with Shift, around the center")
    for side in (-1, 1):

        def change(place: Array, side: int = side) -> dict[str, Any]:
            distance = side * float((place - frame.position) @ way)
            whole = scene.snapped(2 * distance if editor.ui.shift else half + distance, editor.settings.grid_3d)
            whole = max(whole, 0.001)
            center = frame.position if editor.ui.shift else frame.position + side * way * (whole / 2 - half)
            sizes = np.where(np.arange(3) == axis, whole, size) / np.where(factors > 0, factors, 1.0)
            scene.say(f"{whole:.2f} m")
            return {"size": tuple(sizes.tolist()), "offset": frame.offset(center)}

        scene.point_handle(
            f"collider3d.{handle}.{'-+'[side > 0]}{_NAMES[axis]}", frame.position + side * half * way, handle,
            Collider3D, change, axis=way, tooltip=tip, **options,
        )  # fmt: skip


def _radius_handles(
    scene: SpaceDraw, editor: Editor, handle: int, frame: ShapeFrame, axes: tuple[int, ...], options: dict[str, Any]
) -> None:
    """Show handles for the radius of a sphere or capsule, at both sides along some axes of the shape."""
    assert editor.game is not None
    radius = float(editor.game.read(handle, Collider3D, "radius")) * frame.size

    def change(place: Array) -> dict[str, Any]:
        distance = float(np.linalg.norm(place - frame.position))
        value = max(scene.snapped(distance, editor.settings.grid_3d), 0.001)
        scene.say(f"{value:.2f} m")
        return {"radius": value / frame.size}

    for axis in axes:
        for side in (-1, 1):
            way = side * frame.axes[axis]
            scene.point_handle(
                f"collider3d.{handle}.radius.{'-+'[side > 0]}{_NAMES[axis]}", frame.position + radius * way, handle,
                Collider3D, change, axis=way, mark="dot", tooltip=editor.tr("Radius"), **options,
            )  # fmt: skip


def _point_handles(scene: SpaceDraw, editor: Editor, handle: int, frame: ShapeFrame, options: dict[str, Any]) -> None:
    """Show handles for the points of a hull."""
    assert editor.game is not None
    points = np.asarray(editor.game.read(handle, Collider3D, "points"), np.float64).reshape(-1, 3)
    if len(points) > _MAX_HANDLES:
        return
    for k, at in enumerate(frame.out(points)):

        def move(place: Array, k: int = k) -> dict[str, Any]:
            moved = points.copy()
            moved[k] = _on_grid(scene, editor, frame.inside(place))
            return {"points": moved}

        scene.point_handle(f"collider3d.{handle}.point.{k}", at, handle, Collider3D, move, mark="dot",
                           tooltip=editor.tr("Drag to move"), **options)  # fmt: skip

"""Lights, cameras and characters in views of space: icons, volumes, and handles for range, cone and angle of view."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import outlines

from ...components.lights import Lamp3D, Sun3D
from ...components.models import Model3D
from ...components.views import Camera3D, Lens, Sky3D
from ...tools.debug import bone_lines, camera_lines, lamp_lines, sun_lines

if TYPE_CHECKING:
    from rish_editor import Editor, SpaceDraw

_MAX_SELECTED = 16
"""The greatest number of selected entities whose volumes are drawn."""
_FAR = 0.6
"""The position of the handle of a spot's cone, as a fraction of its range."""
_BONE = (1.0, 0.75, 0.25, 1.0)
_ARROW = 60.0
"""The size of the arrows of a sun, pixels."""


def _selected(editor: Editor, cls: type) -> list[int]:
    """Return the selected entities with a component, the last ones of many."""
    game = editor.game
    assert game is not None
    table = game.world.table(cls)
    return [handle for handle in game.selection.handles if table.row_of(handle) >= 0][-_MAX_SELECTED:]


def _icons(scene: SpaceDraw, editor: Editor, handles: Array, cls: type, icon: str) -> None:
    """Draw icons; those of disabled entities are dim."""
    table = scene.world.table(cls)
    enabled = table.column("enabled")[table.rows_of(handles)]
    scene.icons(handles[enabled], editor.ui.icon(icon), "light" if icon == "light" else "text")
    scene.icons(handles[~enabled], editor.ui.icon(icon), "text_dim")


def draw_lamps(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
    """Draw all lamps as icons; of the selected ones the range and the cone, with handles."""
    for handle in _selected(editor, Lamp3D):
        _lamp(scene, editor, handle)
    _icons(scene, editor, handles, Lamp3D, "light")


def _lamp(scene: SpaceDraw, editor: Editor, handle: int) -> None:
    game = editor.game
    assert game is not None
    matrix = scene.matrices([handle])[0]
    reach, angle = (float(game.read(handle, Lamp3D, name)) for name in ("range", "angle"))
    scene.lines(lamp_lines(matrix, reach, angle), "light", 1.5, opacity=0.8)
    ahead = -_unit(matrix[:, 2])
    directions = (ahead,) if angle > 0 else tuple(axis * side for axis in np.eye(3) for side in (1, -1))

    def change(length: float) -> dict[str, Any]:
        value = scene.snapped(max(length, 0.01), editor.settings.grid_3d)
        scene.say(f"{value:.2f} m")
        return {"range": max(value, 0.01)}

    for k, direction in enumerate(directions):
        scene.axis_handle(f"lamp.{handle}.range.{k}", matrix[:, 3], direction, reach, handle, Lamp3D, change,
                          color="light", mark="dot", tooltip=editor.tr("Range"))  # fmt: skip
    if angle > 0:
        _cone(scene, editor, handle, matrix[:, 3] + ahead * (reach * _FAR), reach * _FAR, _unit(matrix[:, 0]), angle)


def _cone(
    scene: SpaceDraw, editor: Editor, handle: int, middle: Array, depth: float, side: Array, angle: float
) -> None:  # fmt: skip
    """Draw handles for the angle of a cone at two sides. middle: a point on its axis. depth: from the apex to there,
    meters."""

    def change(length: float) -> dict[str, Any]:
        value = min(max(2 * math.atan2(max(length, 0.0), depth), 0.02), 3.0)
        value = scene.snapped(value, math.radians(editor.settings.snap_angle))
        scene.say(f"{math.degrees(value):.0f}°")
        return {"angle": min(max(value, 0.02), 3.0)}

    width = depth * math.tan(min(angle, 2.9) / 2)
    for k, direction in enumerate((side, -side)):
        scene.axis_handle(f"lamp.{handle}.angle.{k}", middle, direction, width, handle, Lamp3D, change, color="light",
                          tooltip=editor.tr("Angle of the cone"))  # fmt: skip


def draw_suns(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
    """Draw all suns as icons; of the selected ones the direction of their light."""
    for handle in _selected(editor, Sun3D):
        matrix = scene.matrices([handle])[0]
        scene.lines(sun_lines(matrix, scene.px(_ARROW, matrix[:, 3])), "light", 2.0)
    _icons(scene, editor, handles, Sun3D, "light")


def draw_skies(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
    """Draw the skies that have a Transform3D as icons."""
    _icons(scene, editor, handles[[scene.holds(int(handle)) for handle in handles]], Sky3D, "sky")


def draw_cameras(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
    """Draw all cameras as icons; of the selected ones the frustum, with handles for the angle or the height."""
    for handle in _selected(editor, Camera3D):
        if scene.holds(handle):
            scene.lines(camera_lines(scene.world, handle, 8.0), "outline", 1.5, opacity=0.8)
            _lens(scene, editor, handle)
    _icons(scene, editor, handles[[scene.holds(int(handle)) for handle in handles]], Camera3D, "camera")


def _lens(scene: SpaceDraw, editor: Editor, handle: int) -> None:
    """Draw handles at the upper and lower edge of a camera's frustum."""
    game = editor.game
    assert game is not None
    matrix = scene.matrices([handle])[0]
    up, ahead = _unit(matrix[:, 1]), -_unit(matrix[:, 2])
    flat = game.read(handle, Camera3D, "lens") is Lens.ORTHOGRAPHIC
    near, far = (float(game.read(handle, Camera3D, name)) for name in ("near", "far"))
    depth = max(min(far, 8.0), near)
    middle = matrix[:, 3] + ahead * depth
    fov, height = (float(game.read(handle, Camera3D, name)) for name in ("fov", "height"))

    def change(length: float) -> dict[str, Any]:
        if flat:
            value = max(scene.snapped(2 * length, editor.settings.grid_3d), 0.01)
            scene.say(f"{value:.2f} m")
            return {"height": value}
        value = scene.snapped(2 * math.atan2(max(length, 0.0), depth), math.radians(editor.settings.snap_angle))
        scene.say(f"{math.degrees(value):.0f}°")
        return {"fov": min(max(value, 0.02), 3.0)}

    size = height / 2 if flat else depth * math.tan(fov / 2)
    for k, direction in enumerate((up, -up)):
        scene.axis_handle(f"camera.{handle}.lens.{k}", middle, direction, size, handle, Camera3D, change, mark="dot",
                          tooltip=editor.tr("Height" if flat else "Angle of view"))  # fmt: skip


def draw_models(scene: SpaceDraw, editor: Editor, handles: Array) -> None:
    """Draw the bones of the selected characters."""
    for handle in _selected(editor, Model3D):
        if scene.holds(handle):
            lines = outlines.moved(bone_lines(scene.world, handle), scene.matrices([handle])[0])
            scene.lines(lines, _BONE, 2.0, edged=True)


def _unit(vector: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else np.array([0.0, 0.0, 1.0])


for _draw in (draw_lamps, draw_suns, draw_skies, draw_cameras, draw_models):
    _draw.in_space = True  # pyright: ignore[reportFunctionMemberAccess]

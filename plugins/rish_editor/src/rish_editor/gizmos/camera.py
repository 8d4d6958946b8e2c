"""The gizmos of cameras: the part of the world that each shows, with edges to drag, and its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name
from rish_render import Camera, view_of

from ..look import icons
from .rects import WORLD, draw_rect

if TYPE_CHECKING:
    from rish_render import View

    from ..session.editor import Editor
    from ..views.interaction.handles import Drag
    from ..views.plane.draw import SceneDraw

_MAX_CAMERAS = 32
"""The number of cameras whose view is drawn."""
_EDGES = {"bottom": (0, 1, (0, -1)), "right": (1, 2, (1, 0)), "top": (2, 3, (0, 1)), "left": (3, 0, (-1, 0))}
"""The sides: the corners that they lie between, and their direction from the middle."""


def draw_cameras(scene: SceneDraw, editor: Editor, handles: Any) -> None:
    """Draw the icon and the visible part of each camera, and the handles of the selected ones."""
    scene.icons(handles, icons.CAMERA, "camera")
    world = scene.world
    main = scene.main.camera
    for handle in handles[:_MAX_CAMERAS].tolist():
        view = scene.main if handle == main else view_of(world, handle)
        chosen = scene.is_selected(handle)
        a, b, c, d, x, y = (float(value) for value in view.quad[0])
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) @ [(a, b), (c, d)] + (x, y)
        scene.polyline(
            corners, "camera", 2.0 if chosen else 1.0, closed=True, opacity=1.0 if chosen else 0.6, edged=chosen
        )
        mark = f"{icons.CHECK}  " if handle == main else ""
        name = world.has(handle, Name) and world.get(handle, Name).value
        scene.text(tuple(corners[3]), f"{mark}{name or editor.tr('Camera')}", "camera", offset=(8.0, 6.0), backed=True)
        if chosen:
            _edges(scene, editor, handle, view, corners)
            _limits(scene, editor, handle)


def _edges(scene: SceneDraw, editor: Editor, handle: int, view: View, corners: Any) -> None:
    """Add handles at the edges; dragging them changes the height of what the camera shows."""
    for name, (i, j, way) in _EDGES.items():
        ends = [corners[i], corners[j]]
        tip = editor.tr("Drag to change how much the camera sees")
        line = scene.line_handle(f"camera.{handle}.{name}", ends, tooltip=tip)
        middle = (corners[i] + corners[j]) / 2
        drag = scene.handle(f"camera.{handle}.{name}.middle", tuple(middle), "camera", mark="dot", pixels=4.0) or line
        if drag is not None:
            a, b, c, d = (float(value) for value in view.quad[0, :4])
            normal = np.array([a * way[0] + c * way[1], b * way[0] + d * way[1]])
            _drag(scene, editor, handle, drag, normal, view)


def _drag(scene: SceneDraw, editor: Editor, handle: int, drag: Drag, normal: Any, view: View) -> None:
    game = editor.game
    assert game is not None
    if scene.handles.kept is None:
        height, zoom = (float(game.read(handle, Camera, name)) for name in ("height", "zoom"))
        scene.handles.kept = height, zoom, view
    if drag.cancelled:
        scene.cancel(drag)
        return
    height, zoom, first = scene.handles.kept
    center, way = np.array(first.center), normal / max(float(np.hypot(*normal)), 1e-9)
    start, now = (float((np.array(point) - center) @ way) for point in (drag.start, drag.now))
    factor = max(now / start, 0.01) if start else 1.0
    seen = first.size[1] / first.density * factor
    if scene.snapping and editor.settings.grid > 0:
        seen = max(round(seen / editor.settings.grid), 1) * editor.settings.grid
        factor = seen * first.density / first.size[1]
    field, value = ("height", height * factor) if height > 0 else ("zoom", zoom / factor)
    name = editor.tr("Set the view of {name}", name=game.name_of(handle))
    game.set([handle], Camera, field, scene.rounded(handle, Camera, field, value), name=name, merge=drag.key)
    scene.say(f"{seen * first.size[0] / first.size[1]:.0f} × {seen:.0f}")


def _limits(scene: SceneDraw, editor: Editor, handle: int) -> None:
    """Draw the rectangle that the camera never looks beyond, if it has one."""
    game = editor.game
    assert game is not None
    x, y, w, h = game.read(handle, Camera, "limits").tolist()
    if w <= 0 or h <= 0:
        return
    dragged = draw_rect(scene, f"limits.{handle}", (x, y, w, h), WORLD, "camera")
    scene.text((x, y), editor.tr("Limits"), "camera", offset=(4.0, 2.0))
    if dragged is None:
        return
    rect, drag = dragged
    if drag.cancelled:
        scene.cancel(drag)
        return
    name = editor.tr("Set the limits of {name}", name=game.name_of(handle))
    rect = scene.rounded(handle, Camera, "limits", rect)
    game.set([handle], Camera, "limits", rect, name=name, merge=drag.key)

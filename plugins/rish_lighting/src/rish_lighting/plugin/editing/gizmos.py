"""Lights and occluders in scene views: icons, and handles for radius, direction, cone and length."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ...components.light import Light, LightFalloff, LightKind, Occluder, OccluderShape

if TYPE_CHECKING:
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
_MAX_LIGHTS = 16
"""The greatest number of selected lights that have handles."""
_SUN_PIXELS = 70.0
"""The length of the arrow of a sun, pixels."""
_CIRCLE = np.linspace(0.0, math.tau, 65)


def draw_lights(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw all lights as icons, dimmed if they are off, and the reach, direction and cone of selected lights."""
    game = editor.game
    assert game is not None
    table = game.world.table(Light)
    for handle in [each for each in game.selection.handles if table.row_of(each) >= 0][-_MAX_LIGHTS:]:
        _Marks(scene, editor, handle).draw()
    enabled = table.enabled[table.rows_of(handles)]
    icon = editor.ui.icon("light")
    scene.icons(handles[enabled], icon, "light")
    scene.icons(handles[~enabled], icon, "text_disabled")


class _Marks:
    """The reach and direction of one light. Angles are relative to the entity; radii are units of the world."""

    def __init__(self, scene: SceneDraw, editor: Editor, handle: int) -> None:
        assert editor.game is not None
        self.scene, self.editor, self.handle, self.game = scene, editor, handle, editor.game
        self.at = scene.position(handle)
        a, b = scene.pose(handle)[:2]
        self.turn = math.atan2(b, a)
        self.kind = self.game.read(handle, Light, "kind")
        self.radius = float(self.game.read(handle, Light, "radius"))
        self.way = self.turn + float(self.game.read(handle, Light, "direction"))

    def draw(self) -> None:
        """Draw the marks of the light's kind."""
        tr, sun = self.editor.tr, self.kind is LightKind.DIRECTIONAL
        if not sun:
            self.scene.circle(self.at, self.radius, "light", 1.5)
            self._falloff()
            right = self._point(self.way + math.pi / 2 if self.kind is LightKind.SPOT else 0.0, self.radius)
            self._handle("radius", right, lambda p: {"radius": self._distance(p)}, tr("Radius"))
        if self.kind is LightKind.SPOT:
            self._cone()
        if self.kind is LightKind.AREA:
            self._line()
        if self.kind in (LightKind.SPOT, LightKind.DIRECTIONAL, LightKind.AREA, LightKind.TEXTURED):
            reach = (
                _SUN_PIXELS * self.scene.pixel if sun else min(self.radius * 0.6, 2 * _SUN_PIXELS * self.scene.pixel)
            )
            tip = self._point(self.way, reach)
            self.scene.arrow(self.at, tip, "light")
            self._handle("direction", tip, lambda p: {"direction": self._angle(p) - self.turn}, tr("Direction"), "dot")
        size = float(self.game.read(self.handle, Light, "source_size"))
        if size > 0:
            self.scene.circle(self.at, size / 2, "light", 1.0, opacity=0.7)

    def _falloff(self) -> None:
        """Draw the circle on which an inverse falloff has half of the brightness."""
        if self.game.read(self.handle, Light, "falloff") is not LightFalloff.INVERSE:
            return
        half = float(self.game.read(self.handle, Light, "half_distance"))
        half_radius = half or self.radius / 4
        if half_radius < self.radius:
            self.scene.circle(self.at, half_radius, "light", 1.0, opacity=0.45)
            at = self._point(-math.pi / 4, half_radius)
            self._handle(
                "half",
                at,
                lambda p: {"half_distance": self._distance(p)},
                self.editor.tr("Half of the brightness"),
                "diamond",
            )

    def _cone(self) -> None:
        """Draw the outer cone of a spot, and the inner cone in which it has its full brightness."""
        angle = float(self.game.read(self.handle, Light, "angle"))
        edge = float(self.game.read(self.handle, Light, "edge"))
        for share, opacity in ((1.0, 1.0), (1.0 - edge, 0.4)):
            for side in (-1, 1):
                way = self.way + side * share * angle / 2
                self.scene.line(self.at, self._point(way, self.radius), "light", 1.5, opacity=opacity)
        for name, side in (("cone.left", 1), ("cone.right", -1)):
            at = self._point(self.way + side * angle / 2, self.radius * 0.8)
            self._handle(name, at, lambda p: {"angle": min(2 * abs(_shortest(self._angle(p) - self.way)), math.tau)},
                         self.editor.tr("Angle of the cone"), "dot")  # fmt: skip

    def _line(self) -> None:
        """Draw the line of an area light, across its direction."""
        half = float(self.game.read(self.handle, Light, "length")) / 2
        ends = [self._point(self.way + side * math.pi / 2, half) for side in (1, -1)]
        self.scene.line(ends[0], ends[1], "light", 3.0)
        for k, end in enumerate(ends):
            self._handle(f"length.{k}", end, lambda p: {"length": 2 * self._distance(p)}, self.editor.tr("Length"))

    def _handle(self, name: str, at: Point, change: Any, tooltip: str, mark: str = "square") -> None:
        name = f"light.{self.handle}.{name}"
        self.scene.field_handle(name, at, self.handle, Light, change, color="light", mark=mark, tooltip=tooltip)

    def _point(self, angle: float, distance: float) -> Point:
        return self.at[0] + distance * math.cos(angle), self.at[1] + distance * math.sin(angle)

    def _distance(self, point: Point) -> float:
        return self.scene.snapped(math.hypot(point[0] - self.at[0], point[1] - self.at[1]), self.editor.settings.grid)

    def _angle(self, point: Point) -> float:
        angle = math.atan2(point[1] - self.at[1], point[0] - self.at[0])
        return self.scene.snapped(angle, math.radians(self.editor.settings.snap_angle))


def _shortest(angle: float) -> float:
    """Return an angle (radians) plus full turns, so that it is in -π to π."""
    return (angle + math.pi) % math.tau - math.pi


def draw_occluders(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw the outlines of the selected occluders, with handles at the points of polygons and lines."""
    game = editor.game
    assert game is not None
    table = game.world.table(Occluder)
    for handle in [each for each in game.selection.handles if table.row_of(each) >= 0][-_MAX_LIGHTS:]:
        shape = game.read(handle, Occluder, "shape")
        outline = _outline(game, handle, shape)
        if not len(outline):
            continue
        scene.polyline(scene.placed(handle, outline), "light", 2.0, closed=shape is not OccluderShape.LINE)
        if shape in (OccluderShape.POLYGON, OccluderShape.LINE):
            _points(scene, editor, handle, outline)
        elif shape is not OccluderShape.CIRCLE or not game.read(handle, Occluder, "radius"):
            _corner(scene, editor, handle)


def _outline(game: Any, handle: int, shape: OccluderShape) -> Array:
    offset = game.read(handle, Occluder, "offset").astype(np.float64)
    size = game.read(handle, Occluder, "size").astype(np.float64) / 2
    if shape in (OccluderShape.POLYGON, OccluderShape.LINE):
        return np.asarray(game.read(handle, Occluder, "points"), np.float64).reshape(-1, 2) + offset
    if shape is OccluderShape.CIRCLE:
        radius = float(game.read(handle, Occluder, "radius"))
        reach = np.array([radius, radius]) if radius > 0 else size
        return np.stack([np.cos(_CIRCLE[:-1]), np.sin(_CIRCLE[:-1])], axis=1) * reach + offset
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64) * size + offset


def _points(scene: SceneDraw, editor: Editor, handle: int, outline: Array) -> None:
    assert editor.game is not None
    offset = editor.game.read(handle, Occluder, "offset").astype(np.float64)
    for k, at in enumerate(scene.placed(handle, outline).tolist()[:64]):

        def move(at: Point, k: int = k) -> dict[str, Any]:
            points = outline - offset
            points[k] = np.subtract(scene.to_local(handle, at), offset)
            return {"points": points}

        scene.field_handle(f"occluder.{handle}.{k}", tuple(at), handle, Occluder, move, color="light", mark="dot",
                           tooltip=editor.tr("Point of the occluder"))  # fmt: skip


def _corner(scene: SceneDraw, editor: Editor, handle: int) -> None:
    """Show a handle at the upper right corner of a box; the middle of the box does not move."""
    assert editor.game is not None
    offset = editor.game.read(handle, Occluder, "offset").astype(np.float64)
    half = editor.game.read(handle, Occluder, "size").astype(np.float64) / 2

    def change(at: Point) -> dict[str, Any]:
        x, y = np.abs(np.subtract(scene.to_local(handle, at), offset)).tolist()
        return {"size": (2 * x, 2 * y)}

    at = tuple(scene.placed(handle, offset + half)[0].tolist())
    scene.field_handle(f"occluder.{handle}.size", at, handle, Occluder, change, color="light",
                       tooltip=editor.tr("Size of the occluder"))  # fmt: skip

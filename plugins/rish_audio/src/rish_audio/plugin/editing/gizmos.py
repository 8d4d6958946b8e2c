"""Sources and listeners in scene views: icons, and handles for distances and the cone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rish_jit import Array

from ...components.settings import AudioSettings
from ...components.source import AudioListener, AudioSource
from .clips import Clips

if TYPE_CHECKING:
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
Mark = Literal["square", "dot", "diamond"]
_MAX_SELECTED = 8
"""The greatest number of selected entities that have handles."""
_ARROW_PIXELS = 70.0
"""The length of arrows, and the least length of a cone, pixels."""
COLOR = "sound"
_HANDLE_ANGLES = tuple(k * math.pi / 4 for k in (0, 2, 4, 6, 1, 3, 5, 7))
"""The angles at which a circle may have its handle; the first one that is visible in the view is used."""


def draw_sources(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw all sources as icons, and the distances and the cone of selected spatial sources."""
    game = editor.game
    assert game is not None
    table = game.world.table(AudioSource)
    for handle in [each for each in game.selection.handles if table.row_of(each) >= 0][-_MAX_SELECTED:]:
        if game.read(handle, AudioSource, "spatial"):
            _Source(scene, editor, handle).draw()
    scene.icons(handles, editor.ui.icon("sound"), COLOR)


class _Source:
    """The distances and the cone of one source. Distances are units of the world; the cone points to the x axis."""

    def __init__(self, scene: SceneDraw, editor: Editor, handle: int) -> None:
        assert editor.game is not None
        self.scene, self.editor, self.handle, self.game = scene, editor, handle, editor.game
        self.at = scene.position(handle)
        a, b = scene.pose(handle)[:2]
        self.turn = math.atan2(b, a)

    def draw(self) -> None:
        """Draw the circles of the least and the greatest distance, and the cone, with handles."""
        tr = self.editor.tr
        near, far = self._distance("min_distance"), self._distance("max_distance")
        self._circle("min_distance", near, tr("Full gain within"), "diamond")
        self._circle("max_distance", max(far, near), tr("Silent from"), "square")
        inner, outer = (float(self.game.read(self.handle, AudioSource, f"cone_{part}")) for part in ("inner", "outer"))
        if self.editor.view.gizmos and min(inner, outer) < math.tau - 1e-3:
            self._cone(near, inner, outer)

    def _distance(self, name: str) -> float:
        """Return the distance that is in effect: that of the source, otherwise of its sound, otherwise of the
        settings.
        """
        source_distance = float(self.game.read(self.handle, AudioSource, name))
        if source_distance > 0:
            return source_distance
        clip = str(self.game.read(self.handle, AudioSource, "clip"))
        sound = Clips.of(self.editor).sound(self.game.world, clip)
        sound_distance = float(getattr(sound, name)) if sound is not None else 0.0
        return sound_distance or float(getattr(self.game.world[AudioSettings], name))

    def _circle(self, name: str, radius: float, tooltip: str, mark: Mark) -> None:
        is_own = float(self.game.read(self.handle, AudioSource, name)) > 0
        self.scene.circle(self.at, radius, COLOR, 1.5, opacity=1.0 if is_own else 0.5)
        x0, y0, x1, y1 = self.scene.view.bounds
        around = [self._point(angle, radius) for angle in _HANDLE_ANGLES]
        at = next((point for point in around if x0 < point[0] < x1 and y0 < point[1] < y1), around[0])
        self._handle(name.partition("_")[0], at, lambda p: {name: max(self._apart(p), 1.0)},
                     f"{tooltip} {radius:.0f}", mark)  # fmt: skip

    def _cone(self, near: float, inner: float, outer: float) -> None:
        """Draw the inner cone with full gain and the outer cone, with handles at their edges."""
        tr, reach = self.editor.tr, max(near, _ARROW_PIXELS * self.scene.pixel)
        for name, angle, opacity, far in (("inner", inner, 1.0, 0.75), ("outer", outer, 0.5, 1.0)):
            edges = [self._point(self.turn + side * angle / 2, reach) for side in (-1, 1)]
            for edge in edges:
                self.scene.line(self.at, edge, COLOR, 1.5, opacity=opacity)
            grip = self._point(self.turn + angle / 2, reach * far)
            field = f"cone_{name}"
            self._handle(name, grip, lambda p, field=field: {field: min(2 * abs(self._turned(p)), math.tau)},
                         (tr("Full gain inside"), tr("Outer gain outside"))[name == "outer"], "dot")  # fmt: skip
        self.scene.arrow(self.at, self._point(self.turn, reach * 0.6), COLOR, 2.0)

    def _handle(self, name: str, at: Point, change: Any, tooltip: str, mark: Mark) -> None:
        self.scene.field_handle(
            f"audio.{self.handle}.{name}",
            at,
            self.handle,
            AudioSource,
            change,
            color=COLOR,
            mark=mark,
            tooltip=tooltip,
        )

    def _point(self, angle: float, distance: float) -> Point:
        return self.at[0] + distance * math.cos(angle), self.at[1] + distance * math.sin(angle)

    def _apart(self, point: Point) -> float:
        apart = math.hypot(point[0] - self.at[0], point[1] - self.at[1])
        return self.scene.snapped(apart, self.editor.settings.grid)

    def _turned(self, point: Point) -> float:
        """Return the angle between the source's x axis and a point, -π to π."""
        angle = math.atan2(point[1] - self.at[1], point[0] - self.at[0]) - self.turn
        angle = self.scene.snapped(angle, math.radians(self.editor.settings.snap_angle))
        return (angle + math.pi) % math.tau - math.pi


def draw_listeners(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw all listeners as icons, dimmed if they are off, and the direction and the ears of selected listeners."""
    game = editor.game
    assert game is not None
    table = game.world.table(AudioListener)
    for handle in [each for each in game.selection.handles if table.row_of(each) >= 0][-_MAX_SELECTED:]:
        _draw_facing(scene, editor, handle)
    enabled = table.enabled[table.rows_of(handles)]
    scene.icons(handles[enabled], editor.ui.icon("listener"), COLOR)
    scene.icons(handles[~enabled], editor.ui.icon("listener"), "text_disabled")


def _draw_facing(scene: SceneDraw, editor: Editor, handle: int) -> None:
    game = editor.game
    assert game is not None
    forward = np.asarray(game.read(handle, AudioListener, "forward"), np.float64)[:2]
    length = float(np.hypot(*forward))
    at, reach = scene.position(handle), _ARROW_PIXELS * scene.pixel
    if length < 1e-6:  # it faces out of the plane
        return
    a, b = scene.pose(handle)[:2]
    turn = math.atan2(b, a) + math.atan2(forward[1], forward[0])

    def change(point: Point) -> dict[str, Any]:
        angle = math.atan2(point[1] - at[1], point[0] - at[0]) - math.atan2(b, a)
        angle = scene.snapped(angle, math.radians(editor.settings.snap_angle))
        edited = np.array(game.read(handle, AudioListener, "forward"))
        edited[:2] = length * math.cos(angle), length * math.sin(angle)
        return {"forward": edited}

    tip = at[0] + reach * math.cos(turn), at[1] + reach * math.sin(turn)
    scene.arrow(at, tip, COLOR, 2.0)
    for side, name in ((math.pi / 2, editor.tr("L")), (-math.pi / 2, editor.tr("R"))):
        ear = at[0] + reach * 0.35 * math.cos(turn + side), at[1] + reach * 0.35 * math.sin(turn + side)
        scene.disc(ear, 3.0, COLOR)
        scene.text(ear, name, COLOR, offset=(14 * math.cos(turn + side), -14 * math.sin(turn + side)), centered=True)
    scene.field_handle(f"listener.{handle}.forward", tip, handle, AudioListener, change, color=COLOR, mark="dot",
                       tooltip=editor.tr("Where it faces"))  # fmt: skip

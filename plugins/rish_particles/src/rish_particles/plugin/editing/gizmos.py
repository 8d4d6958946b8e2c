"""Emitters in scene views: icons, area and directions of the preset with handles, and a preview of the particles."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rish_core import Transform
from rish_jit import Array

from ...components.emitter import Emitter
from ...preset import Preset
from .preview import Preview
from .tuning import Tuning

if TYPE_CHECKING:
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
Mark = Literal["square", "dot", "diamond"]
_MAX_EMITTERS = 8
"""The greatest number of selected emitters that have a preview and handles."""
_ARROW_SECONDS = 0.5
"""The duration of the flight, in seconds, that the arrow of a direction shows."""
_MIN_ARROW = 40.0
"""The length of the arrow for particles without speed, pixels."""


def draw_emitters(scene: SceneDraw, editor: Editor, handles: Array) -> None:
    """Draw all emitters with a Transform as icons, and for the selected ones the area and directions of the preset and
    a preview.
    """
    game = editor.game
    assert game is not None
    tuning = Tuning.of(editor)
    handles = handles[game.world.table(Transform).rows_of(handles) >= 0]
    for handle in [each for each in game.selection.handles if each in handles][-_MAX_EMITTERS:]:
        effect = tuning.effect(str(game.read(handle, Emitter, "preset")))
        if effect is None:
            continue
        if not game.play.running and game.read(handle, Emitter, "playing"):
            _preview(scene, editor, handle, effect)
        _Marks(scene, editor, tuning, handle, effect.main).draw()
    scene.icons(handles, editor.ui.icon("particles"), "emitter")


def preview_of(editor: Editor, handle: int) -> Preview:
    """Return the preview of an emitter in scene views."""
    game = editor.game
    assert game is not None
    cached = editor.memory.get("particles.previews")
    if cached is None or cached[0] is not game.world:
        cached = editor.memory["particles.previews"] = (game.world, {})
    previews: dict[int, Preview] = cached[1]
    for deselected in [each for each in previews if each not in game.selection]:
        del previews[deselected]
    if handle not in previews:
        previews[handle] = Preview(game.world)
    return previews[handle]


def _preview(scene: SceneDraw, editor: Editor, handle: int, effect: Any) -> None:
    game = editor.game
    assert game is not None
    preview, pose = preview_of(editor, handle), scene.pose(handle)
    values = {name: game.read(handle, Emitter, name) for name in ("rate_scale", "scale", "color")}
    preview.show(effect, np.array(pose), **values)
    preview.step(1 / 60)
    dots = preview.dots
    if len(dots.places):
        scene.discs(dots.places + pose[4:], dots.radii, dots.colors.tolist())


class _Marks:
    """The area and directions of a preset at one emitter."""

    def __init__(self, scene: SceneDraw, editor: Editor, tuning: Tuning, handle: int, preset: Preset) -> None:
        self.scene, self.editor, self.tuning, self.handle, self.preset = scene, editor, tuning, handle, preset
        game = tuning.game
        self.scale = float(game.read(handle, Emitter, "scale")) or 1.0

    def draw(self) -> None:
        """Draw both, with handles."""
        self._area()
        self._directions()

    def place(self, x: float, y: float) -> Point:
        """Return a point relative to the middle of the area in the world."""
        at = self.preset.at
        px, py = self.scene.placed(self.handle, [((at[0] + x) * self.scale, (at[1] + y) * self.scale)])[0].tolist()
        return px, py

    def local(self, point: Point) -> Point:
        """Return a point of the world relative to the middle of the area."""
        x, y = self.scene.to_local(self.handle, point)
        return x / self.scale - self.preset.at[0], y / self.scale - self.preset.at[1]

    def fitted(self, length: float) -> float:
        """Return a length of the preset, rounded to a precision that one pixel shows."""
        return float(self.scene.fitted(length, self.scene.length_of_pixel(self.handle) / self.scale))

    def edit(self, name: str, at: Point, change: Any, tooltip: str, mark: Mark = "square") -> None:
        """Show a handle that changes the preset. change: returns the new preset for a point relative to the middle."""
        drag = self.scene.handle(f"emitter.{self.handle}.{name}", at, "emitter", mark=mark, tooltip=tooltip)
        if drag is not None and self.scene.moves(drag):
            x, y = self.local(drag.now)
            changed = change((self.fitted(x), self.fitted(y)))
            self.tuning.put(changed, self.editor.tr("Tune {part}", part=tooltip), drag.key)

    def _area(self) -> None:
        shape, tr = self.preset.shape, self.editor.tr
        if shape.kind in ("box", "image", "line"):
            w, h = shape.size[0] / 2, 0.0 if shape.kind == "line" else shape.size[1] / 2
            self.scene.polyline(
                [self.place(x, y) for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))], "emitter", closed=True
            )
            self.edit("width", self.place(w, 0), lambda p: self._sized(0, p[0]), tr("Width of the area"))
            if shape.kind != "line":
                self.edit("height", self.place(0, h), lambda p: self._sized(1, p[1]), tr("Height of the area"))
        elif shape.kind in ("circle", "ring"):
            for k, radius in enumerate(shape.radius):
                if radius <= 0 and not k:
                    continue
                self.scene.polyline([self.place(radius * math.cos(a), radius * math.sin(a)) for a in _ROUND], "emitter")
                self.edit(("inner", "radius")[k], self.place(radius, 0), lambda p, k=k: self._round(k, math.hypot(*p)),
                          (tr("Inner radius"), tr("Radius of the area"))[k])  # fmt: skip
        elif shape.kind == "polygon":
            self.scene.polyline([self.place(*point) for point in shape.points], "emitter", closed=True)
            for k, point in enumerate(shape.points):
                self.edit(
                    f"point.{k}", self.place(*point), lambda p, k=k: self._moved(k, p), tr("Corner of the area"), "dot"
                )

    def _sized(self, axis: int, half: float) -> Preset:
        size = [*self.preset.shape.size]
        size[axis] = 2 * abs(half)
        return self._shaped(size=tuple(size))

    def _round(self, k: int, radius: float) -> Preset:
        inner, outer = self.preset.shape.radius
        radius = self.fitted(radius)
        return self._shaped(radius=(min(radius, outer), outer) if k == 0 else (min(inner, radius), radius))

    def _moved(self, k: int, point: Point) -> Preset:
        points = [*self.preset.shape.points]
        points[k] = point
        return self._shaped(points=tuple(points))

    def _shaped(self, **values: Any) -> Preset:
        return dataclasses.replace(self.preset, shape=dataclasses.replace(self.preset.shape, **values))

    def _directions(self) -> None:
        """Draw the cone of directions with handles: two turn its edges, and the one at its tip sets the greatest
        speed.
        """
        low, high = self.preset.direction
        wide, tr = high - low, self.editor.tr
        reach = max(self.preset.speed[1] * _ARROW_SECONDS, _MIN_ARROW * self.scene.pixel / self.scale)
        if wide < math.tau - 1e-6:
            arc = np.linspace(low, high, max(2, int(wide / 0.1)))
            rays = [(0.0, 0.0), *((reach * math.cos(a), reach * math.sin(a)) for a in arc), (0.0, 0.0)]
            self.scene.polyline([self.place(x, y) for x, y in rays], "emitter", 1.0, opacity=0.6)
            for k, angle in enumerate((low, high)):
                at = self.place(reach * 0.75 * math.cos(angle), reach * 0.75 * math.sin(angle))
                self.edit(("low", "high")[k], at, lambda p, k=k: self._turned(k, math.atan2(p[1], p[0])),
                          tr("Directions"), "dot")  # fmt: skip
        middle = (low + high) / 2
        tip = reach * math.cos(middle), reach * math.sin(middle)
        self.scene.arrow(self.place(0, 0), self.place(*tip), "emitter", 2.0)
        self.edit(
            "speed",
            self.place(*tip),
            lambda p: self._faster(math.hypot(*p) / _ARROW_SECONDS),
            tr("Greatest speed"),
            "diamond",
        )

    def _turned(self, k: int, angle: float) -> Preset:
        """Return the preset with edge k of the cone turned to an angle (radians) by the shortest way, in whole
        degrees.
        """
        angles = [*self.preset.direction]
        angle = math.radians(round(math.degrees(angle)))
        angles[k] += (angle - angles[k] + math.pi) % math.tau - math.pi
        if angles[0] > angles[1]:
            angles[1 - k] = angles[k]
        return dataclasses.replace(self.preset, direction=(angles[0], angles[1]))

    def _faster(self, speed: float) -> Preset:
        low, high = self.preset.speed
        part, speed = low / high if high > 0 else 1.0, self.fitted(speed)
        return dataclasses.replace(self.preset, speed=(self.fitted(speed * part), speed))


_ROUND = np.linspace(0, math.tau, 49).tolist()

"""Widgets in the views of the editor: the rectangle of a selected one, its anchors and pivot, and handles.

Widgets over the picture are arranged in the Game view, those in the world in both views.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..components.layout import Layout, Place
from ..components.settings import UiSettings
from ..tree.spaces import corner
from ..tree.state import UiState

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_editor import Editor, SceneDraw

Point = tuple[float, float]
_MAX_WIDGETS = 8
"""The greatest number of selected widgets that have handles."""
_MIN_LENGTH = 1.0
_DIGITS = 2
"""The number of decimals to which computed lengths are rounded."""


def draw_layouts(scene: SceneDraw, editor: Editor, handles: Any) -> None:
    """Draw the selected widgets of a space with their handles."""
    game = editor.game
    assert game is not None
    state: UiState = game.world[UiState]
    for handle in game.selection.handles[-_MAX_WIDGETS:]:
        node = state.node(handle)
        if node is None or not node.shown or node.root.world == scene.flat or not game.world.has(handle, Layout):
            continue
        _Widget(scene, editor, handle, node).draw()


def _placed(world: World, handles: Any) -> Any:
    """Return which entities are placed by a layout, bool (n,): all widgets except the roots of screens in the world."""
    state: UiState = world[UiState]
    nodes = [state.node(int(handle)) for handle in handles]
    return np.array([n is not None and not (n.root.world and n.entity == n.root.entity) for n in nodes], np.bool_)


draw_layouts.in_game_view = True  # type: ignore[attr-defined]
draw_layouts.places = _placed  # type: ignore[attr-defined]


@dataclass(eq=False)
class _Widget:
    """One widget. Its rectangle is in units of its screen, y down."""

    scene: SceneDraw
    editor: Editor
    handle: int
    node: Any

    def __post_init__(self) -> None:
        root = self.node.root
        if root.world:
            (x, y), (left, bottom) = self.scene.position(root.follow or root.entity), corner(root)
            self.unit, self.origin = root.unit, (x + left, y + bottom + root.height * root.unit)
        else:
            self.unit = float(self.scene.world[UiSettings].scale)
            self.origin = 0.0, root.height * self.unit
        game = self.editor.game
        assert game is not None
        self.game = game
        self.values = {name: game.read(self.handle, Layout, name) for name in
                       ("place", "anchor_low", "anchor_high", "pivot", "offset", "size", "margin")}  # fmt: skip
        self.floats = self.values["place"] is Place.ANCHORED

    def at(self, x: float, y: float) -> Point:
        """Return a point of the screen in units of the view."""
        return self.origin[0] + x * self.unit, self.origin[1] - y * self.unit

    def draw(self) -> None:
        """Draw the rectangle, the anchors, and the handles."""
        node, scene = self.node, self.scene
        above = node.parent
        if self.floats and above is not None:
            scene.polyline(self._corners(above), "outline", 1.0, closed=True, opacity=0.5)
        scene.polyline(self._corners(node), "accent", 2.0, closed=True, edged=True)
        if self.floats:
            self._move()
        self._sides()
        if self.floats and above is not None:
            self._pivot()
            self._anchors(above)

    def _corners(self, node: Any) -> list[Point]:
        x, y, w, h = node.x, node.y, node.w, node.h
        return [self.at(x, y), self.at(x + w, y), self.at(x + w, y + h), self.at(x, y + h)]

    def _write(self, drag: Any, title: str, **values: Any) -> None:
        """Set fields as part of the step of a drag; numbers that do not change keep all their digits."""
        title = self.editor.tr(title)
        with self.game.edit(title, merge=drag.key):
            for name, value in values.items():
                before = self.values[name]
                rounded = np.where(np.isclose(value, before, rtol=0, atol=1e-4), before, np.round(value, _DIGITS))
                self.game.set([self.handle], Layout, name, rounded.astype(np.float32), name=title)

    def _rounded(self, lengths: Any, distances: Any) -> Any:
        """Return lengths plus the distances of a drag: on the grid if drags snap, otherwise rounded to about a pixel,
        or to units if a pixel is larger.
        """
        grid = self.editor.settings.grid
        after = np.asarray(lengths, np.float64) + distances
        if self.scene.snapping and grid > 0:
            return np.where(np.equal(distances, 0), after, np.round(after / grid) * grid)
        return np.where(np.equal(distances, 0), after, self.scene.fitted(after, min(self.scene.pixel / self.unit, 1.0)))

    def _kept(self, drag: Any) -> tuple[dict[str, Any], float, float] | None:
        """Return the values when the drag began, and its distance in units of the screen; None if it moves nothing."""
        if self.scene.handles.kept is None:
            self.scene.handles.kept = {**self.values, "rect": (self.node.x, self.node.y, self.node.w, self.node.h)}
        if not self.scene.moves(drag):
            return None
        dx, dy = drag.delta
        return self.scene.handles.kept, dx / self.unit, -dy / self.unit

    def _move(self) -> None:
        drag = self.scene.area_handle(f"layout.{self.handle}.move", self._corners(self.node))
        moved = self._kept(drag) if drag is not None else None
        if drag is not None and moved is not None:
            before, dx, dy = moved
            offset = self._rounded(before["offset"], (dx, dy))
            self._write(drag, "Move the widget", offset=offset)
            self.scene.say(f"{offset[0]:g}, {offset[1]:g}")

    def _sides(self) -> None:
        """Handles at corners and sides; a widget in a row or column is changed at its right and lower sides only."""
        node = self.node
        for across in (-1, 0, 1):
            for down in (-1, 0, 1):
                if not (across or down) or (not self.floats and min(across, down) < 0):
                    continue
                name = "_".join(
                    part for part in (("top", "", "bottom")[down + 1], ("left", "", "right")[across + 1]) if part
                )
                at = self.at(node.x + node.w * (across + 1) / 2, node.y + node.h * (down + 1) / 2)
                drag = self.scene.handle(f"layout.{self.handle}.{name}", at, "accent", pixels=4.0)
                moved = self._kept(drag) if drag is not None else None
                if drag is not None and moved is not None:
                    self._resize(drag, *moved, (across, down))

    def _resize(self, drag: Any, before: dict[str, Any], dx: float, dy: float, sides: tuple[int, int]) -> None:
        """Move sides; the opposite ones stay where they are. Sides that are stretched change the margins."""
        size, offset, margin = before["size"].copy(), before["offset"].copy(), before["margin"].copy()
        rect = before["rect"]
        for axis, (side, distance) in enumerate(zip(sides, (dx, dy), strict=True)):
            if not side:
                continue
            stretched = self.floats and before["anchor_high"][axis] > before["anchor_low"][axis] and size[axis] == 0
            if stretched:
                edge = axis if side < 0 else axis + 2
                margin[edge] = self._rounded(margin[edge], distance * -side)
                continue
            length = max(float(self._rounded(rect[2 + axis], distance * side)), _MIN_LENGTH)
            grown = length - rect[2 + axis]
            size[axis] = length
            pivot = before["pivot"][axis]
            if self.floats:
                offset[axis] += grown * (pivot if side > 0 else pivot - 1)
        self._write(drag, "Resize the widget", size=size, offset=offset, margin=margin)
        self.scene.say(f"{self.node.w:.0f} × {self.node.h:.0f}")

    def _pivot(self) -> None:
        """Mark the pivot. With Alt it can be dragged; the widget stays where it is."""
        node, pivot = self.node, self.values["pivot"].tolist()
        at = self.at(node.x + node.w * pivot[0], node.y + node.h * pivot[1])
        if not self.editor.ui.alt:
            self.scene.disc(at, 3.5, "warning")
            return
        drag = self.scene.handle(f"layout.{self.handle}.pivot", at, "warning", mark="dot", pixels=5.0, priority=1)
        moved = self._kept(drag) if drag is not None else None
        if drag is None or moved is None:
            return
        before, dx, dy = moved
        _, _, w, h = before["rect"]
        size = np.array([max(w, _MIN_LENGTH), max(h, _MIN_LENGTH)])
        new_pivot = np.round((before["pivot"] + (dx, dy) / size) * 20) / 20
        shift = (new_pivot - before["pivot"]) * size * (before["anchor_low"] == before["anchor_high"])
        self._write(drag, "Set the pivot", pivot=new_pivot, offset=before["offset"] + shift)

    def _anchors(self, above: Any) -> None:
        """Let the anchors be dragged in their parent; two that lie on each other move together."""
        low, high = self.values["anchor_low"], self.values["anchor_high"]
        point = bool((low == high).all())
        ends = (("anchor", low),) if point else (("anchor_low", low), ("anchor_high", high))
        for name, value in ends:
            u, v = value.tolist()
            at = self.at(above.x + above.w * u, above.y + above.h * v)
            drag = self.scene.handle(f"layout.{self.handle}.{name}", at, "sensor", mark="diamond", pixels=6.0,
                                     tooltip=self.editor.tr("Anchor"))  # fmt: skip
            drag_state = self._kept(drag) if drag is not None else None
            if drag is None or drag_state is None:
                continue
            before, dx, dy = drag_state
            fraction = np.array([dx, dy]) / (max(above.w, _MIN_LENGTH), max(above.h, _MIN_LENGTH))
            if point:
                anchor = np.clip(np.round((before["anchor_low"] + fraction) * 100) / 100, 0, 1)
                correction = (before["anchor_low"] - anchor) * (above.w, above.h)
                offset = before["offset"] + correction
                self._write(drag, "Set the anchors", anchor_low=anchor, anchor_high=anchor, offset=offset)
            else:
                edge = (0, before["anchor_high"]) if name == "anchor_low" else (before["anchor_low"], 1)
                self._write(
                    drag, "Set the anchors", **{name: np.clip(np.round((before[name] + fraction) * 100) / 100, *edge)}
                )

"""Selecting with the pointer: by a click, which goes deeper at the same point, and by a box."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from imgui_bundle import imgui

from .handles import Point

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.game.game import Game
    from ..canvas import Canvas

Picker = Callable[[Point, Point | None], list[int]]
"""Returns the entities at a point of the window, or in the box between two, from the top down."""
SLACK = 4.0
"""How far the pointer may move during a click, pixels."""


@dataclass
class Selecting:
    """Clicks and selection boxes of the pointer outside of handles.

    pressed: where the button went down, units of the window; None if it did not. boxed: whether a box is drawn. below:
    what was under the pointer there.
    """

    pressed: Point | None = None
    boxed: bool = False
    below: Sequence[int] = ()
    _last: Point | None = None
    _seen: list[int] = field(default_factory=list[int])

    def press(self, at: Point, below: Sequence[int]) -> None:
        """Begin a click or a selection box."""
        self.pressed, self.boxed, self.below = at, False, below

    def follow(self, editor: Editor, scene: Canvas, pick: Picker) -> None:
        """Draw the box while the button is down, and select when it goes up."""
        if self.pressed is None:
            return
        now = scene.pointer_on_screen
        self.boxed |= math.dist(self.pressed, now) > SLACK * editor.ui.scale
        if imgui.is_mouse_down(imgui.MouseButton_.left):
            if self.boxed:
                scene.band(self.pressed)
            return
        start, self.pressed = self.pressed, None
        if self.boxed:
            choose(editor, pick(start, now))
        else:
            self.click(editor, start, self.below)

    def click(self, editor: Editor, at: Point, below: Sequence[int]) -> None:
        """Select the entity on top; a further click at the same place selects the next one below."""
        ui, game = editor.ui, editor.game
        assert game is not None
        again = self._last is not None and math.dist(self._last, at) <= SLACK and self._seen == list(below)
        self._last, self._seen = at, list(below)
        if ui.ctrl or ui.shift or not again or len(below) < 2:
            choose(editor, below[:1])
            return
        chosen = game.selection.handles
        place = below.index(chosen[0]) if len(chosen) == 1 and chosen[0] in below else -1
        choose(editor, [below[(place + 1) % len(below)]])


def unlocked(game: Game, handles: Sequence[int]) -> list[int]:
    """Return the entities that the user has not locked, in the same order."""
    return [handle for handle in handles if handle not in game.locked]


def choose(editor: Editor, handles: Sequence[int]) -> None:
    """Select entities, as one step; Ctrl toggles them, Shift adds them."""
    game, ui = editor.game, editor.ui
    assert game is not None
    with game.edit(editor.tr("Select")):
        if ui.ctrl:
            game.selection.toggle(handles)
        elif ui.shift:
            game.selection.add(handles)
        else:
            game.selection.set(handles)


def icons_at(scene: Canvas, point: Point, to: Point | None) -> list[int]:
    """Return the entities whose icons are at a point of the window, or in a box; those of the last frame."""
    marks: Any = scene.handles.memory.get("icons") or []
    if not marks:
        return []
    places = np.array([mark[1:] for mark in marks])
    if to is None:
        inside = np.hypot(places[:, 0] - point[0], places[:, 1] - point[1]) <= places[:, 2]
    else:
        low, high = np.minimum(point, to), np.maximum(point, to)
        inside = (places[:, :2] >= low).all(axis=1) & (places[:, :2] <= high).all(axis=1)
    return [marks[k][0] for k in np.flatnonzero(inside)[::-1].tolist()]

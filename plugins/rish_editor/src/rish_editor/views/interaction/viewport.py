"""Viewport: handles pointer and keys over the picture of a view: dragging handles, selecting, opening the menu."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from ..canvas import Canvas, Rect
from ..failures import draw_failures, fail
from .handles import Handles, Point
from .selecting import SLACK, Picker, Selecting, choose

if TYPE_CHECKING:
    from ...session.editor import Editor

_HOVER_FRAMES = 6
"""The number of frames between two searches for the entity below a moving pointer."""
MOVE = "move.center"
"""The handle that is dragged when an entity itself is."""


@dataclass
class Viewport:
    """The state of the pointer over one view. A view may draw in several spaces, such as the world and the screen; each
    has its own handles.

    extent: of the selection in the first space that shows some of it, units. hovered: the entity that a click would
    select. menu_wanted: whether a right click has just ended that did not pan. menu_at: where the menu was opened,
    units of the window; None while it is closed.
    """

    handles: list[Handles] = field(default_factory=lambda: [Handles(), Handles()])
    selecting: Selecting = field(default_factory=Selecting)
    extent: Rect | None = None
    hovered: int | None = None
    _hover_key: Any = None
    _pointer: Point | None = None
    _waited: int = 0
    menu_wanted: bool = False
    menu_at: Point | None = None
    _right: Point | None = None

    def interact(self, editor: Editor, scenes: Sequence[Canvas], pick: Picker, drawers: Iterable[Any], *,
                 hovered: bool, focused: bool, free: bool = True) -> None:  # fmt: skip
        """Draw what lies over the picture and use the pointer. scenes: the spaces of the view, the upper ones first.

        drawers: component and function, as of `rish_editor_gizmos`. free: whether the left button is for this, and not
        for moving the view.
        """
        pointer = scenes[0].pointer_on_screen
        pressed = hovered and free and bool(imgui.is_mouse_clicked(imgui.MouseButton_.left))
        down = bool(imgui.is_mouse_down(imgui.MouseButton_.left))
        escaped = editor.ui.pressed("escape")
        was_active = any(scene.handles.active is not None for scene in scenes)
        for scene in scenes:
            scene.handles.begin(down=down, escaped=escaped)
        self._hover(editor, scenes, pick, hovered=hovered and not was_active)
        extents = [scene.outline_selection() for scene in scenes]
        self.extent = next((extent for extent in extents if extent is not None), None)
        if editor.view.gizmos:
            for scene in scenes:
                draw_gizmos(editor, scene, drawers)
        for scene in scenes:
            scene.handles.memory["icons"] = scene.pickable
        pointer_used = False
        for scene in scenes:
            scene.handles.finish(hovered=hovered and not pointer_used, pressed=pressed, pointer=scene.pointer)
            pointer_used |= scene.handles.hot is not None or scene.handles.active is not None
        editor.view.dragging = any(scene.handles.active is not None for scene in scenes)
        self._point(editor, scenes, pick, pressed=pressed and not pointer_used, escaped=escaped)
        game = editor.game
        if escaped and focused and not was_active and not editor.ui.typing and game is not None and len(game.selection):
            choose(editor, ())
        self._menu(hovered, pointer)
        draw_failures(editor, scenes[0], drawers)

    def _point(self, editor: Editor, scenes: Sequence[Canvas], pick: Picker, *, pressed: bool, escaped: bool) -> None:
        """Select, or drag the entity under the pointer."""
        selecting, pointer = self.selecting, scenes[0].pointer_on_screen
        if pressed:
            selecting.press(pointer, pick(pointer, None))
        if escaped:
            selecting.pressed = None
        self._click_through(editor, scenes, pick)
        start = selecting.pressed
        moved = start is not None and math.dist(start, pointer) > SLACK * editor.ui.scale
        if start is not None and moved and not selecting.boxed and self._drag_body(editor, scenes, start):
            selecting.pressed = None
        selecting.follow(editor, scenes[-1], pick)

    def _drag_body(self, editor: Editor, scenes: Sequence[Canvas], start: Point) -> bool:
        """Begin to move the selection if the press was on a selected entity."""
        below, ui = self.selecting.below, editor.ui
        assert editor.game is not None
        if editor.view.tool != "move" or not editor.view.gizmos or ui.shift or ui.ctrl or not below:
            return False
        if below[0] not in editor.game.selection:
            return False
        for scene in scenes:
            if scene.holds(below[0]):
                scene.handles.take(MOVE, scene.drag_point(start))
                return True
        return False

    def _click_through(self, editor: Editor, scenes: Sequence[Canvas], pick: Picker) -> None:
        """Treat a click on the middle handle of a gizmo without a drag as a click on what is below the gizmo."""
        for scene in scenes:
            ended = scene.handles.ended
            if ended is None or not ended.endswith(".center"):
                continue
            if math.dist(scene.on_window(scene.handles.start), scene.pointer_on_screen) < 1.0:
                below = pick(scene.pointer_on_screen, None)
                if below:
                    self.selecting.click(editor, scene.pointer_on_screen, below)

    def _hover(self, editor: Editor, scenes: Sequence[Canvas], pick: Picker, *, hovered: bool) -> None:
        """Outline the entity that a click would select; it is searched when the pointer rests, and every few frames
        while it moves."""
        self._waited += 1
        if not hovered or any(scene.handles.hot for scene in scenes) or self.selecting.pressed is not None:
            self.hovered = self._hover_key = None
            return
        scene, world = scenes[-1], scenes[-1].world
        game = editor.game
        assert game is not None
        rests, self._pointer = self._pointer == scene.pointer_on_screen, scene.pointer_on_screen
        changes = len(game.history.done), len(game.history.undone)
        key = (scene.pointer_on_screen, scene.view, id(world), world.membership, world.tick, changes)
        if key != self._hover_key and (rests or self._waited >= _HOVER_FRAMES):
            self._hover_key, self._waited = key, 0
            self.hovered = next(iter(pick(scene.pointer_on_screen, None)), None)
        if self.hovered is None or not world.alive(self.hovered):
            return
        if self.hovered not in game.selection:
            next((each for each in scenes if each.holds(self.hovered)), scene).outline(self.hovered)

    def _menu(self, hovered: bool, pointer: Point) -> None:
        """Detect a right click that did not pan the view."""
        self.menu_wanted = False
        if hovered and imgui.is_mouse_clicked(imgui.MouseButton_.right):
            self._right = pointer
        if self._right is not None and not imgui.is_mouse_down(imgui.MouseButton_.right):
            self.menu_wanted = math.dist(self._right, pointer) <= SLACK
            self._right = None

    @property
    def dragging(self) -> bool:
        """Whether a handle or a box is dragged."""
        return any(each.active is not None for each in self.handles) or self.selecting.boxed


def draw_gizmos(editor: Editor, scene: Canvas, drawers: Iterable[Any]) -> None:
    """Call the drawers of plugins with the entities that have their component; one that raises is not called until the
    user tries again.

    A view of space calls those with the attribute `in_space`, a flat view the others.
    """
    world = scene.world
    for cls, drawer in drawers:
        if drawer in editor.failed_drawers or cls not in world.tables:
            continue
        if bool(getattr(drawer, "in_space", False)) != scene.in_space:
            continue
        handles = world.table(cls).entities
        if not len(handles):
            continue
        error = editor.ui.safely(lambda drawer=drawer, handles=handles: drawer(scene, editor, handles))
        if error is not None:
            fail(editor, cls, drawer, error)

"""Which panels keep what they have drawn in the last frame.

Dear ImGui can leave a window as it was drawn before (`set_next_window_refresh_policy`), so a panel whose content is the
same costs almost nothing. A panel takes part by the method `inputs`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from ..ui.widgets.base import Failure
from ..ui.widgets.popups import popups

if TYPE_CHECKING:
    from ..session.editor import Editor
    from .panel_window import PanelWindow

SETTLING = 5
"""The number of frames in which panels are drawn after something has changed: places and scrolling settle in two."""
LONGEST = 0.5
"""Seconds after which a panel is drawn again in any case, for what its inputs do not tell."""
_MOTION, _KEY = imgui.internal.InputEventType.mouse_pos, imgui.internal.InputEventType.key


class KeptDrawings:
    """Decides in each frame for each panel whether it is drawn again: after the user did more than to move the pointer,
    below the pointer, with the keyboard focus while the user works with keys, and when its inputs have changed."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._left = SETTLING
        self._types = False
        self._look: tuple[Any, ...] = ()
        self._hovered = self._active = 0
        self._now = 0.0

    def redraw(self) -> None:
        """Draw all panels in the next frames."""
        self._left = SETTLING

    def begin(self) -> None:
        """Begin a frame: see what the user did, and whether anything has changed for all panels."""
        editor, context = self._editor, imgui.get_current_context()
        self._now, self._left = time.perf_counter(), self._left - 1
        self._see_events(context)
        game, ui, display = editor.game, editor.ui, context.io.display_size
        atlas = context.io.fonts.tex_data.unique_id  # drawn triangles refer to it
        look = (
            id(ui.theme), ui.scale, editor.language.code, display.x, display.y, atlas, popups(), editor.dialogs.open,
            editor.panels.maximized, game, game is not None and game.play.state, context.drag_drop_active,
            editor.inspectors, editor.gizmos,
        )  # fmt: skip
        if look != self._look:
            self._look = look
            self.redraw()
        elif popups() or editor.dialogs.open or context.drag_drop_active:
            self.redraw()
        self._hovered, self._active = _root(context.hovered_window), _root(context.active_id_window)
        if context.active_id and not self._active:
            self.redraw()

    def _see_events(self, context: Any) -> None:
        trail = context.input_events_trail
        for k in range(trail.size()):
            kind = trail[k].type
            if kind != _MOTION:
                self._types = kind == _KEY  # a key may be held, which sends no more events
                self.redraw()

    def keeps(self, window: PanelWindow) -> bool:
        """Return whether an open panel stays as it was drawn in the last frame; call it once a frame."""
        inputs = _inputs_of(window, self._editor)
        if inputs is None or inputs != window.inputs or not window.visible:
            window.inputs, window.settling = inputs, SETTLING
        window.settling = max(window.settling - 1, 0)
        return not (
            inputs is None
            or self._left > 0
            or window.settling
            or window.moves
            or window.failed is not None
            or _is_behind(window)
            or window.root in (self._hovered, self._active)
            or (self._types and window.focused)
            or self._now - window.drawn > LONGEST
        )


def _inputs_of(window: PanelWindow, editor: Editor) -> Any:
    inputs = window.option("inputs", None)
    if inputs is None:
        return None
    try:
        return inputs(editor)
    except Failure:
        return None  # the panel is drawn, and raises there


def _is_behind(window: PanelWindow) -> bool:
    """Return whether a panel is behind the tab of another one now."""
    shown: Any = imgui.internal.find_window_by_id(window.root)
    node = shown.dock_node if shown is not None else None
    return node is not None and node.visible_window is not None and node.visible_window.id_ != window.root


def _root(window: Any) -> int:
    """Return the identifier of the window that contains a window; 0 for None."""
    return 0 if window is None else int(window.root_window.id_)


def keep_next_window() -> None:
    """Let the window that begins next stay as it was drawn, if Dear ImGui can leave it so."""
    imgui.internal.set_next_window_refresh_policy(imgui.internal.WindowRefreshFlags_.try_to_avoid_refresh)


def is_kept() -> bool:
    """Return whether the window that was begun stays as it was drawn. Its parent lists it, which Dear ImGui leaves out
    for docked windows."""
    window = imgui.get_current_context().current_window
    if not window.skip_refresh:
        return False
    if window.parent_window is not None:
        window.parent_window.dc.child_windows.push_back(window)
    return True

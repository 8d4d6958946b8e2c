"""Panels: windows of the editor that plugins declare. A panel that raises is closed; the other panels and the frame are
drawn."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import yaml
from imgui_bundle import imgui

from rish_core import describe_error

from ..look import icons
from ..ui.widgets.base import Failure
from ..ui.widgets.popups import popups
from .keeping import KeptDrawings, is_kept, keep_next_window
from .panel_window import PanelWindow

if TYPE_CHECKING:
    from ..session.editor import Editor

_log = logging.getLogger("rish.editor")
_SIZE = (420.0, 360.0)
_OVER = {"left": (260.0, 360.0), "right": (300.0, 400.0), "bottom": (460.0, 220.0)}
"""Width and height of a panel that floats over a game, by the side at which it stands at first, units."""
_MAX_COVER = 0.42
"""The largest part of the game's width and height that such a panel covers at first."""
_MARGIN, _TOP = 8.0, 44.0
"""Units between such panels and the edges; at the top there is room for a bar."""
_PLACE_FRAMES = 3
"""The number of frames in which the places of panels become known."""
_SLOW_SECONDS = 0.05
"""The duration of a panel's drawing from which on a frame is slow, seconds."""
_MAX_SLOW_FRAMES = 8
"""The value of `PanelWindow.late` at which a panel is reported as slow; single slow frames are not."""


_FOCUSED = imgui.FocusedFlags_.root_and_child_windows | imgui.FocusedFlags_.no_popup_hierarchy
"""A panel has the keyboard focus if one of its windows has it, but not one of its popups, which need the keys."""
_FLAGS = int(imgui.WindowFlags_.no_collapse)
_BARE = _FLAGS | int(
    imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse
    | imgui.WindowFlags_.no_nav_inputs  # arrow keys move what is selected
)  # fmt: skip


class Panels:
    """All panels. focused: the id of the panel that has the keyboard focus, "" for none. maximized: of the one that
    fills the window, "" for none. floating: whether panels float at first, small and collapsible, over a game's
    picture."""

    def __init__(self, editor: Editor, *, floating: bool = False) -> None:
        self._editor = editor
        self._floating = floating
        self._windows: dict[str, PanelWindow] = {}
        self._nodes: dict[str, int] = {}
        self._frames = self._root = 0
        self.focused = ""
        self._to_view = 0
        self._seen: list[str] = []
        self._had_game = False
        self.maximized = ""
        self._filled = ""
        self._kept = KeptDrawings(editor)

    def __iter__(self) -> Any:
        return iter(self._windows.values())

    def __getitem__(self, name: str) -> Any:
        """Return a panel by its id."""
        return self._windows[name].panel

    def __contains__(self, name: str) -> bool:
        return name in self._windows

    @property
    def typing(self) -> bool:
        """Whether letters belong to the panel that has the keyboard focus."""
        return self.focused in self._windows and bool(self._windows[self.focused].option("typing", False))

    @property
    def keys(self) -> frozenset[str]:
        """The shortcuts that belong to the panel that has the keyboard focus."""
        return self._windows[self.focused].option("keys", frozenset()) if self.focused in self._windows else frozenset()

    @property
    def entities(self) -> bool:
        """Whether keys act on the selected entities: no panel has the keyboard focus, or one that shows entities."""
        window = self._windows.get(self.focused)
        return window is None or bool(window.option("entities", False))

    def use(self, classes: Iterable[type], saved: Mapping[str, Any]) -> None:
        """Create the panels of these classes; existing panels of the same class stay. saved: the data that panels have
        saved, by id."""
        before, self._windows = self._windows, {}
        for cls in classes:
            name = cls.id  # pyright: ignore[reportAttributeAccessIssue]
            window = before.get(name)
            if window is not None and type(window.panel) is cls:
                self._windows[name] = window
                continue
            try:
                panel: Any = cls()
            except Failure as error:
                self._editor.report(self._editor.tr("The panel '{name}'", name=name), error, cls)
                continue
            if name in saved and hasattr(panel, "load"):
                try:
                    panel.load(saved[name])
                except Failure as error:
                    self._editor.report(self._editor.tr("The panel '{name}'", name=name), error, cls)
            self._windows[name] = PanelWindow(panel, bool(getattr(cls, "open", True)))

    def save(self) -> dict[str, Any]:
        """Return the data that panels save, by id."""
        states: dict[str, Any] = {}
        for window in self._windows.values():
            if hasattr(window.panel, "save"):
                try:
                    data = window.panel.save()
                    yaml.safe_dump(data)  # data that is not plain must not keep the other settings from being saved
                    states[window.id] = data
                except (*Failure, yaml.YAMLError) as error:
                    self._editor.report(
                        self._editor.tr("The panel '{name}'", name=window.id), error, type(window.panel)
                    )
        return states

    def is_open(self, name: str) -> bool:
        """Return whether a panel's window exists."""
        return name in self._windows and self._windows[name].open

    def is_visible(self, name: str) -> bool:
        """Return whether a panel was drawn in the last frame; one behind another tab was not."""
        return name in self._windows and self._windows[name].visible

    def show(self, name: str, opened: bool = True) -> None:
        """Open a panel and bring it to the front, or close it. Unknown ids are ignored."""
        window = self._windows.get(name)
        if window is not None:
            window.open, window.front, window.failed = opened, opened, None

    def redraw(self) -> None:
        """Draw all panels in the next frames, also those that would stay as they were drawn."""
        self._kept.redraw()

    def begin_in_view(self) -> None:
        """Give the panel in the middle the keyboard focus once the arranged panels are drawn."""
        self._to_view = _PLACE_FRAMES

    def draw(self, root: int) -> None:
        """Draw all open panels; without a game, those that are always shown. root: the number of the dock space."""
        self.focused, self._root = "", root
        self._frames += 1
        self._kept.begin()
        game = self._editor.game is not None
        if game and not self._had_game:
            self._bring_back()
        self._had_game = game
        for window in self._windows.values():
            if window.open and (game or window.option("always", False)):
                self._draw(window)
            else:
                window.visible = False
        for window in self._windows.values():
            if window.front and window.begun > 1 and not self._editor.dialogs.open:
                imgui.set_window_focus(f"###{window.id}")
                window.front = False
        if popups() or imgui.is_any_mouse_down():
            self._to_view = 0  # the user has begun elsewhere
        elif self._to_view and not self._editor.dialogs.open:
            self._focus_view()
        if game:
            self._seen = [window.id for window in self._windows.values() if window.visible]
        full = self._windows.get(self.maximized)
        if full is not None:
            self._fill(full)
        self._filled = self.maximized

    def _bring_back(self) -> None:
        """Bring the panels to the front that were visible with the former game; otherwise the last one of each place
        would be."""
        for name in self._seen:
            if name in self._windows:
                self._windows[name].front = True
        if self._seen:
            self.begin_in_view()

    def _focus_view(self) -> None:
        """Give the keyboard focus to the visible panel in the middle, after the others were brought to the front."""
        for window in self._windows.values():
            if window.visible and window.option("dock", "float") == "center":
                self._to_view -= 1
                if not self._to_view:
                    imgui.set_window_focus(f"###{window.id}")
                return

    def _fill(self, window: PanelWindow) -> None:
        """Draw a panel over all others, in a window of its own; their windows stay, without content."""
        viewport = imgui.get_main_viewport()
        imgui.set_next_window_pos(viewport.work_pos)
        imgui.set_next_window_size(viewport.work_size)
        if self._filled != window.id:
            imgui.set_next_window_focus()
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings
        padding = (0.0, 0.0) if window.option("bare", False) else imgui.get_style().window_padding
        imgui.push_style_var(imgui.StyleVar_.window_padding, padding)
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.begin(f"###{window.id}.full", None, flags)
        imgui.pop_style_var(2)
        self._inside(window)
        imgui.end()

    def _draw(self, window: PanelWindow) -> None:
        editor, kept = self._editor, self._kept.keeps(window) and not self.maximized
        window.focused = window.visible = False
        bare = window.option("bare", False)
        if not self._place(window):
            return
        if bare:
            imgui.push_style_var(imgui.StyleVar_.window_padding, (0.0, 0.0))
        label = f"{icons.by_name(window.option('icon', ''))}  {editor.tr(window.panel.title)}###{window.id}"
        flags = _BARE if bare else _FLAGS
        if self._floating:
            flags &= ~int(imgui.WindowFlags_.no_collapse)
        if window.front:
            imgui.set_next_window_collapsed(False)
        if kept:
            keep_next_window()
        visible, still = imgui.begin(label, True, flags)
        if bare:
            imgui.pop_style_var()
        window.open, window.begun = bool(still), window.begun + 1
        if imgui.is_window_docked():
            self._nodes[window.option("dock", "float")] = imgui.get_window_dock_id()
        if kept and is_kept():
            self._see_focus(window)
            window.visible = True
            editor.ui.marks.keep(window.id)
        elif visible and not self.maximized:
            self._inside(window)
        imgui.end()

    def _inside(self, window: PanelWindow) -> None:
        """Draw a panel's content into the window that was begun."""
        self._see_focus(window)
        window.visible, window.drawn = True, time.perf_counter()
        window.root = int(imgui.get_current_context().current_window.id_)
        place, size = imgui.get_window_pos(), imgui.get_window_size()
        self._editor.ui.mark_area(window.id, place.x, place.y, place.x + size.x, place.y + size.y)
        self._content(window)

    def _see_focus(self, window: PanelWindow) -> None:
        window.focused = bool(imgui.is_window_focused(_FOCUSED))
        if window.focused:
            self.focused = window.id

    def _place(self, window: PanelWindow) -> bool:
        """Choose the place of a window that has none yet: docked beside others, or floating. Return False if it is not
        known yet."""
        ui = self._editor.ui
        dock = window.option("dock", "float")
        if self._floating:
            self._float(window, dock)
            return True
        if dock != "float" and not window.begun:
            if dock not in self._nodes and self._frames < _PLACE_FRAMES:
                return False
            node = self._nodes.get(dock) or _split(self._root, dock)
            imgui.set_next_window_dock_id(node, imgui.Cond_.first_use_ever)
            return True
        if dock == "float":
            width, height = window.option("size", _SIZE)
            room = imgui.get_main_viewport()
            wide, high = min(ui.px(width), room.work_size.x * 0.9), min(ui.px(height), room.work_size.y * 0.9)
            imgui.set_next_window_size((wide, high), imgui.Cond_.first_use_ever)
            imgui.set_next_window_pos(room.get_work_center(), imgui.Cond_.first_use_ever, (0.5, 0.5))
        return True

    def _float(self, window: PanelWindow, dock: str) -> None:
        """Choose the place of a window that floats over a game: at its side; each further one is shifted by the height
        of a title bar."""
        ui, room = self._editor.ui, imgui.get_main_viewport()
        width, height = window.option("size", _OVER.get(dock, _SIZE))
        wide, high = min(ui.px(width), room.work_size.x * _MAX_COVER), min(ui.px(height), room.work_size.y * _MAX_COVER)
        same = [other for other in self._windows.values() if other.option("dock", "float") == dock]
        place = sorted(same, key=lambda other: other.option("order", 100)).index(window)
        low, right = float(dock == "bottom"), float(dock == "right")
        if low:
            place, right = divmod(place, 2)
        margin, shift = ui.px(_MARGIN), place * imgui.get_frame_height() * (1 - 2 * low)
        x = room.work_pos.x + margin + (room.work_size.x - 2 * margin) * right
        y = room.work_pos.y + (room.work_size.y - margin if low else ui.px(_TOP)) + shift
        imgui.set_next_window_size((wide, high), imgui.Cond_.first_use_ever)
        imgui.set_next_window_pos((x, y), imgui.Cond_.first_use_ever, (right, low))

    def _content(self, window: PanelWindow) -> None:
        editor, ui = self._editor, self._editor.ui
        if window.failed is not None:
            ui.empty(editor.tr("This panel has stopped because of an error"), window.failed, icons.ERROR)
            wide = imgui.calc_text_size(editor.tr("Try again")).x + ui.px(40)
            imgui.set_cursor_pos_x(max((imgui.get_window_width() - wide) / 2, 0.0))
            if ui.button(editor.tr("Try again"), f"{window.id}/retry", icon=icons.RELOAD):
                window.failed = None
            return
        begin, awake, editor.awake = self._clock(), editor.awake, 0.0
        try:
            with ui.isolated(), ui.inside(window.id):
                window.panel.draw(ui, editor)
        except Failure as error:
            window.failed = describe_error(error)[:300]
            editor.report(editor.tr("The panel '{name}'", name=window.panel.title), error, type(window.panel))
        window.moves, editor.awake = editor.awake > 0, max(awake, editor.awake)
        self._measure(window, self._clock() - begin)

    def _clock(self) -> float:
        """Return the time of a clock that is stopped while a game draws its picture for a panel, seconds."""
        game = self._editor.game
        drawing = game.surface.seconds if game is not None and game.surface is not None else 0.0
        return time.perf_counter() - drawing

    def _measure(self, window: PanelWindow, seconds: float) -> None:
        """Report a panel once whose frames are slow again and again."""
        window.seen += 1
        if window.late < 0:
            return
        window.late = window.late + 1 if seconds > _SLOW_SECONDS else max(window.late - 1, 0)
        if window.late >= _MAX_SLOW_FRAMES:
            window.late = -1
            _log.warning("the panel '%s' is slow: it took %.0f ms to draw", window.id, seconds * 1e3)


def _split(root: int, dock: str) -> int:
    """Return the identifier of a new dock node at a side of the dock space, for the first panel there."""
    if dock == "center":
        return root
    direction, part = {"left": (imgui.Dir.left, 0.22), "right": (imgui.Dir.right, 0.26)}.get(
        dock, (imgui.Dir.down, 0.28)
    )
    node, _, _ = imgui.internal.dock_builder_split_node_py(root, direction, part)
    return int(node)

"""Menus, popups, dialogues, and drag and drop.

All popups and menus are closed in the same way, also those that a plugin begins with Dear ImGui itself: Escape closes
the innermost one and gives the keyboard focus back; a press of a button outside of it closes it, and does nothing else.
A press outside of a dialogue (`modal`) closes it only if nothing was entered.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from imgui_bundle import imgui

from ..keys import BUTTONS
from ..marks import Place
from .base import Base

_MODAL = int(imgui.WindowFlags_.modal)
_FILL = 0.96
"""The greatest part of the window that a popup fills."""
_SEEN = 0.3
"""Seconds before a press outside can close a dialogue, so that the second press of a double click does not close it."""
_WALKING = ("tab", "left_arrow", "right_arrow", "up_arrow", "down_arrow")
_FLASH = 0.5
"""Seconds."""


def popups() -> list[int]:
    """Return the identifiers of the popups and menus that are open above the topmost dialogue, the outermost first."""
    above: list[int] = []
    for popup in imgui.get_current_context().open_popup_stack:
        if popup.window is not None and popup.window.flags & _MODAL:
            above.clear()
        else:
            above.append(popup.popup_id)
    return above


def dialogue_open() -> bool:
    """Return whether a dialogue is open."""
    return imgui.internal.get_top_most_popup_modal() is not None


def close_innermost() -> bool:
    """Close the innermost popup or menu; return whether there was one. To be called between two frames."""
    if not popups():
        return False
    context = imgui.get_current_context()
    imgui.internal.close_popup_to_level(len(context.open_popup_stack) - 1, True)
    context.nav_highlight_item_under_nav = True  # until the pointer moves, it does not open the submenu below it again
    return True


def close_popups() -> None:
    """Close all popups and menus above the topmost dialogue. To be called between two frames."""
    while close_innermost():
        pass


def close_outside(before: list[int]) -> None:
    """Close the popups outside of which a button was pressed in this frame; to be called at its end.

    before: what `popups` returned at the frame's begin. If the press has opened or closed one, nothing else is closed.
    """
    if not before or not _pressed() or popups() != before:
        return
    context = imgui.get_current_context()
    below = context.hovered_window or imgui.internal.get_top_most_popup_modal()
    if below is None:  # the press was beside all windows
        imgui.internal.close_popup_to_level(len(context.open_popup_stack) - len(before), False)
    else:
        imgui.internal.close_popups_over_window(below, False)


def _pressed() -> bool:
    """Whether a button of the mouse was pressed in this frame."""
    return any(imgui.is_mouse_clicked(button) for button in BUTTONS.values())


class _Opened(AbstractContextManager[bool]):
    """The context manager of a popup, a menu or a list. A class, because it is entered dozens of times a frame, mostly
    for closed popups."""

    __slots__ = ("_end", "_inside", "_shown")

    def __init__(self, inside: AbstractContextManager[None], shown: bool, end: Callable[[], None]) -> None:
        self._inside, self._shown, self._end = inside, shown, end

    def __enter__(self) -> bool:
        if self._shown:
            self._inside.__enter__()
        return self._shown

    def __exit__(self, *error: object) -> None:
        if self._shown:
            self._inside.__exit__(None, None, None)
            self._end()


@dataclass
class Dialogue:
    """The topmost dialogue. age: seconds. entered: whether the user has changed something in it. flash: seconds for
    which its border flashes after a press outside. left: whether the user leaves it by Escape or a press outside.
    walked: whether the user has moved the focus between widgets with keys."""

    age: float = 0.0
    entered: bool = False
    flash: float = 0.0
    left: bool = False
    walked: bool = False


class Popups(Base):
    """Widgets that appear over others, and drag and drop. The mark of an open one is its own name after `popup:`."""

    _dragged: dict[str, Any]
    _dialogue: Dialogue

    @contextmanager
    def menu(self, label: str, name: str, *, icon: str = "", enabled: bool = True) -> Generator[bool]:
        """Show a menu of a bar or of another menu; the block gets whether it is open."""
        highest = imgui.get_main_viewport().size.y * _FILL
        imgui.set_next_window_size_constraints((self.px(200), 0), (9999, highest))
        shown = bool(imgui.begin_menu(f"{icon}  {label}###{name}" if icon else f"{label}###{name}", enabled))
        self._used(name)
        if shown:
            self._mark_popup(name)
            imgui.push_style_var(imgui.StyleVar_.item_spacing, (self.px(20), self.px(7)))
        try:
            with self.inside(name):
                yield shown
        finally:
            if shown:
                imgui.pop_style_var()
                imgui.end_menu()

    def item(self, label: str, name: str, *, shortcut: str = "", checked: bool = False, enabled: bool = True,
             icon: str = "", tooltip: str = "") -> bool:  # fmt: skip
        """Show an item of a menu; return whether it was chosen."""
        shown = f"{icon}  {label}" if icon else label
        clicked, _ = imgui.menu_item(f"{shown}###{name}", shortcut, checked, enabled)
        self._used(name, tooltip, enabled=enabled)
        return bool(clicked)

    def open_popup(self, name: str) -> None:
        """Open a popup or a dialogue of this panel; it is drawn by `popup` or `modal` with the same name."""
        imgui.open_popup(f"###{name}")

    def popup_is_open(self, name: str) -> bool:
        """Return whether a popup or a dialogue of this panel is open."""
        return bool(imgui.is_popup_open(f"###{name}"))

    def close_popup(self) -> None:
        """Close the popup whose block runs."""
        imgui.close_current_popup()

    def popup(self, name: str, *, flags: int = 0) -> AbstractContextManager[bool]:
        """Draw a popup if it is open; one that is higher than the window scrolls. flags: of windows of Dear ImGui."""
        self._limit()
        return self._opened(name, bool(imgui.begin_popup(f"###{name}", flags)))

    def context_menu(self, name: str) -> AbstractContextManager[bool]:
        """Draw a menu that a right click on the last widget opens."""
        self._limit()
        return self._opened(name, bool(imgui.begin_popup_context_item(name)))

    def window_menu(self, name: str) -> AbstractContextManager[bool]:
        """Draw a menu that a right click on the empty part of the panel opens."""
        flags = imgui.PopupFlags_.mouse_button_right | imgui.PopupFlags_.no_open_over_items
        self._limit()
        return self._opened(name, bool(imgui.begin_popup_context_window(name, flags)))

    def drop_down(self, name: str, shown: str, flags: int = 0) -> AbstractContextManager[bool]:
        """Draw a field that opens a list below it, and the list if it is open. shown: the text of the field.

        Names in the block are not below the name of the field.
        """
        opened = bool(imgui.begin_combo(f"###{name}", shown, flags))
        if opened:
            self._mark_popup(name)
        return _Opened(nullcontext(), opened, imgui.end_combo)

    def _limit(self) -> None:
        """Keep the next popup smaller than the window."""
        size = imgui.get_main_viewport().size
        imgui.set_next_window_size_constraints((0.0, 0.0), (size.x * _FILL, size.y * _FILL))

    def _opened(self, name: str, shown: bool) -> AbstractContextManager[bool]:
        if shown:
            self._mark_popup(name)
        return _Opened(self.inside(name), shown, imgui.end_popup)

    def _mark_popup(self, name: str) -> None:
        """Store the place of the popup that was begun."""
        if self.marks.on:
            at, size = imgui.get_window_pos(), imgui.get_window_size()
            whole = "/".join([*self._path, name])
            self.marks.put(f"popup:{whole}", Place(at.x, at.y, at.x + size.x, at.y + size.y))

    # Dialogues

    @contextmanager
    def modal(self, title: str, name: str, *, width: float = 420.0, stays: bool = False) -> Generator[bool]:
        """Draw a dialogue over everything, if `open_popup(name)` has opened it. The block gets whether it is open.

        Escape closes it, and so does a press outside while nothing was entered; otherwise, its frame flashes. stays:
        whether no press outside closes it, as a question that has to be answered. See `leaves`.
        """
        view = imgui.get_main_viewport()
        imgui.set_next_window_pos(view.get_center(), imgui.Cond_.appearing, (0.5, 0.5))
        wide = min(self.px(width), view.size.x * _FILL)
        imgui.set_next_window_size_constraints((wide, 0.0), (wide, view.size.y * _FILL))
        flags = imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.always_auto_resize
        shown, _ = imgui.begin_popup_modal(f"{title}###{name}", None, flags)
        if shown:
            self._mark_popup(name)
            self._begin_dialogue(stays)
        try:
            with self.inside(name):
                yield bool(shown)
        finally:
            if shown:
                edited = imgui.get_current_context().active_id_has_been_edited_this_frame
                self._dialogue.entered |= edited and not imgui.is_window_appearing()  # that was what opened it
                if self._dialogue.left:
                    imgui.close_current_popup()
                imgui.end_popup()

    @property
    def leaves(self) -> bool:
        """Whether the user leaves the dialogue whose block is drawn without an answer; it is closed after the block."""
        return self._dialogue.left

    @property
    def confirmed(self) -> bool:
        """Whether Enter was pressed in the dialogue whose block runs, and means its primary button: not a button or box
        that the user has reached with keys, which gets the key itself.
        """
        if not (self.pressed("enter") or self.pressed("keypad_enter")):
            return False
        context = imgui.get_current_context()
        other = context.nav_id not in (0, context.input_text_state.id_)
        return not (self._dialogue.walked and context.nav_cursor_visible and other)

    @property
    def pressed_outside(self) -> bool:
        """Whether a button of the mouse was pressed in this frame outside of the popup whose block runs."""
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        return _pressed() and not imgui.is_mouse_hovering_rect(at, (at.x + size.x, at.y + size.y), False)

    def _begin_dialogue(self, stays: bool) -> None:
        """Detect whether the user leaves the dialogue that was begun, and draw its flash."""
        if imgui.is_window_appearing():
            self._dialogue = Dialogue()
        now, seconds = self._dialogue, imgui.get_io().delta_time
        now.age, now.flash = now.age + seconds, max(now.flash - seconds, 0.0)
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        end = at.x + size.x, at.y + size.y
        covered = imgui.is_popup_open("", imgui.PopupFlags_.any_popup_id)
        outside = self.pressed_outside
        now.walked |= any(map(self.pressed, _WALKING))
        now.left = not covered and self.pressed("escape")
        if outside and not covered:
            now.left |= now.age > _SEEN and not stays and not now.entered
            now.flash = _FLASH
        if now.flash and not now.left:
            red, green, blue, _ = self.theme.rgba("focus")
            color = imgui.get_color_u32((red, green, blue, now.flash / _FLASH))
            imgui.get_foreground_draw_list().add_rect(at, end, color, imgui.get_style().window_rounding, self.px(3))

    # Dragging

    def drag_source(self, kind: str, payload: Any, text: str | Callable[[], str]) -> bool:
        """Make the last widget a source of drag and drop; return whether it is dragged now.

        kind: which targets take it. payload: what they get, or a function that returns it. text: shown beside the
        pointer, or a function that returns it.
        """
        if not imgui.begin_drag_drop_source():
            return False
        imgui.set_drag_drop_payload_py_id(kind, 1)
        self._dragged[kind] = payload() if callable(payload) else payload
        imgui.text_unformatted(text() if callable(text) else text)
        imgui.end_drag_drop_source()
        return True

    def drag_hint(self, text: str) -> None:
        """Add a line to the text beside the pointer while something is dragged."""
        if imgui.begin_tooltip():
            imgui.text_unformatted(text)
            imgui.end_tooltip()

    def drop_target(self, kind: str, *, peek: bool = False) -> Any:
        """Make the last widget a target of drag and drop; return the payload when something is dropped on it, otherwise
        None.

        peek: return the payload already while it is held over the widget.
        """
        if not imgui.begin_drag_drop_target():
            return None
        flags = imgui.DragDropFlags_.accept_before_delivery if peek else imgui.DragDropFlags_.none
        payload = imgui.accept_drag_drop_payload_py_id(kind, flags)
        imgui.end_drag_drop_target()
        return self._dragged.get(kind) if payload is not None else None

"""Menus, popups, and dragging things from one place to another.

Every popup and menu is closed in one way, also those that a plugin begins with Dear ImGui itself: Escape closes the
innermost one and gives the keyboard back to what had it before; a press of a button outside of it closes it, and does
nothing else. A dialogue (`modal`) stays until its owner closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from imgui_bundle import imgui

from .base import Base
from .keys import BUTTONS

_MODAL = int(imgui.WindowFlags_.modal)


def popups() -> list[int]:
    """Return the numbers of the popups and menus that are open above the topmost dialogue, the outermost first."""
    above: list[int] = []
    for popup in imgui.get_current_context().open_popup_stack:
        if popup.window is not None and popup.window.flags & _MODAL:
            above.clear()
        else:
            above.append(popup.popup_id)
    return above


def close_innermost() -> bool:
    """Close the innermost popup or menu; return whether there was one. To be called between two frames."""
    if not popups():
        return False
    imgui.internal.close_popup_to_level(len(imgui.get_current_context().open_popup_stack) - 1, True)
    return True


def close_popups() -> None:
    """Close all popups and menus above the topmost dialogue. To be called between two frames."""
    while close_innermost():
        pass


def close_outside(before: list[int]) -> None:
    """Close the popups outside of which a button was pressed in this frame; to be called at its end.

    before: what `popups` returned at the frame's begin. If the press has opened or closed one, nothing else is closed.
    """
    pressed = any(imgui.is_mouse_clicked(button) for button in BUTTONS.values())
    if not before or not pressed or popups() != before:
        return
    below = imgui.get_current_context().hovered_window or imgui.internal.get_top_most_popup_modal()
    imgui.internal.close_popups_over_window(below, False)


class _Popup(AbstractContextManager[bool]):
    """The block of a popup. A class, because a frame enters dozens, of which most are closed."""

    __slots__ = ("_inside", "_shown")

    def __init__(self, inside: AbstractContextManager[None], shown: bool) -> None:
        self._inside, self._shown = inside, shown

    def __enter__(self) -> bool:
        if self._shown:
            self._inside.__enter__()
        return self._shown

    def __exit__(self, *error: object) -> None:
        if self._shown:
            self._inside.__exit__(None, None, None)
            imgui.end_popup()


class Popups(Base):
    """Widgets that appear over others, and drag and drop."""

    _dragged: dict[str, Any]

    @contextmanager
    def menu(self, label: str, name: str, *, icon: str = "", enabled: bool = True) -> Generator[bool]:
        """Show a menu of a bar or of another menu; the block gets whether it is open."""
        imgui.set_next_window_size_constraints((self.px(200), 0), (9999, 9999))
        shown = bool(imgui.begin_menu(f"{icon}  {label}###{name}" if icon else f"{label}###{name}", enabled))
        self._used(name)
        if shown:
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

    def close_popup(self) -> None:
        """Close the popup whose block runs."""
        imgui.close_current_popup()

    def popup(self, name: str) -> AbstractContextManager[bool]:
        """Draw a popup if it is open."""
        return _Popup(self.inside(name), bool(imgui.begin_popup(f"###{name}")))

    def context_menu(self, name: str) -> AbstractContextManager[bool]:
        """Draw a menu that a right click on the last widget opens."""
        return _Popup(self.inside(name), bool(imgui.begin_popup_context_item(name)))

    def window_menu(self, name: str) -> AbstractContextManager[bool]:
        """Draw a menu that a right click on the empty part of the panel opens."""
        flags = imgui.PopupFlags_.mouse_button_right | imgui.PopupFlags_.no_open_over_items
        return _Popup(self.inside(name), bool(imgui.begin_popup_context_window(name, flags)))

    @contextmanager
    def modal(self, title: str, name: str, *, width: float = 420.0) -> Generator[bool]:
        """Draw a dialogue over everything, if `open_popup(name)` has opened it. The block gets whether it is open."""
        centre = imgui.get_main_viewport().get_center()
        imgui.set_next_window_pos(centre, imgui.Cond_.appearing, (0.5, 0.5))
        wide = min(self.px(width), imgui.get_main_viewport().size.x * 0.96)
        imgui.set_next_window_size_constraints((wide, 0.0), (wide, imgui.get_main_viewport().size.y * 0.96))
        flags = imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.always_auto_resize
        shown, _ = imgui.begin_popup_modal(f"{title}###{name}", None, flags)
        try:
            with self.inside(name):
                yield bool(shown)
        finally:
            if shown:
                imgui.end_popup()

    # Dragging

    def drag_source(self, kind: str, payload: Any, text: str | Callable[[], str]) -> bool:
        """Let the last widget be dragged; return whether it is dragged now.

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
        """Add a line to what is shown beside the pointer while something is dragged."""
        if imgui.begin_tooltip():
            imgui.text_unformatted(text)
            imgui.end_tooltip()

    def drop_target(self, kind: str, *, peek: bool = False) -> Any:
        """Let things be dropped onto the last widget; return the payload when it is dropped, otherwise None.

        peek: return it already while it is over the widget.
        """
        if not imgui.begin_drag_drop_target():
            return None
        flags = imgui.DragDropFlags_.accept_before_delivery if peek else imgui.DragDropFlags_.none
        payload = imgui.accept_drag_drop_payload_py_id(kind, flags)
        imgui.end_drag_drop_target()
        return self._dragged.get(kind) if payload is not None else None

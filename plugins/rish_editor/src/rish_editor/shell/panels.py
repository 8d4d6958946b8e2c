"""Panels: windows of the editor that plugins declare. One that raises is closed; the others and the frame go on."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from imgui_bundle import imgui

from ..look import icons

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI

_log = logging.getLogger("rish.editor")


class Panel(Protocol):
    """What a class of `rish_editor_panels` has. All but `id`, `title` and `draw` may be left out.

    id: begins with the plugin's name, and stays the same. title: in English. icon: a name of `icon`. dock: where it
    stands at first: left, right, bottom, center or float. order: among the panels of one place. open: whether it is
    shown at first. bare: without padding and scroll bars, for pictures.
    """

    id: str
    title: str
    icon: str
    dock: str
    order: int
    open: bool
    bare: bool

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel's content; called in each frame in which it is visible."""
        ...

    def save(self) -> Any:
        """Return what should be kept until the next start, as plain data."""
        ...

    def load(self, data: Any) -> None:
        """Take what `save` returned."""
        ...


@dataclass
class Held:
    """A panel and its window. failed: the error that closed it. visible: whether it was drawn in this frame."""

    panel: Any
    open: bool
    failed: str | None = None
    front: bool = False
    visible: bool = False
    focused: bool = False

    @property
    def id(self) -> str:
        """The panel's id."""
        return self.panel.id

    def option(self, name: str, usual: Any) -> Any:
        """Return an optional member of the panel."""
        return getattr(self.panel, name, usual)


class Panels:
    """All panels. focused: the id of the panel that has the keyboard, "" for none. maximised: of the one that fills the
    window, "" for none.
    """

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._held: dict[str, Held] = {}
        self.focused = ""
        self.maximised = ""
        self._filled = ""

    def __iter__(self) -> Any:
        return iter(self._held.values())

    def __getitem__(self, name: str) -> Any:
        """Return a panel by its id."""
        return self._held[name].panel

    def __contains__(self, name: str) -> bool:
        return name in self._held

    def use(self, classes: Iterable[type], saved: Mapping[str, Any]) -> None:
        """Make the panels of these classes. saved: what panels kept, by id; panels of the same class stay."""
        before, self._held = self._held, {}
        for cls in classes:
            name = cls.id  # pyright: ignore[reportAttributeAccessIssue]
            known = before.get(name)
            if known is not None and type(known.panel) is cls:
                self._held[name] = known
                continue
            try:
                panel: Any = cls()
                if name in saved and hasattr(panel, "load"):
                    panel.load(saved[name])
            except Exception as error:
                self._editor.report(f"The panel '{name}'", error)
                continue
            self._held[name] = Held(panel, bool(getattr(cls, "open", True)))

    def save(self) -> dict[str, Any]:
        """Return what panels want to keep, by id."""
        kept: dict[str, Any] = {}
        for held in self._held.values():
            if hasattr(held.panel, "save"):
                try:
                    kept[held.id] = held.panel.save()
                except Exception as error:
                    self._editor.report(f"The panel '{held.id}'", error)
        return kept

    def is_open(self, name: str) -> bool:
        """Return whether a panel's window exists."""
        return name in self._held and self._held[name].open

    def is_visible(self, name: str) -> bool:
        """Return whether a panel was drawn in the last frame; one behind another tab was not."""
        return name in self._held and self._held[name].visible

    def show(self, name: str, opened: bool = True) -> None:
        """Open a panel and bring it to the front, or close it. An unknown one is ignored."""
        held = self._held.get(name)
        if held is not None:
            held.open, held.front, held.failed = opened, opened, None

    def draw(self) -> None:
        """Draw all open panels."""
        self.focused = ""
        for held in self._held.values():
            held.visible = False
            if held.open:
                self._draw(held)
        full = self._held.get(self.maximised)
        if full is not None:
            self._fill(full)
        self._filled = self.maximised

    def _fill(self, held: Held) -> None:
        """Draw a panel over all others, in a window of its own; theirs keep their places, without content."""
        viewport = imgui.get_main_viewport()
        imgui.set_next_window_pos(viewport.work_pos)
        imgui.set_next_window_size(viewport.work_size)
        if self._filled != held.id:
            imgui.set_next_window_focus()
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings
        padding = (0.0, 0.0) if held.option("bare", False) else imgui.get_style().window_padding
        imgui.push_style_var(imgui.StyleVar_.window_padding, padding)
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.begin(f"###{held.id}.full", None, flags)
        imgui.pop_style_var(2)
        self._inside(held)
        imgui.end()

    def _draw(self, held: Held) -> None:
        editor, ui = self._editor, self._editor.ui
        held.focused = False
        bare = held.option("bare", False)
        flags = imgui.WindowFlags_.no_collapse
        if bare:
            flags |= imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse
            flags |= imgui.WindowFlags_.no_nav_inputs  # arrow keys move what is selected
            imgui.push_style_var(imgui.StyleVar_.window_padding, (0.0, 0.0))
        if held.front:
            imgui.set_next_window_focus()
            held.front = False
        imgui.set_next_window_size((ui.px(420), ui.px(360)), imgui.Cond_.first_use_ever)
        label = f"{icons.by_name(held.option('icon', ''))}  {editor.tr(held.panel.title)}###{held.id}"
        visible, still = imgui.begin(label, True, flags)
        if bare:
            imgui.pop_style_var()
        held.open = bool(still)
        if visible and not self.maximised:
            self._inside(held)
        imgui.end()

    def _inside(self, held: Held) -> None:
        """Draw a panel's content into the window that was begun."""
        held.focused = bool(imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows))
        if held.focused:
            self.focused = held.id
        held.visible = True
        place, size = imgui.get_window_pos(), imgui.get_window_size()
        self._editor.ui.mark_area(held.id, place.x, place.y, place.x + size.x, place.y + size.y)
        self._content(held)

    def _content(self, held: Held) -> None:
        editor, ui = self._editor, self._editor.ui
        if held.failed is not None:
            ui.empty(editor.tr("This panel has failed"), held.failed, icons.ERROR)
            if ui.button(editor.tr("Try again"), f"{held.id}/retry"):
                held.failed = None
            return
        state = imgui.internal.ErrorRecoveryState()
        imgui.internal.error_recovery_store_state(state)
        path = list(ui._path)
        try:
            with ui.inside(held.id):
                held.panel.draw(ui, editor)
        except Exception as error:
            imgui.internal.error_recovery_try_to_recover_state(state)
            ui._path[:] = path
            held.failed = f"{type(error).__name__}: {error}"
            editor.report(editor.tr("The panel '{name}'", name=held.panel.title), error)

"""The base class of all groups of widgets: identifiers, marks, and the style of the editor."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from ...look import icons
from ..marks import Marks, Place

if TYPE_CHECKING:
    from ...look.fonts import Fonts
    from ...look.theme import Theme
    from ..values.carets import Carets

Color = tuple[float, float, float, float]
Tip = str | Callable[[], str]
"""The text of a tooltip, or a function that returns it, which is called only while it is shown."""
_FOR_TOOLTIP = int(imgui.HoveredFlags_.for_tooltip)
Failure = (Exception, SystemExit)
"""The exceptions of parts of the interface that do not end the editor."""


class _Inside(AbstractContextManager[None]):
    """The context manager of `inside`. A class, because it is entered a hundred times a frame, and a generator is three
    times as slow."""

    __slots__ = ("_name", "_path")

    def __init__(self, path: list[str], name: str) -> None:
        self._path, self._name = path, name

    def __enter__(self) -> None:
        imgui.push_id(self._name)
        self._path.append(self._name)

    def __exit__(self, *error: object) -> None:
        self._path.pop()
        imgui.pop_id()


class _Isolated(AbstractContextManager[None]):
    """See `Base.isolated`. A class, like `_Inside`."""

    __slots__ = ("_before", "_sizes", "_stacks", "_state", "_window")

    def __init__(self, *stacks: list[Any]) -> None:
        self._stacks, self._before = stacks, [list(stack) for stack in stacks]
        self._state = imgui.internal.ErrorRecoveryState()

    def __enter__(self) -> None:
        imgui.internal.error_recovery_store_state(self._state)
        self._window = imgui.get_current_context().current_window
        self._sizes = [len(stack) for stack, _ in self._of_window()]

    def __exit__(self, *error: object) -> None:
        imgui.internal.error_recovery_try_to_recover_state(self._state)
        for (stack, pop), size in zip(self._of_window(), self._sizes, strict=True):
            for _ in range(len(stack) - size):
                pop()
        for stack, before in zip(self._stacks, self._before, strict=True):
            stack[:] = before

    def _of_window(self) -> list[tuple[Any, Callable[[], object]]]:
        """Return the stacks of Dear ImGui that it does not restore after an error, and the function that pops each."""
        data, lines = self._window.dc, self._window.draw_list
        return [
            (lines._clip_rect_stack, lines.pop_clip_rect),
            (data.item_width_stack, imgui.pop_item_width),
            (data.text_wrap_pos_stack, imgui.pop_text_wrap_pos),
        ]


class Base:
    """The state of the interface that widgets share.

    marks: the places of widgets. gesture: a number that changes when the user begins to use another widget; edits
    with the same number belong together. scale: of the interface.
    """

    marks: Marks
    theme: Theme
    fonts: Fonts
    scale: float
    gesture: int
    _path: list[str]
    _parts: list[tuple[int, float]]
    _carets: Carets

    @property
    def raw(self) -> Any:
        """The module `imgui` of imgui-bundle, for functions that this class lacks. Its names may change with the
        package."""
        return imgui

    def px(self, units: float) -> float:
        """Return a length at the scale of the interface."""
        return units * self.scale

    def icon(self, name: str) -> str:
        """Return an icon by its name, such as `camera`, for labels and gizmos."""
        return icons.by_name(name)

    def high(self, units: float, rest: float = 150.0) -> float:
        """Return a height at the scale of the interface, limited so that a popup with it fits into the window.

        rest: the height of the other content of the popup, units.
        """
        room = imgui.get_main_viewport().work_size.y - 2 * imgui.get_style().display_safe_area_padding.y
        return min(self.px(units), max(room - self.px(rest), self.px(60)))

    def inside(self, name: str | int) -> AbstractContextManager[None]:
        """Prefix the identifiers and marks of the block with a name."""
        return _Inside(self._path, str(name))

    @contextmanager
    def disabled(self, off: bool = True) -> Generator[None]:
        """Show the widgets of the block as disabled, if `off`."""
        if not off:
            yield
            return
        imgui.begin_disabled()
        try:
            yield
        finally:
            imgui.end_disabled()

    def mark(self, name: str, *, enabled: bool = True) -> None:
        """Store the place of the last widget under a name, below the names of `inside`."""
        if self.marks.on:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            self.marks.put("/".join([*self._path, name]), Place(low.x, low.y, high.x, high.y, enabled))

    def mark_area(self, name: str, left: float, top: float, right: float, bottom: float) -> None:
        """Store a place that is no widget, such as a handle of a gizmo; units of the window, y down."""
        if self.marks.on:
            self.marks.put("/".join([*self._path, name]), Place(left, top, right, bottom))

    def tooltip(self, text: Tip) -> None:
        """Show a tooltip beside the pointer while it rests on the last widget; its style is that of tooltips, not that
        of the widget."""
        if text and imgui.is_item_hovered(_FOR_TOOLTIP):
            imgui.begin_tooltip()
            imgui.push_style_color(imgui.Col_.text, self.theme.rgba("text"))
            with self.fonts.style("body"):
                imgui.push_text_wrap_pos(imgui.get_font_size() * 24)
                imgui.text_unformatted(text() if callable(text) else text)
                imgui.pop_text_wrap_pos()
            imgui.pop_style_color()
            imgui.end_tooltip()

    def _used(self, name: str, tooltip: Tip = "", *, enabled: bool = True) -> None:
        """Finish a widget: store its mark, show its tooltip, and count gestures."""
        if self.marks.on:
            self.mark(name, enabled=enabled)
        if tooltip:
            self.tooltip(tooltip)
        if imgui.is_item_activated():
            self.gesture += 1

    # What the pointer does with the last widget

    def hovered(self) -> bool:
        """Return whether the pointer is over the last widget."""
        return bool(imgui.is_item_hovered())

    def double_clicked(self) -> bool:
        """Return whether the last widget was clicked twice."""
        return bool(imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left))

    def active(self) -> bool:
        """Return whether the last widget, or one of the last group, is active: pressed, dragged or typed into."""
        return bool(imgui.is_item_active())

    def finished(self) -> bool:
        """Return whether the user has just stopped using the last widget after a change."""
        return bool(imgui.is_item_deactivated_after_edit())

    def ended(self) -> bool:
        """Return whether the user has just stopped using the last widget, with or without a change."""
        return bool(imgui.is_item_deactivated())

    @property
    def ctrl(self) -> bool:
        """Whether Ctrl is held (Cmd on macOS)."""
        return bool(imgui.get_io().key_ctrl)

    @property
    def shift(self) -> bool:
        """Whether Shift is held."""
        return bool(imgui.get_io().key_shift)

    @property
    def alt(self) -> bool:
        """Whether Alt is held."""
        return bool(imgui.get_io().key_alt)

    @property
    def wheel(self) -> float:
        """How far the wheel was turned in this frame, notches."""
        return float(imgui.get_io().mouse_wheel)

    @property
    def appearing(self) -> bool:
        """Whether the popup or area that is drawn has just appeared, so that its first field takes the keyboard
        focus."""
        return bool(imgui.is_window_appearing())

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard focus."""
        return bool(imgui.get_io().want_text_input)

    def pressed(self, key: str, *, again: bool = False) -> bool:
        """Return whether a key was pressed in this frame, by its name in Dear ImGui, such as `escape` or `enter`.

        again: also while it is held, as the system repeats it.
        """
        return bool(imgui.is_key_pressed(getattr(imgui.Key, key), again))

    # Failures

    def isolated(self) -> AbstractContextManager[None]:
        """Close the windows, tables, popups, styles and clips that the block has left open, also if it raises."""
        return _Isolated(self._path, self._parts)

    def safely(self, draw: Callable[[], object]) -> BaseException | None:
        """Call a function that draws; return its error, or None. What it has left open is closed, see `isolated`."""
        try:
            with self.isolated():
                draw()
        except Failure as error:
            return error
        return None

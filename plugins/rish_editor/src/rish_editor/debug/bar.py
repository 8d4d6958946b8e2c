"""The bar over a running game: buttons of panels, and for pause and step. It can be moved and folded."""

from __future__ import annotations

from imgui_bundle import imgui

from rish_core import App

from ..look import icons
from ..session.editor import Editor

_FLAGS = (
    imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_focus_on_appearing | imgui.WindowFlags_.no_nav
)  # fmt: skip
_EDGE = 6.0
"""Units between the bar and the upper edge, at first."""


class Bar:
    """The bar. key: the name of the key that hides the overlay. folded: whether only the buttons for pause and step are
    shown."""

    def __init__(self, app: App, key: str, *, folded: bool = False) -> None:
        self._app, self._key = app, key
        self.folded = folded
        self._size = (0.0, 0.0)

    def draw(self, editor: Editor) -> None:
        """Draw the bar; it stays inside of a window that became smaller."""
        ui, room = editor.ui, imgui.get_main_viewport()
        imgui.set_next_window_pos((room.work_size.x / 2, ui.px(_EDGE)), imgui.Cond_.first_use_ever, (0.5, 0.0))
        imgui.push_style_color(imgui.Col_.window_bg, ui.theme.rgba("bar"))
        imgui.push_style_var(imgui.StyleVar_.window_padding, (ui.px(6), ui.px(4)))
        imgui.begin("##debug", None, _FLAGS)
        with ui.inside("debug"):
            self._place(editor)
            if not self.folded:
                self._panels(editor)
            self._time(editor)
        size = imgui.get_window_size()
        self._size = size.x, size.y
        imgui.end()
        imgui.pop_style_var()
        imgui.pop_style_color()

    def _place(self, editor: Editor) -> None:
        """Draw the grip that moves the bar and the button that folds it."""
        ui, tr = editor.ui, editor.tr
        ui.icon_button(icons.DRAG, "move", tr("Move the bar"))
        at, room = imgui.get_window_pos(), imgui.get_main_viewport().work_size
        x, y = at.x, at.y
        if imgui.is_item_active():
            by = imgui.get_io().mouse_delta
            x, y = x + by.x, y + by.y
        x = min(max(x, 0.0), max(room.x - self._size[0], 0.0))
        y = min(max(y, 0.0), max(room.y - self._size[1], 0.0))
        if (x, y) != (at.x, at.y):
            imgui.set_window_pos((x, y))
        ui.same_line(2)
        icon, tip = (icons.RIGHT, tr("Show the panels' buttons")) if self.folded else (icons.LEFT, tr("Fold the bar"))
        if ui.icon_button(icon, "fold", tip):
            self.folded = not self.folded

    def _panels(self, editor: Editor) -> None:
        for window in editor.panels:
            self._next(editor)
            icon = icons.by_name(window.option("icon", ""))
            if editor.ui.icon_button(icon, window.id, editor.tr(window.panel.title), active=window.open):
                editor.panels.show(window.id, not window.open)

    def _time(self, editor: Editor) -> None:
        ui, tr, clock = editor.ui, editor.tr, self._app.clock
        self._next(editor, 10)
        if ui.icon_button(icons.PLAY if clock.paused else icons.PAUSE, "pause", tr("Pause"), active=clock.paused):
            clock.pause(not clock.paused)
        self._next(editor)
        if ui.icon_button(icons.STEP, "step", tr("Run one tick, then stand still")):
            clock.pause()
            clock.request_steps()
        for text in (tr("tick {tick}", tick=f"{self._app.world.tick:,}"), tr("{key} hides", key=self._key)):
            if not self.folded and self._next(editor, 10, imgui.calc_text_size(text).x, wrap=False):
                ui.text(text, "dim")

    def _next(self, editor: Editor, gap: float = 2, width: float | None = None, *, wrap: bool = True) -> bool:
        """Go on beside the last item, or in a new row where the game's window has no room for more.

        width: of what follows, units; None for a button. wrap: whether there may be a new row. Returns False without
        room.
        """
        ui = editor.ui
        width = imgui.get_frame_height() if width is None else width
        begin = imgui.get_item_rect_max().x - imgui.get_window_pos().x + ui.px(gap)
        fits = begin + width + ui.px(6) <= imgui.get_main_viewport().work_size.x
        if fits:
            ui.same_line(gap)
        return fits or wrap

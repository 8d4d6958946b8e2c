"""UI: the widgets that panels and inspectors draw with, in immediate mode.

    if ui.button(tr("Heal"), "heal"):
        ...
    new = ui.number("speed", speed, low=0)
    if new is not None:
        speed = new

Plugins use Dear ImGui through this class only: names of imgui-bundle may change with its versions, those of this class
do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .code import Codes
from .marks import Marks
from .values import Values
from .values.carets import Carets
from .values.numbers import Typing
from .widgets.buttons import Buttons
from .widgets.canvas import Canvases
from .widgets.image_views import Pictures
from .widgets.layout import Layout
from .widgets.popups import Dialogue, Popups
from .widgets.prompt import Prompts
from .widgets.properties import Properties
from .widgets.rows import Rows
from .widgets.texts import Texts

if TYPE_CHECKING:
    from ..look.fonts import Fonts
    from ..look.theme import Theme


class UI(Texts, Buttons, Values, Layout, Properties, Pictures, Popups, Rows, Prompts, Canvases, Codes):
    """All widgets. Created by the editor, once for a window."""

    def __init__(self, theme: Theme, fonts: Fonts, marks: Marks | None = None, scale: float = 1.0) -> None:
        self.theme = theme
        self.fonts = fonts
        self.marks = marks or Marks()
        self.scale = scale
        self.gesture = 0
        self._path: list[str] = []
        self._dragged: dict[str, Any] = {}
        self._dialogue = Dialogue()
        self._typing = Typing()
        self._carets = Carets()
        self._tabbed = False
        self._heights: dict[int, float] = {}
        self._parts: list[tuple[int, float]] = []
        self._pressed_at: Any = None
        self._dragged_line = ""
        self._held: tuple[str, int] | None = None
        self._after_line = False

"""A window that opens before its game is loaded: title, bar and background, while plugins and libraries are imported.

`rish run` opens it first, by the entry-point group `rish.windows`, and calls `answer` between imports. The backend that
the game uses then takes the window. Importing this module loads neither numpy nor Pillow.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from ctypes import c_float
from typing import Any

from rish_ecs import parse_color
from rish_frame import BackendError

from ....backends.arcade import gl
from ....backends.arcade.window import offered
from ....backends.arcade.window.picture import WindowPicture
from .layout import Rgba, bar_in, colors_on

BACKENDS = ("arcade", "software_window")
"""The backends that take the window."""
DEFAULT_BACKGROUND = (0.06, 0.07, 0.10)
"""That of `RenderSettings`, a class that is not imported yet."""
_INTERVAL = 0.05
"""Seconds between two looks for events."""
_WAIT_FACTOR, _MAX_WAIT = 50, 0.5
"""The next picture waits this many times as long as the last one took, so that a slow driver delays the game by 2 % at
most; the second number limits the wait, seconds.
"""
_log = logging.getLogger("rish.render")


def open_early(title: str, size: tuple[int, int], settings: Mapping[str, Any]) -> EarlyWindow | None:
    """Return a window that shows the loading screen, or None if no window can be opened.

    size: width and height in pixels. settings: those of the plugin as the manifest has them, unchecked.
    """
    if not gl.has_display():
        return None
    language = settings.get("language")
    try:
        native = gl.open_window(title, size)
    except BackendError as error:
        _log.info("no window opens before the game is loaded: %s", error)
        return None
    early = EarlyWindow(native, title, _background_of(settings), language if isinstance(language, str) else "")
    offered.offer(native, size, early.leave)
    early.answer()
    return early


def _background_of(settings: Mapping[str, Any]) -> Sequence[float]:
    background = settings.get("background")
    try:
        given = parse_color(background) if isinstance(background, str) else [float(part) for part in background or ()]
    except (TypeError, ValueError):
        return DEFAULT_BACKGROUND
    return given if len(given) >= 3 else DEFAULT_BACKGROUND


class EarlyWindow:
    """A window that shows the loading screen of a game until a backend takes it. native: the pyglet window."""

    def __init__(self, native: Any, title: str, background: Sequence[float], language: str) -> None:
        self._native, self._title = native, title
        self._background, self._language = tuple(background[:3]), language
        self._colors = colors_on(background)
        self._gl: Any = gl.raw()
        self._card: WindowPicture | None = None
        self._closed, self._next, self._next_picture = False, 0.0, 0.0
        native.push_handlers(
            on_close=self._close_requested,
            on_key_press=lambda *_: True,  # pyglet's own handler closes the window on ESCAPE
            on_resize=lambda *_: True,
        )

    def _close_requested(self) -> bool:
        self._closed = True
        return True

    def draw_title(self) -> None:
        """Add the title in letters, which takes the import of Pillow and of the fonts."""
        from .card import card_of

        size = self._native.get_framebuffer_size()
        card = card_of(self._background, self._language, self._title, size)
        image = card.paint("loading the game")
        if offered.is_offered(self._native):
            self._native.switch_to()
            self._card = WindowPicture()
            self._card.put(image.tobytes(), size)
            self._next = self._next_picture = 0.0
            self.answer()

    def answer(self) -> bool:
        """Answer the events of the window, and move the bar, at most twenty times a second.

        Return False if a person closed the window. Does nothing after a backend has taken it.
        """
        begin = time.perf_counter()
        if begin >= self._next and offered.is_offered(self._native):
            self._native.switch_to()
            self._native.dispatch_events()
            if begin >= self._next_picture:
                self._paint()
                end = time.perf_counter()
                self._next_picture = end + min(_WAIT_FACTOR * (end - begin), _MAX_WAIT)
            self._next = time.perf_counter() + _INTERVAL
        return not self._closed

    def close(self) -> None:
        """Close the window, unless a backend has taken it."""
        offered.withdraw(self._native)

    def _paint(self) -> None:
        """Paint the card if there is one, otherwise the background, and the bar over it."""
        native, functions = self._native, self._gl
        size = native.get_framebuffer_size()
        bar = bar_in(size)
        top = size[1] - round(bar.top)
        bottom = top - bar.height - 1  # as Pillow, whose rectangles contain their last row and column
        self._fill((0, 0, *size), self._colors.background)
        if self._card is not None:
            self._card.show(size)
        self._fill((round(bar.left), bottom, round(bar.right) + 1, top), self._colors.faint)
        left, right = bar.glint(0.0)
        self._fill((round(left), bottom, round(right) + 1, top), self._colors.glint)
        functions.glDisable(functions.GL_SCISSOR_TEST)
        native.flip()

    def _fill(self, box: tuple[int, int, int, int], color: Rgba) -> None:
        """Fill a box: left, bottom, right and top in pixels, y up."""
        functions, (left, bottom, right, top) = self._gl, box
        functions.glEnable(functions.GL_SCISSOR_TEST)
        functions.glScissor(left, bottom, right - left, top - bottom)
        functions.glClearBufferfv(functions.GL_COLOR, 0, (c_float * 4)(*(part / 255 for part in color)))

    def leave(self) -> None:
        """Remove the handlers and the OpenGL objects, because a backend takes the window."""
        self._native.pop_handlers()
        if self._card is not None:
            self._native.switch_to()
            self._card.delete()
            self._card = None

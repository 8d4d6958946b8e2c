"""The loading screen: the image that a window shows before a scene's first picture, and the window events in this time.

Plugins paint an image (`rish_loading`), which is shown through the verbs of any backend that draws with a graphics
card. A backend that draws with kernels can't draw before these are compiled, so it has the verb `splash`, or shows
nothing.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..backend import Backend
from ..frame.batches import Batch
from ..frame.frame import Frame
from ..frame.instances import MAX_SPRITE_SIZE, pack_sprites

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.frame")
_PAGE = 60_000
"""The number of the page with the image, far beyond those of games."""
_INTERVAL = 0.05
"""Seconds between two images; a person notices a standstill of a tenth of a second."""
_WAIT_FACTOR, _MAX_WAIT = 4, 0.2
"""The next image waits this many times as long as the last one took to draw, so that loading is hardly slower; the
second number limits the wait, seconds.
"""


_MAX_SPRITE = int(MAX_SPRITE_SIZE)


class LoadingScreen:
    """Shows progress in a window, see `FrameHost.show_progress`."""

    def __init__(self, app: App, backend: Backend) -> None:
        self._app, self._backend = app, backend
        self._next = 0.0
        self._shown = False

    def show(self, done: int, total: int, what: str) -> None:
        """Show how far the scene is prepared, at most twenty times a second; see `Host.show_progress`."""
        start = time.perf_counter()
        if start < self._next or not {"materials", "splash"} & self._backend.capabilities:
            return
        self._paint(done, total, what)
        end = time.perf_counter()
        self._next = end + max(_INTERVAL, min(_MAX_WAIT, _WAIT_FACTOR * (end - start)))

    def _paint(self, done: int, total: int, what: str) -> None:
        size = self._backend.size
        app, title = self._app, self._app.manifest.title
        arguments = {"world": app.world, "title": title, "size": size, "done": done, "total": total, "what": what}
        result = app.plugins.first("rish_loading", **arguments)
        if result is None:
            return
        plugin, image = result
        problem = _wrong(image, size)
        if problem is not None:
            self._app.plugins.fail(plugin, "rish_loading", TypeError(problem))
            return
        if "splash" in self._backend.capabilities:
            cast("Any", self._backend).splash(image)
            return
        self._backend.image(_PAGE, image)
        self._backend.draw(_frame_of(size))
        self._backend.present()
        self._shown = True

    def hide(self) -> None:
        """Free the image if one was shown. Until then each replaces the last, so that the pages do not grow."""
        if self._shown:
            self._backend.free(_PAGE)
            self._shown = False


def _frame_of(size: tuple[int, int]) -> Frame:
    """Return a frame in which the page covers the screen."""
    width, height = size
    frame = Frame(size)
    frame.set_frames([[_PAGE, 0, 0, width, height, 0]])
    middle, unit = (width / 2, height / 2), float(-(-max(size) // _MAX_SPRITE))
    packed = pack_sprites(*middle, width, height, origin=middle, unit=unit)
    frame.add(Batch("sprites", {"instances": packed}, origin=middle, unit=unit, filter="nearest"))
    return frame


def _wrong(image: Any, size: tuple[int, int]) -> str | None:
    """Return the mistake in a plugin's answer as a sentence, or None."""
    shape = (size[1], size[0], 4)
    if isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.shape == shape:  # pyright: ignore
        return None
    return f"rish_loading must return pixels, uint8 {shape}, or None"

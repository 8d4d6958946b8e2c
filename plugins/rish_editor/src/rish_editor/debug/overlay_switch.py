"""The switch of the overlay: while it is off, a game with the plugin `debug` costs as much as without it."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from ..ui.host import HANDLED
from ..ui.keys import key_code

if TYPE_CHECKING:
    from rish_core import App

    from ..session.log import LogBuffer
    from .overlay import Overlay

_log = logging.getLogger("rish.editor")
USUAL = "F12"


class Switch:
    """Shows and hides the overlay. shown: whether it is drawn. marks: whether widgets are marked, for tests."""

    def __init__(self, app: App, log: LogBuffer, key: str, *, shown: bool) -> None:
        self._app = app
        self._host: Any = app.host
        self._log = log
        self._window: Any = self._host.backend.window
        self._key, self._code = self._known(key)
        self._down = False
        self.marks = False
        self.shown = False
        self.overlay: Overlay | None = None
        self.seconds = 0.0
        self._handlers = {"on_key_press": self._press, "on_key_release": self._release}
        log.attach()
        self._host.overlays.append(self._draw)
        self._window.push_handlers(**self._handlers)
        if shown:
            self.show()

    def _known(self, name: str) -> tuple[str, int]:
        try:
            return name, key_code(name)
        except KeyError:
            _log.warning("settings.debug.key: no key is called %r, so it is %s", name, USUAL)
            return USUAL, key_code(USUAL)

    def show(self, shown: bool = True) -> None:
        """Show or hide the overlay."""
        self.shown = shown
        if self.overlay is None:
            if not shown:
                return
            from .overlay import Overlay

            self._window.switch_to()
            self.overlay = Overlay(self._app, self._log, self._key, marks=self.marks)
        self._window.remove_handlers(**self._handlers)  # those of the overlay come below, or its fields took the key
        self.overlay.guest.listen(shown)
        self._window.push_handlers(**self._handlers)

    def close(self) -> None:
        """Free everything; the game goes on without the overlay."""
        self._host.overlays.remove(self._draw)
        self._window.remove_handlers(**self._handlers)
        self._log.detach()
        if self.overlay is not None:
            self.overlay.close()

    def _draw(self) -> None:
        if self.shown and self.overlay is not None:
            begin = time.perf_counter()
            self.overlay.draw()
            self.seconds = time.perf_counter() - begin

    def _press(self, code: int, modifiers: int) -> bool | None:
        if code != self._code:
            return None
        self._down = True
        self.show(not self.shown)
        return HANDLED

    def _release(self, code: int, modifiers: int) -> bool | None:
        if code != self._code or not self._down:
            return None
        self._down = False
        return HANDLED

"""Prepares the kernels of a scene before it is played, or in parts between its first frames."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .loop.session import Session
from .manifest.progress import tell

if TYPE_CHECKING:
    from .app import App


class WarmUp:
    """Prepares the scenes of a game. ask: calls a method of its host. on: if False, nothing is prepared."""

    def __init__(self, app: App, ask: Callable[..., Any], *, on: bool) -> None:
        self._app, self._ask, self._on = app, ask, on
        self._steps: Iterator[object] = iter(())

    def begin_scene(self) -> float:
        """Prepare the current scene; return the seconds that it took.

        In a window whose kernels are compiled nothing is done yet, so that the first picture shows sooner; `go_on`
        prepares a part in each frame, so that no picture stands still.
        """
        kernels = self._app.kernels
        kernels.gather(self._app.world)
        self._steps = self._prepare() if self._on else iter(())
        return 0.0 if self._app.windowed and kernels.ready(kernels.wanted) else self.go_on(float("inf"))

    def go_on(self, seconds: float) -> float:
        """Prepare for some seconds, at least one feature; return the seconds that it took."""
        begin = time.perf_counter()
        for _ in self._steps:
            if time.perf_counter() - begin > seconds:
                break
        return time.perf_counter() - begin

    def _prepare(self) -> Iterator[object]:
        """Prepare a scene, one feature for each step; then other scenes are prepared in the background."""
        app = self._app
        yield from app.kernels.prepare_scene(app.features(), self.show_progress)
        if app.windowed and len(app.game.scenes) > 1:
            app.kernels.compile_others(app.host.may_draw)

    def show_progress(self, done: int, total: int) -> bool:
        """Show how many kernels are compiled. Return False if the game has to end."""
        tell("preparing kernels, only once:", done, total)
        if not self._ask("show_progress", done, total):
            self._app.world[Session].quit = True
        return self._app.running

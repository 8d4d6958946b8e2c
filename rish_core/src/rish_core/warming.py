"""Prepares a scene before it is played: shows the progress of loading and compiles kernels, some between frames."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rish_ecs import kind_of

from .loop.session import Session
from .manifest.progress import tell_progress

if TYPE_CHECKING:
    from .app import App
    from .manifest.plan import SpawnPlan
    from .plugin.kernels import Functions

_KEEP_PICTURE_SECONDS = 1.0
"""Seconds for which the last picture stays when a scene changes during play; then a progress bar is shown."""
_BAR_LENGTH, _FILES_LENGTH = 1000, 600
"""The length of the progress bar, and the part of it for the files of the scene."""


class WindowClosed(KeyboardInterrupt):
    """Raised when a person closes the window while a game is loading, so that loading ends immediately."""


class WarmUp:
    """Prepares the scenes of a game. ask: calls a host method by name. on: if False, no kernels are prepared."""

    def __init__(self, app: App, ask: Callable[..., Any], *, on: bool) -> None:
        self._app, self._ask, self._on = app, ask, on
        self._steps: Iterator[object] = iter(())
        self._files, self._read = set[str](), set[str]()
        self._loading, self._wait, self._next = False, 0.0, 0.0

    def begin_loading(self, plan: SpawnPlan | None = None) -> None:
        """Show the progress that `tell` reports, until `end_loading`. plan: that of the scene; None: no scene yet."""
        if self._app.windowed:
            self._files, self._read = (_files_of(plan) if plan is not None else set[str]()), set[str]()
            self._loading, self._next = True, time.perf_counter() + self._wait
            self.tell("")

    def begin_picture(self) -> None:
        """Show that the scene's first picture is being drawn; during play the picture of the last scene stays."""
        if not self._wait:
            self.tell("the first picture", 1.0)

    def end_loading(self) -> None:
        """End the display of progress, because the scene's first picture is shown."""
        self._loading, self._wait = False, _KEEP_PICTURE_SECONDS

    def tell(self, what: str, share: float | None = None) -> None:
        """Show progress while a scene is loaded. what: the file or activity. share: the part of all work done, 0..1.

        Without `share` it is computed from the files read so far. Raises WindowClosed if the window was closed.
        """
        if share is None:
            share = _FILES_LENGTH / _BAR_LENGTH * len(self._read & self._files) / max(len(self._files), 1)
            self._read.add(what)
        if not self._loading or time.perf_counter() < self._next:
            return
        if not self._ask("show_progress", round(_BAR_LENGTH * share), _BAR_LENGTH, what or "the game"):
            self._app.world[Session].quit = True
            raise WindowClosed

    def begin_scene(self) -> float:
        """Prepare the current scene; return the seconds that it took.

        In a window whose kernels are compiled already, `go_on` prepares a part in each frame instead, so that the first
        picture shows sooner. Only the features that draw are prepared before the first scene, because building their
        shaders would delay a frame.
        """
        kernels = self._app.kernels
        kernels.gather(self._app.world)
        self._steps = self._prepare() if self._on else iter(())
        if not (self._app.windowed and kernels.ready(kernels.wanted)):
            return self.go_on(float("inf"))
        return self._prepare_drawing() if self._on and self._loading and not self._wait else 0.0

    def _prepare_drawing(self) -> float:
        begin, share, kernels = time.perf_counter(), _FILES_LENGTH / _BAR_LENGTH, self._app.kernels
        draws: Functions = self._ask("warm_up", self._app.world)
        self.tell("what draws", share)
        for number, _ in enumerate(kernels.prepare_scene(draws, self.show_progress), 1):
            self.tell("what draws", share + (1 - share) * number / (len(draws) + 1))
        return time.perf_counter() - begin

    def go_on(self, seconds: float) -> float:
        """Prepare features for about `seconds`, at least one; return the seconds that it took."""
        begin = time.perf_counter()
        for _ in self._steps:
            if time.perf_counter() - begin > seconds:
                break
        return time.perf_counter() - begin

    def _prepare(self) -> Iterator[object]:
        """Prepare one feature of the scene for each step; then compile kernels of other scenes in the background."""
        app = self._app
        yield from app.kernels.prepare_scene(app.features(), self.show_progress)
        if app.windowed and len(app.game.scenes) > 1:
            yield from app.kernels.compile_others(app.host.may_draw)

    def show_progress(self, done: int, total: int) -> bool:
        """Show that `done` of `total` kernels are compiled. Return False if the game has to end."""
        tell_progress("preparing kernels, only once:", done, total)
        if not self._ask("show_progress", done, total):
            self._app.world[Session].quit = True
        return self._app.running


def _files_of(plan: SpawnPlan) -> set[str]:
    """Return the files that the fields of a scene's entities name."""
    files: set[str] = set()
    for step in plan.steps:
        for cls, values in step.parts.items():
            fields = kind_of(cls).fields
            files.update(str(value) for name, value in values.items() if fields[name].type.special == "asset" and value)
    return files

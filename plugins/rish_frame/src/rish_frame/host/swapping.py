"""Swapping: replaces the backend that draws, while the game runs.

In a window only backends that show a window are used; in a game without a window all are.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from rish_core import Session, UnknownName, message_of, place_of_error

from ..backend import Backend, open_one, sync_pages
from ..errors import BackendError
from ..frame.frame import Frame
from ..settings import FrameSettings
from .window_keys import WindowKey

if TYPE_CHECKING:
    from rish_core import App

    from .host import FrameHost

_log = logging.getLogger("rish.frame")


class _NoWindow(BackendError):
    """Raised for a backend that shows no window, in a game that has one."""


def open_to_swap(host: FrameHost, app: App, name: str) -> tuple[Backend, dict[int, int]]:
    """Return a backend that is open and has drawn the present frame, and the versions of the pages that it has.

    Raises UnknownName, and BackendError with the reason if it can't be used; it is closed then.
    """
    factories = app.registry.of("rish_backends")
    if name not in factories:
        raise UnknownName(f"no backend is called '{name}'", given=name, choices=factories)
    if name == host.name:
        raise BackendError(f"the backend is '{name}' already")
    factory = factories[name]
    try:
        backend = open_one(factory, app.manifest.title, host.size, not app.headless, app.plugins.needed("backend"))
        try:
            return backend, _try_out(backend, host, app)
        except BaseException:
            backend.close()
            raise
    except Exception as error:
        text = message_of(error)
        message = f"the backend '{name}' can't be used, and '{host.name}' stays: {text}"
        hint = getattr(factory, "install_hint", None)
        raise BackendError(message, where=str(place_of_error(error)), hint=hint) from error


def _try_out(backend: Backend, host: FrameHost, app: App) -> dict[int, int]:
    """Let an open backend draw the present frame; return the versions of the pages that it has."""
    _check(backend, host, app)
    host.add_drawers(backend)
    _compile(backend, host, app)
    frame: Frame = app.world[Frame]
    for array in [array for order in frame.dispatches for array in order.arrays.values()]:
        array.fetch()  # the newest contents are on the device of the present backend
    pages: dict[int, int] = {}
    sync_pages(backend, frame, pages)
    backend.draw(frame)
    backend.present()
    return pages


def _check(backend: Backend, host: FrameHost, app: App) -> None:
    if not app.headless and "window" not in backend.capabilities:
        raise _NoWindow("it shows no window")
    if host.needs_pixels and "pixels" not in backend.capabilities:
        raise BackendError("images of the game are wanted, and it draws none")


def _compile(backend: Backend, host: FrameHost, app: App) -> None:
    """Compile what the backend needs and the cache lacks, while the present backend shows a loading screen."""
    features = host.warm_up_of(backend, app.world)

    def watch(done: int, total: int) -> bool:
        if not host.show_progress(done, total):
            app.world[Session].quit = True
        return app.running

    if not app.kernels.ready(features):
        for _ in app.kernels.prepare_scene(features, watch):
            pass


class SwapKey(WindowKey):
    """The key that swaps to the next backend, `settings: frame: swap_key:`. The game does not get its events."""

    def __init__(self, host: FrameHost) -> None:
        super().__init__(host.app)
        self._host = host
        declared = self._app.registry.of("rish_backends")
        self._on = host.name in declared  # a backend of a tool, such as the editor's, stays
        self._unfit: dict[str, str] = {}

    @property
    def wish(self) -> str:
        """The name of the key in the settings."""
        return str(self._app.world[FrameSettings].swap_key) if self._on else ""

    def act(self) -> None:
        """Swap to the next backend at the next tick border."""
        self._app.world.defer(lambda world: self.swap_to_next())

    def swap_to_next(self) -> None:
        """Swap to the next backend that can be used, and show its name; otherwise show why there is none."""
        host = self._host
        names = [*self._app.registry.of("rish_backends")]
        at = names.index(host.name)
        for name in [*names[at + 1 :], *names[:at]]:
            if name in self._unfit or (name == "null" and not self._app.headless):
                continue
            try:
                host.swap(name)
            except BackendError as error:
                self._unfit[name] = str(error)
                expected = isinstance(error.__cause__, _NoWindow)
                _log.log(logging.DEBUG if expected else logging.WARNING, "%s", error)
                continue
            host.notify(name)
            return
        host.notify(f"only {host.name}")
        _log.warning("no other backend can show this game; '%s' stays", host.name)

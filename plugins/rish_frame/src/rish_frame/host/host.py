"""The host that draws: it sets the Frame's size and time, uploads pages to the backend, and calls it to draw.

This is the drawing part of the loop: the kernel calls a host (`rish_core.Host`), and this host calls a backend.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rish_assets import LogOnce
from rish_core import Host, Input, Profiler, RishError, WindowEvent, describe_error, place_of_error

from ..backend import Backend, DrawStats, sync_pages
from ..errors import BackendError
from ..frame.frame import Frame
from ..paint.labels import labels_of
from ..pictures.capture import Capture
from ..pictures.soundtrack import Soundtrack
from .guarded import GuardedDrawer, report_failure
from .loading import LoadingScreen
from .notice import Notice
from .requests import DeviceRequests, pasted_text
from .samples import draw_kind, gather_samples, kinds_of
from .swapping import SwapKey, open_to_swap
from .touch_pointer import FirstFinger
from .window_keys import FullscreenKey

if TYPE_CHECKING:
    from rish_core import App, World

    from ..frame.fit import Fit

_log = logging.getLogger("rish.frame")
_DEVICE_EVENTS = ("resize", "focus", "gamepad_connected")
"""The kinds of events that tell the state of the window and its devices, and are kept while a scene is loaded."""


class FrameHost(Host):
    """Shows a game's `Frame` through a backend.

    backend: an open backend. reason: why it was chosen. shown: the statistics of the last frame drawn. overlays:
    functions of tools that are called after a frame is drawn and before it is shown, to draw over it. needs_pixels:
    whether images of the game are wanted, so that a backend without them can't be used.
    """

    def __init__(self, app: App, backend: Backend, reason: str, *, needs_pixels: bool = False) -> None:
        self.backend = backend
        self.reason = reason
        self.shown: DrawStats = DrawStats()
        self.overlays: list[Callable[[], object]] = []
        self.needs_pixels = needs_pixels
        self._skipped: dict[str, str] = {}
        self._app = app
        self._profiler: Profiler = app.world[Profiler]
        self._pages: dict[int, int] = {}
        self._skips = LogOnce("rish.frame")
        self._loading = LoadingScreen(app, backend)
        self._notice = Notice()
        self._finger = FirstFinger()
        self._early: list[WindowEvent] = []
        self._pasted: int | None = None
        self._keys = SwapKey(self), FullscreenKey(app, self)
        _log.info("%s", reason)
        self.add_drawers(backend)
        self._frame.size = backend.size

    @property
    def app(self) -> App:
        """The game."""
        return self._app

    @property
    def _frame(self) -> Frame:
        """The frame of the world; a reload may replace it."""
        return self._app.world[Frame]

    @property
    def name(self) -> str:
        """The backend's name."""
        return self.backend.name

    @property
    def windowed(self) -> bool:
        """Whether the backend shows a window."""
        return "window" in self.backend.capabilities and not self._app.headless

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size in pixels."""
        return self.backend.size

    @property
    def fills_screen(self) -> bool:
        """Whether there is a window, and it fills the screen."""
        return "fullscreen" in self.backend.capabilities and cast("Any", self.backend).fullscreen()

    @property
    def has_pixels(self) -> bool:
        """Whether the backend can return the pixels that it drew."""
        return "pixels" in self.backend.capabilities

    @property
    def capabilities(self) -> dict[str, frozenset[str]]:
        """The capabilities of the contract `backend`."""
        return {"backend": self.backend.capabilities}

    @property
    def skipped(self) -> dict[str, str]:
        """The kinds and materials that could not be drawn so far, with reasons."""
        return self._skipped

    def poll(self) -> list[WindowEvent]:
        """Return the window events; pointers are in logical pixels of the frame that was shown last."""
        polled: list[WindowEvent] = self._ask("poll")
        if not (polled or self._early):
            return []
        if any(event.kind == "paste" for event in polled):
            self._pasted = self._app.world.tick
        events = [*self._early, *polled]
        self._early.clear()
        for key in self._keys:
            events = key.taken_from(events)
        fit = self._frame.fit
        return self._finger.follow(events if fit is None else [_in_the_game(event, fit) for event in events])

    def begin(self, world: World) -> None:
        """Clear the frame and set its size and time."""
        self._loading.hide()
        frame = self._frame
        frame.size = self.backend.size
        frame.cell = cast("Any", self.backend).cell if "cells" in self.backend.capabilities else None
        frame.reset()
        frame.time = (world.tick + world.alpha) * world.dt

    def draw(self, world: World) -> DrawStats:
        """Draw the frame, show it, and return the statistics."""
        frame = self._frame
        if frame.cell is not None:
            frame.labels = labels_of(world, frame)
        if frame.dispatches and "compute" not in self.backend.capabilities:
            frame.run_fallbacks()
        stats = self._ask("draw", frame) if not frame.pages and not self._pages else self._draw_pages(frame)
        self._notice.draw(self.backend)
        for overlay in self.overlays:
            overlay()
        self._ask("present")
        requests: DeviceRequests = world[DeviceRequests]
        if requests.locking is not None:
            self._hold_pointer(requests, requests.locking)
        if self._pasted is not None:
            self._drop_answered(requests, self._pasted)
        self._perform(requests.take(world[Input]))
        requests.is_fullscreen = self.fills_screen
        counters = self._profiler.counters
        counters["draw_calls"], counters["instances"] = stats.draw_calls, stats.instances
        counters["bytes_uploaded"], counters["static_batches"] = stats.bytes_uploaded, stats.static_batches
        counters["culled"] = frame.culled
        if stats.skipped:
            self._note(stats)
        self.shown = stats
        return stats

    def warm_up(self, world: World) -> dict[tuple[str, str], Callable[[], object]]:
        """Return functions that draw samples of what the scene may show onto a hidden target, one for each kind.

        The name of a feature consists of backend and kind. Its owner is the plugin that draws the kind.
        """
        return self.warm_up_of(self.backend, world)

    def warm_up_of(self, backend: Backend, world: World) -> dict[tuple[str, str], Callable[[], object]]:
        """Return the functions of `warm_up` for any open backend."""
        frame, name = gather_samples(self._app.plugins, world, backend), _drawing_name(backend)
        return {
            (self._owner_of(name, kind), f"{name} {kind}"): partial(self._draw_sample, backend, frame, kind)
            for kind in kinds_of(frame)
        }

    def may_draw(self, feature: str) -> bool:
        """Return True unless the feature belongs to a backend that does not draw this game."""
        of = feature.partition(" ")[0]
        return of == _drawing_name(self.backend) or ("backend", of) not in self._app.registry.owners

    def show_progress(self, done: int, total: int, what: str = "") -> bool:
        """Show the loading screen in the window, and answer its events. Return False if the player closed it.

        Presses are dropped. Releases are delivered after the loading, otherwise keys would stay down; so are events
        about the window and its devices.
        """
        if not self.windowed:
            return True
        events: list[WindowEvent] = self._ask("poll")
        self._early += [event for event in events if event.releases or event.kind in _DEVICE_EVENTS]
        self._loading.show(done, total, what)
        return all(event.kind != "close" for event in events)

    def _draw_sample(self, backend: Backend, frame: Frame, kind: str) -> None:
        self._note(draw_kind(frame, backend, kind))

    def _owner_of(self, backend: str, kind: str) -> str:
        """Return the plugin that draws a kind: the owner of the drawer, otherwise the owner of the backend."""
        registry = self._app.registry
        drawers = registry.of("rish_drawers").items()
        key = next((key for key, (name, of, _) in drawers if (name, of) == (backend, kind)), None)
        owner = None if key is None else registry.owner("drawer", key)
        return owner or registry.owners.get(("backend", backend), "frame")

    def pixels(self) -> Any:
        """Return the image that was drawn last: uint8 (h, w, 4), the top row first."""
        return self._ask("pixels")

    def record(self, paths: Sequence[Path], dt: float) -> Capture:
        """Return a `Capture` that collects images and writes them to .png, .gif and .mp4 files."""
        if paths and not self.has_pixels:
            raise BackendError(f"--capture needs pictures, and the backend '{self.name}' draws none")
        self.needs_pixels = self.needs_pixels or bool(paths)
        return Capture(paths, dt, self.pixels, self._app.world[Soundtrack])

    def swap(self, name: str) -> None:
        """Draw with another backend from now on, one of those that plugins declare; call it between two ticks.

        It opens with the size of the present one and draws the present frame; only then the present one is closed. The
        state of the game does not change. Raises UnknownName, and BackendError if the backend can't be used; then the
        present one stays in use.
        """
        backend, pages = open_to_swap(self, self._app, name)
        filled = self.fills_screen
        old, self.backend, self._pages = self.backend, backend, pages
        self.reason = f"the backend is '{name}' because it took the place of '{old.name}'"
        self._skipped = {}
        self._skips.forget()
        self._loading = LoadingScreen(self._app, backend)
        self._early.append(WindowEvent("focus", down=False))  # the new window does not know which keys are held
        _log.info("%s", self.reason)
        try:
            self._app.plugins.gather("rish_device_ready", backend=backend, world=self._app.world)
        finally:
            old.close()
        requests: DeviceRequests = self._app.world[DeviceRequests]
        if filled != self.fills_screen:
            requests.fullscreen(filled)
        if requests.is_locked and requests.locking is None:
            requests.lock(True)
        self._app.prepare_scene()

    def notify(self, text: str) -> None:
        """Show a short text over the game for a moment; captures of a game without a window do not contain it."""
        self._notice.show(text)

    def close(self) -> None:
        """Close the backend."""
        self.backend.close()

    def add_drawers(self, backend: Backend, only: Collection[str] | None = None) -> None:
        """Add the plugins' drawers for a backend, and for the one that `draws_like` names, to the backend.

        only: the plugins whose drawers are added; None: all.
        """
        plugins, registry = self._app.plugins, self._app.registry
        names = dict.fromkeys((getattr(backend, "draws_like", ""), backend.name))
        for name in names:
            for key, (of, kind, factory) in registry.of("rish_drawers").items():
                plugin = registry.owner("drawer", key)
                if of != name or plugin not in plugins or (only is not None and plugin not in only):
                    continue
                drawer_title = f"the drawer of {kind!r}"
                try:
                    drawer = GuardedDrawer(factory(), partial(report_failure, self._app, plugin, drawer_title))
                    backend.add_drawer(kind, drawer)
                except KeyboardInterrupt:
                    raise
                except BaseException as error:
                    plugins.fail(plugin, "rish_drawers", error)

    def _ask(self, verb: str, *arguments: Any) -> Any:
        """Call a verb of the backend and measure its time; raise other exceptions than RishError as BackendError."""
        start = time.perf_counter()
        try:
            result = getattr(self.backend, verb)(*arguments)
        except RishError:
            raise
        except Exception as error:
            name = self.backend.name
            owner = self._app.registry.owners.get(("backend", name), "the program")
            raise BackendError(
                f"the backend '{name}' of {owner} failed in {verb}: {describe_error(error)}",
                where=place_of_error(error),
            ) from error
        self._profiler.add_verb(verb, time.perf_counter() - start)
        return result

    def _hold_pointer(self, requests: DeviceRequests, is_locked: bool) -> None:
        """Hold or release the pointer, because the game asked for it."""
        self.backend.configure(lock=is_locked)
        requests.is_locked, requests.locking = is_locked, None

    def _drop_answered(self, requests: DeviceRequests, pasted: int) -> None:
        """Drop a request for the clipboard's text if the window has sent it by itself, for the same keys.

        The event reaches widgets when it is polled, and a game in the next tick. pasted: the tick of the poll.
        """
        requests.pasting = False
        if self._app.world.tick > pasted:
            self._pasted = None

    def _perform(self, calls: Sequence[tuple[str, tuple[Any, ...]]]) -> None:
        """Call verbs that the backend has; a text of the clipboard becomes an event of the next poll."""
        for verb, arguments in calls:
            result = self._ask(verb, *arguments) if verb in self.backend.capabilities else None
            if verb == "read_clipboard" and result:
                self._early.append(WindowEvent("paste", text=pasted_text(result)))

    def _draw_pages(self, frame: Frame) -> DrawStats:
        """Upload the pages that changed, then draw."""
        begin = time.perf_counter()
        uploaded = sync_pages(self.backend, frame, self._pages)
        self._profiler.add_verb("pages", time.perf_counter() - begin)
        stats = self._ask("draw", frame)
        stats.bytes_uploaded += uploaded
        return stats

    def _note(self, stats: DrawStats) -> None:
        """Log the kinds and materials that could not be drawn, each once."""
        for line in stats.sentences:
            self._skips(line)
        self._skipped |= stats.skipped


def _drawing_name(backend: Backend) -> str:
    """Return the name of the backend that draws: another one if this backend passes its frames on."""
    return getattr(backend, "draws_like", "") or backend.name


def _in_the_game(event: WindowEvent, fit: Fit) -> WindowEvent:
    """Return an event with its position, or its motion, converted from the screen to logical pixels."""
    if event.kind == "mouse_motion":
        (x, y), (left, bottom) = fit.to_logical(event.x, event.y), fit.to_logical(0, 0)
        return replace(event, x=x - left, y=y - bottom)
    if not event.has_place:
        return event
    x, y = fit.to_logical(event.x, event.y)
    return replace(event, x=x, y=y)

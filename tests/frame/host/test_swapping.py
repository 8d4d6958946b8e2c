"""Another backend takes the place of the one that draws while the game runs, and the game does not notice it."""

from __future__ import annotations

import gc
import logging
import os
import threading
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import App, Stage, Transform, UnknownName, WindowEvent, system
from rish_frame import BackendError, DeviceRequests, Frame, NullBackend, Page
from rish_frame.host.notice import Notice, paint
from rish_render.backends import make_software

MakeApp = Callable[..., App]
F10, F10_UP = WindowEvent("key", "F10", down=True), WindowEvent("key", "F10")


class Recorder(NullBackend):
    """A backend that records, under a name and with a window or without one."""

    def __init__(self, name: str, *, window: bool = False, events: Any = (), fails: str = "") -> None:
        super().__init__(events=events)
        self.name = name
        self.fails = fails
        if window:
            self.capabilities = NullBackend.capabilities | {"window"}

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Open, or fail."""
        if self.fails == "open":
            raise BackendError("there is no screen")
        super().open(title, size, visible)

    def draw(self, frame: Frame) -> Any:
        """Draw, or fail."""
        if self.fails == "draw":
            raise ValueError("no paint")
        return super().draw(frame)


class Screens:
    """A plugin with backends, which keeps those that were made."""

    def __init__(self, **options: dict[str, Any]) -> None:
        self.made: list[Recorder] = []
        self.ready: list[tuple[str, bool]] = []
        self.options = options

    def rish_backends(self) -> dict[str, Callable[[], Any]]:
        """Return the backends."""
        return {name: lambda name=name: self._make(name) for name in self.options}

    def _make(self, name: str) -> Recorder:
        self.made.append(Recorder(name, **self.options[name]))
        return self.made[-1]

    def rish_device_ready(self, backend: Any) -> None:
        """Note the backend, and whether the one before it is still open."""
        before = self.made[-2] if len(self.made) > 1 else None
        self.ready.append((backend.name, before is None or before.is_open))


TEXT = {"game": {"size": [40, 30], "title": "Swaps"}, "scenes": {"main": [{"Transform": {}}]}}


@system(Stage.UPDATE, writes=Transform)
def move(world: Any, dt: float) -> None:
    """Move things."""
    with world.query(Transform).edit(Transform.position) as position:
        position += 1


def play(rish_app: MakeApp, screens: Any, **options: Any) -> App:
    """Return a game with backends, after a frame."""
    plugins = {"screens": screens, "mover": SimpleNamespace(rish_systems=lambda: [move])}
    app = rish_app({**TEXT, **options.pop("text", {})}, plugins=plugins, **options)
    app.run(1)
    return app


def test_the_next_backend_draws_before_the_former_is_closed(rish_app: MakeApp) -> None:
    """It opens with the same title and size, gets the pages, draws and is announced; then the former one is closed."""
    screens = Screens(one={}, two={})
    app = play(rish_app, screens, backend="one")
    frame: Frame = app.world[Frame]
    frame.pages.append(Page(3, np.zeros((4, 4, 4), np.uint8)))
    app.run(1)
    before = app.world.hash()
    app.host.swap("two")  # pyright: ignore[reportAttributeAccessIssue]
    one, two = screens.made
    assert (app.host.name, app.host.size, two.options["title"]) == ("two", (40, 30), "Swaps")
    assert (list(two.images), two.drawn_frames > 0, two.presented) == ([3], True, 1)
    assert not one.is_open
    assert screens.ready == [("one", True), ("two", True)]
    assert app.world.hash() == before
    app.run(1)
    assert two.presented == 2


@pytest.mark.parametrize(
    ("name", "why"),
    [("shut", "'shut' can't be used, and 'one' stays: there is no screen"), ("dry", "ValueError: no paint"),
     ("one", "is 'one' already")],
)  # fmt: skip
def test_a_backend_that_cannot_be_used_changes_nothing(rish_app: MakeApp, name: str, why: str) -> None:
    """If a backend does not open or draw, the former one stays and the error says why; the other one is closed."""
    screens = Screens(one={}, shut={"fails": "open"}, dry={"fails": "draw"})
    app = play(rish_app, screens, backend="one")
    with pytest.raises(BackendError, match=why):
        app.host.swap(name)  # pyright: ignore[reportAttributeAccessIssue]
    assert [made.name for made in screens.made if made.is_open] == ["one"]
    app.run(1)
    assert app.host.name == "one"
    with pytest.raises(UnknownName, match="no backend is called 'onee'"):
        app.host.swap("onee")  # pyright: ignore[reportAttributeAccessIssue]


def test_images_that_are_wanted_keep_backends_without_them_away(rish_app: MakeApp) -> None:
    """A game that is captured is not swapped to a backend without pixels."""
    screens = SimpleNamespace(rish_backends=lambda: {"software": make_software, "blind": lambda: Recorder("blind")})
    app = play(rish_app, screens, backend="software", pixels=True)
    with pytest.raises(BackendError, match="images of the game are wanted"):
        app.host.swap("blind")  # pyright: ignore[reportAttributeAccessIssue]
    assert app.host.name == "software"


# The key


def test_the_key_swaps_to_the_next_backend_that_can_be_used(rish_app: MakeApp, caplog: Any) -> None:
    """F10 skips those that fail; without a window all are used; the game does not get the key."""
    screens = Screens(one={"events": [(), (F10, F10_UP)]}, shut={"fails": "open"}, two={})
    app = play(rish_app, screens, backend="one", text={"plugins": []})
    heard: list[Any] = []
    app.world.resource("core.TickHooks").before.append(lambda world, record: heard.extend(record.events) or record)
    with caplog.at_level(logging.WARNING):
        app.run(1)
    assert app.host.name == "two"
    assert "'shut' can't be used, and 'one' stays" in caplog.text
    assert [event.kind for event in heard] == []
    app.run(1)
    assert [(event.kind, event.down) for event in heard] == [("focus", False)]


def test_in_a_window_only_backends_with_a_window_are_used(rish_app: MakeApp, caplog: Any) -> None:
    """A game in a window goes on in another window, never without one."""
    windows = {"window": True}
    screens = Screens(one=windows, two={}, three=windows | {"events": [(), (F10,)]})
    app = play(rish_app, screens, backend="one", headless=False, strict=False)
    screens.made[0].send(F10)
    with caplog.at_level(logging.WARNING):
        app.run(1)
    assert app.host.name == "three"
    assert caplog.text == ""
    app.run(2)
    assert app.host.name == "one"
    assert [made.name for made in screens.made if made.is_open] == ["one"]


@pytest.mark.parametrize(
    "text", [{"settings": {"frame": {"swap_key": ""}}}, {"input": {"help": ["F10"]}}], ids=["no key", "the game's"]
)
def test_the_key_can_belong_to_the_game(rish_app: MakeApp, text: dict[str, Any]) -> None:
    """Without a key, or with an action on it, the game gets F10 and no backend is swapped."""
    screens = Screens(one={"events": [(), F10]}, two={})
    app = play(rish_app, screens, backend="one", text=text)
    heard: list[Any] = []
    app.world.resource("core.TickHooks").before.append(lambda world, record: heard.extend(record.events) or record)
    app.run(2)
    assert app.host.name == "one"
    assert heard == [F10]


def test_a_notice_is_drawn_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words are one image over the picture, which is freed when the time is over."""
    now = [0.0]
    monkeypatch.setattr("rish_frame.host.notice.time", SimpleNamespace(perf_counter=lambda: now[0]))
    backend = NullBackend()
    backend.open("", (320, 240))
    notice = Notice()
    notice.draw(backend)
    assert backend.drawn_frames == 0
    notice.show("Two")
    notice.draw(backend)
    assert [each.clears for each in backend.draws[-1].passes] == [()]
    [image] = backend.images.values()
    assert image.tolist() == paint("two", 1).tolist()
    now[0] = 9.0
    notice.draw(backend)
    notice.draw(backend)
    assert backend.images == {}
    assert paint("t", 1)[2:7, 2:5, 0].tolist() == [[255, 255, 255], *[[0, 255, 0]] * 4]


# Many


@pytest.mark.slow
def test_a_hundred_swaps_leave_nothing_behind(rish_app: MakeApp) -> None:
    """The hash is that of a game without swaps; no objects, threads or files are left over."""
    backends = {"software": make_software, "blind": lambda: NullBackend(keep=0)}
    screens = SimpleNamespace(rish_backends=lambda: backends)
    app, other = (play(rish_app, screens, backend="null", strict=False) for _ in range(2))

    def swap(count: int) -> None:
        """Swap, and run a frame with each."""
        for number in range(count):
            app.host.swap(("software", "null")[number % 2])  # pyright: ignore[reportAttributeAccessIssue]
            app.run(1)

    def counted() -> tuple[Counter[str], int, int]:
        app.profiler.frames.clear()
        gc.collect()
        files = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
        return Counter(type(each).__name__ for each in gc.get_objects()), threading.active_count(), files

    swap(20)
    before = counted()
    swap(40)
    middle = counted()
    swap(40)
    objects, threads, files = counted()
    grown = (objects - middle[0]) & (middle[0] - before[0])  # a leak grows each time; a cache of other code only once
    assert {name: count for name, count in grown.items() if count > 10} == {}
    assert threads <= before[1]
    assert files <= before[2]  # files of other tests may have been closed
    other.run(100)
    assert app.world.hash() == other.world.hash()


def test_the_next_window_fills_the_screen_too(rish_app: MakeApp) -> None:
    """A window that filled the screen is followed by one that does."""
    screens = Screens(one={"window": True, "events": [(), F10]}, two={"window": True})
    app = rish_app({}, plugins={"screens": screens}, backend="one")
    app.world[DeviceRequests].fullscreen(True)
    app.run(4)
    assert [(made.name, made.options.get("fullscreen")) for made in screens.made] == [("one", True), ("two", True)]
    assert app.world[DeviceRequests].is_fullscreen

"""The loading screen: what a window shows, and answers, while kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import About, App, Input, WindowEvent
from rish_frame import NullBackend

MakeApp = Callable[..., App]
SIZE = (40, 30)
WHITE = np.full((30, 40, 4), 255, np.uint8)


class Windowed(NullBackend):
    """A backend with a window and shaders."""

    capabilities = NullBackend.capabilities | {"window"}


class Clock:
    """A clock that is moved by hand."""

    now = 10.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock of the loading screen."""
    made = Clock()
    monkeypatch.setattr("rish_frame.host.loading.time", SimpleNamespace(perf_counter=made))
    return made


@pytest.fixture
def load(rish_app: MakeApp, clock: Clock) -> Callable[..., App]:
    """Return a function that opens a game with a window, whose plugin paints loading screens by a function."""

    def make(paint: Callable[..., Any], backend: NullBackend | None = None, **options: Any) -> App:
        mine = SimpleNamespace(rish_loading=lambda title, size, done, total: paint(title, size, done, total))
        app = rish_app(
            {"game": {"size": list(SIZE)}},
            plugins={"mine": mine},
            backend=backend or Windowed(),
            headless=False,
            **options,
        )
        backend_calls(app).clear()
        return app

    return make


def backend_calls(app: App) -> list[tuple[str, dict[str, Any]]]:
    """Return the recorded calls of the backend."""
    return app.host.backend.calls


def test_a_plugins_image_covers_the_window(load: Callable[..., App]) -> None:
    """The image of the first plugin that paints is shown over the complete window."""
    asked: list[Any] = []

    def paint(*given: Any) -> Any:
        asked.append(given)
        return WHITE

    app = load(paint)
    shown = app.host.backend.presented
    assert app.host.show_progress(3, 9)
    assert asked == [(app.manifest.title, SIZE, 3, 9)]
    (sprite,) = app.host.backend.drawn("sprites")
    packed = sprite.arrays["instances"]
    assert (packed["w"] / 16, packed["h"] / 16) == (SIZE[0], SIZE[1])
    assert app.host.backend.presented == shown + 1


def test_all_images_use_one_page(load: Callable[..., App], clock: Clock) -> None:
    """Each image replaces the last on its page, and the page is freed when the game draws again."""
    app = load(lambda *given: WHITE)
    for done in range(3):
        clock.now += 1
        assert app.host.show_progress(done, 3)
        assert len(app.host.backend.images) == 1
    app.frame()
    app.frame()
    pages = [name for name, _ in backend_calls(app) if name in ("image", "free")]
    assert pages == ["image"] * 3 + ["free"]
    assert app.host.backend.images == {}


def test_it_is_painted_twenty_times_a_second_at_most(load: Callable[..., App], clock: Clock) -> None:
    """Between two images at least a twentieth of a second passes; events are read in each call."""
    asked: list[int] = []
    app = load(lambda title, size, done, total: asked.append(done))
    for done in range(6):
        app.host.show_progress(done, 6)
        clock.now += 0.02
    assert asked == [0, 3]


def test_a_closed_window_ends_the_game(load: Callable[..., App]) -> None:
    """Closing the window is reported, and presses are dropped."""
    app = load(lambda *given: None)
    app.host.backend.send(WindowEvent("key", "A", down=True))
    assert app.host.show_progress(1, 2)
    app.host.backend.send(WindowEvent("close"))
    assert not app.host.show_progress(1, 2)
    assert app._warm_up.show_progress(1, 2)
    app.host.backend.send(WindowEvent("close"))
    assert not app._warm_up.show_progress(1, 2)
    assert not app.running


def test_what_is_released_while_it_loads_does_not_stay_down(load: Callable[..., App]) -> None:
    """The release of a held key reaches the game after loading; presses meanwhile do not."""
    app = load(lambda *given: None)
    app.host.backend.send(WindowEvent("key", "A", down=True))
    app.frame(seconds=app.clock.dt)
    app.host.backend.send(WindowEvent("key", "A", down=False), WindowEvent("key", "B", down=True))
    assert app.host.show_progress(1, 2)
    app.frame(seconds=app.clock.dt)
    assert app.world[Input].released("A")
    assert not app.world[Input].down("B")


@pytest.mark.parametrize("image", [np.zeros((40, 30, 4), np.uint8), np.zeros((30, 40, 4)), "white"])
def test_a_wrong_image_is_its_plugins_fault(load: Callable[..., App], image: Any) -> None:
    """An image of another size or type disables the plugin, with the expected shape in the reason."""
    app = load(lambda *given: image, policy="disable")
    assert app.host.show_progress(1, 2)
    assert "uint8 (30, 40, 4)" in app.plugins.aside["mine"]


def test_a_backend_that_draws_with_kernels_shows_none(load: Callable[..., App]) -> None:
    """A backend without shaders draws with kernels, which are not compiled yet: nothing is painted."""

    class Plain(Windowed):
        capabilities = Windowed.capabilities - {"materials"}

    app = load(lambda *given: pytest.fail("was painted"), backend=Plain())
    assert app.host.show_progress(1, 2)


def test_without_a_window_nothing_is_shown(rish_app: MakeApp) -> None:
    """A game without a window goes on, and no event is read."""
    app = rish_app({}, backend=NullBackend(events=[WindowEvent("close")]))
    assert app.host.show_progress(1, 2)


def test_events_during_a_compilation_are_answered_later(rish_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a kernel compiles in the middle of a frame the window is read, and the next frame answers its events."""
    awake: list[Callable[[], object]] = []
    monkeypatch.setattr("rish_core.plugin.kernels.SceneKernels.compile_elsewhere", lambda _, wait: awake.append(wait))
    backend = Windowed()
    app = rish_app({}, backend=backend, headless=False)
    app.frame(seconds=0)
    backend.send(WindowEvent("close"))
    awake[0]()
    assert app.running
    app.frame(seconds=0)
    assert not app.running


def test_only_one_backends_kernels_are_for_this_host(rish_app: MakeApp) -> None:
    """Features of other backends are of no use to a host; its own and those of no backend may be."""
    mine = SimpleNamespace(rish_about=lambda: About(requires=["frame"]), rish_backends=lambda: {"other": NullBackend})
    app = rish_app({}, plugins={"mine": mine})
    names = [f"{app.host.name} sprites", "other sprites", "crowd", "RevoluteJoint parts"]
    assert [app.host.may_draw(name) for name in names] == [True, False, True, True]

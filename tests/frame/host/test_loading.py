"""The loading screen: what a window shows, and answers, before the first picture of a scene."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import About, App, Asset, Assets, Input, Scenes, WindowEvent, component, field, open_game
from rish_core.warming import WindowClosed
from rish_frame import NullBackend

MakeApp = Callable[..., App]
SIZE = (40, 30)
WHITE = np.full((30, 40, 4), 255, np.uint8)
WHITE_OF_A_GAME = np.full((540, 960, 4), 255, np.uint8)


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
        mine = SimpleNamespace(
            rish_loading=lambda title, size, done, total, what: paint(title, size, done, total, what)
        )
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


def test_a_plugins_image_covers_the_window(load: Callable[..., App], clock: Clock) -> None:
    """The image of the first plugin that paints is shown over the complete window."""
    asked: list[Any] = []

    def paint(*given: Any) -> Any:
        asked.append(given)
        return WHITE

    app = load(paint)
    shown = app.host.backend.presented
    asked.clear()
    clock.now += 1
    assert app.host.show_progress(3, 9)
    assert asked == [(app.manifest.title, SIZE, 3, 9, "")]
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
    app = load(lambda title, size, done, total, what: asked.append(done))
    asked.clear()
    clock.now += 1
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
    assert "uint8 (30, 40, 4)" in app.plugins.aside["mine"]


def test_a_backend_that_draws_with_kernels_shows_none(load: Callable[..., App]) -> None:
    """A backend without shaders draws with kernels, which are not compiled yet: nothing is painted."""

    class Plain(Windowed):
        capabilities = Windowed.capabilities - {"materials"}

    app = load(lambda *given: pytest.fail("was painted"), backend=Plain())
    assert app.host.show_progress(1, 2)


@pytest.fixture
def game(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Callable[..., App]:
    """Return a function that opens a game in a window, whose plugin reads files; each takes a tenth of a second."""
    monkeypatch.setattr("rish_core.warming.time", SimpleNamespace(perf_counter=clock))
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(name)
    scene = [{"Leaf": {"page": f"{name}.txt"}} for name in "abc"]
    (tmp_path / "game.yaml").write_text(str({"rish": 1, "plugins": ["frame"], "scenes": {"main": scene, "more": []}}))

    def read(world: Any) -> None:
        for name in "abc":
            clock.now += 0.1
            world[Assets].load(f"{name}.txt")

    def make(**hooks: Any) -> App:
        backend = hooks.pop("backend", None) or Windowed()
        mine = SimpleNamespace(
            rish_components=lambda: [Leaf],
            rish_about=lambda: About(requires=["frame"]),
            **({"rish_scene_loaded": read} | hooks),
        )
        return open_game(tmp_path, extra={"mine": mine}, policy="raise", backend=backend)

    return make


@component
class Leaf:
    """Names a file."""

    page: Asset = field("")


def test_the_title_is_shown_as_soon_as_the_window_is_there(game: Callable[..., App]) -> None:
    """The loading screen is shown before plugins are ready, and again before the first picture of the game."""
    shown: list[int] = []
    with game(rish_loading=lambda: WHITE_OF_A_GAME, rish_ready=lambda app: shown.append(app.host.backend.presented)):
        assert shown == [1]


def test_each_file_is_named_while_it_is_read(game: Callable[..., App]) -> None:
    """The loading screen names the files, and its bar grows; after the first picture nothing more is shown."""
    said: list[tuple[str, float]] = []
    with game(rish_loading=lambda done, total, what: said.append((what, done / total))) as app:
        app.frame(seconds=0)
        names, shares = zip(*said, strict=True)
        assert [name for name in names if name.endswith("txt")] == ["a.txt", "b.txt", "c.txt"]
        assert list(shares) == sorted(shares)
        assert 0 == shares[0] < shares[-1] <= 1
        said.clear()
        app.world[Scenes].go("more")
        app.frame(seconds=0)
        app.world[Assets].tell("b.txt")
        assert said == []


def test_a_scene_that_loads_long_in_play_shows_what_it_waits_for(game: Callable[..., App], clock: Clock) -> None:
    """In play the last picture stays while a scene loads for up to a second, and is not replaced before the next."""
    said: list[str] = []

    def read(world: Any) -> None:
        for number in range(10):
            clock.now += 0.3
            world[Assets].tell(str(number))

    with game(rish_loading=lambda what: said.append(what), rish_scene_loaded=read) as app:
        app.frame(seconds=0)
        said.clear()
        app.world[Scenes].go("more")
        app.frame(seconds=0)
        assert said == ["3", "4", "5", "6", "7", "8", "9"]


def test_closing_the_window_ends_the_loading_at_once(game: Callable[..., App]) -> None:
    """The rest is not read, the start ends with WindowClosed, and the window is closed."""
    backend, read = Windowed(), list[str]()

    def close(world: Any) -> None:
        for name in "abc":
            world[Assets].load(f"{name}.txt")
            read.append(name)
            backend.send(WindowEvent("close"))

    with pytest.raises(WindowClosed):
        game(backend=backend, rish_scene_loaded=close)
    assert read == ["a"]
    assert not backend.is_open


def test_what_a_window_tells_while_it_loads_is_heard_later(game: Callable[..., App]) -> None:
    """A gamepad that is reported then is known in play; a key that is pressed then does nothing."""
    key = WindowEvent("key", "A", down=True)
    backend = Windowed(events=[[key, WindowEvent("gamepad_connected", "Pad", device=1)]])
    with game(backend=backend) as app:
        heard = app.host.poll()
    assert [event.kind for event in heard] == ["gamepad_connected"]


def test_a_backend_that_draws_with_kernels_may_have_a_splash(game: Callable[..., App]) -> None:
    """Its verb `splash` gets the image of the loading screen, and no frame is drawn for it."""
    splashes: list[Any] = []

    class Plain(Windowed):
        capabilities = (Windowed.capabilities - {"materials"}) | {"splash"}

        def splash(self, pixels: Any) -> None:
            splashes.append(pixels)

    with game(backend=Plain(), rish_loading=lambda: WHITE_OF_A_GAME) as app:
        assert splashes
        assert app.host.backend.presented == 0


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

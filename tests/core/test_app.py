"""The App: assembled completely or not at all, run frame by frame, with input, scenes and failures."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from in_memory import Log, MakeApp, plugin, watching

from rish_core import (
    About,
    App,
    Clock,
    Host,
    Layers,
    ManifestError,
    Profiler,
    Scenes,
    Session,
    Stage,
    WindowEvent,
    open_game,
    parse_manifest,
    system,
)
from rish_core.errors import PluginError
from rish_core.plugin.importing import PluginsRefused
from rish_ecs import RishError, UsageError
from rish_frame import NullBackend

# Assembly


def test_a_bare_manifest_is_a_game(rish_app: MakeApp) -> None:
    """A minimal manifest gives a running game with layers and a scene."""
    app = rish_app({})
    app.run(frames=3)
    assert app.world.tick == 3
    assert app.world[Scenes].current == "main"
    assert app.world[Layers].order == ["world", "hud"]
    assert app.plugins.names == ("core", "strict")


def test_a_game_is_opened_by_its_folder_or_its_file(tmp_path: Path) -> None:
    """A game can be opened by its folder or file, with overrides and options."""
    (tmp_path / "game.yaml").write_text("rish: 1\ngame: {title: A}\nscenes: {main: []}\n")
    for path in (tmp_path, tmp_path / "game.yaml", str(tmp_path)):
        with open_game(path, ["game.title=B"], headless=True, installed=[]) as app:
            assert (app.manifest.title, app.host.name) == ("B", "unseen")


def test_the_games_own_plugin_is_loaded_last_and_let_go(tmp_path: Path) -> None:
    """The game's plugin `game` is loaded last, and its modules are removed when the app closes or fails."""
    (tmp_path / "game.yaml").write_text("rish: 1\nscenes: {main: [{Mine: {}}]}\n")
    (tmp_path / "plugin.py").write_text(
        "from rish_core import component\n@component\nclass Mine:\n    'Mine.'\n    x: float = 1\n"
        "def rish_components(): return [Mine]\n"
    )
    before = set(sys.modules)
    with open_game(tmp_path, headless=True, installed=[]) as app:
        assert app.plugins.names == ("core", "game")
        assert "game.Mine" in app.registry.components
    with pytest.raises(ManifestError, match=r"Mine\.x"):
        open_game(tmp_path, ["scenes.main[0].Mine.x=no"], headless=True, installed=[])
    assert not [name for name in set(sys.modules) - before if name.startswith("_rish_game")]


def test_the_seed_comes_from_the_manifest(rish_app: MakeApp) -> None:
    """The seed is that of the manifest, unless another is given."""
    game = {"game": {"title": "T", "seed": 5}}
    assert rish_app(game).world.seed == 5
    assert rish_app(game, seed=9).world.seed == 9


def test_what_no_backend_can_show_is_refused(rish_app: MakeApp) -> None:
    """Options that need a renderer are refused in a game without one."""
    for options in ({"pixels": True}, {"size": (3, 2)}, {"capture": ["a.png"]}):
        with pytest.raises(UsageError, match=rf"{next(iter(options))} was asked for, and the game has no plugin that"):
            rish_app({}, **options)
    app = rish_app({}, pixels=False)
    with pytest.raises(UsageError, match="no picture"):
        app.pixels()
    with app.host.record([], 1 / 60) as kept:
        app.run(frames=2)
        kept.take()
    assert kept.finish() == []


class Projector(Host):
    """A host of a plugin that logs its calls."""

    windowed = True

    def __init__(self) -> None:
        self.calls: list[str] = []

    def begin(self, world: Any) -> None:
        """Log the call."""
        self.calls.append("begin")

    def draw(self, world: Any) -> Any:
        """Log the call."""
        self.calls.append("draw")
        return "stats"

    def warm_up(self, world: Any) -> dict[tuple[str, str], Any]:
        """Log the call, and that of the feature."""
        self.calls.append("warm_up")
        return {("mine", "slides"): lambda: self.calls.append("slides")}

    def close(self) -> None:
        """Log the call."""
        self.calls.append("close")


def test_a_plugin_brings_the_host(rish_app: MakeApp) -> None:
    """The first host that a plugin opens is used, called in a frame's order, and closed."""
    host, asked, stats = Projector(), [], []

    def open_host(app: App, options: Any) -> Any:
        asked.append(dict(options))
        return host

    none = plugin(host=lambda: lambda app, options: None)
    mine = plugin(host=lambda: open_host, frame_end=lambda stats_=None: None)
    mine.rish_frame_end = lambda stats: stats_of.append(stats)
    stats_of = stats
    app = rish_app({}, plugins={"none": none, "mine": mine}, headless=False, size=(3, 2))
    assert (app.host, app.windowed, asked) == (host, True, [{"size": (3, 2)}])
    assert app.frame(seconds=1 / 60) == "stats"
    app.frame(seconds=1 / 60, draw=False)
    app.close()
    app.close()
    assert host.calls == ["warm_up", "slides", "begin", "draw", "warm_up", "close"]
    assert stats == ["stats", None]


def test_a_window_changes_the_scene_in_parts(rish_app: MakeApp) -> None:
    """Frames that spawn a scene, prepare it and run its first tick keep the last picture; paused, no tick is run."""
    host = Projector()
    game = {"scene": "one", "scenes": {"one": [], "two": [], "three": []}}
    app = rish_app(game, plugins={"mine": plugin(host=lambda: lambda app, options: host)}, headless=False)

    def enter(scene: str) -> list[tuple[str, int, Any]]:
        app.world[Scenes].go(scene)
        host.calls.clear()
        stats = [(app.frame(seconds=app.world.dt), app.world[Scenes].current, app.world.tick) for _ in range(4)]
        assert host.calls.count("draw") == 1
        return [(scene, tick, drawn) for drawn, scene, tick in stats]

    app.frame(seconds=app.world.dt)
    assert enter("two") == [("two", 1, None), ("two", 1, None), ("two", 2, None), ("two", 3, "stats")]
    app.clock.pause()
    assert enter("three") == [("three", 3, None), ("three", 3, None), ("three", 3, None), ("three", 3, "stats")]


@pytest.mark.parametrize(
    ("open_host", "said"),
    [
        (lambda app, options: 1 / 0, r"test_app.py:\d+: plugin 'mine' failed to open its host: ZeroDivisionError"),
        (lambda app, options: object(), r"test_app.py:\d+: .*which is no rish_core.Host"),
        (7, "rish_host returned 7, expected a function"),
    ],
)
def test_a_host_that_can_not_be_opened_is_its_plugins_fault(open_host: Any, said: str, rish_app: MakeApp) -> None:
    """A host that cannot be opened raises PluginError with the plugin's name and line."""
    with pytest.raises(PluginError, match=said):
        rish_app({}, plugins={"mine": plugin(host=lambda: open_host)}, policy="disable")


@pytest.mark.parametrize("verb", ["poll", "begin", "draw", "warm_up"])
def test_a_host_that_raises_is_its_plugins_fault(verb: str, rish_app: MakeApp) -> None:
    """A host that raises in a call gives PluginError with the plugin's name, the method and the line."""
    host = Projector()
    setattr(host, verb, lambda *_: 1 / 0)
    mine = plugin(host=lambda: lambda app, options: host)
    with pytest.raises(PluginError, match=rf"test_app.py:\d+: the host of plugin 'mine' failed in {verb}: Zero"):
        rish_app({}, plugins={"mine": mine}, headless=False, strict=False).run(frames=2)


def test_nothing_stays_open_where_it_fails(rish_app: MakeApp) -> None:
    """If the start fails, an opened backend is closed again."""
    backend = NullBackend()

    def fail(app: App) -> None:
        raise ValueError("not ready")

    with pytest.raises(PluginError, match="not ready"):
        rish_app(plugins={"bad": plugin(ready=fail)}, backend=backend)
    assert not backend.is_open


def test_all_mistakes_are_reported_at_once(rish_app: MakeApp) -> None:
    """Mistakes of the manifest's form and of its components are reported together."""
    text = """
        rish: 1
        game: {titel: A}
        scenes:
          main:
            - {Transfrom: {}}
            - {Transform: {positoin: [1, 2]}}
            - {Transform: {rotation: left}}
    """
    with pytest.raises(ManifestError) as caught:
        rish_app(text)
    lines = str(caught.value)
    for mistake in ("titel", "Transfrom", "positoin", "rotation"):
        assert mistake in lines
    assert len(caught.value.problems) == 4


def test_plugins_that_do_not_fit_are_mistakes_of_the_manifest(rish_app: MakeApp) -> None:
    """Missing plugins are reported with their places, together with other mistakes."""
    with pytest.raises(ManifestError) as caught:
        rish_app("rish: 1\ngame: {seed: x}\nplugins: [windd, pysics]\nscenes: {main: []}\n", plugins={})
    assert isinstance(caught.value.__cause__, PluginsRefused)
    assert [problem.place.line for problem in caught.value.problems] == [2, 3, 3]


@pytest.mark.parametrize("stage", ["EXTRACT", "UPDATE"])
def test_a_system_on_an_unknown_layer_is_refused(stage: str, rish_app: MakeApp) -> None:
    """A system on an unknown layer is refused with the nearest name."""

    @system(Stage[stage], layer="wrold")
    def lost(world: Any, dt: float) -> None:
        """Never run."""

    with pytest.raises(RishError, match="did you mean 'world'"):
        rish_app(plugins={"lost": plugin(lost)})


# Order of plugins


def chain() -> dict[str, SimpleNamespace]:
    """Return five plugins, each with a system that writes into one text; two require others."""

    def made(name: str, **about: Any) -> SimpleNamespace:
        @system(Stage.UPDATE, writes=Log, name=f"write_{name}")
        def write(world: Any, dt: float) -> None:
            text = (world[Log].text + name)[-64:]
            world[Log].text = text + str(world.random(name).integers(0, 9))

        hooks: dict[str, Any] = {"about": lambda: About(**about)}
        if name == "a":
            hooks["resources"] = lambda: [Log]
        return plugin(write, **hooks)

    needs = {"a": (), "b": ("a",), "c": (), "d": ("b", "c"), "e": ()}
    return {name: made(name, requires=list(required)) for name, required in needs.items()}


def outcome(order: tuple[str, ...], listed: str) -> tuple[list[str], str]:
    """Return the schedule and the hash of a game whose plugins are registered in this order."""
    plugins = chain()
    text = f"rish: 1\nplugins: [{listed}]\nscenes: {{main: []}}\n"
    with App(parse_manifest(text), headless=True, installed=[], extra={n: plugins[n] for n in order}) as app:
        app.run(frames=5)
        return [bound.name for bound in app.schedule.systems], app.world.hash()


@pytest.mark.parametrize("listed", ["e, d, c, b, a", ""], ids=["named", "not named"])
def test_the_order_of_registration_never_matters(listed: str) -> None:
    """The order of `extra` changes neither the schedule nor the state."""
    orders = list(itertools.permutations("abcde"))
    random.Random(3).shuffle(orders)
    expected = outcome(orders[0], listed)
    for order in orders[1:24]:
        assert outcome(order, listed) == expected


# Frames and ticks


def test_headless_runs_one_tick_a_frame(rish_app: MakeApp) -> None:
    """A headless game runs one tick per frame, whatever the time."""
    app = rish_app({})
    for frame in range(1, 5):
        app.frame(seconds=99)
        assert (app.world.tick, app.world[Clock].frame) == (frame, frame)


def test_frames_run_the_ticks_that_their_time_holds(rish_app: MakeApp) -> None:
    """A frame runs the ticks that fit into its time; the rest is kept and gives alpha."""
    app = rish_app({}, headless=False)
    ticks = []
    for seconds in (0.0, 0.01, 0.01, 0.05, 10.0):
        app.frame(seconds=seconds)
        ticks.append(app.world.tick)
    assert ticks == [0, 0, 1, 4, 9]
    before = app.world.alpha
    app.frame(seconds=1 / 600)
    assert app.world.alpha == pytest.approx(before + 0.1)


def test_a_run_has_the_frames_that_it_was_asked_for(rish_app: MakeApp) -> None:
    """`run` runs the given number of frames and calls `each` after every one; with `draw=False` nothing is drawn."""
    app, seen = rish_app({}, backend="null"), []
    app.run(frames=0)
    assert app.world.tick == 0
    app.run(frames=4, each=lambda app: seen.append(app.world.tick), draw=False)
    assert (seen, app.host.backend.drawn_frames) == ([1, 2, 3, 4], 0)
    app.frame()
    assert app.host.backend.drawn_frames == 1


def test_real_time_is_kept_without_a_window(rish_app: MakeApp) -> None:
    """Without a window the game runs in real time, and `speed` scales it."""
    app = rish_app({}, headless=False, strict=False)
    app.run(frames=10)
    assert 5 <= app.world.tick <= 30
    app.run(frames=1, speed=2.0)
    assert app.clock.time_scale == 2


def test_what_is_asked_of_the_border_happens_there(rish_app: MakeApp) -> None:
    """Deferred functions are called once before the next tick, also in a frame without ticks."""
    app, seen = rish_app({}, headless=False), []
    app.world.defer(lambda world: seen.append(world.tick))
    app.frame(seconds=0.0)
    app.frame(seconds=0.1)
    assert seen == [0]


def test_the_profiler_knows_frames_and_ticks(rish_app: MakeApp) -> None:
    """The profiler has a slot for every system."""
    app = rish_app({}, plugins={"watch": watching(lambda world: None)})
    app.run(frames=5)
    assert "watch.watch" in dict(app.world[Profiler].slots)


# The end


def test_a_game_may_end_itself(rish_app: MakeApp) -> None:
    """A game that sets `quit` ends within that tick, with its exit code, however long the frames are."""

    def quit_at_7(world: Any) -> None:
        if world.tick == 6:
            world[Session].quit, world[Session].exit_code = True, 3

    @system(Stage.UPDATE, writes=Session)
    def end(world: Any, dt: float) -> None:
        quit_at_7(world)

    hashes = set()
    for seconds in (None, 1 / 60, 0.08):
        app = rish_app(plugins={"end": plugin(end)}, headless=seconds is None)
        for _ in range(20):
            if app.running:
                app.frame(seconds=seconds)
        assert (app.world.tick, app.world[Session].exit_code) == (7, 3)
        hashes.add(app.world.hash())
    assert len(hashes) == 1


def test_closing_the_window_ends_the_game(rish_app: MakeApp) -> None:
    """Closing the window ends the game with that frame, also while the clock is paused."""
    for paused in (False, True):
        app = rish_app({}, backend=NullBackend(events=[[], WindowEvent("close")]))
        app.clock.paused = paused
        app.run(frames=10)
        assert app.clock.frame == 2
        assert not app.running


def test_a_closed_app_is_closed(rish_app: MakeApp) -> None:
    """Leaving the block closes the backend, also after an error."""
    with rish_app({}, backend="null") as app:
        assert app.host.backend.is_open
    assert not app.host.backend.is_open
    with pytest.raises(ZeroDivisionError), rish_app({}, backend="null") as app:
        raise ZeroDivisionError
    assert not app.host.backend.is_open

"""Every hook in an App: declarations take effect, and the other hooks are called when the manual says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from windy import SCENES, Gust, Leaves, MakeApp, Settings, Weather, Wind, plugin

from rish_core import About, Assets, Layer, Layers, Scenes, Stage, Transform, hookspec, system
from rish_core.errors import ManifestError
from rish_ecs import Columns, RishError, UnknownName
from rish_frame import Frame, Pass, Target
from rish_frame.frame.batches import Batch
from rish_frame.null import NullBackend

# Declarations


def test_components_can_be_spawned_from_the_manifest(rish_app: MakeApp) -> None:
    """Components can be spawned by their short and their full name."""
    entries = [{"Wind": {"strength": 7}}, {"wind.Wind": {}}]
    app = rish_app({"scenes": {"main": entries}}, plugins={"wind": plugin(components=lambda: [Wind])})
    assert app.world[Wind].strength.tolist() == [7, 4]


def test_events_tables_and_resources_are_in_the_world(rish_app: MakeApp) -> None:
    """Events, tables and resources can be used from the first tick."""
    wind = plugin(events=lambda: [Gust], resources=lambda: [Weather, Leaves])
    world = rish_app(plugins={"wind": wind}).world
    world.emit(Gust, strength=2)
    assert (len(world.events(Gust)), world[Weather].rain, isinstance(world[Leaves], Columns)) == (1, 3, True)


def test_settings_come_from_the_manifest(rish_app: MakeApp) -> None:
    """Settings have the manifest's values or their defaults; a value out of range is an error with its place."""
    wind = plugin(settings=lambda: Settings)
    assert rish_app(plugins={"wind": wind}).world[Settings].direction == 1
    assert (
        rish_app({"settings": {"wind": {"direction": -0.5}}}, plugins={"wind": wind}).world[Settings].direction == -0.5
    )
    with pytest.raises(ManifestError, match=r"game.yaml:\d+:\d+: settings.wind.direction"):
        rish_app({"settings": {"wind": {"direction": 3}}}, plugins={"wind": wind})


def test_systems_run_in_the_order_of_their_stages(rish_app: MakeApp) -> None:
    """All eleven stages run in order in a frame of one tick; tick stages get the tick's dt, the others the frame's."""
    seen: list[tuple[Stage, float]] = []

    def at(stage: Stage) -> Any:
        def note(world: Any, dt: float) -> None:
            seen.append((stage, dt))

        return system(stage, name=f"at_{stage.name.lower()}")(note)

    every = plugin(systems=lambda: [at(stage) for stage in reversed(Stage)])
    app = rish_app(plugins={"every": every}, headless=False, strict=False)
    app.frame(seconds=0.02)
    assert [stage for stage, _ in seen] == list(Stage)
    ticking = range(Stage.INPUT, Stage.UPDATE + 1)
    assert [dt for stage, dt in seen if stage in ticking] == [app.world.dt] * 6
    assert {dt for stage, dt in seen if stage not in ticking} == {0.02}


def test_layers_lie_above_those_of_the_manifest(rish_app: MakeApp) -> None:
    """Layers are above those of the manifest; one that the manifest names has its place and options there."""
    mine = plugin(layers=lambda: [Layer("console", overlay=True), Layer("sky", doc="mine")])
    app = rish_app({"layers": [{"sky": {"visible": False}}, "world"]}, plugins={"mine": mine})
    assert app.world[Layers].order == ["sky", "world", "console"]
    app = rish_app(plugins={"mine": mine})
    assert app.world[Layers].order == ["world", "hud", "sky", "console"]


def test_passes_and_targets_are_in_every_frame(rish_app: MakeApp) -> None:
    """Declared passes and targets are in every frame, and a batch in one reaches the backend."""

    @system(Stage.EXTRACT)
    def draw(world: Any, dt: float) -> None:
        points = np.array([[0, 0, 1, 1]], np.float32)
        color = np.full((1, 4), 255, np.uint8)
        world[Frame].add(Batch("lines", {"points": points, "width": np.ones(1, np.float32), "rgba": color}), to="glow")

    graph = [Target("half", size=0.5), Pass("glow", targets=("half",), before=("main",))]
    backend = NullBackend()
    app = rish_app(plugins={"glow": plugin(passes=lambda: graph, systems=lambda: [draw])}, backend=backend)
    for _ in range(3):
        app.frame()
        assert [batch.kind for batch in backend.drawn(pass_="glow")] == ["lines"]
        assert "half" in backend.last.targets


def test_a_backend_is_made_only_where_it_is_chosen(rish_app: MakeApp) -> None:
    """A backend is created only if it is chosen, by name or by the manifest, and its factory is called once."""
    made: list[str] = []

    def factory(name: str) -> Callable[[], NullBackend]:
        def make() -> NullBackend:
            made.append(name)
            backend = NullBackend()
            backend.__dict__["name"] = name
            return backend

        return make

    both = plugin(backends=lambda: {"one": factory("one"), "two": factory("two")})
    assert rish_app(plugins={"both": both}, backend="two").host.backend.name == "two"
    assert made == ["two"]
    with pytest.raises(UnknownName, match="did you mean 'two'"):
        rish_app(plugins={"both": both}, backend="twoo")


def test_drawers_are_given_to_their_backend(rish_app: MakeApp) -> None:
    """A drawer is created when its backend opens, and called for its kind of batch."""
    drawn: list[str] = []

    class Drawer:
        needs = frozenset[str]()

        def draw(self, device: Any, target: Any, batch: Batch, pass_: Pass) -> None:
            drawn.append(batch.kind)

    @system(Stage.EXTRACT)
    def show(world: Any, dt: float) -> None:
        world[Frame].add(Batch("weather", {"x": np.zeros(2, np.float32)}))

    mine = plugin(drawers=lambda: {"null": {"weather": Drawer}, "absent": {"weather": Drawer}}, systems=lambda: [show])
    rish_app(plugins={"mine": mine}, backend=NullBackend(check=False)).frame()
    assert drawn == ["weather"]


def test_loaders_read_the_games_files(rish_app: MakeApp) -> None:
    """Loaders are chosen by the suffix of a file."""

    def words(path: Path) -> list[str]:
        return path.read_text().split()

    mine = plugin(loaders=lambda: {".words": words})
    app = rish_app({}, plugins={"mine": mine}, files={"a.words": "one two"})
    assert app.world[Assets].load("a.words") == ["one", "two"]


def test_prefabs_can_be_used_by_the_manifest(rish_app: MakeApp) -> None:
    """Prefabs of a plugin can be used and overridden in the manifest."""
    mine = plugin(components=lambda: [Wind], prefabs=lambda: {"gust": {"Wind": {"strength": 12}}})
    entries = [{"prefab": "gust"}, {"prefab": "gust", "Wind": {"strength": 1}}]
    assert rish_app({"scenes": {"main": entries}}, plugins={"mine": mine}).world[Wind].strength.tolist() == [12, 1]


def test_hooks_of_a_plugin_are_answered_by_others(rish_app: MakeApp) -> None:
    """A plugin's own hook is implemented by others, in the order of the plugins.

    An implementation that may be loaded without the owner of the hook is marked as optional.
    """
    spec = ModuleType("weather_hooks")

    @hookspec
    def rish_weather(where: str) -> str:
        """Return the weather of a place."""
        return ""

    spec.rish_weather = rish_weather  # type: ignore[attr-defined]
    owner = plugin(hookspecs=lambda: spec)
    one, two = plugin(weather=lambda where: f"rain in {where}"), plugin(weather=lambda: "sun")
    app = rish_app(plugins={"one": one, "owner": owner, "two": two})
    assert app.plugins.gather("rish_weather", where="town") == [("one", "rain in town"), ("two", "sun")]


def test_what_a_plugin_requires_comes_before_it(rish_app: MakeApp) -> None:
    """Required plugins are loaded first, in any order of names; a missing one is reported with the line to add."""
    first, second = plugin(about=lambda: About(requires=["base"])), plugin()
    assert rish_app(plugins={"first": first, "base": second}).plugins.names == ("core", "base", "first", "strict")
    with pytest.raises(ManifestError, match=r"requires 'base'.*add 'base' to plugins"):
        rish_app(plugins={"first": first})


# Moments


def test_moments_come_in_their_order(rish_app: MakeApp) -> None:
    """The hooks are called in order: manifest, ready (nothing is spawned), scene loaded, frames, change, shutdown."""
    log: list[str] = []

    def noting(name: str) -> SimpleNamespace:
        def at(moment: str, world: Any = None) -> None:
            count = f" {len(world[Transform])}" if world is not None else ""
            log.append(f"{name} {moment}{count}")

        return plugin(
            manifest=lambda manifest: at(f"manifest {manifest.title}"),
            ready=lambda app: at("ready", app.world),
            scene_loaded=lambda world, scene: at(f"loaded {scene}", world),
            scene_unloading=lambda world, scene: at(f"unloading {scene}", world),
            shutdown=lambda world: at("shutdown", world),
        )

    app = rish_app(SCENES, plugins={"a": noting("a"), "b": noting("b")})
    begin = ["manifest Test", "ready 0", "loaded main 1"]
    assert log == [f"{name} {moment}" for moment in begin for name in "ab"]
    del log[:]
    app.world[Scenes].go("other")
    assert app.world[Scenes].current == "main"
    app.frame()
    assert log == ["b unloading main 1", "a unloading main 1", "a loaded other 0", "b loaded other 0"]
    del log[:]
    app.close()
    app.close()
    assert log == ["b shutdown 0", "a shutdown 0"]


def test_the_manifest_may_be_filled_in(rish_app: MakeApp) -> None:
    """A plugin's additions to the manifest are checked like the author's own lines."""

    def fill(manifest: Any) -> None:
        manifest.settings.setdefault("wind", {"direction": -1})

    wind = plugin(settings=lambda: Settings, manifest=fill)
    assert rish_app(plugins={"wind": wind}).world[Settings].direction == -1


def test_a_backend_is_announced_once_after_it_is_opened(rish_app: MakeApp) -> None:
    """The device hook is called once for each opened backend; the null backend has no device."""

    class Gpu(NullBackend):
        device = "the device"

    seen: list[Any] = []
    mine = plugin(device_ready=lambda backend, world: seen.append((backend.device, Transform in world)))
    rish_app(SCENES, plugins={"mine": mine}, backend="null").run(frames=3)
    assert seen == [(None, True)]
    rish_app(SCENES, plugins={"mine": mine}, backend=Gpu()).run(frames=3)
    assert seen == [(None, True), ("the device", True)]


def test_the_frame_hook_is_called_once_a_frame(rish_app: MakeApp) -> None:
    """The frame hook is called once a frame after LAST, with the drawing time; frames without a tick count."""
    seen: list[Any] = []
    mine = plugin(frame_end=lambda world, stats: seen.append((world.tick, stats.passes >= 0)))
    app = rish_app(SCENES, plugins={"mine": mine}, headless=False, strict=False, backend=NullBackend())
    for seconds in (0.0, 0.0, 0.05):
        app.frame(seconds=seconds)
    assert seen == [(0, True), (0, True), (3, True)]


def test_scene_hooks_may_change_the_world(rish_app: MakeApp) -> None:
    """Scene hooks run between ticks, where any change is allowed."""
    mine = plugin(
        scene_loaded=lambda world: world.spawn(Transform(position=(9, 9))),
        scene_unloading=lambda world: world.spawn(Transform),
    )
    app = rish_app(SCENES, plugins={"mine": mine})
    assert app.world[Transform].position.tolist() == [[1, 2], [9, 9]]
    app.world[Scenes].go("other")
    app.frame()
    assert app.world[Transform].position.tolist() == [[9, 9]]


# Errors


def test_a_plugin_may_decide_about_a_failing_system(rish_app: MakeApp) -> None:
    """A plugin decides about a failing system: skip, disable, raise, or None for the policy.

    skip: it is called again. disable: it is not. raise: the game ends.
    """
    for answer, calls in (("skip", 5), ("disable", 1), (None, 1), ("nonsense", 1)):
        seen: list[int] = []

        @system(Stage.UPDATE)
        def fail(world: Any, dt: float, seen: list[int] = seen) -> None:
            seen.append(world.tick)
            raise ValueError("no")

        judge = plugin(system_failed=lambda system, error, answer=answer: answer)
        app = rish_app(
            plugins={"bad": plugin(systems=lambda fail=fail: [fail]), "judge": judge}, policy="disable", strict=False
        )
        app.run(frames=5)
        assert len(seen) == calls
    judge = plugin(system_failed=lambda system: "raise" if system == "bad.fail" else None)
    app = rish_app(plugins={"bad": plugin(systems=lambda: [fail]), "judge": judge}, policy="disable", strict=False)
    with pytest.raises(RishError, match=r"test_app_hooks.py:\d+: system 'bad.fail' of plugin 'bad'.*ValueError: no"):
        app.frame()


def test_a_plugin_may_help_with_an_error(rish_app: MakeApp) -> None:
    """Plugins can add a sentence to an error; the first one is used."""
    mine = plugin(error_hint=lambda error: "Plug it in" if isinstance(error, OSError) else None)
    app = rish_app(plugins={"mine": mine})
    assert app.plugins.hint(OSError()) == "Plug it in"
    assert app.plugins.hint(ValueError()) is None

"""A running game takes over edited code and text completely, or not at all if there is a mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import hookimpl
from rish_core.app import App
from rish_core.assets import Assets
from rish_core.errors import ManifestError, PluginError, ScheduleError
from rish_core.manifest.manifest import read_manifest
from rish_core.manifest.scenes import Scenes
from rish_devtools.strict.watcher import Strict
from rish_ecs import DeclarationError, Stage, component, event, field, resource, system
from rish_frame import Frame, Pass, Target
from rish_reload.renewal import prepare


def version(number: int, **hooks: Any) -> Any:
    """Return a version of a game's plugin: a component, a resource, a system."""

    @component
    class Box:
        """A component."""

        size: float = float(number)

    @resource
    class Score:
        """A resource of points."""

        points: int = 0

    @event
    class Hit:
        """An event."""

    @system(Stage.UPDATE, writes=(Score, Box))
    def play(world: Any, dt: float) -> None:
        """Add to the points."""
        world[Score].points += number

    found = {
        "rish_components": lambda: [Box],
        "rish_resources": lambda: [Score],
        "rish_events": lambda: [Hit],
        "rish_systems": lambda: [play],
        "Box": Box,
        "Score": Score,
        "Hit": Hit,
    }
    return SimpleNamespace(**{**found, **hooks})


def nothing() -> list[Any]:
    """Return no declarations."""
    return []


TEXT = {"scenes": {"main": [{"Transform": {}, "Box": {"size": 5}}]}}


@pytest.fixture
def app(rish_app: Callable[..., App]) -> App:
    """Build a game with the first version, and run a frame."""
    app = rish_app(TEXT, plugins={"game": version(1)}, policy="disable")
    app.frame()
    return app


def points(app: App) -> int:
    """Return the score, by its current class."""
    return app.world[app.world.resource_classes["game.Score"]].points


def test_new_code_takes_the_place_of_the_old(app: App) -> None:
    """After new code is applied, classes, systems and registry are the new ones, and the state stays."""
    new = version(10)
    before = app.world.hashes()
    change = prepare(app, module=new)
    assert app.registry is not change.registry
    change.apply()
    assert app.world.hashes() == before
    assert app.registry.component("Box").cls is new.Box
    assert app.plugins["game"].module is new
    assert isinstance(app.schedule.watcher, Strict)
    app.frame()
    assert points(app) == 11
    assert app.world[new.Box].size.tolist() == [5]


def test_new_text_takes_the_place_of_the_old(app: App) -> None:
    """After new text is applied, entities follow it; `rish_manifest` and `rish_reloaded` are called."""
    heard: list[Any] = []
    hooks = {
        "rish_manifest": lambda manifest: heard.append(manifest.title),
        "rish_reloaded": lambda app, plugins: heard.append(plugins),
    }
    prepare(app, module=version(1, **hooks)).apply()
    assert heard == [("game",)]
    path = app.manifest.path
    assert path is not None
    path.write_text(path.read_text().replace("size: 5", "size: 7").replace("title: Test", "title: Other"))
    change = prepare(app, manifest=read_manifest(path))
    change.apply()
    assert heard == [("game",), "Other", ()]
    assert app.world[app.world.kind("Box")].size.tolist() == [7]
    assert change.later == ["title"]
    assert change.done.changed == 1


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (version(2, rish_components=lambda: [3]), PluginError),
        (version(2, rish_components=nothing), (PluginError, ManifestError)),
        (version(2, rish_systems=lambda: [lambda world, dt: None]), PluginError),
        (version(2, rish_about=lambda: None), PluginError),
        (version(2, rish_nonsense=lambda: None), PluginError),
        (version(2, rish_components=lambda: 1 / 0), PluginError),
    ],
)
def test_what_is_wrong_changes_nothing(app: App, wrong: Any, error: Any) -> None:
    """Wrong code raises an error, and the game continues with the old code."""
    before, registry, module = app.world.hashes(), app.registry, app.plugins["game"].module
    with pytest.raises(error):
        prepare(app, module=wrong)
    assert (app.world.hashes(), app.registry, app.plugins["game"].module) == (before, registry, module)
    app.frame()
    assert points(app) == 2
    assert app.plugins.aside == {}


def test_systems_in_a_circle_change_nothing(app: App) -> None:
    """A cycle of systems in new code raises ScheduleError, and nothing changes."""

    @system(Stage.UPDATE, before="b", name="a")
    def first(world: Any, dt: float) -> None: ...

    @system(Stage.UPDATE, before="a", name="b")
    def second(world: Any, dt: float) -> None: ...

    with pytest.raises(ScheduleError):
        prepare(app, module=version(2, rish_systems=lambda: [first, second]))
    app.frame()
    assert points(app) == 2


def test_a_text_that_a_plugin_refuses_changes_nothing(app: App) -> None:
    """A plugin that refuses the new text is not disabled, and nothing changes."""
    prepare(app, module=version(1, rish_manifest=lambda manifest: 1 / 0)).apply()
    path = app.manifest.path
    assert path is not None
    with pytest.raises(PluginError, match="ZeroDivisionError"):
        prepare(app, manifest=read_manifest(path))
    assert "game" in app.plugins


def test_a_plugin_that_fails_to_take_over_is_set_aside_and_comes_back(app: App) -> None:
    """A plugin that raises in `rish_reloaded` is disabled, and enabled again by the next valid code."""
    prepare(app, module=version(5, rish_reloaded=lambda plugins: 1 / 0)).apply()
    assert "game" in app.plugins.aside
    app.frame()
    assert points(app) == 1
    prepare(app, module=version(7)).apply()
    assert app.plugins.aside == {}
    app.frame()
    assert points(app) == 8


def test_loaders_and_passes_follow(rish_app: Callable[..., App]) -> None:
    """The loaders and passes of a plugin are those of its new code."""
    app = rish_app(TEXT, plugins={"game": version(1)}, policy="disable", backend="null")
    app.frame()

    def hooks(word: str, *items: Any) -> dict[str, Any]:
        return {
            "rish_loaders": lambda: {".word": lambda path: word},
            "rish_passes": hookimpl(optional=True)(lambda: list(items)),
        }

    prepare(
        app, module=version(1, **hooks("old", Target("glow", size=0.5), Pass("glowing", targets=("glow",))))
    ).apply()
    (Path(app.world[Assets].root) / "a.word").write_text("")
    assert app.world[Assets].load("a.word") == "old"
    assert "glowing" in app.world[Frame].passes
    prepare(app, module=version(1, **hooks("new", Target("shine", size=0.5)))).apply()
    assert app.world[Assets].reload("a.word")
    assert app.world[Assets].load("a.word") == "new"
    frame: Frame = app.world[Frame]
    assert ("glowing" in frame.passes, "glow" in frame.targets, "shine" in frame.targets) == (False, False, True)
    assert "main" in frame.passes
    app.frame()


def test_derived_resources_are_rebuilt(app: App) -> None:
    """A derived resource with a new class keeps its fields and is rebuilt."""

    def cache(number: int) -> type:
        @resource(derived=True)
        class Cache:
            """A derived resource."""

            known: int = 0

            def rebuild(self, world: Any) -> None:
                self.made = number + self.known

        return Cache

    first, second = cache(1), cache(20)
    one = version(1)
    prepare(app, module=version(1, rish_resources=lambda: [one.Score, first], rish_systems=nothing)).apply()
    app.world[first].known = 3
    two = version(1)
    prepare(app, module=version(1, rish_resources=lambda: [two.Score, second], rish_systems=nothing)).apply()
    assert app.world[second].made == 23
    three = version(1)
    prepare(app, module=version(1, rish_resources=lambda: [three.Score], rish_systems=nothing)).apply()
    assert second not in app.world


def test_settings_that_the_game_changed_stay(rish_app: Callable[..., App]) -> None:
    """Settings that the game has changed stay, unless their value in the text changes."""

    def settings(number: int) -> Any:
        @resource
        class Settings:
            """Settings of a game."""

            a: int = 1
            b: int = field(number, low=0)

        return Settings

    first = settings(2)
    app = rish_app({"settings": {"game": {"a": 5}}}, plugins={"game": version(1, rish_settings=lambda: first)})
    app.world[first].a = 50
    second = settings(3)
    prepare(app, module=version(1, rish_settings=lambda: second)).apply()
    assert (app.world[second].a, app.world[second].b) == (50, 3)
    path = app.manifest.path
    assert path is not None
    path.write_text(path.read_text().replace("a: 5", "a: 6"))
    prepare(app, manifest=read_manifest(path)).apply()
    assert (app.world[second].a, app.world[second].b) == (6, 3)


def test_a_scene_that_is_asked_for_comes_from_the_new_text(app: App) -> None:
    """A requested scene is spawned from the new text; the request is dropped if the scene was removed."""
    path = app.manifest.path
    assert path is not None
    app.world[Scenes].go("main")
    path.write_text(path.read_text().replace("size: 5", "size: 9"))
    prepare(app, manifest=read_manifest(path)).apply()
    app.frame()
    assert app.world[app.world.kind("Box")].size.tolist() == [9]
    app.world[Scenes].go("main")
    path.write_text(path.read_text().replace("main:", "first:"))
    prepare(app, manifest=read_manifest(path)).apply()
    app.frame()
    assert app.world[Scenes].current == "first"


def test_two_kinds_of_one_name_change_nothing(app: App) -> None:
    """Two classes of one name are refused, and nothing changes."""
    new = version(2)
    new.rish_components = lambda: [new.Box, version(3).Box]
    with pytest.raises(DeclarationError, match="twice"):
        prepare(app, module=new)
    assert points(app) == 1


def test_a_text_that_means_the_same_is_not_compiled_again(app: App) -> None:
    """Plans are compiled again only if fields, ranges or defaults change, not for code with the same fields."""

    def boxed(default: float, **marks: Any) -> Any:
        @component
        class Box:
            """A component."""

            size: float = field(default, **marks)

        made = version(1)
        made.rish_components = lambda: [Box]
        made.rish_systems = nothing
        return made

    prepare(app, module=boxed(1.0)).apply()
    plans = app.game.scenes
    prepare(app, module=boxed(1.0)).apply()
    assert app.game.scenes is plans
    for other in (boxed(1.0, low=0), boxed(2.0), boxed(2.0, angle=True)):
        prepare(app, module=other).apply()
        assert app.game.scenes is not plans
        plans = app.game.scenes
    app.world[Scenes].go("main")
    app.frame()
    assert len(app.world[app.world.kind("Box")]) == 1


def test_plans_of_before_spawn_the_classes_of_today(app: App) -> None:
    """Plans that were compiled with old classes spawn into the tables of the new ones."""
    prepare(app, module=version(1)).apply()
    prepare(app, module=version(1)).apply()
    app.world[Scenes].go("main")
    app.frame()
    assert app.world[app.world.kind("Box")].size.tolist() == [5]
    path = app.manifest.path
    assert path is not None
    path.write_text(path.read_text().replace("size: 5", "size: 6"))
    prepare(app, manifest=read_manifest(path)).apply()
    assert app.world[app.world.kind("Box")].size.tolist() == [6]


def test_a_dropped_resource_stays_away(app: App) -> None:
    """A resource that the game has dropped does not come back with its new class, but can be put again."""
    app.world.drop(app.world.resource_classes["game.Score"])
    new = version(4, rish_systems=nothing)
    prepare(app, module=new).apply()
    assert new.Score not in app.world
    app.world.put(new.Score(points=2))
    assert points(app) == 2

"""Every hook is called as the kernel calls it: declarations arrive in the registry, and events reach the plugins."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from rish_core.errors import PluginError
from rish_core.loop.layers import Layer
from rish_core.plugin.declaration_checks import Reader
from rish_core.plugin.hooks import hookimpl, hookspec
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.plugins import Plugins
from rish_core.plugin.registry import Registry, build_registry
from rish_core.plugin.solving.about import About
from rish_ecs import DeclarationError, Stage, component, event, field, resource, system, table


def wind(**functions: Callable[..., Any]) -> dict[str, object]:
    """Return a single plugin called wind."""
    return {"wind": SimpleNamespace(**functions)}


def load(extra: dict[str, object], policy: str = "raise") -> Plugins:
    """Load plugins given in memory."""
    return load_plugins(extra=extra, installed=[], policy=policy)  # pyright: ignore[reportArgumentType]


def declare(**functions: Callable[..., Any]) -> Registry:
    """Return the registry of one plugin."""
    return build_registry(load(wind(**functions)))


class Ear:
    """Implements hooks and stores their arguments."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def listen(self, *names: str) -> Callable[..., None]:
        """Return a function with these arguments that stores them."""
        scope: dict[str, Any] = {"heard": self.heard}
        exec(f"def told({', '.join(names)}): heard.append(({', '.join(names)},))", scope)
        return scope["told"]


# Declarations


def test_hook_rish_about() -> None:
    """A required plugin is loaded before the one that requires it."""
    extra = wind(rish_about=lambda: About(requires=["physics"], version="0.2"))
    plugins = load({**extra, "physics": SimpleNamespace()})
    assert plugins.names == ("physics", "wind")
    assert plugins["wind"].version == "0.2"


def test_hook_rish_hookspecs() -> None:
    """A hook that a plugin adds is called like the kernel's own, and can be implemented optionally."""
    specs = ModuleType("wind_hooks")

    @hookspec(firstresult=True)
    def rish_weather(day: int) -> str | None: ...

    specs.rish_weather = rish_weather  # pyright: ignore[reportAttributeAccessIssue]
    rainy = hookimpl(optional=True)(lambda: "rain")
    sea = SimpleNamespace(rish_weather=rainy)
    plugins = load({"sea": sea, **wind(rish_hookspecs=lambda: specs)})
    assert plugins.first("rish_weather", day=1) == ("sea", "rain")
    assert load({"sea": sea}).names == ("sea",)


def test_a_declaring_hook_of_a_plugin() -> None:
    """The reader of a declaring hook checks the returned values, and each name has one owner."""

    def read(plugin: str, value: Any) -> list[tuple[str, Any]]:
        if not isinstance(value, dict):
            raise DeclarationError(f"rish_weather returned {value!r}, expected a dict")
        return list(value.items())

    specs = ModuleType("wind_hooks")

    @hookspec(reads=Reader("weather", read))
    def rish_weather() -> dict[str, int]: ...

    specs.rish_weather = rish_weather  # pyright: ignore[reportAttributeAccessIssue]
    made = wind(rish_hookspecs=lambda: specs, rish_weather=lambda: {"rain": 1})
    sea = SimpleNamespace(rish_weather=lambda: {"fog": 2})
    found = build_registry(load({**made, "sea": sea}))
    assert found.of("rish_weather") == {"rain": 1, "fog": 2}
    assert found.owner("weather", "fog") == "sea"
    assert found.of("rish_climate") == {}
    with pytest.raises(PluginError, match=r"'sea' failed in rish_weather: .*expected a dict"):
        build_registry(load({**made, "sea": SimpleNamespace(rish_weather=lambda: 3)}))
    with pytest.raises(DeclarationError, match="weather 'rain' comes from both 'wind' and 'sea'"):
        build_registry(load({**made, "sea": SimpleNamespace(rish_weather=lambda: {"rain": 3})}))


def test_hook_rish_settings() -> None:
    """A plugin's settings are stored by the plugin's name."""

    @resource
    class Settings:
        direction: float = 1.0

    assert declare(rish_settings=lambda: Settings).settings["wind"].fields["direction"].default == 1.0


def test_hook_rish_components() -> None:
    """Components get the name of their plugin."""

    @component
    class Wind:
        strength: float

    assert declare(rish_components=lambda: [Wind]).component("wind.Wind").cls is Wind


def test_hook_rish_resources() -> None:
    """Resources and tables are stored separately."""

    @resource
    class Score:
        points: int = 0

    @table
    class Gusts:
        strength: float

    found = declare(rish_resources=lambda: [Score, Gusts])
    assert (list(found.resources), list(found.tables)) == (["wind.Score"], ["wind.Gusts"])


def test_hook_rish_events() -> None:
    """Events keep their markers for other plugins."""

    @event(script="on_gust")
    class Gust:
        strength: float

    assert declare(rish_events=lambda: [Gust]).event("Gust").marks == {"script": "on_gust"}


def test_hook_rish_systems() -> None:
    """Systems are bound to their plugin."""

    @system(Stage.FORCES)
    def blow(world: Any, dt: float) -> None: ...

    found = declare(rish_systems=lambda: [blow]).system("wind.blow")
    assert (found.plugin, found.spec.fn) == ("wind", blow)


def test_hook_rish_layers() -> None:
    """Layers are stored by name."""
    assert declare(rish_layers=lambda: [Layer("console", overlay=True)]).layers["console"].overlay


def test_hook_rish_host() -> None:
    """The function that opens a host is returned unchanged."""
    assert load(wind(rish_host=lambda: list)).gather("rish_host") == [("wind", list)]


def test_hook_rish_manifest_keys() -> None:
    """Manifest keys are stored with the plugin whose settings they are."""
    assert declare(rish_manifest_keys=lambda: ["game.climate", "gusts"]).manifest_keys == {
        "game.climate": "wind",
        "gusts": "wind",
    }


def test_hook_rish_layer_options() -> None:
    """Each layer option is stored with the class that has it as a field."""

    @resource
    class LayerFog:
        fog: float = field(0.0, low=0)
        dense: bool = False

    found = declare(rish_layer_options=lambda: LayerFog).layer_options
    assert {name: spec.cls for name, spec in found.items()} == {"fog": LayerFog, "dense": LayerFog}


def test_hook_rish_warm_up() -> None:
    """`rish_warm_up` gets the world of the scene that is about to be played."""
    ear = Ear()
    load(wind(rish_warm_up=ear.listen("world"))).gather("rish_warm_up", world=5)
    assert ear.heard == [(5,)]


def test_hook_rish_loaders() -> None:
    """Loaders are stored by suffix."""
    assert declare(rish_loaders=lambda: {".words": str}).loaders[".words"] is str


def test_hook_rish_prefabs() -> None:
    """Prefabs are stored as plain data with their owner."""
    found = declare(rish_prefabs=lambda: {"gust": {"Wind": {"strength": 12}}})
    assert found.prefabs["gust"] == {"Wind": {"strength": 12}}
    assert found.owner("prefab", "gust") == "wind"


def test_hook_rish_names() -> None:
    """Lists of names are functions of the world, each with its owner; two plugins may share a function."""
    sunny = lambda world: ["sunny", "rainy"]  # noqa: E731
    found = declare(rish_names=lambda: {"climates": sunny})
    assert found.names["climates"] is sunny
    assert found.owner("list of names", "climates") == "wind"
    with pytest.raises(PluginError, match="expected a function of the world"):
        declare(rish_names=lambda: {"climates": ["sunny"]})
    both = {name: SimpleNamespace(rish_names=lambda: {"climates": sunny}) for name in ("wind", "sea")}
    assert build_registry(load(both)).names["climates"] is sunny


# Lifecycle


@pytest.mark.parametrize(
    ("hook", "arguments"),
    [
        ("rish_manifest", ["manifest", "plugins", "registry"]),
        ("rish_ready", ["app"]),
        ("rish_scene_loaded", ["world", "scene"]),
        ("rish_scene_unloading", ["world", "scene"]),
        ("rish_reloaded", ["app", "plugins"]),
        ("rish_shutdown", ["world"]),
        ("rish_warm_up", ["world"]),
        ("rish_frame_end", ["world", "stats"]),
    ],
)
def test_moments_give_what_the_manual_says(hook: str, arguments: list[str]) -> None:
    """An implementation gets the arguments that it names, whichever they are."""
    ear = Ear()
    plugins = load(
        {
            "all": SimpleNamespace(**{hook: ear.listen(*arguments)}),
            "last": SimpleNamespace(**{hook: ear.listen(arguments[-1])}),
        }
    )
    plugins.gather(hook, **{name: name.upper() for name in arguments})
    whole, last = tuple(name.upper() for name in arguments), (arguments[-1].upper(),)
    assert sorted(ear.heard) == sorted([whole, last])


def test_hook_rish_manifest() -> None:
    """A plugin can change the manifest, and later plugins get the changed one."""
    first = SimpleNamespace(rish_manifest=lambda manifest: manifest.setdefault("wind", 1))
    seen: list[Any] = []
    later = SimpleNamespace(rish_manifest=lambda manifest: seen.append(dict(manifest)))
    load({"a": first, "b": later}).gather("rish_manifest", manifest={}, plugins=None, registry=None)
    assert seen == [{"wind": 1}]


def test_hook_rish_ready() -> None:
    """`rish_ready` is called in the order of the plugins, the game last."""
    order: list[str] = []
    extra = {
        "game": SimpleNamespace(rish_ready=lambda: order.append("game")),
        "a": SimpleNamespace(rish_ready=lambda: order.append("a")),
    }
    load(extra).gather("rish_ready", app=None)
    assert order == ["a", "game"]


def test_hook_rish_scene_loaded() -> None:
    """`rish_scene_loaded` gets the name of the scene."""
    ear = Ear()
    load(wind(rish_scene_loaded=ear.listen("scene"))).gather("rish_scene_loaded", world=None, scene="play")
    assert ear.heard == [("play",)]


def test_hook_rish_scene_unloading() -> None:
    """`rish_scene_unloading` is called in reverse order."""
    assert _order_of("rish_scene_unloading", world=None, scene="play") == ["c", "b", "a"]


def test_hook_rish_reloaded() -> None:
    """`rish_reloaded` is called in order, with the names of the plugins whose code is new."""
    assert _order_of("rish_reloaded", app=None, plugins=("game",)) == ["a", "b", "c"]
    ear = Ear()
    load(wind(rish_reloaded=ear.listen("plugins"))).gather("rish_reloaded", app=None, plugins=("game",))
    assert ear.heard == [(("game",),)]


def test_hook_rish_shutdown() -> None:
    """`rish_shutdown` is called in reverse order, and a plugin that raises stops no other."""
    assert _order_of("rish_shutdown", world=None) == ["c", "b", "a"]
    closed: list[str] = []
    extra = {"a": SimpleNamespace(rish_shutdown=lambda: closed.append("a"))}
    plugins = load({**extra, **wind(rish_shutdown=lambda world: 1 / 0)}, "disable")
    plugins.gather("rish_shutdown", world=None)
    assert closed == ["a"]


def _order_of(hook: str, **arguments: Any) -> list[str]:
    order: list[str] = []
    extra = {name: SimpleNamespace(**{hook: lambda name=name: order.append(name)}) for name in "abc"}
    load(dict(extra)).gather(hook, **arguments)
    return order


# Errors and tools


def test_hook_rish_system_failed() -> None:
    """The first plugin that returns a decision decides; each gets the system, the error and the World."""
    ear = Ear()
    decide = SimpleNamespace(rish_system_failed=lambda system: "skip" if system == "wind.blow" else None)
    plugins = load({"ear": SimpleNamespace(rish_system_failed=ear.listen("system", "error", "world")), "d": decide})
    error = ValueError("no wind")
    assert plugins.system_failed("wind.blow", error, "world") == "skip"
    assert plugins.system_failed("wind.rest", error, "world") == "raise"
    assert ear.heard[0] == ("wind.blow", error, "world")


def test_hook_rish_error_hint() -> None:
    """The first sentence is the hint; another type of answer disables its plugin."""
    helpful = SimpleNamespace(rish_error_hint=lambda error: f"Mind the {error}.")
    plugins = load({**wind(rish_error_hint=lambda error: 3), "helpful": helpful}, "disable")
    assert plugins.hint(ValueError("gap")) == "Mind the gap."
    assert "answered 3, expected a sentence" in plugins.aside["wind"]
    assert load({}).hint(ValueError()) is None


def test_hook_rish_frame_end(caplog: pytest.LogCaptureFixture) -> None:
    """A failing `rish_frame_end` is logged once and its plugin is not called again."""
    plugins = load(wind(rish_frame_end=lambda stats: 1 / stats), "disable")
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            plugins.gather("rish_frame_end", world=None, stats=0)
    assert caplog.text.count("failed in rish_frame_end") == 1
    assert not plugins.has("rish_frame_end")

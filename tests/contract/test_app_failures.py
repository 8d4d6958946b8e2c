"""A plugin that fails in any hook is reported and disabled; all other plugins continue."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from windy import HOOKS, SCENES, MakeApp, Wind, plugin

from rish_core import About, Layer, Name, Scenes, Stage, Transform, WindowEvent, place_of_record, system
from rish_core.errors import PluginError
from rish_core.plugin import hooks
from rish_ecs import RishError
from rish_frame import Batch, Frame
from rish_frame.errors import BackendError
from rish_frame.null import NullBackend
from rish_reload import prepare


def counting() -> tuple[list[int], SimpleNamespace]:
    """Return a list and a correct plugin that adds each tick to it."""
    ticks: list[int] = []

    @system(Stage.UPDATE)
    def count(world: Any, dt: float) -> None:
        ticks.append(world.tick)

    return ticks, plugin(systems=lambda: [count])


def raising(error: BaseException) -> Callable[[], Any]:
    """Return a hook that raises."""

    def fail() -> Any:
        raise error

    return fail


TROUBLE = {"rish_system_failed", "rish_error_hint"}
DECLARING = [f"rish_{name}" for name in ["about", "settings"]] + [
    hook for hook in HOOKS if str(getattr(hooks, hook).__annotations__["return"]).startswith(("list", "Mapping"))
]


@pytest.mark.parametrize("error", [ValueError("out of order"), SystemExit(3)], ids=["error", "exit"])
@pytest.mark.parametrize("hook", [hook for hook in HOOKS if hook not in TROUBLE])
def test_a_plugin_that_raises_is_set_aside(
    hook: str, error: BaseException, rish_app: MakeApp, caplog: pytest.LogCaptureFixture
) -> None:
    """A plugin that raises in any hook is reported with file and line and disabled; the others continue."""
    ticks, healthy = counting()
    own: list[int] = []

    @system(Stage.UPDATE)
    def work(world: Any, dt: float) -> None:
        own.append(world.tick)

    bad = plugin(systems=lambda: [work])
    setattr(bad, hook, raising(error))

    class Gpu(NullBackend):
        device = "a device"

    with caplog.at_level(logging.WARNING):
        app = rish_app(SCENES, plugins={"bad": bad, "good": healthy}, policy="disable", backend=Gpu(), strict=False)
        app.run(frames=30)
        app.world[Scenes].go("other")
        app.world.defer(lambda world: prepare(app).apply())
        app.run(frames=30)
        app.close()
    assert ticks == list(range(60))
    assert "bad" in app.plugins.aside
    failure = next(one for one in app.plugins.failures if one.plugin == "bad")
    assert (failure.hook, failure.error) == (hook, error)
    assert failure.place.file.endswith("test_app_failures.py")
    assert failure.place.line > 0
    assert f"plugin 'bad' failed in {hook}" in caplog.text
    assert failure.place in map(place_of_record, caplog.records)
    before = {"rish_frame_end": 1, "rish_scene_unloading": 30, "rish_reloaded": 30, "rish_shutdown": 60}
    assert len(own) == before.get(hook, 0)


@pytest.mark.parametrize("hook", [hook for hook in HOOKS if hook not in TROUBLE])
def test_in_development_a_plugin_that_raises_ends_the_game(hook: str, rish_app: MakeApp) -> None:
    """With the policy `raise`, an error in a hook ends the game with plugin, hook, file and line."""
    bad = plugin()
    setattr(bad, hook, raising(ValueError("out of order")))

    class Gpu(NullBackend):
        device = "a device"

    expected = rf"test_app_failures.py:\d+: plugin 'bad' failed in {hook}: ValueError: out of order"
    with pytest.raises(PluginError, match=expected):  # noqa: PT012 (where it raises depends on the hook)
        app = rish_app(SCENES, plugins={"bad": bad}, backend=Gpu())
        app.frame()
        app.world[Scenes].go("other")
        app.world.defer(lambda world: prepare(app).apply())
        app.frame()
        app.close()


@pytest.mark.parametrize("hook", DECLARING)
@pytest.mark.parametrize("value", [42, [object()], {"a": 42}, "text", Wind])
def test_a_wrong_answer_sets_a_plugin_aside(hook: str, value: Any, rish_app: MakeApp) -> None:
    """A wrong return value is reported and disables only its plugin."""
    ticks, healthy = counting()
    bad = plugin()
    setattr(bad, hook, lambda: value)
    app = rish_app(SCENES, plugins={"bad": bad, "good": healthy}, policy="disable", strict=False)
    app.run(frames=60)
    assert len(ticks) == 60
    assert "bad" in app.plugins.aside
    assert hook in app.plugins.aside["bad"]


def test_who_requires_a_failed_plugin_goes_with_it(rish_app: MakeApp) -> None:
    """Plugins that require a failed plugin are disabled with it, also during the game."""
    ticks, needy = counting()
    needy.rish_about = lambda: About(requires=["bad"])
    bad = plugin(scene_unloading=raising(ValueError("no")))
    app = rish_app(SCENES, plugins={"bad": bad, "needy": needy}, policy="disable", strict=False)
    app.run(frames=5)
    app.world[Scenes].go("other")
    app.run(frames=5)
    assert len(ticks) == 5
    assert set(app.plugins.aside) == {"bad", "needy"}


def test_a_drawer_that_can_not_be_made_is_its_plugins_fault(rish_app: MakeApp) -> None:
    """If a drawer can't be created, its plugin is reported and the game continues without its drawing."""
    bad = plugin(drawers=lambda: {"null": {"weather": raising(ValueError("no shader"))}})
    app = rish_app(plugins={"bad": bad}, policy="disable", backend="null")
    app.run(frames=3)
    assert "no shader" in app.plugins.aside["bad"]
    with pytest.raises(PluginError, match="plugin 'bad' failed in rish_drawers: ValueError: no shader"):
        rish_app(plugins={"bad": bad}, backend="null")


class _Blind:
    """A drawer that always raises."""

    needs: frozenset[str] = frozenset()

    def draw(self, *_: Any) -> None:
        """Raise."""
        raise ValueError("no light")


def test_a_drawer_that_raises_is_set_aside_alone(rish_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    """A drawer that raises is reported once with file and line and no longer called; its plugin's systems continue."""

    @system(Stage.EXTRACT)
    def show(world: Any, dt: float) -> None:
        world[Frame].add(Batch("test.weather", {"drops": np.zeros(2)}))

    bad = plugin(drawers=lambda: {"null": {"test.weather": _Blind}}, systems=lambda: [show])
    app = rish_app(plugins={"bad": bad}, policy="disable", strict=False, backend=NullBackend())
    app.run(frames=3)
    said = [record.message for record in caplog.records if "no light" in record.message]
    assert len(said) == 1
    assert re.search(
        r"test_app_failures.py:\d+: the drawer of 'test.weather' of plugin 'bad' failed: ValueError", said[0]
    )
    assert app.set_aside == ["the drawer of 'test.weather'"]
    assert "bad" in app.plugins


@pytest.mark.parametrize("verb", ["poll", "draw", "present", "pixels"])
def test_a_backend_that_raises_is_named_with_its_verb(verb: str, rish_app: MakeApp) -> None:
    """A backend that raises ends the game with file and line of the backend's code."""
    backend = NullBackend()
    app = rish_app(backend=backend)
    setattr(backend, verb, lambda *_: 1 / 0)
    with pytest.raises(BackendError, match=rf"test_app_failures.py:\d+: the backend 'null' .* failed in {verb}: Zero"):  # noqa: PT012
        app.frame()
        app.pixels()


def test_a_write_into_a_gathered_copy_is_explained(rish_app: MakeApp) -> None:
    """numpy refuses a write into a gathered copy, and the error shows the form that writes."""

    @system(Stage.UPDATE, writes=Transform)
    def push(world: Any, dt: float) -> None:
        position = world.query(Transform, Name)[Transform.position]
        position += 5

    app = rish_app(plugins={"bad": plugin(systems=lambda: [push])}, policy="raise", strict=False)
    app.world.spawn(Transform())
    app.world.spawn(Transform(), Name(value="a"))
    with pytest.raises(RishError, match=r"read-only\. Arrays that a query gathers are copies\. .*`with query\.edit"):
        app.tick()


class _Stop(BaseException):
    """An exception that is not an Exception."""


def test_a_system_that_raises_any_exception_is_set_aside(rish_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    """A system is disabled for any exception, also a BaseException of its own; only Ctrl-C ends the game."""

    @system(Stage.UPDATE)
    def stop(world: Any, dt: float) -> None:
        raise _Stop("enough")

    app = rish_app(plugins={"bad": plugin(systems=lambda: [stop])}, policy="disable", strict=False)
    app.run(frames=3)
    assert sum("enough" in record.message for record in caplog.records) == 1
    assert app.set_aside == ["system 'bad.stop'"]

    @system(Stage.UPDATE)
    def interrupt(world: Any, dt: float) -> None:
        raise KeyboardInterrupt

    app = rish_app(plugins={"bad": plugin(systems=lambda: [interrupt])}, policy="disable", strict=False)
    with pytest.raises(KeyboardInterrupt):
        app.run(frames=3)


def test_a_declaring_hook_without_return_is_a_mistake(rish_app: MakeApp) -> None:
    """A declaring hook that returns None is an error, not a plugin without declarations."""
    app = rish_app(plugins={"bad": plugin(systems=lambda: None)}, policy="disable")
    assert "rish_systems: it returned nothing" in app.plugins.aside["bad"]


@pytest.mark.parametrize("policy", ["disable", "raise"])
def test_a_layer_that_fails_at_an_event_is_named(
    policy: str, rish_app: MakeApp, caplog: pytest.LogCaptureFixture
) -> None:
    """A layer whose event handler fails loses its handler, or the game ends, depending on the policy."""

    def handle(world: Any, event: WindowEvent) -> bool:
        raise ValueError("jammed")

    bad = plugin(layers=lambda: [Layer("console", overlay=True, on_event=handle)])
    key = WindowEvent("key", "SPACE", down=True)
    app = rish_app(plugins={"bad": bad}, backend=NullBackend(events=[key] * 3), policy=policy)
    if policy == "raise":
        with pytest.raises(
            PluginError, match=r"test_app_failures.py:\d+: plugin 'bad': layer 'console' failed at a key event"
        ):
            app.frame()
    else:
        with caplog.at_level(logging.WARNING):
            app.run(frames=3)
        assert [r.getMessage() for r in caplog.records if "jammed" in r.getMessage()][1:] == []
        assert "layer 'console'" in caplog.text

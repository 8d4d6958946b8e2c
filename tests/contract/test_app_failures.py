"""A plugin that fails, in whichever hook, is named and set aside; everybody else plays on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from windy import HOOKS, SCENES, MakeApp, Wind, plugin

from rish_core import (
    About,
    Layer,
    Stage,
    WindowEvent,
    system,
)
from rish_core.errors import PluginError
from rish_core.frame.null import NullBackend
from rish_core.plugin import hooks
from rish_core.renewal import prepare


def counting() -> tuple[list[int], SimpleNamespace]:
    """A healthy plugin that notes each tick that it saw."""
    ticks: list[int] = []

    @system(Stage.UPDATE)
    def count(world: Any, dt: float) -> None:
        ticks.append(world.tick)

    return ticks, plugin(systems=lambda: [count])


def raising(error: BaseException) -> Callable[[], Any]:
    """A hook that raises."""

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
    """In whichever hook: it is named with file and line, its systems stop, the game and the others go on."""
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
        app.go("other")
        app.world.at_border(lambda world: prepare(app).apply())
        app.run(frames=30)
        app.close()
    assert ticks == list(range(60))
    assert "bad" in app.plugins.aside
    failure = next(one for one in app.plugins.failures if one.plugin == "bad")
    assert (failure.hook, failure.error) == (hook, error)
    assert failure.place.file.endswith("test_app_failures.py")
    assert failure.place.line > 0
    assert f"plugin 'bad' failed in {hook}" in caplog.text
    before = {"rish_frame": 1, "rish_scene_unloading": 30, "rish_reloaded": 30, "rish_shutdown": 60}
    assert len(own) == before.get(hook, 0)


@pytest.mark.parametrize("hook", [hook for hook in HOOKS if hook not in TROUBLE])
def test_in_development_a_plugin_that_raises_ends_the_game(hook: str, rish_app: MakeApp) -> None:
    """Policy `raise`: one sentence with plugin, hook, file and line."""
    bad = plugin()
    setattr(bad, hook, raising(ValueError("out of order")))

    class Gpu(NullBackend):
        device = "a device"

    expected = rf"test_app_failures.py:\d+: plugin 'bad' failed in {hook}: ValueError: out of order"
    with pytest.raises(PluginError, match=expected):  # noqa: PT012 (where it raises depends on the hook)
        app = rish_app(SCENES, plugins={"bad": bad}, backend=Gpu())
        app.frame()
        app.go("other")
        app.world.at_border(lambda world: prepare(app).apply())
        app.frame()
        app.close()


@pytest.mark.parametrize("hook", DECLARING)
@pytest.mark.parametrize("value", [42, [object()], {"a": 42}, "text", Wind])
def test_a_wrong_answer_sets_a_plugin_aside(hook: str, value: Any, rish_app: MakeApp) -> None:
    """What is no such declaration is named, and nobody else suffers."""
    ticks, healthy = counting()
    bad = plugin()
    setattr(bad, hook, lambda: value)
    app = rish_app(SCENES, plugins={"bad": bad, "good": healthy}, policy="disable", strict=False)
    app.run(frames=60)
    assert len(ticks) == 60
    assert "bad" in app.plugins.aside
    assert hook in app.plugins.aside["bad"]


def test_who_requires_a_failed_plugin_goes_with_it(rish_app: MakeApp) -> None:
    """In the middle of the game as well."""
    ticks, needy = counting()
    needy.rish_about = lambda: About(requires=["bad"])
    bad = plugin(scene_unloading=raising(ValueError("no")))
    app = rish_app(SCENES, plugins={"bad": bad, "needy": needy}, policy="disable", strict=False)
    app.run(frames=5)
    app.go("other")
    app.run(frames=5)
    assert len(ticks) == 5
    assert set(app.plugins.aside) == {"bad", "needy"}


def test_a_drawer_that_can_not_be_made_is_its_plugins_fault(rish_app: MakeApp) -> None:
    """The plugin is named, the game goes on without its pictures."""
    bad = plugin(drawers=lambda: {"null": {"weather": raising(ValueError("no shader"))}})
    app = rish_app(plugins={"bad": bad}, policy="disable")
    app.run(frames=3)
    assert "no shader" in app.plugins.aside["bad"]
    with pytest.raises(PluginError, match="plugin 'bad' failed in rish_drawers: ValueError: no shader"):
        rish_app(plugins={"bad": bad})


@pytest.mark.parametrize("policy", ["disable", "raise"])
def test_a_layer_that_fails_at_an_event_is_named(
    policy: str, rish_app: MakeApp, caplog: pytest.LogCaptureFixture
) -> None:
    """Its handler is taken away, or the game ends, as the policy has it."""

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

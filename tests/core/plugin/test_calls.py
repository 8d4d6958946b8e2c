"""Hook calls are isolated: a plugin that raises is named and stops no other."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core.errors import PluginError
from rish_core.plugin.calls import Face, Failure, HookManager, IsolatedCaller
from rish_core.plugin.hooks import hookimpl, hookspec
from rish_core.plugin.implementations import find_implementations
from rish_ecs import UnknownName, UsageError


def caller(plugins: dict[str, dict[str, Callable[..., Any]]], failures: list[Failure] | None = None) -> IsolatedCaller:
    """Return a caller of plugins made of functions; failures are collected, or raised if no list is given."""
    manager = HookManager()
    faces: list[Face] = []
    for name, functions in plugins.items():
        found, mistakes = find_implementations(name, SimpleNamespace(**functions), manager.arguments)
        assert not mistakes
        faces.append(Face(name, found))

    def fail(failure: Failure) -> None:
        if failures is None:
            raise failure.as_error() from failure.error
        failures.append(failure)

    return IsolatedCaller(manager, faces, fail)


def test_calls_go_in_the_order_of_the_plugins() -> None:
    """Hooks are called in the order of the plugins, except for `tryfirst` and `trylast`."""
    calls = caller(
        {
            "late": {"rish_prefabs": hookimpl(trylast=True)(lambda: {"late": {}})},
            "a": {"rish_prefabs": lambda: {"a": {}}},
            "b": {"rish_prefabs": lambda: {"b": {}}},
            "early": {"rish_prefabs": hookimpl(tryfirst=True)(lambda: {"early": {}})},
            "silent": {"rish_prefabs": lambda: None},
        }
    )
    assert [name for name, _ in calls.gather("rish_prefabs")] == ["early", "a", "b", "late"]
    assert calls.implementers("rish_prefabs") == ("early", "a", "b", "silent", "late")


def test_taking_down_goes_the_other_way_round() -> None:
    """`rish_shutdown` is called in reverse order."""
    seen: list[str] = []
    calls = caller({name: {"rish_shutdown": lambda world, name=name: seen.append(name)} for name in "abc"})
    calls.gather("rish_shutdown", world=None)
    assert seen == ["c", "b", "a"]


def test_taking_down_reaches_everyone() -> None:
    """A failure of `rish_shutdown` is raised only after every plugin was called."""
    seen: list[str] = []
    calls = caller({"a": {"rish_shutdown": lambda: seen.append("a")}, "b": {"rish_shutdown": lambda world: 1 / 0}})
    with pytest.raises(PluginError, match="plugin 'b' failed in rish_shutdown"):
        calls.gather("rish_shutdown", world=None)
    assert seen == ["a"]


def test_each_gets_the_arguments_that_it_names() -> None:
    """Arguments are passed by name, and an implementation can leave some out."""
    calls = caller(
        {
            "none": {"rish_scene_loaded": lambda: "none"},
            "one": {"rish_scene_loaded": lambda scene: scene},
            "both": {"rish_scene_loaded": lambda scene, world: (scene, world)},
        }
    )
    answers = calls.gather("rish_scene_loaded", world="w", scene="s")
    assert answers == [("none", "none"), ("one", "s"), ("both", ("s", "w"))]


def _broken(app: Any) -> None:
    raise ValueError("no wind")


def test_one_that_raises_is_named_and_stops_no_other() -> None:
    """A failure names plugin, hook, file, line and error, and the other plugins are called."""
    failures: list[Failure] = []
    seen: list[str] = []
    calls = caller(
        {
            "wind": {"rish_ready": _broken},
            "quits": {"rish_ready": lambda app: sys.exit(3)},
            "box": {"rish_ready": lambda app: seen.append(app)},
        },
        failures,
    )
    assert calls.gather("rish_ready", app="app") == []
    assert seen == ["app"]
    assert [failure.plugin for failure in failures] == ["wind", "quits"]
    assert "test_calls.py:" in str(failures[0])
    assert failures[0].place.line == _broken.__code__.co_firstlineno + 1
    assert str(failures[0]).endswith("plugin 'wind' failed in rish_ready: ValueError: no wind")
    assert isinstance(failures[0].as_error(), PluginError)


def test_an_interrupt_passes() -> None:
    """KeyboardInterrupt is not caught."""

    def interrupt(app: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        caller({"wind": {"rish_ready": interrupt}}, []).gather("rish_ready", app=None)


def test_an_error_of_the_kernel_is_put_down_to_the_plugins_line() -> None:
    """If the kernel raises because of a plugin's call, the failure has the line of the plugin."""

    def misuse() -> None:
        caller({}).gather("rish_raedy")

    failures: list[Failure] = []
    caller({"wind": {"rish_components": misuse}}, failures).gather("rish_components")
    assert failures[0].place.line == misuse.__code__.co_firstlineno + 1


def test_the_first_answer_wins() -> None:
    """`first` returns the first answer that is not None, with its plugin."""
    calls = caller(
        {
            "a": {"rish_error_hint": lambda error: None},
            "b": {"rish_error_hint": lambda error: "try b"},
            "c": {"rish_error_hint": lambda error: sys.exit("never asked")},
        }
    )
    assert calls.first("rish_error_hint", error=None) == ("b", "try b")
    assert caller({}).first("rish_error_hint", error=None) is None


def test_a_dropped_plugin_is_called_no_more() -> None:
    """A plugin that is dropped during a call is not called any more, in this call or later."""
    seen: list[str] = []
    calls: IsolatedCaller
    calls = caller(
        {
            "a": {"rish_frame_end": lambda: calls.drop(["b"])},
            "b": {"rish_frame_end": lambda: seen.append("b")},
            "c": {"rish_frame_end": lambda: seen.append("c")},
        }
    )
    assert calls.has("rish_frame_end")
    calls.gather("rish_frame_end", world=None, stats=None)
    calls.gather("rish_frame_end", world=None, stats=None)
    assert seen == ["c", "c"]
    assert calls.implementers("rish_frame_end") == ("a", "c")


def test_wrong_calls_are_refused() -> None:
    """Unknown hooks and wrong arguments raise errors that blame no plugin."""
    calls = caller({"a": {"rish_ready": lambda app: None}})
    with pytest.raises(UnknownName, match="did you mean 'rish_ready'"):
        calls.gather("rish_redy")
    with pytest.raises(UsageError, match="rish_ready was called with"):
        calls.gather("rish_ready", world=1)
    with pytest.raises(UsageError, match="rish_error_hint"):
        calls.first("rish_error_hint")


def test_hooks_of_plugins_are_checked() -> None:
    """New hooks need the prefix `rish_`, a new name and the `hookspec` marker."""
    manager = HookManager()

    @hookspec
    def weather() -> None: ...

    with pytest.raises(PluginError, match="does not begin with rish_"):
        manager.add_specs("wind", SimpleNamespace(weather=weather))
    with pytest.raises(PluginError, match="has no hooks"):
        manager.add_specs("wind", SimpleNamespace())

    @hookspec
    def rish_ready() -> None: ...

    with pytest.raises(PluginError, match="comes from both 'core' and 'wind'"):
        manager.add_specs("wind", SimpleNamespace(rish_ready=rish_ready))

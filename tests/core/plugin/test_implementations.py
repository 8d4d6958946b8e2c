"""Which functions of a plugin count as hooks, and which mistakes are found before anything is called."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from rish_core.plugin.hooks import hookimpl, hookspec
from rish_core.plugin.implementations import find_implementations

SPECS = {"rish_ready": ("app",), "rish_scene_loaded": ("world", "scene"), "rish_components": ()}


def find(thing: object) -> dict[str, tuple[str, ...]]:
    """Return the hooks that are found, with their arguments."""
    found, mistakes = find_implementations("wind", thing, SPECS)
    assert not mistakes
    return {one.hook: one.arguments for one in found}


def mistake(thing: object) -> str:
    """Return the one mistake that is found."""
    found, mistakes = find_implementations("wind", thing, SPECS)
    assert not found
    assert len(mistakes) == 1
    return str(mistakes[0])


def test_an_unmarked_function_counts() -> None:
    """A function is an implementation by its name alone; other names are ignored."""
    module = ModuleType("wind")
    exec(
        "import json as rish_json\nrish_version = 3\ndef rish_ready(app): ...\ndef blow(): ...",
        module.__dict__,
    )
    assert find(module) == {"rish_ready": ("app",)}


def test_marked_functions_and_methods_count() -> None:
    """A marker changes nothing, and an object with methods works like a module."""

    class Plugin:
        @hookimpl
        def rish_ready(self) -> None: ...

        @staticmethod
        def rish_components() -> list[type]:
            return []

        @property
        def rish_scene_loaded(self) -> None:
            raise AssertionError

    assert find(Plugin()) == {"rish_ready": (), "rish_components": ()}


def test_arguments_in_any_order_and_with_defaults() -> None:
    """An implementation gets the arguments that it names; other arguments with defaults keep those."""

    def rish_scene_loaded(scene: str, world: Any = None, depth: int = 3) -> None: ...

    assert find(SimpleNamespace(rish_scene_loaded=rish_scene_loaded)) == {"rish_scene_loaded": ("scene", "world")}


def test_an_unknown_hook_is_refused_with_the_nearest() -> None:
    """A misspelt hook is refused with plugin, file, line and the nearest hook."""
    said = mistake(SimpleNamespace(rish_redy=lambda app: None))
    assert "test_implementations.py:" in said
    assert "plugin 'wind': no hook is called 'rish_redy' (did you mean 'rish_ready'?)" in said
    assert "@hookimpl(optional=True)" in said


def test_an_optional_hook_may_be_unknown() -> None:
    """With `optional=True` a hook may be unknown."""

    @hookimpl(optional=True)
    def rish_editor_panels() -> None: ...

    assert find(SimpleNamespace(rish_editor_panels=rish_editor_panels)) == {}


def test_a_wrong_argument_is_explained() -> None:
    """A wrong argument is refused with the nearest and all arguments of the hook."""
    said = mistake(SimpleNamespace(rish_scene_loaded=lambda wrld: None))
    assert "the hook rish_scene_loaded has no argument 'wrld' (did you mean 'world'?)" in said
    assert "Choices: world, scene" in said
    assert "It takes none" in mistake(SimpleNamespace(rish_components=lambda world: None))


async def _later(app: Any) -> None: ...


def _by_keyword(*, app: Any) -> None: ...


@hookimpl
def _marked(app: Any) -> None: ...


def _wrapper(app: Any) -> None: ...


_wrapper.rish_impl = {"wrapper": True}  # pyright: ignore[reportFunctionMemberAccess]


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (SimpleNamespace(rish_components=[int]), "rish_components is a list, but hooks are functions"),
        (SimpleNamespace(rish_ready=_later), "'async'"),
        (SimpleNamespace(rish_ready=_by_keyword), "'app' by keyword only"),
        (SimpleNamespace(rish_ready=_wrapper), "wrapper, which Rish does not have"),
        (SimpleNamespace(ready=_marked), "'ready' is marked @hookimpl, but hooks begin with rish_"),
    ],
)
def test_what_would_fail_in_silence_is_refused(thing: object, said: str) -> None:
    """A list, a coroutine, a keyword-only argument, a wrapper, and a marked function of another name are refused."""
    assert said in mistake(thing)


def test_a_plugins_own_hooks_are_no_implementations() -> None:
    """Hook specifications are not implementations, so a module that declares hooks can be the plugin itself."""

    @hookspec
    def rish_weather() -> None: ...

    assert find(SimpleNamespace(rish_weather=rish_weather)) == {}


def test_all_mistakes_of_a_plugin_are_reported() -> None:
    """All mistakes of a plugin are reported, and its valid hooks are found."""
    thing = SimpleNamespace(rish_a=lambda: None, rish_b=lambda: None, rish_ready=lambda: None)
    found, mistakes = find_implementations("wind", thing, SPECS)
    assert len(mistakes) == 2
    assert [one.hook for one in found] == ["rish_ready"]

"""The hook by which games and plugins declare scripts, tested by the rules of the kernel's own hooks."""

from __future__ import annotations

import inspect
import re
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import PluginError, component
from rish_ecs import DeclarationError
from rish_scripts import Script, hooks, plugin


class Door(Script):
    """A script."""

    open: bool = False


@component
class Plain:
    """A component that is not a script."""


def test_hook_rish_scripts(rish_app: Any) -> None:
    """Scripts of a plugin and of a game are their components, as if declared by `rish_components`."""
    mine = SimpleNamespace(rish_scripts=lambda: [Door])
    app = rish_app({"scenes": {"main": [{"mine.Door": {"open": True}}]}}, plugins={"scripts": plugin, "mine": mine})
    assert app.registry.owner("component", "mine.Door") == "mine"
    assert app.world[Door].open.tolist() in ([], [True])
    app.tick()
    assert app.world[Door].open.tolist() == [True]
    other = SimpleNamespace(rish_components=lambda: [Door])
    assert "mine.Door" in rish_app({}, plugins={"scripts": plugin, "mine": other}).registry.components


def test_both_ways_at_once_is_once_too_often(rish_app: Any) -> None:
    """A class declared by both hooks is rejected, with the name of the class and the plugin."""
    twice = SimpleNamespace(rish_components=lambda: [Door], rish_scripts=lambda: [Door])
    with pytest.raises(DeclarationError, match="plugin 'mine' declares the component 'Door' twice"):
        rish_app({}, plugins={"scripts": plugin, "mine": twice})


@pytest.mark.parametrize("answer", [Door, [Door()], [3], {"Door": Door}])
def test_other_answers_are_refused(rish_app: Any, answer: Any) -> None:
    """Wrong return values are rejected, as by `rish_components`."""
    with pytest.raises(PluginError, match="rish_scripts"):
        rish_app({}, plugins={"scripts": plugin, "mine": SimpleNamespace(rish_scripts=lambda: answer)})


def test_without_the_plugin_the_hook_is_unknown(rish_app: Any) -> None:
    """A game that declares scripts has to name the plugin."""
    with pytest.raises(PluginError, match="rish_scripts"):
        rish_app({}, plugins={"mine": SimpleNamespace(rish_scripts=lambda: [Door])})


def test_it_is_documented_like_the_kernels() -> None:
    """The docstring of the hook has when, how often, arguments, returns, failures and an example."""
    doc = inspect.getdoc(hooks.rish_scripts) or ""
    for part in ("When", "How often", "Arguments", "Returns", "Failures"):
        assert re.search(rf"^{part}: \w", doc, re.MULTILINE), part
    assert "Example::" in doc

"""What the built-in plugins declare is explained: components, events and settings. The reference is made of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rish_core import builtin, kind_of
from rish_core.plugin.discovery import installed_plugins
from rish_ecs.declarations import resource_spec

PLUGINS = {each.name: each.load() for each in installed_plugins() if each.value.startswith("rish_")}
UNLIMITED = {"ScriptSettings.errors", "ScriptSettings.watchdog", "ScriptSettings.interrupt"}
"""Settings without an upper limit."""


def declared(plugin: Any, *hooks: str) -> Iterator[type]:
    """Yield the classes that a plugin returns from hooks."""
    for hook in hooks:
        found = getattr(plugin, hook, list)()
        yield from found if isinstance(found, list | tuple) else [found]


def test_there_are_declarations() -> None:
    """The plugins and their declarations are found by these tests."""
    assert {"physics", "render", "particles"} <= set(PLUGINS)
    assert len([*declared(PLUGINS["physics"], "rish_components", "rish_events")]) > 5
    assert all([*declared(PLUGINS[name], "rish_settings")] for name in ("physics", "particles"))


@pytest.mark.parametrize("name", PLUGINS)
def test_every_field_is_described(name: str) -> None:
    """Each component and event has a description, and each of its fields has a description or a unit, or is hidden."""
    for cls in declared(PLUGINS[name], "rish_components", "rish_events"):
        assert kind_of(cls).doc, cls.__name__
        for field, spec in kind_of(cls).fields.items():
            assert spec.doc or spec.unit or spec.hidden, f"{cls.__name__}.{field}"


@pytest.mark.parametrize("name", PLUGINS)
def test_every_setting_has_a_sentence_and_a_range(name: str) -> None:
    """Every setting has a description, and every numeric one a range."""
    for cls in declared(PLUGINS[name], "rish_settings"):
        spec = resource_spec(cls)
        assert spec is not None, cls.__name__
        for field, one in spec.fields.items():
            assert one.doc, f"{cls.__name__}.{field}"
            if one.type.dtype.kind in "fi" and one.type.special == "" and one.type.shape == ():
                assert one.low is not None, f"{cls.__name__}.{field}"
                assert one.high is not None or f"{cls.__name__}.{field}" in UNLIMITED, f"{cls.__name__}.{field}"


@pytest.mark.parametrize("name", [*PLUGINS, "core"])
def test_fields_name_lists_that_exist(name: str) -> None:
    """Each list of names that a field refers to is declared by one of the plugins, so a tool can offer its names."""
    lists = {each for plugin in (builtin, *PLUGINS.values()) for each in getattr(plugin, "rish_names", dict)()}
    for cls in declared(PLUGINS.get(name, builtin), "rish_components"):
        for field, spec in kind_of(cls).fields.items():
            assert not spec.names or spec.names in lists, f"{cls.__name__}.{field}"
            assert not spec.names or spec.type.text or spec.type.special, f"{cls.__name__}.{field} holds no text"

"""Plugins of the project decide by their declarations alone which events are emitted."""

from __future__ import annotations

import pytest

from rish_core import World
from rish_core.plugin import installed_plugins
from rish_ecs.declarations import system_spec

OWN = {plugin.name: plugin for plugin in installed_plugins() if plugin.value.startswith("rish_")}


@pytest.mark.parametrize("name", sorted(OWN))
def test_no_plugin_reads_all_events(name: str) -> None:
    """A system that writes the whole World says which events it reads; else a game with it emits all events."""
    systems = getattr(OWN[name].load(), "rish_systems", list)()
    specs = [spec for spec in map(system_spec, systems) if spec is not None]
    assert len(specs) == len(systems)
    assert [spec.name for spec in specs if World in spec.writes and spec.events is None] == []

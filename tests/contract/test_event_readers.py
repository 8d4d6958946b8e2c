"""Plugins of the project decide by their declarations alone which events are emitted."""

from __future__ import annotations

import pytest

from rish_core import App, World, parse_manifest
from rish_core.plugin import installed_plugins

OWN = sorted(plugin.name for plugin in installed_plugins() if plugin.value.startswith("rish_"))


@pytest.mark.parametrize("name", OWN)
def test_no_plugin_reads_all_events(name: str) -> None:
    """A system that writes the whole World says which events it reads; else a game with it emits all events."""
    with App(parse_manifest(f"rish: 1\nplugins: [{name}]\nscenes: {{main: []}}\n"), headless=True) as app:
        own = [system for system in app.registry.systems if system.plugin == name]
        assert [system.name for system in own if World in system.spec.writes and system.spec.events is None] == []

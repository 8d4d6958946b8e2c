"""Installed plugins that a game does not name are searched for the names that the game uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rish_core import builtin
from rish_core.manifest.check import check_manifest
from rish_core.manifest.manifest import parse_manifest
from rish_core.plugin.declaration_checks import READERS
from rish_core.plugin.discovery import Candidate
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.registry import Registry, build_registry
from rish_core.plugin.suggestions import names_among

WIND = """
from rish_core import About, Stage, component, resource, system

@component
class Gust:
    strength: float = 1.0

@resource
class Settings:
    speed: float = 1.0

def rish_components(): return [Gust]
def rish_settings(): return Settings
def rish_prefabs(): return {"breeze": {"Gust": {}}}
def rish_manifest_keys(): return ["gusts"]
def rish_layer_options(): return Settings
"""


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Candidate]]:
    """Create a package that cannot be imported, and one that can."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "planted_bomb.py").write_text("raise SystemExit(9)")
    (tmp_path / "planted_wind.py").write_text(WIND)
    yield [Candidate(name, f"rish-{name}", "1.0", f"planted_{name}") for name in ("bomb", "wind")]
    for name in ("planted_bomb", "planted_wind"):
        sys.modules.pop(name, None)


def _registry(others: list[Candidate], *wishes: str, **extra: object) -> Registry:
    return build_registry(load_plugins(wishes, extra=extra, core=builtin, installed=others))


def test_the_owner_is_found_past_a_broken_package(others: list[Candidate]) -> None:
    """The plugin that declares a name is found despite a broken package, by short and full name; otherwise None."""
    found = names_among(tuple(others), "rish_components", READERS["rish_components"])
    assert found == {"wind.Gust": "wind", "Gust": "wind"}
    assert names_among(tuple(others), "rish_prefabs", READERS["rish_prefabs"]) == {"breeze": "wind"}


def test_a_manifest_that_uses_what_is_not_named_says_what_to_add(others: list[Candidate]) -> None:
    """If a manifest uses names of a plugin that it does not load, the message says which plugin to add."""
    registry = _registry(others)
    text = (
        "rish: 1\ngusts: 3\nlayers: [{world: {speed: 2}}]\nsettings:\n  wind: {speed: 2}\n"
        "scenes:\n  main:\n    - {Gust: {}}\n    - {prefab: breeze}\n    - {Transform: {}}\n"
    )
    said = [str(problem) for problem in check_manifest(parse_manifest(text.replace("Gust", "Name")), registry)]
    assert len(said) == 4
    said = [str(problem) for problem in check_manifest(parse_manifest(text), registry)]
    assert said == [
        "game.yaml:2:1: gusts: 'gusts' belongs to the plugin 'wind': add wind to `plugins:`",
        "game.yaml:3:19: layers[0].world.speed: 'speed' belongs to the plugin 'wind': add wind to `plugins:`",
        "game.yaml:5:3: settings.wind: the plugin 'wind' is installed but not used: add wind to `plugins:`",
        "game.yaml:8:8: scenes.main[0].Gust: 'Gust' belongs to the plugin 'wind': add wind to `plugins:`",
        "game.yaml:9:16: scenes.main[1].prefab: 'breeze' belongs to the plugin 'wind': add wind to `plugins:`",
    ]


def test_what_is_known_imports_no_other_plugin(others: list[Candidate]) -> None:
    """A valid manifest imports no other plugins."""
    text = "rish: 1\nscenes:\n  main:\n    - {Transform: {}}\n"
    assert check_manifest(parse_manifest(text), _registry(others)) == []
    assert "planted_wind" not in sys.modules

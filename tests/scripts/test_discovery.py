"""Scripts of a package are found automatically."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import PluginError

GAME = {"plugins": ["scripts"], "scenes": {"main": [{"Owl": {}, "Fox": {"legs": 5}}]}}
PLUGIN = """
from rish_scripts import scripts_in
from . import scripts

def rish_scripts():
    return scripts_in(scripts)
"""
OWL = """
from rish_scripts import Script
from .fox import Fox

class _Animal(Script):
    legs: int = 4

class Owl(_Animal):
    legs: int = 2
"""
FOX = """
from rish_scripts import Script

class Fox(Script):
    legs: int = 4
"""


def test_a_games_folder_of_scripts(rish_app: Any) -> None:
    """Each module's own classes are found, in the order of modules; imported ones once, private ones not at all."""
    files = {"plugin.py": PLUGIN, "scripts/owl.py": OWL, "scripts/fox.py": FOX, "scripts/notes.txt": "-"}
    app = rish_app(GAME, installed=["scripts"], files=files)
    mine = [key for key in app.registry.components if key.startswith("game.")]
    assert mine == ["game.Fox", "game.Owl"]
    app.run(frames=2)
    assert app.world.table(app.world.kind("Fox")).legs.tolist() == [5]


def test_a_broken_script_is_named(rish_app: Any) -> None:
    """An error in a script's module is reported with its own file and line."""
    files = {"plugin.py": PLUGIN, "scripts/owl.py": OWL, "scripts/fox.py": FOX + "\nnonsense\n"}
    with pytest.raises(PluginError, match=r"fox\.py:7: plugin 'game'.*NameError"):
        rish_app(GAME, installed=["scripts"], files=files)

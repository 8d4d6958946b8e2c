"""Comparison of code: an edit is detected, loading the same text again is not an edit."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from rish_core.plugin.game import forget_game_plugin, load_game_plugin
from rish_reload.code import module_code

TEXT = '''"""A drawer."""

SCALE = 2


def helper(x, y=1):
    return [each + y for each in x]


class Drawer:
    """Draws."""

    size: int = 1

    @staticmethod
    def make():
        return Drawer()

    def draw(self):
        return helper([1])


def make(device):
    return Drawer()
'''

CHANGES = {
    "nothing": ("", "", True),
    "a remark": ("def helper", "# adds\n\n\ndef helper", True),
    "a number": ("[1]", "[2]", False),
    "a constant": ("SCALE = 2", "SCALE = 3", False),
    "a default": ("y=1", "y=2", False),
    "a helper": ("each + y", "each - y", False),
    "a method": ("return helper", "return 2 * helper", False),
    "a static method": ("return Drawer()\n\n    def draw", "return None\n\n    def draw", False),
    "a function more": ("def make(device)", "def other():\n    pass\n\n\ndef make(device)", False),
}


def load(path: Path, text: str) -> ModuleType:
    """Load a text as a game's module."""
    path.write_text(text)
    return load_game_plugin(path, afresh=True)


@pytest.mark.parametrize(("old", "new", "alike"), CHANGES.values(), ids=CHANGES)
def test_what_counts_as_an_edit(tmp_path: Path, old: str, new: str, alike: bool) -> None:
    """Every change of behavior in the module of a function counts as an edit; comments and line numbers do not."""
    path = tmp_path / "plugin.py"
    one, other = load(path, TEXT), load(path, TEXT.replace(old, new))
    assert (module_code(one.make) == module_code(other.make)) is alike
    for module in (one, other):
        forget_game_plugin(module)
        assert module.__name__ not in sys.modules

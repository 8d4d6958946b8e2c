"""Rules save and load the game by the actions of the plugin."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core import Input, open_game
from rish_expressions import Variables
from rish_history import Saves

GAME = """
rish: 1
game: {title: Camp}
plugins: [history, rules]
input: {save: [F5], load: [F9], spend: [S]}
variables: {gold: 3}
scenes: {main: []}
on:
  pressed save: {save: camp}
  pressed load: {load: camp}
  pressed spend: {add: {gold: -1}}
"""


def test_a_rule_saves_and_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`save: SLOT` writes a save game and `load: SLOT` restores it, both before the next tick."""
    monkeypatch.setenv("RISH_SAVES", str(tmp_path / "saves"))
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    with open_game(tmp_path, headless=True) as app:
        for key, gold in (("S", 2), ("F5", 2), ("S", 1), ("F9", 2), ("S", 1)):
            app.world[Input].press(key)
            app.run(2)
            app.world[Input].release(key)
            app.run(2)
            assert app.world[Variables].values["gold"] == gold, key
        assert app.world[Saves].slots == ["camp"]

"""`rish schema`: the JSON Schema for exactly the plugins at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_the_schema_of_a_game_knows_its_own_components(rish: Any, game: Path) -> None:
    """With the range of a field, and the settings of its plugin."""
    said = rish("schema", "--game", game)
    assert said.code == 0
    text = said.out
    schema = json.loads(text)
    assert schema["$schema"].endswith("2020-12/schema")
    assert '"Dot"' in text
    assert '"last"' in text


def test_the_schema_without_a_game_is_that_of_the_installed(rish: Any) -> None:
    """The kernel's components at the least."""
    text = rish("schema").out
    json.loads(text)
    assert '"Transform"' in text
    assert '"Dot"' not in text


def test_it_can_be_written_to_a_file(rish: Any, game: Path, tmp_path: Path) -> None:
    """And says how to use it."""
    target = tmp_path / "schema.json"
    said = rish("schema", "--game", game, "--out", target)
    assert said.code == 0
    assert f"$schema={target}" in said.out
    assert json.loads(target.read_text()) == json.loads(rish("schema", "--game", game).out)


def test_a_game_with_mistakes_is_answered_with_them(rish: Any, game: Path) -> None:
    """And one that is not there."""
    said = rish("schema", "--game", game.parent / "absent")
    assert (said.code, said.out) == (2, "")
    assert "there is no such file" in said.err
    (game / "game.yaml").write_text("rish: 1\nplugins: [windd]\nscenes: {main: []}\n")
    said = rish("schema", "--game", game)
    assert said.code == 2
    assert "plugin 'windd' is not installed" in said.err

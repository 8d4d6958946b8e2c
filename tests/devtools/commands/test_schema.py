"""`rish schema` prints the JSON Schema for the plugins in use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_the_schema_of_a_game_knows_its_own_components(rish: Any, game: Path) -> None:
    """The schema of a game includes its own components, the range of a field, and the settings of its plugin."""
    said = rish("schema", "--game", game)
    assert said.code == 0
    text = said.out
    schema = json.loads(text)
    assert schema["$schema"].endswith("2020-12/schema")
    assert '"Dot"' in text
    assert '"last"' in text


def test_the_schema_without_a_game_is_that_of_the_installed(rish: Any) -> None:
    """The schema without a game includes at least the kernel's components."""
    text = rish("schema").out
    json.loads(text)
    assert '"Transform"' in text
    assert '"Dot"' not in text


def test_it_can_be_written_to_a_file(rish: Any, game: Path, tmp_path: Path) -> None:
    """The schema can be written to a file; the output says how to use it."""
    target = tmp_path / "schema.json"
    said = rish("schema", "--game", game, "--out", target)
    assert said.code == 0
    assert f"$schema={target}" in said.out
    assert json.loads(target.read_text()) == json.loads(rish("schema", "--game", game).out)


def test_a_game_with_mistakes_is_answered_with_them(rish: Any, game: Path) -> None:
    """For a game with mistakes, or one that does not exist, the mistakes are printed."""
    said = rish("schema", "--game", game.parent / "absent")
    assert (said.code, said.out) == (2, "")
    assert "there is no such file" in said.err
    (game / "game.yaml").write_text("rish: 1\nplugins: [windd]\nscenes: {main: []}\n")
    said = rish("schema", "--game", game)
    assert said.code == 2
    assert "plugin 'windd' is not installed" in said.err

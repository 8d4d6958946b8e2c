"""The head of a manifest: what the window needs, from any file, without an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_cli.manifest_head import read_head
from rish_core import read_manifest

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*/game.yaml"))


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.parent.name)
def test_it_has_what_the_manifest_has(file: Path) -> None:
    """Title, size and plugins of every shipped game are those of its manifest."""
    head, manifest = read_head(file), read_manifest(file)
    assert head["game"]["title"] == manifest.title
    assert [int(side) for side in head["game"]["size"]] == list(manifest.value_at(("game", "size")))
    assert [text.rstrip("?") for text in head["plugins"]] == [wish.name for wish in manifest.plugins]


def test_a_folder_is_read_by_its_file(tmp_path: Path) -> None:
    """A folder stands for its `game.yaml`; sections in any order and style are found."""
    (tmp_path / "game.yaml").write_text("scenes: {main: []}\ngame:\n  title: 'One'\nplugins:\n- render\n- \"audio?\"\n")
    assert read_head(tmp_path) == {"game": {"title": "One"}, "plugins": ["render", "audio?"]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "just text",
        "- a\n- b",
        "game: &a {title: One}\nplugins: *a",
        "? [a]\n: b",
        "\x00",
        "game: " + "[" * 10_000,
    ],
)
def test_what_can_not_be_read_is_left_out(tmp_path: Path, text: str) -> None:
    """A damaged file, one that is no mapping, aliases and deep nesting give no value and no error."""
    (tmp_path / "game.yaml").write_text(text)
    assert read_head(tmp_path).keys() <= {"game"}


def test_a_missing_file_is_empty(tmp_path: Path) -> None:
    """A folder without a game, and a file that does not exist, have no head."""
    assert read_head(tmp_path) == read_head(tmp_path / "none.yaml") == {}


@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_without_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """No content of the file raises an error."""
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_bytes(data)
    read_head(file)

"""A pack has what the game uses, and says what was left out and why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rish_packs import gather


def write(folder: Path, *names: str) -> None:
    """Write files with their own names as content."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def test_what_the_game_uses_is_packed(tmp_path: Path) -> None:
    """All files of the folder and the folders in it are packed, sorted by path."""
    names = ["game.yaml", "plugin.py", "pictures/a.png", "locale/en.yaml", "LICENSE", "sounds/deep/b.ogg"]
    write(tmp_path, *names)
    gathered = gather(tmp_path)
    assert list(gathered.files) == sorted(names)
    assert gathered.left_out == {}


@pytest.mark.parametrize(
    ("name", "shown", "why"),
    [
        (".git/config", ".git/", "hidden"), (".rish/layout.yaml", ".rish/", "hidden"), ("a/.x", "a/.x", "hidden"),
        ("__pycache__/a.pyc", "__pycache__/", "makes again"), ("out/a.png", "out/", "what the game wrote"),
        ("tests/test_a.py", "tests/", "tests"), ("test_a.py", "test_a.py", "a test"),
        ("run.rish", "run.rish", "recording"),
        ("conftest.py", "conftest.py", "a test"), ("run.rish.part", "run.rish.part", "unfinished"),
        ("1.save", "1.save", "saved game"), ("old.rishgame", "old.rishgame", "a pack"),
        ("lib.so", "lib.so", "machine code"),
        ("dist/a.whl", "dist/", "made from the game"),
        ("~$a.doc", "~$a.doc", "hidden"),
    ],
)  # fmt: skip
def test_what_was_made_is_left_out(tmp_path: Path, name: str, shown: str, why: str) -> None:
    """Hidden files, caches, output, recordings, saved games, tests and machine code are left out, with the reason."""
    write(tmp_path, "game.yaml", name)
    gathered = gather(tmp_path)
    assert list(gathered.files) == ["game.yaml"]
    assert [*gathered.left_out] == [shown]
    assert why in gathered.left_out[shown]


def test_folders_named_like_output_are_packed_elsewhere(tmp_path: Path) -> None:
    """A folder `out` that is not at the top is packed."""
    write(tmp_path, "game.yaml", "pictures/out/a.png")
    assert list(gather(tmp_path).files) == ["game.yaml", "pictures/out/a.png"]


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_a_link_is_packed_as_the_file_it_leads_to(tmp_path: Path) -> None:
    """A link inside the folder is packed; one that leads outside, nowhere or to a folder is left out."""
    write(tmp_path, "outside.txt", "game/game.yaml", "game/a.txt", "game/inner/b.txt")
    game = tmp_path / "game"
    (game / "good").symlink_to("a.txt")
    (game / "bad").symlink_to(tmp_path / "outside.txt")
    (game / "gone").symlink_to("nothing")
    (game / "folder").symlink_to("inner")
    gathered = gather(game)
    assert list(gathered.files) == ["a.txt", "game.yaml", "good", "inner/b.txt"]
    assert list(gathered.left_out) == ["bad", "folder/", "gone"]

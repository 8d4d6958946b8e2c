"""A game without code, and its page of a painted play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from painted_plays import paint_plays
from rish_page import PageWish, write_page


def write_game(folder: Path, title: str = "The Pond", more: str = "") -> Path:
    """Write a game with four actions."""
    folder.mkdir(parents=True)
    keys = "{left: [LEFT, A, gamepad.dpad_left], right: [RIGHT], jump: [SPACE, gamepad.a], debug: [G]}"
    text = f"rish: 1\ngame: {{title: {title!r}}}\ninput: {keys}\nscenes: {{main: [], night: []}}\n{more}"
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """Return the folder of a game."""
    return write_game(tmp_path / "pond")


@pytest.fixture
def make(pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return `make(**wishes)`, which writes the page of the pond from painted plays and returns its folder."""
    paint_plays(monkeypatch)

    def make(**wishes: Any) -> Path:
        folder = tmp_path / f"page {len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        write_page(folder, PageWish(pond, "pond", "1.0", **wishes), tmp_path / "scratch", lambda step: None)
        return folder

    return make

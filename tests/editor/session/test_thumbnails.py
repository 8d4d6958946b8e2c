"""Thumbnails: pictures of the game's files as textures, within a budget."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from rish_core import Assets
from rish_editor.session.files.thumbnails import Thumbnails
from rish_editor.testing import UIDriver


def test_a_picture_is_read_after_it_was_asked_for(
    driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path
) -> None:
    """The first question has no answer; from the next frame on there is a texture and the size of the picture."""
    game = open_text()
    Image.new("RGBA", (20, 10), "red").save(tmp_path / "game" / "a.png")
    (tmp_path / "game" / "broken.png").write_bytes(b"no picture")
    thumbnails = driver.shell.editor.thumbnails
    assert thumbnails.get("a.png") is None
    assert thumbnails.get("broken.png") is None
    assert thumbnails.get("missing.png") is None
    assert thumbnails.get("game.yaml") is None
    driver.step(2)
    found = thumbnails.get("a.png")
    assert found is not None
    assert found[1] == (20, 10)
    assert thumbnails.get("broken.png") is None
    assert thumbnails.get("missing.png") is None
    assert game.app.running


def test_a_changed_file_is_read_again(driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path) -> None:
    """A file that another program has written is shown anew."""
    open_text()
    path = tmp_path / "game" / "a.png"
    Image.new("RGBA", (20, 10), "red").save(path)
    thumbnails = driver.shell.editor.thumbnails
    thumbnails.get("a.png")
    driver.step(2)
    Image.new("RGBA", (8, 8), "blue").save(path)
    os.utime(path, (1, 1))
    thumbnails._known["a.png"].checked = -1e9
    thumbnails.get("a.png")
    driver.step(2)
    found = thumbnails.get("a.png")
    assert found is not None
    assert found[1] == (8, 8)


def test_the_budget_is_kept(driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path) -> None:
    """Pictures that are not shown any more are freed when the budget is used up; those that are shown stay."""
    game = open_text()
    for number in range(6):
        Image.new("RGBA", (256, 256), "red").save(tmp_path / "game" / f"{number}.png")
    one = 512 * 512 * 4
    small = Thumbnails(driver.shell.window, lambda: game.world[Assets], budget=2 * one)
    for number in range(6):
        small.get(f"{number}.png")
        for _ in range(4):
            small.step()
    assert small.nbytes <= 2 * one
    assert small.get("5.png") is not None

"""rish edit: off screen with all options, and on a machine without a screen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rish_core.launcher import main

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
scenes: {main: [{name: red, Transform: {position: [320, 180]}, Shape: {size: [100, 100], color: red}}]}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game; settings are those of a person who has just installed the editor."""
    monkeypatch.setenv("RISH_CONFIG", str(tmp_path / "config"))
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "game.yaml").write_text(GAME)
    return tmp_path / "game"


def test_headless_writes_a_picture(game: Path, tmp_path: Path) -> None:
    """--headless --frames --capture writes the editor with the game, of the wanted size."""
    out = tmp_path / "deep" / "out.png"
    assert main(["edit", str(game), "--headless", "--frames", "8", "--capture", str(out), "--size", "800x500"]) == 0
    picture = np.asarray(Image.open(out))
    assert picture.shape == (500, 800, 3)
    assert ((picture[..., 0] > 230) & (picture[..., 1] < 60)).sum() > 1000


@pytest.mark.slow
def test_each_option_changes_the_picture(game: Path, tmp_path: Path) -> None:
    """Theme, language, scale and play are used for this run, and are not saved as the person's choice."""
    pictures: list[np.ndarray] = []
    for options in (
        ["--language", "en"], ["--theme", "light"], ["--theme", "contrast"], ["--language", "zh-TW"],
        ["--scale", "1.5"], ["--play"],
    ):  # fmt: skip
        out = tmp_path / "out.png"
        assert main(["edit", str(game), "--headless", "--frames", "6", "--capture", str(out), *options]) == 0
        pictures.append(np.asarray(Image.open(out)))
        assert len(pictures) == 1 or (pictures[0] != pictures[-1]).any(), options
    assert not (tmp_path / "config").exists()


def test_without_a_game_the_start_screen_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`rish edit --headless` without a game draws the start screen."""
    monkeypatch.setenv("RISH_CONFIG", str(tmp_path))
    assert main(["edit", "--headless", "--frames", "4", "--capture", str(tmp_path / "out.png")]) == 0
    assert np.asarray(Image.open(tmp_path / "out.png")).std() > 5


def test_places_of_widgets_are_written(game: Path, tmp_path: Path) -> None:
    """--marks writes where each widget of the last frame is, for programs that use the window from outside."""
    out = tmp_path / "marks.json"
    assert main(["edit", str(game), "--headless", "--frames", "6", "--marks", str(out), "--size", "800x500"]) == 0
    written = json.loads(out.read_text())
    assert written["frame"] == 6
    left, top, right, bottom, enabled = written["places"]["editor.hierarchy/rows/red"]
    assert 0 <= left < right <= 800
    assert 0 <= top < bottom <= 500
    assert enabled


def test_a_game_that_cant_be_opened_fails(game: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Off screen, a game that can't be opened ends the command with 2 and says why."""
    assert main(["edit", str(game / "nothing"), "--headless", "--frames", "2"]) == 2
    assert "nothing" in capfd.readouterr().err


def test_mistakes_of_a_game_are_printed(game: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A game with mistakes opens; off screen each mistake is printed with its place, and the command ends with 2."""
    file = game / "game.yaml"
    file.write_text(GAME.replace("Shape:", "Shap:"))
    assert main(["edit", str(game), "--headless", "--frames", "2"]) == 2
    said = capfd.readouterr().err
    assert f"{file.name}:4:" in said
    assert "Shap" in said


@pytest.mark.parametrize("options", [["--scale", "nan"], ["--scale", "9"], ["--capture", "picture.xyz"]])
def test_values_that_do_not_fit_are_refused(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A scale out of range and a picture of another format end the command before the editor opens."""
    with pytest.raises(SystemExit) as ended:
        main(["edit", "--headless", *options])
    assert ended.value.code == 2
    assert options[1] in capsys.readouterr().err


def test_an_unknown_language_is_named(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A language without texts ends the command with the languages that there are."""
    assert main(["edit", str(game), "--headless", "--language", "xx"]) == 2
    assert "zh-TW" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["10x10", "wide", "1280", "99999x20"])
def test_a_size_that_is_none_is_refused(size: str) -> None:
    """A size has two numbers from 64 to 8192."""
    with pytest.raises(SystemExit) as ended:
        main(["edit", "--headless", "--size", size])
    assert ended.value.code == 2


@pytest.mark.slow
def test_without_a_screen_one_line_names_the_headless_form() -> None:
    """On a machine without a screen, the command says so in one line with the command that works."""
    code = "from rish_core.launcher import main; raise SystemExit(main(['edit', 'games/hello']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": "/tmp"},
    )  # fmt: skip
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1
    assert "no screen" in lines[0]
    assert "rish edit games/hello --headless --capture out.png" in lines[0]

"""A game plays itself for its page, or plays a recording again."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from rish_core import RishError, Transform
from rish_core.launcher import main as rish
from rish_page import Demo
from rish_page.playing import play

pytestmark = pytest.mark.slow
GAME = """rish: 1
game: {title: Square, size: [64, 36]}
plugins: [render]
backend: software
input: {left: [A], right: [D]}
prefabs: {square: {Transform: {}, Shape: {size: [20, 20], color: "#ffb040"}}}
scenes:
  main: [{prefab: square, at: [12, 18]}]
  night: [{prefab: square, at: [52, 18], Shape: {color: "#4060ff"}}]
"""


@pytest.fixture
def square(tmp_path: Path) -> Path:
    """Return the folder of a game that draws a square."""
    folder = tmp_path / "square"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    return folder


def test_scenes_are_shown_one_after_another(square: Path, tmp_path: Path) -> None:
    """Each has the same time; of 60 ticks a second, every second one is drawn at 30 images a second."""
    demo = Demo(random=None, seconds=0.4, rate=30, scenes=("night", "main"))
    with play(square, demo, None, tmp_path / "home") as playing:
        images = [shown.pixels.copy() for shown in playing.images()]
    assert (playing.dt, playing.total, len(images)) == (pytest.approx(1 / 30), 12, 12)
    left = [bool(image[18, 12, 0] > 200) for image in images]
    assert left == [False] * 6 + [True] * 6


def test_keys_of_the_description_are_pressed_one_after_another(square: Path, tmp_path: Path) -> None:
    """Each is held for an eighth of a second, half a second apart; a point is a pause. Widgets get them too."""
    (square / "plugin.py").write_text(
        "from rish_core import Input, Stage, Transform, World, system\n"
        "@system(Stage.UPDATE, reads=Input, writes=Transform)\n"
        "def move(world: World, dt: float) -> None:\n"
        "    keys = world[Input]\n"
        "    world.table(Transform).position[:, 0] += 20 * keys.pressed('right') - keys.down('left') / 7\n"
        "def rish_systems():\n    return [move]\n",
        encoding="utf-8",
    )
    demo = Demo(keys=("D", ".", "A"), seconds=1.6, rate=2)
    with play(square, demo, None, tmp_path / "home") as playing:
        places = []
        for _ in playing.images():
            places.append(round(float(playing.app.world.table(Transform).position[0, 0]), 1))
    assert places == [32.0, 32.0, 31.9, 31.0]


def test_random_keys_come_from_the_seed_and_files_of_the_player_stay_alone(
    square: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two plays are equal; the game has another folder for files meanwhile."""
    monkeypatch.delenv("RISH_USER_FOLDER", raising=False)
    code = (
        "import os\n"
        "from rish_core import Input, Stage, Transform, World, system\n"
        "@system(Stage.UPDATE, reads=Input, writes=Transform)\n"
        "def move(world: World, dt: float) -> None:\n"
        "    assert os.environ['RISH_USER_FOLDER'].endswith('home')\n"
        "    keys = world[Input]\n"
        "    world.table(Transform).position[:, 0] += keys.down('right') - keys.down('left')\n"
        "def rish_systems(): return [move]\n"
    )
    (square / "plugin.py").write_text(code, encoding="utf-8")
    plays = []
    for seed in (3, 3, 4):
        with play(square, Demo(random=seed, seconds=1.5, rate=20), None, tmp_path / "home") as playing:
            plays.append(np.stack([shown.pixels for shown in playing.images()]))
    assert "RISH_USER_FOLDER" not in os.environ
    assert (plays[0] == plays[1]).all()
    assert (plays[0] != plays[2]).any()


def test_a_recording_is_played_again_and_one_of_another_game_is_refused(square: Path, tmp_path: Path) -> None:
    """Its length is that of the recording, whatever the demo says."""
    file = tmp_path / "run.rish"
    assert rish(["record", str(square), "--random", "3", "--headless", "--frames", "30", "--out", str(file)]) == 0
    with play(square, Demo(seconds=9), file, tmp_path / "home") as playing:
        assert (playing.total, len(list(playing.images()))) == (30, 30)
    (square / "game.yaml").write_text(GAME + "# another\n", encoding="utf-8")
    with pytest.raises(RishError, match="recorded with another game"), play(square, Demo(), file, tmp_path / "home"):
        pass


def test_a_game_that_draws_nothing_has_no_page(square: Path, tmp_path: Path) -> None:
    """The message says which plugin draws."""
    (square / "game.yaml").write_text("rish: 1\nscenes: {main: []}\n", encoding="utf-8")
    with pytest.raises(RishError, match="no plugin that draws"), play(square, Demo(), None, tmp_path / "home"):
        pass

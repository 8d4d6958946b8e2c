"""`rish new` writes games and scripts that run and pass their own tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from fresh_python import run_python
from rish_core import launcher
from rish_ecs import how_to_get


def rish(*arguments: str) -> int:
    """Run a command of the command line; return its exit code."""
    return launcher.main(list(arguments))


def run_tests(game: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a game in a process of its own, as its author would."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "RISH_"))}
    return run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(game), cwd=game.parent, env=quiet)


@pytest.mark.slow
def test_a_new_game_with_a_new_script_passes_its_own_tests(tmp_path: Path, capsys: Any) -> None:
    """A new game with an added script passes its check, runs, and passes its tests."""
    assert rish("new", "game", "night garden", "--into", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert "rish run" in said
    assert "pytest" in said
    game = tmp_path / "night garden"
    assert "title: Night Garden" in (game / "game.yaml").read_text(encoding="utf-8")
    assert rish("new", "script", "snow_owl", "--into", str(game)) == 0
    assert "SnowOwl: {speed: 20}" in capsys.readouterr().out
    assert (game / "scripts/snow_owl.py").is_file()
    assert rish("check", str(game)) == 0
    assert rish("run", str(game), "--headless", "--frames", "3", "--on-error", "raise") == 0
    done = run_tests(game)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
    workflow = yaml.safe_load((game / ".github/workflows/downloads.yml").read_text(encoding="utf-8"))
    commands = [step.get("run", "") for step in workflow["jobs"]["export"]["steps"]]
    lists = [word for word in " ".join(commands).split() if word.startswith("requirements/")]
    assert all((Path(__file__).parents[3] / name).is_file() for name in lists)
    assert 'rish export game --archive --name "night garden" --to downloads' in commands
    written = [path for path in game.rglob("*.*") if path.is_file() and path.suffix != ".pyc"]
    assert not any("TITLE" in path.read_text(encoding="utf-8") for path in written)


@pytest.mark.slow
def test_fireflies_are_caught_by_the_lantern(tmp_path: Path) -> None:
    """Without input a new game plays a little on its own, the same in each run."""
    rish("new", "game", "fireflies", "--into", str(tmp_path))
    from rish_core import open_game

    hashes = []
    for _ in range(2):
        with open_game(tmp_path / "fireflies", headless=True, policy="raise") as app:
            app.run(frames=400, draw=False)
            (lantern,) = app.world.table(app.world.kind("Lantern")).count.tolist()
            hashes.append(app.world.hash())
    assert lantern >= 1
    assert hashes[0] == hashes[1]


@pytest.mark.slow
def test_a_new_platformer_passes_its_own_tests(tmp_path: Path, capsys: Any) -> None:
    """A platformer passes its check, runs, and passes its tests: keys collect a coin, a lift carries the hero."""
    assert rish("new", "game", "hop", "--platformer", "--into", str(tmp_path)) == 0
    game = tmp_path / "hop"
    assert rish("check", str(game)) == 0
    assert rish("run", str(game), "--headless", "--frames", "3", "--on-error", "raise") == 0
    capsys.readouterr()
    done = run_tests(game)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout
    written = [path for path in game.rglob("*.*") if path.is_file() and path.suffix != ".pyc"]
    assert not any("TITLE" in path.read_text(encoding="utf-8") for path in written)


@pytest.mark.slow
def test_a_hero_goes_through_the_platformer(tmp_path: Path) -> None:
    """Keys lead the hero over slope and stairs, past coins, and from the elevator, which carries it, to the flag."""
    from rish_core import Input, Transform, named, open_game
    from rish_physics import Character, teleport_bodies

    rish("new", "game", "hop", "--platformer", "--into", str(tmp_path))
    with open_game(tmp_path / "hop", headless=True, policy="raise") as app:
        world, keys, hero = app.world, app.world[Input], named(app.world, "hero")
        keys.press("right")
        app.run(frames=190, draw=False)
        assert world.get(hero, Transform).position[0] > 600
        assert world.table(world.kind("Hero")).coins.tolist() == [4]
        keys.release("right")
        elevator = named(world, "elevator")
        teleport_bodies(world, hero, world.get(elevator, Transform).position + np.array((0, 30)))
        app.run(frames=10, draw=False)
        for _ in range(330):
            app.run(frames=1, draw=False)
            assert world.get(hero, Character).ground == elevator
        assert world.get(elevator, Transform).position[1] > 236
        keys.press("right")
        app.run(frames=120, draw=False)
        assert "You made it" in world.get(named(world, "message"), world.kind("Text")).text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("plugin", "x", "--platformer"), "only a game can be a platformer"),
        (("gmae", "x"), "did you mean 'game'"),
        (("game", "../x"), "no name for a game's folder"),
        (("game", ""), "no name for a game's folder"),
        (("game", "x/y"), "no name"),
        (("game", " x"), "no name"),
        (("game", "3d"), "Begin with a letter"),
        (("game", "../x"), "rish new game x --into .."),
        (("game", "ful"), "ful exists already"),
        (("script", "Fox"), "has no game.yaml"),
        (("script", "../Fox", "--into", "ful"), "no name for a script"),
    ],
)
def test_what_can_not_be_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, arguments: tuple[str, ...], says: str
) -> None:
    """Impossible requests are reported in one sentence with exit code 2, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ful").mkdir()
    (tmp_path / "ful/thing.txt").write_text("mine", encoding="utf-8")
    assert rish("new", *arguments) == 2
    assert says in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["ful", "thing.txt"]


def test_an_empty_folder_may_become_a_game(tmp_path: Path) -> None:
    """A new game can be written into an existing empty folder."""
    (tmp_path / "pond").mkdir()
    assert rish("new", "game", "pond", "--into", str(tmp_path)) == 0
    assert (tmp_path / "pond/game.yaml").is_file()


def test_a_script_is_never_written_over(tmp_path: Path, capsys: Any) -> None:
    """An existing script or test is never overwritten."""
    rish("new", "game", "pond", "--into", str(tmp_path))
    before = (tmp_path / "pond/scripts/lantern.py").read_text(encoding="utf-8")
    assert rish("new", "script", "Lantern", "--into", str(tmp_path / "pond")) == 2
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "pond/scripts/lantern.py").read_text(encoding="utf-8") == before


def test_a_game_without_scripts_gets_a_message_about_what_is_missing(tmp_path: Path, capsys: Any) -> None:
    """In a game without scripts, the output has the lines to add to the manifest and plugin.py."""
    (tmp_path / "game.yaml").write_text("rish: 1\nplugins: [render]\nscenes: {main: []}\n", encoding="utf-8")
    assert rish("new", "script", "Fox", "--into", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert "add scripts to plugins" in said
    assert "scripts_in(scripts)" in said
    assert 'installed=["render", "scripts"]' in (tmp_path / "tests/test_fox.py").read_text(encoding="utf-8")


def test_without_scripts_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """A game is written without rish-scripts too, with the line that installs it."""
    monkeypatch.setattr("rish_devtools.new.writing.installed_plugins", list)
    assert rish("new", "game", "pond", "--into", str(tmp_path)) == 0
    assert how_to_get("rish-scripts") in capsys.readouterr().out

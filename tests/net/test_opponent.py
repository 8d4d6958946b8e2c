"""`rish host --opponent` and `rish run --net-sim`: a second player on the same machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from long_runs import only_long
from rish_core.launcher import main

GAME = """
rish: 1
plugins: [rules]
input: {players: [{left: [A]}, {left: [LEFT]}]}
variables: {}
scenes: {play: [{name: thing, Transform: {}}]}
on:
  net.Joined: [{add: {thing.Transform.position.x: 1}}]
  when thing.Transform.position.x >= 2: {quit: true}
"""


@only_long
def test_an_opponent_joins(tmp_path: Path) -> None:
    """A second player comes by itself over the simulated link; when the game ends, its process ends as well."""
    (tmp_path / "game.yaml").write_text(GAME)
    command = [sys.executable, "-m", "rish_core", "host", ".", "--headless", "--opponent", "--net-sim", "5ms"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done


@pytest.mark.slow
def test_a_run_with_a_simulated_link_ends_after_its_frames(tmp_path: Path) -> None:
    """`rish run --net-sim` plays with a second player, who has the same last tick, and prints the hash."""
    (tmp_path / "game.yaml").write_text(GAME)
    command = [sys.executable, "-m", "rish_core", "run", ".", "--headless", "--frames", "40", "--hash", "--net-sim"]
    done = subprocess.run([*command, "5ms"], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done
    assert "player 2 joined" in done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("hash ")


@pytest.mark.parametrize("option", ["--capture=picture.png", "--seed=3", "--with=strict", "--speed=2"])
def test_an_option_that_a_network_game_lacks_is_refused(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is ignored in silence: `--net-sim` with another option of `rish run` is an error that names it."""
    (tmp_path / "game.yaml").write_text(GAME)
    assert main(["run", str(tmp_path), option, "--net-sim", "5ms"]) == 2
    assert f"{option.partition('=')[0]} does not go with --net-sim" in capsys.readouterr().err

"""`rish host --opponent`: a second player on the same machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from long_runs import only_long

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

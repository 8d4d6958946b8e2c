"""All parts together have the same hashes in another process and after a restore."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rish_core import App, read_manifest

GAME = """
rish: 1
plugins: [animation, physics]
scenes:
  main:
    - {name: rail, Transform: {position: [100, 50], rotation: 20},
       MotionPath: {shape: rose, size: [300, 200], turns: 2}}
    - {count: 8, Transform: {}, FollowPath: {path: rail, speed: 90, orient: true, distance: {random: [0, 300]}}}
    - {Transform: {}, Tween: {field: Transform.rotation, to: [2], easing: spring, mode: ping_pong}}
    - {Transform: {}, Body: {type: kinematic}, Collider: {shape: box, size: [90, 9]},
       Animator: {clips: c.anim.yaml, clip: a}}
    - {Transform: {position: [3, 40]}, Body: {}, Collider: {shape: box, size: [20, 20]}}
"""
CLIPS = """
clips:
  a:
    mode: ping-pong
    tracks:
      Transform.position: {keys: [[0, [0, 0]], [0.5, [60, 10]], [1, [90, 0]]], interpolation: cubic}
      Transform.rotation: [[0, 0, elastic_out], [1, 10]]
    markers: {0.5: half}
"""
RUN = """
from pathlib import Path
import sys
from rish_core import App, read_manifest
app = App(read_manifest(Path(sys.argv[1]) / "game.yaml"), headless=True, seed=3)
for _ in range(80):
    app.tick()
print(app.world.hash())
"""


@pytest.mark.slow
def test_every_process_has_the_same_hash(tmp_path: Path) -> None:
    """Clips, tweens and paths that move bodies give one hash, here and in a process with another hash seed."""
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "c.anim.yaml").write_text(CLIPS)
    app = App(read_manifest(tmp_path / "game.yaml"), headless=True, seed=3)
    middle = None
    for tick in range(80):
        if tick == 33:
            middle = app.world.snapshot()
        app.tick()
    here = app.world.hash()
    assert middle is not None
    app.world.restore(middle)
    for _ in range(80 - 33):
        app.tick()
    assert app.world.hash() == here
    app.close()
    command = [sys.executable, "-c", RUN, str(tmp_path)]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.split()[-1] == here

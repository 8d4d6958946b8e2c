"""Clip time is state: replays, snapshots in fades, and machines without kernels have the same hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.helpers.gltf_models import MODELS

from rish_core import App, read_manifest
from rish_jit import available
from rish_scene3d import Animator3D, Model3D, Poses3D, play_3d
from rish_scene3d.clips.kernel import READY
from rish_space3d import Transform3D

HERO = """{name: hero, Transform3D: {}, Model3D: {asset: robot.glb},
       Animator3D: {clips: c.anim.yaml, clip: go, root: hips},
       children: [{name: lamp, Transform3D: {}, Socket3D: {joint: hand_r}}]}"""
ARM = "{name: arm, Animator3D: {target: hero, clip: wave, layer: 1, mask: shoulder_r, speed: -0.7, weight: 0.6}}"
NOD = "{name: nods, Animator3D: {target: hero, clip: nod, layer: 2, additive: true, weight: 0.5}}"
CROWD = "{count: 30, Transform3D: {}, Model3D: {asset: robot.glb}, Animator3D: {clip: walk, root: hips}}"
CLIPS = "clips:\n  go: {animation: walk, markers: {0.5: step}}\n  hello: {animation: wave, mode: once, next: go}\n"


def run(game, ticks):
    """Run ticks; in some of them clips change."""
    for _ in range(ticks):
        tick = game.world.tick
        if tick % 40 == 13:
            play_3d(game.world, game.find("hero"), "turn", fade=0.4)
        if tick % 40 == 20:
            play_3d(game.world, game.find("hero"), "hello", fade=0.3)
        if tick % 40 == 38:
            play_3d(game.world, game.find("hero"), "go", fade=0.2, restart=True)
        game.run(1)
    return game.world.hash()


def test_a_restored_world_goes_on_the_same(stage3d):
    """A snapshot in the middle of fades gives the same hashes and the same poses to the last bit."""
    game = stage3d(HERO, ARM, NOD, c__anim__yaml=CLIPS)
    run(game, 25)
    middle = game.world.snapshot()
    first = run(game, 60)
    poses = game.draw(0.4)
    kept = poses.nodes.copy()
    version = poses.version
    game.world.restore(middle)
    assert run(game, 60) == first
    assert np.array_equal(game.draw(0.4).nodes, kept)
    assert game.world[Poses3D].version > version


def test_drawing_changes_no_state(stage3d):
    """Any number of frames between ticks leaves the hash as it is without them."""
    plain = run(stage3d(HERO, ARM, c__anim__yaml=CLIPS), 50)
    game = stage3d(HERO, ARM, c__anim__yaml=CLIPS)
    for k in range(50):
        game.draw(k % 3 / 3)
        run(game, 1)
    assert game.world.hash() == plain


@pytest.mark.slow
def test_strict_mode_finds_nothing(stage3d):
    """Systems declare what they read and write, and a tick that is repeated gives the same state."""
    run(stage3d(HERO, ARM, NOD, c__anim__yaml=CLIPS, strict=True), 24)


RUN = """
import sys
from rish_core import App, read_manifest
from pathlib import Path
app = App(read_manifest(Path(sys.argv[1]) / "game.yaml"), headless=True, seed=3)
for _ in range(int(sys.argv[2])):
    app.tick()
print(app.world.hash())
"""
TICKS = 60


@pytest.mark.slow
def test_processes_with_and_without_kernels_have_one_hash(tmp_path: Path) -> None:
    """Many characters whose sockets and roots are state give one hash with kernels, with numpy, and with no numba."""
    (tmp_path / "robot.glb").write_bytes(MODELS["robot"]().glb())
    (tmp_path / "c.anim.yaml").write_text(CLIPS)
    crowd = CROWD.replace("root: hips}", "root: hips}, children: [{Transform3D: {}, Socket3D: {joint: hand_l}}]")
    listed = "".join(f"    - {entry}\n" for entry in (HERO, ARM, NOD, crowd))
    (tmp_path / "game.yaml").write_text(f"rish: 1\nplugins: [scene3d]\nscenes:\n  main:\n{listed}")
    assert READY.now() or not available()
    with App(read_manifest(tmp_path / "game.yaml"), headless=True, seed=3) as app:
        for _ in range(TICKS):
            app.tick()
        found = {app.world.hash()}
    for more in ({}, {"RISH_NO_JIT": "1"}):
        command = [sys.executable, "-c", RUN, str(tmp_path), str(TICKS)]
        environment = {**os.environ, "PYTHONHASHSEED": "7", **more}
        found.add(
            subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.split()[-1]
        )
    assert len(found) == 1


def test_an_edited_file_is_played_anew(tmp_path: Path) -> None:
    """When the model's file changes, the clips are made again from it."""
    path = tmp_path / "tube.glb"
    path.write_bytes(MODELS["tube"]().glb())
    entry = "{Transform3D: {}, Model3D: {asset: tube.glb}, Animator3D: {playing: false, time: 0.5}}"
    (tmp_path / "game.yaml").write_text(f"rish: 1\nplugins: [scene3d]\nscenes:\n  main:\n    - {entry}\n")
    app = App(read_manifest(tmp_path / "game.yaml"), headless=True)
    app.tick()
    app.draw()
    before = app.world[Poses3D].palettes.copy()
    from rish_core import Assets

    made = MODELS["tube"]()
    made.json["animations"][0]["samplers"][0]["output"] = made.accessor(np.tile(np.float32([0, 0, 0, 1]), (3, 1)))
    path.write_bytes(made.glb())
    app.world[Assets].reload("tube.glb")
    app.tick()
    app.draw()
    assert not np.allclose(app.world[Poses3D].palettes, before)
    app.close()


def test_another_animator_does_not_disturb_a_fade(stage3d):
    """An Animator3D that comes while a clip fades out leaves the poses of the others as they are."""
    game = stage3d("{name: r, Transform3D: {}, Model3D: {asset: robot.glb}, Animator3D: {clip: walk}}").run(20)
    play_3d(game.world, game.find("r"), "wave", fade=1.0)
    before = game.run(10).nodes("r").copy()
    game.world.spawn(Transform3D, Model3D, Animator3D)
    game.world.spawn(Transform3D, Animator3D(clip="walk"))
    assert np.array_equal(game.nodes("r"), before)

"""A thousand characters for the benchmark `scene3d`: their model, and Rish's side."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_animation import PlayMode
from rish_core import App, parse_manifest
from rish_gltf import Animation, Channel
from rish_scene3d import Animator3D, FadingClips3D, Model3D, ModelData, Poses3D, SkinData
from rish_scene3d.clips import ClipLibrary3D, pose, prepare_poses_3d

from ._task import Task

CHARACTERS, JOINTS, ROWS, FPS = 1000, 40, 31, 30
"""ROWS, FPS: the rows of a clip, and how many of them are played in a second."""
_FADE = 1e4
"""The length of a fade, so long that none ends, seconds."""


def moments(count: int) -> tuple[Any, Any]:
    """Return where characters are in their two clips, rows (2, count), and how far in the fade, 0 to 1 (count,)."""
    random = np.random.default_rng(2)
    return random.uniform(0, ROWS - 2, (2, count)), random.uniform(0.1, 0.9, count)


def model() -> ModelData:
    """Return a skeleton of 40 joints, four limbs of ten, with two clips that turn all of them."""
    random = np.random.default_rng(1)
    parents = np.array([-1 if k == 0 else 0 if k % 10 == 0 else k - 1 for k in range(JOINTS)], np.int32)
    still = np.tile(np.array([0, 0, 0, 1], np.float32), (JOINTS, 1))
    places = random.uniform(-0.2, 0.2, (JOINTS, 3)).astype(np.float32)
    rest = np.zeros((JOINTS, 3, 4), np.float32)
    rest[:, :, :3] = np.eye(3)
    for k, parent in enumerate(parents.tolist()):
        rest[k, :, 3] = places[k] + (rest[parent, :, 3] if parent >= 0 else 0)
    binds = rest.copy()
    binds[:, :, 3] *= -1
    times = (np.arange(ROWS) / FPS).astype(np.float32)
    clips: list[Animation] = []
    for name in ("walk", "run"):
        turns = np.concatenate([random.normal(size=(JOINTS, ROWS, 3)) * 0.1, np.ones((JOINTS, ROWS, 1))], axis=2)
        channels = [Channel(k, "rotation", "linear", times, turns[k].astype(np.float32)) for k in range(JOINTS)]
        clips.append(Animation(name, tuple(channels)))
    names, none = tuple(f"joint{k}" for k in range(JOINTS)), np.full(JOINTS, -1, np.int32)
    skin = SkinData(np.arange(JOINTS, dtype=np.int32), binds, 0)
    nothing, size = np.zeros(0, np.float32), np.ones((JOINTS, 3), np.float32)
    bounds = np.zeros((2, 3), np.float32)
    return ModelData(
        "crowd", (), names, parents, places, still, size, rest, bounds, nothing, none, (skin,), tuple(clips)
    )  # fmt: skip


def _crowd() -> App:
    """Return a game with a thousand characters in the middle of a fade from one clip to the other."""
    app = App(parse_manifest("rish: 1\nplugins: [scene3d]\nscenes: {main: []}\n"), headless=True)
    world, (rows, share) = app.world, moments(CHARACTERS)
    world[ClipLibrary3D].add(world, "crowd.glb", model())
    entities = world.spawn_many(
        CHARACTERS, Model3D(asset="crowd.glb"), Animator3D(clip="run", mode=PlayMode.LOOP, fade=_FADE)
    )
    app.tick()
    table = world.table(Animator3D)
    table.time[:], table.faded[:] = rows[1] / FPS, share * _FADE
    below = {"speed": 1.0, "time": (rows[0] / FPS).astype(np.float32)}
    world[FadingClips3D].append(CHARACTERS, animator=entities, clip="walk", **below)
    app.tick()
    assert prepare_poses_3d()
    return app


def characters() -> Task:
    """All poses of a frame: a thousand characters of 40 joints, two clips each, at another moment every time."""
    world = _crowd().world
    moments = [0.25]

    def run() -> None:
        moments[0] = 1.0 - moments[0]
        world.alpha = moments[0]
        pose(world, world.dt)
        assert len(world[Poses3D].palettes) == CHARACTERS * JOINTS

    return Task(run)


def still_characters() -> Task:
    """The same characters, stopped."""
    app = _crowd()
    world = app.world
    table = world.table(Animator3D)
    table.playing[:] = False
    table.mark()
    world[FadingClips3D].keep_rows(np.zeros(CHARACTERS, np.bool_))
    app.tick()
    moments = [0.25]

    def run() -> None:
        moments[0] = 1.0 - moments[0]
        world.alpha = moments[0]
        pose(world, world.dt)

    run()
    return Task(run)

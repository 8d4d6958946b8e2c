"""A thousand characters for the benchmark `scene3d`: Rish's side, and the same in numpy for all of them at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_animation import PlayMode
from rish_core import App, parse_manifest
from rish_gltf import Animation, Channel
from rish_scene3d import Animator3D, FadingClips3D, Model3D, ModelData, Poses3D, SkinData
from rish_scene3d.clips import ClipLibrary3D, pose, prepare_poses_3d

from ._task import Task

CHARACTERS, JOINTS, ROWS = 1000, 40, 31


def _model() -> ModelData:
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
    times = (np.arange(ROWS) / 30).astype(np.float32)
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


def _world() -> Any:
    """Return a game with a thousand characters in the middle of a fade from one clip to the other."""
    app = App(parse_manifest("rish: 1\nplugins: [scene3d]\nscenes: {main: []}\n"), headless=True)
    world, random = app.world, np.random.default_rng(2)
    world[ClipLibrary3D].add(world, "crowd.glb", _model())
    entities = world.spawn_many(
        CHARACTERS, Model3D(asset="crowd.glb"), Animator3D(clip="run", mode=PlayMode.LOOP, fade=1e4)
    )
    app.tick()
    table = world.table(Animator3D)
    table.time[:] = random.uniform(0, 1, CHARACTERS)
    table.faded[:] = random.uniform(1e3, 9e3, CHARACTERS)
    below = {"speed": 1.0, "time": random.uniform(0, 1, CHARACTERS).astype(np.float32)}
    world[FadingClips3D].append(CHARACTERS, animator=entities, clip="walk", **below)
    app.tick()
    assert prepare_poses_3d()
    return app


def characters() -> Task:
    """All poses of a frame: a thousand characters of 40 joints, two clips each, at another moment every time."""
    world = _world().world
    moments = [0.25]

    def run() -> None:
        moments[0] = 1.0 - moments[0]
        world.alpha = moments[0]
        pose(world, world.dt)
        assert len(world[Poses3D].palettes) == CHARACTERS * JOINTS

    return Task(run)


def still_characters() -> Task:
    """The same characters, stopped."""
    app = _world()
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


def batch() -> Task:
    """The same palettes in float32 by numpy, joint by joint for all characters at once, as written by hand."""
    model, random = _model(), np.random.default_rng(2)
    tracks = [
        np.stack([channel.values / np.linalg.norm(channel.values, axis=1)[:, None] for channel in clip.channels], 1)
        for clip in model.clips
    ]
    time = random.uniform(0, 29, (2, CHARACTERS))
    share = random.uniform(0.1, 0.9, CHARACTERS).astype(np.float32)[:, None, None]
    binds = np.concatenate(
        [model.skins[0].inverse_binds, np.tile(np.array([[[0, 0, 0, 1]]], np.float32), (JOINTS, 1, 1))], 1
    )

    def run() -> None:
        turns = []
        for track, when in zip(tracks, time, strict=True):
            row = when.astype(np.int64)
            part = (when - row).astype(np.float32)[:, None, None]
            turns.append(track[row] + part * (track[row + 1] - track[row]))
        first, second = turns
        second = np.where((first * second).sum(-1, keepdims=True) < 0, -second, second)
        q = first + share * (second - first)
        q /= np.linalg.norm(q, axis=-1, keepdims=True)
        x, y, z, w = (q[..., k] for k in range(4))
        local = np.zeros((CHARACTERS, JOINTS, 4, 4), np.float32)
        local[..., 0, 0], local[..., 0, 1], local[..., 0, 2] = (
            1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
        )  # fmt: skip
        local[..., 1, 0], local[..., 1, 1], local[..., 1, 2] = (
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        )  # fmt: skip
        local[..., 2, 0], local[..., 2, 1], local[..., 2, 2] = (
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
        )  # fmt: skip
        local[..., :3, 3], local[..., 3, 3] = model.translations, 1
        for k, parent in enumerate(model.parents.tolist()):
            if parent >= 0:
                local[:, k] = local[:, parent] @ local[:, k]
        palettes = local @ binds
        assert palettes.shape == (CHARACTERS, JOINTS, 4, 4)

    return Task(run)

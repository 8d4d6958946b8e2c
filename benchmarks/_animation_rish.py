"""Rish's side of the benchmark `animation`: Apps with ten thousand animated entities."""

from __future__ import annotations

import numpy as np

from rish_animation import (
    Animator,
    ClipLibrary,
    Clips,
    FollowPath,
    Key,
    MotionPath,
    PathShape,
    Track,
    TrackClip,
    tween,
)
from rish_core import App, Transform, parse_manifest

from ._task import Task

COUNT = 10_000
EASINGS = ("cubic_out", "sine_in_out", "back_out", "bounce_out", "elastic_out", "linear", "quad_in", "expo_in_out")
FIELDS = (("Transform.position", (10, 20)), ("Transform.rotation", 1.0), ("Transform.scale", (2, 2)))


def _app() -> App:
    return App(parse_manifest("rish: 1\nplugins: [animation]\n"), headless=True)


def _ticking(app: App) -> Task:
    for _ in range(3):
        app.tick()
    return Task(app.tick, after=app.close)


def tweens() -> Task:
    """A tick with ten thousand tweens of three fields with eight easings."""
    app = _app()
    handles = app.world.spawn_many(COUNT, Transform())
    for k, easing in enumerate(EASINGS):
        field, to = FIELDS[k % len(FIELDS)]
        tween(app.world, handles[k :: len(EASINGS)], field, to, easing=easing, mode="ping_pong")
    return _ticking(app)


def animators() -> Task:
    """A tick with ten thousand animators of a clip with four tracks."""
    app = _app()
    tracks = (
        Track("Transform.position.x", (Key(0, 0.0), Key(0.5, 10.0), Key(1, 0.0))),
        Track("Transform.position.y", (Key(0, 0.0), Key(0.25, 3.0), Key(1, 0.0)), easing="quad_out"),
        Track("Transform.rotation", (Key(0, -0.2), Key(0.5, 0.2), Key(1, -0.2))),
        Track("Transform.scale", (Key(0, (1, 1)), Key(0.5, (1.1, 0.9)), Key(1, (1, 1))), easing="cubic_in_out"),
    )
    app.world[ClipLibrary].add(app.world, "clips", Clips(tracks={"walk": TrackClip(tracks, 1.0)}))
    time = np.linspace(0, 0.99, COUNT, dtype=np.float32)
    app.world.spawn_many(COUNT, Transform(), Animator(clips="clips", clip="walk", time=time))
    return _ticking(app)


def paths() -> Task:
    """A tick with ten thousand entities on a path, which turn to their directions."""
    app = _app()
    path = app.world.spawn(Transform(), MotionPath(shape=PathShape.LISSAJOUS))
    distance = np.linspace(0, 400, COUNT, dtype=np.float32)
    app.world.spawn_many(COUNT, Transform(), FollowPath(path=path, speed=50, distance=distance, orient=True))
    return _ticking(app)

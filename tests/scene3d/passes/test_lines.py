"""Lines in space: their forms, and how long they stay."""

from __future__ import annotations

import math

import numpy as np

from rish_core import App, Stage, World, parse_manifest, system
from rish_scene3d import Lines3D
from rish_scene3d.passes.lines import clear_frame_lines, clear_lines

RED = (1.0, 0.0, 0.0, 0.5)


def test_lines_become_a_batch_of_the_declared_arrays() -> None:
    """All lines are one batch that fits its kind; it stays the same object until lines change."""
    lines = Lines3D()
    assert lines.batch() is None
    lines.axes(np.eye(3, 4), 2.0)
    lines.box((0, 0, 0), (1, 2, 3), RED)
    batch = lines.batch()
    assert batch is not None
    assert batch is lines.batch()
    batch.check("test")
    assert len(lines) == 15
    assert batch.arrays["ends"][0].tolist() == [[0, 0, 0], [2, 0, 0]]
    assert batch.arrays["rgba"][-1].tolist() == [255, 0, 0, 128]
    assert batch.arrays["hidden"].tolist() == [0] * 3 + [1] * 12
    lines.path([(0, 0, 0), (1, 0, 0), (1, 1, 0)], RED, closed=True)
    assert lines.batch() is not batch
    assert len(lines) == 18


def test_lines_without_a_place_are_left_out() -> None:
    """NaN and infinite ends draw nothing."""
    lines = Lines3D()
    lines.add([[[0, 0, 0], [math.nan, 0, 0]], [[0, 0, 0], [0, math.inf, 0]], [[0, 0, 0], [1, 0, 0]]], RED)
    lines.normals([[0, 0, 0]], [[0, math.nan, 0]], 1.0, RED)
    assert len(lines) == 1


def test_lines_stay_as_long_as_they_should() -> None:
    """Lines of a tick stay for all frames until the next tick; lines of EXTRACT for one frame."""

    @system(Stage.UPDATE, writes=Lines3D, view=True)
    def in_tick(world: World, dt: float) -> None:
        world[Lines3D].path([(0, 0, 0), (1, 0, 0)], RED)

    @system(Stage.EXTRACT, writes=Lines3D)
    def in_frame(world: World, dt: float) -> None:
        world[Lines3D].box((0, 0, 0), (1, 1, 1), RED)

    world = World()
    world.put(Lines3D())
    for _ in range(2):
        clear_lines(world, 0.1)
        in_tick(world, 0.1)
        for _ in range(3):
            clear_frame_lines(world, 0.1)
            in_frame(world, 0.1)
            assert len(world[Lines3D]) == 13
    world[Lines3D].rebuild(world)
    assert len(world[Lines3D]) == 0


def test_the_plugin_clears_lines() -> None:
    """In a game, lines that were added once are gone after the next tick."""
    text = "rish: 1\ngame: {size: [64, 64]}\nplugins: [scene3d]\nscenes: {main: []}\n"
    with App(parse_manifest(text), headless=True, policy="raise") as app:
        app.world[Lines3D].sphere((0, 0, 0), 1.0, RED)
        app.run(1)
        assert len(app.world[Lines3D]) == 0

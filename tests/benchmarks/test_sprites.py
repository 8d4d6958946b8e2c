"""The benchmark `sprites`: all engines show the same scene, and the driver's work is left out."""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from benchmarks import _engine_clock, _sprites_scene, _worker, harness, sprites

KEYS = {
    "cpu_100000:arcade": 0.01,
    "cpu_100000:moderngl": 1.6,
    "cpu_100000:moderngl_sorted": 0.67,
    "cpu_100000:moderngl_presorted": 1.0,
    "cpu_100000:moderngl_numba": 1.5,
    "drawn_100000:moderngl_presorted": 1.0,
    "drawn_100000:moderngl_numba": 1.5,
    "frame_100000_8px:pygame": 0.34,
    "frame_10000_32px:arcade": 0.125,
    "frame_exact_10000_32px:pygame": 2.0,
    "static_100000:moving": 0.02,
    "static_camera_100000:moving": 0.05,
    "batched_5000:single": 0.02,
    "pick_100000:limit": 1.0,
    "tiles_cpu:limit": 1.0,
    "tiles_frame:limit": 1.0,
    "tiles_whole_map:limit": 1.0,
    "tiles_load:limit": 1.0,
}
"""The keys of a quick run, and their limits."""


def test_a_quick_run_has_exactly_these_keys() -> None:
    """A quick run has exactly these keys, which are compared from run to run; a million sprites need a full run."""
    quick = {key: limit for case in sprites.CASES if case.limited for key, limit in case.keys(quick=True).items()}
    assert quick == KEYS
    full = {key for case in sprites.CASES for key in case.keys(quick=False)}
    for count in (100, 1000, 10_000, 100_000, 1_000_000):
        assert {f"cpu_{count}:{peer}" for peer in ("arcade", "pyglet", "moderngl", "moderngl_sorted")} <= full
        for size in (8, 32):
            assert {f"frame_{count}_{size}px:{peer}" for peer in ("pygame", "arcade", "raylib")} <= full
    assert "cpu_1000000:cpu_100000" in full


@pytest.mark.parametrize("count", [100, 160])
def test_motion_is_what_plain_arithmetic_gives(count: int) -> None:
    """The motion equals plain arithmetic, with and without blocks: move, rotate, bounce, then apply the root's pose."""
    first = _sprites_scene.start(count)
    place, velocity = first["place"].astype(float), first["velocity"].astype(float)
    angle, bounced = first["angle"].astype(float), 0
    motion = _sprites_scene.Motion(count)
    for tick in range(1, 300):
        if tick > 1:
            motion.tick()
        place, angle = place + velocity, angle + first["spin"]
        outside = np.abs(place) > _sprites_scene.HALF
        velocity, bounced = np.where(outside, -velocity, velocity), bounced + int(outside.sum())
        center, turn = (part.astype(float)[first["root"]] for part in _sprites_scene.roots(tick))
        cos, sin = np.cos(turn), np.sin(turn)
        x = cos * place[:, 0] - sin * place[:, 1] + center[:, 0]
        y = sin * place[:, 0] + cos * place[:, 1] + center[:, 1]
        assert np.abs(motion.x - x).max() < 0.1
        assert np.abs(motion.y - y).max() < 0.1
        assert np.abs(motion.angle - angle - turn).max() < 0.01
    assert bounced


@pytest.mark.slow
def test_ours_shows_what_the_peers_show() -> None:
    """After the same number of ticks, sprites are where numpy puts them, half a tick back if poses are interpolated."""
    from benchmarks import _sprites_rish

    from rish_core import Transform, world_matrices
    from rish_frame import NullBackend

    count = 50
    app = _sprites_rish.open_app(count, 8, NullBackend(), [_sprites_rish.fly])
    motion = _sprites_scene.Motion(count)
    try:
        for _ in range(20):
            app.frame(seconds=_sprites_scene.DT)
            assert app.clock.alpha == pytest.approx(0.5)
        while motion.number < app.world.tick:
            motion.tick()
        query = app.world.query(_sprites_rish.Sprite, Transform)
        places = world_matrices(app.world)[query.rows(Transform)][:, 4:]
        assert np.abs(places - np.stack([motion.x, motion.y], axis=-1)).max() < 1
        assert app.host.backend.drawn("sprites")
    finally:
        app.close()


def test_drawing_calls_are_left_out_and_uploads_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing calls do nothing in both packages for the clock `engine`; uploads and state changes still work."""
    done: list[str] = []
    names = ("glDrawArraysInstanced", "glClear", "glFinish", "glBufferSubData", "glDrawBuffers", "glClearColor")
    module = ModuleType("pyglet.sample")
    for name in names:
        setattr(module, name, partial(done.append, name))
    monkeypatch.setitem(sys.modules, "pyglet.sample", module)
    for clock, called in (("engine", ["glBufferSubData", "glDrawBuffers", "glClearColor"]), ("frame", list(names))):
        done.clear()
        _engine_clock.set_clock(clock)
        for name in names:
            getattr(module, name)()
        assert done == called
    assert {"engine", "frame"} <= set(_worker.CLOCKS)


def test_the_pictures_differ_and_have_smooth_edges() -> None:
    """The sixteen images differ and have smooth edges."""
    made = [_sprites_scene.picture(k, 32) for k in range(_sprites_scene.PICTURES)]
    assert len({picture.tobytes() for picture in made}) == 16
    for picture in made:
        assert 0 < int(((picture[..., 3] > 0) & (picture[..., 3] < 255)).sum()) < 300


def row(case: str, engine: str, value: float) -> Any:
    """Return a row of results."""
    return harness.Row(case, engine, value, "ms", value, value, "cpu", 1)


def test_the_notes_have_a_table_of_frames_per_second() -> None:
    """The notes show frames per second by number of sprites; cells that were not measured are empty."""
    results = harness.Results("sprites", quick=False)
    assert sprites.notes(results) == ""
    results.rows += [
        row("frame_1000_8px", "rish", 0.5),
        row("cpu_1000", "rish", 0.1),
        row("batched_1000", "single", 20),
    ]
    assert "| 1,000 | 2,000 | 10,000 |  | 50 |" in sprites.notes(results)
    assert harness.notes_of("benchmarks.ecs", results) == ""

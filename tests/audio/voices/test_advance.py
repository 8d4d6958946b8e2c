"""The kernel that moves voices in their clips."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_audio.voices.advance import advance

_FAR = 2**30


def _by_numpy(dt: float, v: dict[str, Any], over: Any) -> None:
    """Move the voices column by column."""
    v["last_frame"][:], v["last_fraction"][:] = v["frame"], v["fraction"]
    moves = (v["last_rate"] + v["rate"].astype(np.float64)) * (0.5 * dt) * v["clip_rate"]
    on = v["fraction"] + np.where(v["paused"], 0.0, moves)
    steps = np.floor(on)
    fraction = (on - steps).astype(np.float32)
    frame = v["frame"] + steps.astype(np.int64) + (fraction >= 1)
    v["fraction"][:] = np.where(fraction >= 1, 0, fraction)
    over[:] = (~v["loop"] & (frame >= v["length"]) & ~v["paused"]) | (v["length"] == 0)
    repeated = v["repeats"][:, 1] - v["repeats"][:, 0]
    v["frame"][:] = np.where(frame > _FAR, frame - _FAR // repeated * repeated, frame)


def _voices(count: int) -> dict[str, Any]:
    random, f32, i32 = np.random.default_rng(3), np.float32, np.int32
    frame = random.integers(0, 90_000, count).astype(i32)
    frame[::7] = _FAR - 3
    first = random.integers(0, 100, count)
    return {
        "frame": frame,
        "last_frame": np.zeros(count, i32),
        "fraction": np.nextafter(random.choice([0.0, 0.25, 1.0], count), 0).astype(f32).clip(0, 0.99999994),
        "last_fraction": np.zeros(count, f32),
        "rate": random.uniform(0.1, 4, count).astype(f32),
        "last_rate": random.uniform(0.1, 4, count).astype(f32),
        "clip_rate": random.choice([22050.0, 44100.0, 60.0], count).astype(f32),
        "paused": random.random(count) < 0.2,
        "loop": random.random(count) < 0.5,
        "length": random.choice([0, 50_000, 90_000], count).astype(i32),
        "repeats": np.stack([first, first + random.integers(1, 90_000, count)], axis=1).astype(i32),
        "marked": random.random(count) < 0.3,
    }


def test_the_kernel_moves_voices_as_columns_of_numpy_would() -> None:
    """Positions, ends and setbacks have the bits of the same arithmetic over whole columns."""
    voices, expected = _voices(500), _voices(500)
    over, expected_over = np.zeros(500, np.bool_), np.zeros(500, np.bool_)
    for _ in range(3):
        ended, marked = advance(1 / 60, False, *voices.values(), over)
        _by_numpy(1 / 60, expected, expected_over)
        for name, column in voices.items():
            np.testing.assert_array_equal(column, expected[name], name)
        np.testing.assert_array_equal(over, expected_over)
        assert (ended, marked) == (over.sum(), voices["marked"].sum())


def test_a_steady_voice_keeps_its_rate() -> None:
    """With `steady`, the rate of the tick before is set to the present one, and the voice moves with it."""
    voices = _voices(20)
    voices["paused"][:] = False
    advance(1 / 60, True, *voices.values(), np.zeros(20, np.bool_))
    np.testing.assert_array_equal(voices["last_rate"], voices["rate"])
    moved = voices["frame"] + voices["fraction"] - voices["last_frame"] - voices["last_fraction"]
    expected = voices["rate"].astype(np.float64) * voices["clip_rate"] / 60
    near = voices["last_frame"] < _FAR - 3
    np.testing.assert_allclose(moved[near], expected[near], atol=0.02)
